package dev.onejob.providers.responses;

import dev.onejob.domain.Failure;
import dev.onejob.provider.CallWatch;
import dev.onejob.provider.CallbackReader;
import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Capabilities.StatusProbe;
import dev.onejob.provider.Finding;
import dev.onejob.provider.Inquiry;
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
import dev.onejob.providers.http.Unwatched;
import dev.onejob.providers.model.ModelSettings;
import dev.onejob.providers.model.SynchronousModel;
import dev.onejob.providers.model.SynchronousModel.Form;
import dev.onejob.providers.model.Template.MissingPart;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.core.JacksonException;

/** Asks one endpoint for responses. */
final class OpenAiResponsesProvider implements Provider {
  private final Capabilities capabilities;
  private final ResponseRequest requests;
  private final ResponseReading reading;
  private final Timeouts timeouts;
  private final Form form;
  private final Duration interval;
  private final Optional<CallbackReader> webhooks;

  OpenAiResponsesProvider(
      ResponseSettings settings,
      ResponseRequest requests,
      ResponseReading reading,
      ModelSettings common,
      Optional<CallbackReader> webhooks) {
    this.capabilities = settings.capabilities();
    this.interval = settings.interval();
    this.webhooks = webhooks;
    this.requests = requests;
    this.reading = reading;
    this.timeouts = common.timeouts();
    this.form = common.streams() ? Form.STREAM : Form.WHOLE;
  }

  @Override
  public Capabilities capabilities() {
    return capabilities;
  }

  @Override
  public Optional<CallbackReader> callbackReader() {
    return webhooks;
  }

  @Override
  public Outcome call(ProviderRequest request, CallWatch watch) throws InterruptedException {
    if (watch.stopAsked()) {
      return new Outcome.Stopped("stopped before the request left");
    }
    Post post;
    try {
      post = requests.post(request);
    } catch (MissingPart e) {
      return SynchronousModel.unusable(e.says());
    } catch (JacksonException e) {
      return SynchronousModel.unusable(
          Quoted.message("the input cannot be read", e.getOriginalMessage()));
    }
    Duration patience = request.timeout().plus(request.lateAnswerLimit());
    long end = System.nanoTime() + patience.toNanos();
    return capabilities.statusProbe() == StatusProbe.NONE
        ? onTheLine(post, patience, watch)
        : inTheBackground(post, patience, end, watch);
  }

  /** A stop closes the line. */
  private Outcome onTheLine(Post post, Duration patience, CallWatch watch)
      throws InterruptedException {
    Progress progress =
        form == Form.STREAM ? stream(post, patience, watch) : submit(post, patience, watch, watch);
    return switch (progress) {
      case Progress.Over over -> over.outcome();
      case Progress.Working working -> new Outcome.InDoubt(notOver(working.id()));
      case Progress.Gone gone -> new Outcome.InDoubt(gone.why());
      case Progress.Unclear unclear -> new Outcome.InDoubt(unclear.why());
    };
  }

  private static Failure notOver(String id) {
    return new Failure("not-over", "the answer says that " + id + " has not ended");
  }

  private Progress stream(Post post, Duration patience, CallWatch watch)
      throws InterruptedException {
    ResponseStream events = new ResponseStream();
    return switch (OnePost.stream(post, new Patience(patience, timeouts), watch, events)) {
      case Streamed.Plain plain -> submitted(plain.reply(), watch);
      case Streamed.Cut cut -> new Progress.Unclear(cut.why());
      case Streamed.Ended ended -> events.progress(ended.head(), reading, watch);
    };
  }

  private Outcome inTheBackground(Post post, Duration patience, long end, CallWatch watch)
      throws InterruptedException {
    Stopping stopping = new Stopping();
    watch.onStop(stopping::ask);
    Progress submitted = submit(post, patience, new Submit(watch, stopping), watch);
    stopping.submitted();
    return switch (submitted) {
      case Progress.Over over -> over.outcome();
      case Progress.Working working -> {
        watch.accepted(working.id());
        Following following = new Following(requests, reading, timeouts, interval, stopping);
        yield following.follow(working.id(), end, watch);
      }
      case Progress.Gone gone -> new Outcome.InDoubt(gone.why());
      case Progress.Unclear unclear -> new Outcome.InDoubt(unclear.why());
    };
  }

  private Progress submit(Post post, Duration patience, CallWatch line, CallWatch watch)
      throws InterruptedException {
    return submitted(OnePost.send(post, new Patience(patience, timeouts), line, head -> {}), watch);
  }

  private Progress submitted(Reply reply, CallWatch watch) {
    return switch (reply) {
      case Reply.NotSent notSent -> new Progress.Over(notSent.outcome());
      case Reply.NoAnswer none -> new Progress.Unclear(none.why());
      case Reply.TooLarge large -> reading.tooLargeSubmitted(large.head());
      case Reply.Answer answer -> reading.submitted(answer.head(), answer.body(), watch);
    };
  }

  @Override
  public Finding lookup(Inquiry inquiry) throws InterruptedException {
    String id = inquiry.providerRef();
    if (capabilities.statusProbe() == StatusProbe.NONE || id == null || !ResponseReading.isId(id)) {
      return Provider.super.lookup(inquiry);
    }
    Patience patience = new Patience(inquiry.timeout(), timeouts);
    Reply reply = OnePost.send(requests.question(id), patience, Unwatched.QUESTION, head -> {});
    return finding(Following.progress(reading, reply, id, Unwatched.QUESTION));
  }

  private static Finding finding(Progress progress) {
    return switch (progress) {
      case Progress.Working working -> new Finding.AtWork(working.id());
      case Progress.Gone gone -> new Finding.NotFound();
      case Progress.Unclear unclear -> new Finding.CannotSay(unclear.why());
      case Progress.Over over -> ended(over.outcome());
    };
  }

  private static Finding ended(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Succeeded s -> new Finding.Succeeded(s.result(), s.cost());
      case Outcome.Failed f -> new Finding.Failed(f.failure(), f.retryability(), f.retryAfter());
      case Outcome.Refused r -> new Finding.CannotSay(r.failure());
      case Outcome.InDoubt doubt -> new Finding.CannotSay(doubt.reason());
      case Outcome.Stopped s -> new Finding.Stopped(s.message());
    };
  }
}
