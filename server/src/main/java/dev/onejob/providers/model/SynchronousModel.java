package dev.onejob.providers.model;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Retryability;
import dev.onejob.provider.CallWatch;
import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import dev.onejob.providers.Quoted;
import dev.onejob.providers.http.OnePost;
import dev.onejob.providers.http.OnePost.Patience;
import dev.onejob.providers.http.Post;
import dev.onejob.providers.http.Reply;
import dev.onejob.providers.http.Streamed;
import dev.onejob.providers.http.Timeouts;
import tools.jackson.core.JacksonException;

/** A language model that answers on the line on which it was asked, whole or in a stream. */
public final class SynchronousModel implements Provider {
  private final Capabilities capabilities;
  private final Asking asking;
  private final AnswerReading reading;
  private final Timeouts timeouts;
  private final Form form;

  /** How the answer is asked for. */
  public enum Form {
    WHOLE,
    STREAM
  }

  /** Makes the request for a job. */
  public interface Asking {
    /**
     * Fills the templates, or passes the input on.
     *
     * @throws UnusableInput if the input is not fit for that
     * @throws JacksonException if the input cannot be read
     */
    Post post(ProviderRequest request) throws UnusableInput;
  }

  /** A model with these settings, that answers as {@code reading} reads it. */
  public SynchronousModel(
      Capabilities capabilities, ModelSettings settings, Asking asking, AnswerReading reading) {
    this.capabilities = capabilities;
    this.asking = asking;
    this.reading = reading;
    this.timeouts = settings.timeouts();
    this.form = settings.streams() ? Form.STREAM : Form.WHOLE;
  }

  @Override
  public Capabilities capabilities() {
    return capabilities;
  }

  @Override
  public Outcome call(ProviderRequest request, CallWatch watch) throws InterruptedException {
    Post post;
    try {
      post = asking.post(request);
    } catch (UnusableInput e) {
      return unusable(e.says());
    } catch (JacksonException e) {
      return unusable(Quoted.message("the input cannot be read", e.getOriginalMessage()));
    }
    Patience patience = new Patience(request.timeout().plus(request.lateAnswerLimit()), timeouts);
    return switch (form) {
      case WHOLE -> plain(OnePost.send(post, patience, watch, head -> {}), watch);
      case STREAM -> stream(post, patience, watch);
    };
  }

  /** Nothing was sent: a request cannot be made of this input. */
  public static Outcome unusable(String message) {
    return new Outcome.Refused(new Failure("input-unusable", message), Retryability.FINAL, null);
  }

  /** A head alone acknowledges nothing here: the same head is sent by proxies of all sorts. */
  private Outcome plain(Reply reply, CallWatch watch) {
    return switch (reply) {
      case Reply.NotSent notSent -> notSent.outcome();
      case Reply.NoAnswer none -> new Outcome.InDoubt(none.why());
      case Reply.TooLarge large -> reading.tooLarge(large.head());
      case Reply.Answer answer -> reading.of(answer.head(), answer.body(), watch);
    };
  }

  private Outcome stream(Post post, Patience patience, CallWatch watch)
      throws InterruptedException {
    StreamReading listening = reading.listening();
    return switch (OnePost.stream(post, patience, watch, listening)) {
      case Streamed.Plain plain -> plain(plain.reply(), watch);
      case Streamed.Cut cut -> new Outcome.InDoubt(cut.why());
      case Streamed.Ended ended -> listening.outcome(ended.head(), watch);
    };
  }
}
