package dev.onejob.providers.httpkeyed;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Retryability;
import dev.onejob.provider.CallWatch;
import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Finding;
import dev.onejob.provider.Inquiry;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import dev.onejob.providers.Quoted;
import dev.onejob.providers.http.OnePost;
import dev.onejob.providers.http.OnePost.Patience;
import dev.onejob.providers.http.Post;
import dev.onejob.providers.http.Repetition;
import dev.onejob.providers.http.Reply;
import dev.onejob.providers.http.Timeouts;
import dev.onejob.providers.http.Unstoppable;
import dev.onejob.providers.http.Unwatched;
import dev.onejob.providers.model.Template.MissingPart;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import tools.jackson.core.JacksonException;

/** Calls one endpoint that acts once for a key. */
final class KeyedProvider implements Provider {
  private final KeyedRequest template;
  private final KeyedReading reading;
  private final Optional<KeyedQuestion> question;
  private final Timeouts timeouts;
  private final Capabilities capabilities;

  KeyedProvider(
      KeyedRequest template,
      KeyedReading reading,
      Optional<KeyedQuestion> question,
      Timeouts timeouts,
      Capabilities capabilities) {
    this.template = template;
    this.reading = reading;
    this.question = question;
    this.timeouts = timeouts;
    this.capabilities = capabilities;
  }

  @Override
  public Capabilities capabilities() {
    return capabilities;
  }

  /** A stop cannot undo the act: it would only lose the answer. So it is read to its end. */
  @Override
  public Outcome call(ProviderRequest request, CallWatch watch) throws InterruptedException {
    if (watch.stopAsked()) {
      return new Outcome.Stopped("stopped before the request left");
    }
    Post post;
    try {
      post = template.fill(request);
    } catch (MissingPart e) {
      return unusable(e.says());
    } catch (JacksonException e) {
      return unusable(Quoted.message("the input cannot be read", e.getOriginalMessage()));
    }
    Patience patience = new Patience(request.timeout().plus(request.lateAnswerLimit()), timeouts);
    return switch (OnePost.send(post, patience, new Unstoppable(watch), head -> {})) {
      case Reply.NotSent notSent -> notSent.outcome();
      case Reply.NoAnswer none -> new Outcome.InDoubt(none.why());
      case Reply.TooLarge large -> reading.tooLarge(large.head()).ofCall();
      case Reply.Answer answer -> {
        reading.id(answer.head(), answer.body()).ifPresent(watch::accepted);
        yield reading.of(answer.head(), answer.body()).ofCall();
      }
    };
  }

  private static Outcome unusable(String message) {
    return new Outcome.Refused(new Failure("input-unusable", message), Retryability.FINAL, null);
  }

  @Override
  public Finding lookup(Inquiry inquiry) throws InterruptedException {
    String id = inquiry.providerRef();
    if (question.isEmpty() || id == null || !KeyedReading.canBeAskedAbout(id)) {
      return Provider.super.lookup(inquiry);
    }
    Post get = question.get().about(id);
    Patience patience = new Patience(inquiry.timeout(), timeouts);
    return switch (OnePost.send(get, patience, Unwatched.QUESTION, head -> {})) {
      case Reply.NotSent notSent -> new Finding.CannotSay(notSent.why());
      case Reply.NoAnswer none -> new Finding.CannotSay(none.why());
      case Reply.TooLarge large -> KeyedReading.tooLargeLookUp(large.head()).ofLookUp();
      case Reply.Answer answer -> reading.ofLookUp(id, answer.head(), answer.body()).ofLookUp();
    };
  }

  @Override
  public Finding replay(ProviderRequest request, BooleanSupplier mayLeave)
      throws InterruptedException {
    try {
      Post post = template.fill(request);
      Repetition watch = new Repetition(mayLeave);
      Patience patience = new Patience(request.timeout(), timeouts);
      return switch (OnePost.send(post, patience, watch, head -> {})) {
        case Reply.NotSent notSent -> new Finding.CannotSay(notSent.why());
        case Reply.NoAnswer none -> new Finding.CannotSay(none.why());
        case Reply.TooLarge large -> reading.tooLarge(large.head()).ofReplay();
        case Reply.Answer answer -> reading.of(answer.head(), answer.body()).ofReplay();
      };
    } catch (MissingPart e) {
      return new Finding.CannotSay(new Failure("input-unusable", e.says()));
    }
  }
}
