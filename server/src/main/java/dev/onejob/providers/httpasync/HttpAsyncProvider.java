package dev.onejob.providers.httpasync;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Retryability;
import dev.onejob.provider.CallWatch;
import dev.onejob.provider.CallbackReader;
import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Capabilities.SubmitDeduplication;
import dev.onejob.provider.Finding;
import dev.onejob.provider.Inquiry;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import dev.onejob.providers.BoundedJson;
import dev.onejob.providers.Quoted;
import dev.onejob.providers.http.Head;
import dev.onejob.providers.http.OnePost;
import dev.onejob.providers.http.Post;
import dev.onejob.providers.http.Repetition;
import dev.onejob.providers.http.Reply;
import dev.onejob.providers.http.RetryAfter;
import dev.onejob.providers.http.StatusMeaning;
import dev.onejob.providers.httpasync.JsonTemplate.MissingPart;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/** One provider that takes work and does it later. */
final class HttpAsyncProvider implements Provider {
  private final Capabilities capabilities;
  private final Course.Rules rules;
  private final Reading reading;
  private final Acknowledgement acknowledgement;
  private final CallbackReader callbacks;

  /**
   * How a submit is answered.
   *
   * @param id where the id of the work is
   * @param refused statuses that are sent before any work only
   */
  record Acknowledgement(@Nullable JsonPointer id, List<Integer> refused, InstantSource clock) {}

  HttpAsyncProvider(
      Capabilities capabilities,
      Course.Rules rules,
      Reading reading,
      Acknowledgement acknowledgement,
      CallbackReader callbacks) {
    this.capabilities = capabilities;
    this.rules = rules;
    this.reading = reading;
    this.acknowledgement = acknowledgement;
    this.callbacks = callbacks;
  }

  @Override
  public Capabilities capabilities() {
    return capabilities;
  }

  @Override
  public Optional<CallbackReader> callbackReader() {
    return Optional.of(callbacks);
  }

  @Override
  public Outcome call(ProviderRequest request, CallWatch watch) throws InterruptedException {
    try {
      Post post = rules.requests().submit(request);
      return watch.stopAsked()
          ? new Outcome.Stopped("stopped before the request left")
          : submitted(post, request, watch);
    } catch (MissingPart e) {
      return unusable(e.says());
    } catch (JacksonException e) {
      return unusable(Quoted.message("the input cannot be read", e.getOriginalMessage()));
    }
  }

  private static Outcome unusable(String message) {
    return new Outcome.Refused(new Failure("input-unusable", message), Retryability.FINAL, null);
  }

  private Outcome submitted(Post post, ProviderRequest request, CallWatch watch)
      throws InterruptedException {
    Duration patience = request.timeout().plus(request.lateAnswerLimit());
    long deadline = System.nanoTime() + patience.toNanos();
    Semaphore woken = new Semaphore(0);
    Submitting submitting = new Submitting(watch);
    watch.onStop(
        () -> {
          submitting.stop();
          woken.release();
        });
    return switch (OnePost.send(
        post, rules.requests().patience(patience), submitting, head -> {})) {
      case Reply.NotSent notSent -> notSent.outcome();
      case Reply.NoAnswer none -> new Outcome.InDoubt(none.why());
      case Reply.TooLarge large -> unread(large.head());
      case Reply.Answer answer ->
          answer.head().isSuccess()
              ? taken(answer, watch, new Course(rules, watch, woken, deadline))
              : turnedAway(answer.head(), answer.body());
    };
  }

  private Outcome unread(Head head) {
    return head.isSuccess()
        ? new Outcome.InDoubt(
            new Failure("unrecognised-answer", "the answer to the submit is too large to be read"))
        : turnedAway(head, new byte[0]);
  }

  private Outcome turnedAway(Head head, byte[] body) {
    String text = new String(body, StandardCharsets.UTF_8);
    Failure failure =
        new Failure(
            "status-" + head.status(), Quoted.message("the provider says " + head.status(), text));
    StatusMeaning meaning =
        acknowledgement.refused().contains(head.status())
            ? StatusMeaning.REFUSED_RETRYABLE
            : StatusMeaning.of(head.status());
    return switch (meaning) {
      case REFUSED_FINAL -> new Outcome.Refused(failure, Retryability.FINAL, null);
      case REFUSED_RETRYABLE ->
          new Outcome.Refused(
              failure,
              Retryability.RETRYABLE,
              RetryAfter.of(head, acknowledgement.clock().instant()));
      case DOUBT -> new Outcome.InDoubt(failure);
    };
  }

  private Outcome taken(Reply.Answer answer, CallWatch watch, Course course)
      throws InterruptedException {
    JsonNode document;
    try {
      document = BoundedJson.read(answer.body());
    } catch (JacksonException e) {
      String message = Quoted.message("the answer cannot be read", e.getOriginalMessage());
      return new Outcome.InDoubt(new Failure(OnePost.UNREADABLE_ANSWER, message));
    }
    String id = Places.id(document, acknowledgement.id()).orElse(null);
    if (id == null) {
      return new Outcome.InDoubt(
          new Failure("unrecognised-answer", "the answer to the submit names no id of the work"));
    }
    watch.accepted(id);
    return course.follow(id, rules.requests().links(document), first(document));
  }

  /** Some answer a submit with the work as it stands, even with its end. */
  private Seen first(JsonNode document) {
    return switch (reading.of(document)) {
      case Seen.DoneWithout d -> new Seen.AtWork(); // the next look fetches what it brought
      case Seen.AtWork w -> w;
      case Seen.Done done -> done;
      case Seen.Failed failed -> failed;
      case Seen.Stopped stopped -> stopped;
      case Seen.NotFound n -> n;
      case Seen.Nothing n -> new Seen.AtWork(); // a mere acknowledgement
    };
  }

  @Override
  public Finding lookup(Inquiry inquiry) throws InterruptedException {
    String id = inquiry.providerRef();
    return id == null
        ? Provider.super.lookup(inquiry)
        : rules.looking().at(id, Requests.Links.NONE, inquiry.timeout()).finding(id);
  }

  @Override
  public Finding replay(ProviderRequest request, BooleanSupplier mayLeave)
      throws InterruptedException {
    if (capabilities.submitDeduplication() == SubmitDeduplication.NONE) {
      return Provider.super.replay(request, mayLeave); // it would act again
    }
    try {
      long began = System.nanoTime();
      Post post = rules.requests().submit(request);
      Reply reply =
          OnePost.send(
              post,
              rules.requests().patience(request.timeout()),
              new Repetition(mayLeave),
              head -> {});
      if (!(reply instanceof Reply.Answer answer) || !answer.head().isSuccess()) {
        return new Finding.CannotSay(new Failure("no-replay", "it did not take the request again"));
      }
      String id = Places.id(BoundedJson.read(answer.body()), acknowledgement.id()).orElse(null);
      Duration left = request.timeout().minusNanos(System.nanoTime() - began);
      return id == null || !left.isPositive()
          ? new Finding.CannotSay(new Failure("no-replay", "the answer names no id of the work"))
          : rules.looking().at(id, Requests.Links.NONE, left).finding(id);
    } catch (MissingPart e) {
      return new Finding.CannotSay(new Failure("input-unusable", e.says()));
    } catch (JacksonException e) {
      String message = Quoted.message("it cannot be read", e.getOriginalMessage());
      return new Finding.CannotSay(new Failure(OnePost.UNREADABLE_ANSWER, message));
    }
  }
}
