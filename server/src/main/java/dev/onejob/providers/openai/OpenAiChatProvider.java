package dev.onejob.providers.openai;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Retryability;
import dev.onejob.provider.CallWatch;
import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import dev.onejob.providers.Quoted;
import dev.onejob.providers.http.OnePost;
import dev.onejob.providers.http.Post;
import dev.onejob.providers.http.Reply;
import dev.onejob.providers.openai.Template.MissingPart;
import java.time.Duration;
import tools.jackson.core.JacksonException;

/** Asks one endpoint for chat completions. */
final class OpenAiChatProvider implements Provider {
  /** What any such endpoint may be relied on for: next to nothing. */
  private static final Capabilities CAPABILITIES =
      new Capabilities(
          Capabilities.SubmitDeduplication.NONE,
          Capabilities.ReferenceSurvival.NONE,
          Capabilities.StatusProbe.NONE,
          Capabilities.NegativeAnswer.MAY_COME_LATER,
          Capabilities.Cancel.DISCONNECT,
          Capabilities.TerminalState.STABLE,
          Capabilities.HiddenReexecution.UNKNOWN,
          Capabilities.BillingOnCancel.UNKNOWN,
          null,
          null);

  private final ChatRequest template;
  private final ChatReading reading;

  OpenAiChatProvider(ChatRequest template, ChatReading reading) {
    this.template = template;
    this.reading = reading;
  }

  @Override
  public Capabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public Outcome call(ProviderRequest request, CallWatch watch) throws InterruptedException {
    try {
      return send(template.fill(request), request, watch);
    } catch (MissingPart e) {
      return unusable(e.says());
    } catch (PassedOn.Unfit e) {
      return unusable(e.says());
    } catch (JacksonException e) {
      return unusable(Quoted.message("the input cannot be read", e.getOriginalMessage()));
    }
  }

  private static Outcome unusable(String message) {
    return new Outcome.Refused(new Failure("input-unusable", message), Retryability.FINAL, null);
  }

  /** A head alone acknowledges nothing here: the same head is sent by proxies of all sorts. */
  private Outcome send(Post post, ProviderRequest request, CallWatch watch)
      throws InterruptedException {
    Duration patience = request.timeout().plus(request.lateAnswerLimit());
    return switch (OnePost.send(post, patience, watch, head -> {})) {
      case Reply.NotSent notSent -> notSent.outcome();
      case Reply.NoAnswer none -> new Outcome.InDoubt(none.why());
      case Reply.TooLarge large -> reading.tooLarge(large.head());
      case Reply.Answer answer -> {
        watch.said(() -> Words.of(answer.body()));
        yield reading.of(answer.head(), answer.body(), watch);
      }
    };
  }
}
