package dev.onejob.engine;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Limits;
import dev.onejob.domain.Report;
import dev.onejob.engine.Questions.Conclusion;
import dev.onejob.provider.CallbackHead;
import dev.onejob.provider.CallbackMessage;
import dev.onejob.provider.CallbackReader;
import dev.onejob.provider.CallbackReader.Content;
import dev.onejob.provider.CallbackReader.Sender;
import dev.onejob.provider.Finding;
import dev.onejob.store.CallbackEvents;
import dev.onejob.store.CallbackEvents.Event;
import dev.onejob.store.CallbackTraces;
import dev.onejob.store.Probes;
import dev.onejob.store.Probes.Way;
import dev.onejob.store.StoreException;
import dev.onejob.store.WorkerLeases;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Callbacks of providers that speak a form of their own, at the address of an attempt or at one of
 * the whole provider. What they prove follows from who speaks and from the provider's capabilities:
 * an end goes to the same swap as every answer, all else is a hint and a reason to look. Safe for
 * many threads.
 */
public final class ProviderCallbacks {
  private static final Logger LOG = LoggerFactory.getLogger(ProviderCallbacks.class);

  /** How far reasons to look at one attempt are apart, at least. */
  private static final Duration WAKE_PAUSE = Duration.ofSeconds(5);

  /** How long events are known again, and wait for their attempts: longer than any is re-sent. */
  private static final Duration KEPT_FOR = Duration.ofDays(7);

  private static final Duration FORGET_INTERVAL = Duration.ofMinutes(10);

  private final Map<String, Speaking> providers = new HashMap<>();
  private final Set<String> configured;
  private final List<String> kinds;
  private final Callbacks callbacks;
  private final CallbackEvents events;
  private final CallbackTraces traces;
  private final WorkerLeases attempts;
  private final Probes probes;
  private final Runnable look;
  private volatile long forgot = Clocks.nanos() - FORGET_INTERVAL.toNanos();

  /**
   * A provider that speaks a form of its own.
   *
   * @param askable what it can be asked about from here; null: nothing
   */
  private record Speaking(
      CallbackReader reader, Questions questions, Probes.@Nullable Askable askable) {
    static Speaking of(String name, CallbackReader reader, EngineConfig config) {
      EngineConfig.ProviderSlot slot = Objects.requireNonNull(config.providers().get(name));
      Questions questions = new Questions(slot.provider().capabilities(), slot.probes());
      return new Speaking(
          reader, questions, Reconciler.askable(name, questions, config).orElse(null));
    }
  }

  /**
   * Makes one.
   *
   * @param look asks for a look at which attempts are to be asked about
   */
  ProviderCallbacks(EngineConfig config, Stores stores, Callbacks callbacks, Runnable look) {
    config
        .providers()
        .forEach(
            (name, slot) ->
                slot.provider()
                    .callbackReader()
                    .ifPresent(reader -> providers.put(name, Speaking.of(name, reader, config))));
    this.configured = Set.copyOf(config.providers().keySet());
    this.kinds = config.kinds().stream().map(Kind::name).toList();
    this.callbacks = callbacks;
    this.events = stores.callbackEvents();
    this.traces = stores.callbackTraces();
    this.attempts = stores.workerLeases();
    this.probes = stores.probes();
    this.look = look;
  }

  /** What came of a callback. */
  public sealed interface Answer {
    /** It ended the attempt, or was about one that has ended; durable. */
    record Taken(AttemptId attempt, Callbacks.Standing standing) implements Answer {}

    /** It decides nothing: kept as a hint, a reason to look. */
    record Noted(AttemptId attempt, Callbacks.Standing standing) implements Answer {}

    /** No attempt is known for it yet; it is kept until one is. */
    record Kept() implements Answer {}

    /** It was taken before. */
    record Repeated() implements Answer {}

    /** Nobody has proved that it is the provider's, and nothing was changed but a schedule. */
    record Looking() implements Answer {}

    /** It is not the provider's, or out of its time. */
    record Refused(String why) implements Answer {}

    /** It is not in the form of the provider. */
    record Unreadable(String why) implements Answer {}

    /** To be sent again: the signature could not be checked, or too many wait already. */
    record NotNow(String why) implements Answer {}
  }

  /**
   * The provider of the attempt, if it speaks a form of its own; empty also if there is no such
   * attempt.
   *
   * @throws ProviderNotKnownException if this node does not know the provider, and so neither its
   *     form nor what it takes to prove that it speaks
   */
  public Optional<String> speaker(AttemptId attempt) {
    Optional<WorkerLeases.Known> known = attempts.find(attempt);
    known
        .filter(it -> !configured.contains(it.provider()))
        .ifPresent(
            it -> {
              throw new ProviderNotKnownException(it.provider(), it.kind());
            });
    return known.map(WorkerLeases.Known::provider).filter(providers::containsKey);
  }

  /**
   * Why nothing with this head is taken as that provider's, so that its body need not be read;
   * empty if the body is needed to tell, or if there is no such provider on this node.
   */
  public Optional<Answer.Refused> refusal(String provider, CallbackHead head, Instant now) {
    return Optional.ofNullable(providers.get(provider))
        .flatMap(speaking -> speaking.reader().refusal(head, now))
        .map(refused -> new Answer.Refused(refused.why()));
  }

  /** Whether callbacks of that provider as a whole are taken here. */
  public boolean knows(String provider) {
    return providers.containsKey(provider);
  }

  /**
   * Takes what came to the address of an attempt, whose secret was right. Where the provider's
   * signature is configured, it has to hold besides. Empty if there is no such attempt.
   *
   * @throws StoreException if the database does not answer: to be sent again
   */
  public Optional<Answer> atAttempt(AttemptId attempt, CallbackMessage message, Instant now)
      throws InterruptedException {
    Optional<WorkerLeases.Known> known = attempts.find(attempt);
    Speaking speaking = known.map(it -> providers.get(it.provider())).orElse(null);
    if (speaking == null || known.isEmpty()) {
      return Optional.empty();
    }
    String provider = known.get().provider();
    return switch (speaking.reader().sender(message, now)) {
      case Sender.Refused refused -> Optional.of(new Answer.Refused(refused.why()));
      case Sender.Unchecked unchecked -> Optional.of(new Answer.NotNow(unchecked.why()));
      case Sender.Proved proved -> Optional.of(read(provider, speaking, attempt, message));
      case Sender.Unproved u -> Optional.of(read(provider, speaking, attempt, message));
    };
  }

  private Answer read(
      String provider, Speaking speaking, AttemptId attempt, CallbackMessage message) {
    return switch (speaking.reader().read(message.body())) {
      case Content.Unreadable unreadable -> new Answer.Unreadable(unreadable.why());
      case Content.Says says -> heard(speaking, attempt, says, message.body());
    };
  }

  /**
   * Takes what came to the address of a provider. It is proof only by the provider's signature;
   * without one it is a reason to look, and says nothing about what is known here.
   *
   * @return empty if there is no such provider on this node
   * @throws StoreException if the database does not answer: to be sent again
   */
  public Optional<Answer> atProvider(String provider, CallbackMessage message, Instant now)
      throws InterruptedException {
    Speaking speaking = providers.get(provider);
    if (speaking == null) {
      return Optional.empty();
    }
    Sender sender = speaking.reader().sender(message, now);
    if (sender instanceof Sender.Refused refused) {
      return Optional.of(new Answer.Refused(refused.why()));
    }
    if (sender instanceof Sender.Unchecked unchecked) {
      return Optional.of(new Answer.NotNow(unchecked.why()));
    }
    return Optional.of(
        switch (speaking.reader().read(message.body())) {
          case Content.Unreadable unreadable -> new Answer.Unreadable(unreadable.why());
          case Content.Says says ->
              sender instanceof Sender.Proved proved
                  ? proved(provider, speaking, proved, says, message.body())
                  : unproved(provider, speaking, says);
        });
  }

  private Answer unproved(String provider, Speaking speaking, Content.Says says) {
    attempt(provider, says).ifPresent(attempt -> wake(speaking, attempt));
    return new Answer.Looking();
  }

  /** Also where the doubt is so new that no question about it has been set yet. */
  private void wake(Speaking speaking, AttemptId attempt) {
    if (speaking.askable() != null) {
      probes.schedule(speaking.askable(), speaking.questions().span(), attempt);
    }
    traces.wake(attempt, WAKE_PAUSE);
    look.run();
  }

  private Answer proved(
      String provider, Speaking speaking, Sender.Proved proved, Content.Says says, byte[] body) {
    Event event =
        event(provider, proved.eventId() == null ? says.eventId() : proved.eventId(), body);
    if (events.takenBefore(event)) {
      return new Answer.Repeated();
    }
    Optional<AttemptId> attempt = attempt(provider, says);
    if (attempt.isPresent()) {
      Answer answer = heard(speaking, attempt.get(), says, body);
      events.taken(event, attempt.get()); // after what follows from it: a crash brings it again
      return answer;
    }
    String ref = says.providerRef();
    if (ref == null || !CallbackEvents.isUsable(ref)) {
      return new Answer.Unreadable("it names no work by which an attempt could be found");
    }
    LOG.info("{}: an event about work that no attempt is known for is kept", provider);
    return events.keep(event, ref, body)
        ? new Answer.Kept()
        : new Answer.NotNow("too many events wait for their attempts; send it again");
  }

  private static Event event(String provider, @Nullable String id, byte[] body) {
    String digest = digest(body);
    return new Event(provider, id == null ? "body:" + digest : id, digest);
  }

  /** Of that provider, and of no other: a name in a body proves nothing by itself. */
  private Optional<AttemptId> attempt(String provider, Content.Says says) {
    AttemptId named = says.attempt();
    if (named != null) {
      return attempts
          .find(named)
          .filter(known -> known.provider().equals(provider))
          .map(known -> named);
    }
    String ref = says.providerRef();
    List<AttemptId> matching = ref == null ? List.of() : events.matching(provider, ref);
    return matching.size() == 1 ? Optional.of(matching.getFirst()) : Optional.empty();
  }

  private Answer heard(Speaking speaking, AttemptId attempt, Content.Says says, byte[] body) {
    CallbackTraces.Standing bound = traces.bind(attempt, says.providerRef()).orElseThrow();
    String ref = says.providerRef();
    if (ref != null && bound.ref() != null && !ref.equals(bound.ref())) {
      return noted(
          speaking, attempt, bound, "names another id of the work than is on record", body);
    }
    Finding finding = says.finding();
    Conclusion conclusion = speaking.questions().conclude(Way.BY_REFERENCE, finding, Duration.ZERO);
    return conclusion instanceof Conclusion.Ends ends
        ? callbacks
            .take(attempt, ends.outcome())
            .<Answer>map(standing -> new Answer.Taken(attempt, standing))
            .orElseThrow()
        : noted(speaking, attempt, bound, Reconciler.says(finding), body);
  }

  private Answer noted(
      Speaking speaking,
      AttemptId attempt,
      CallbackTraces.Standing standing,
      String says,
      byte[] body) {
    if (!standing.state().live() || standing.state() == AttemptState.UNKNOWN) {
      traces.hint(attempt, says, digest(body), body.length);
    }
    wake(speaking, attempt);
    return new Answer.Noted(
        attempt, new Callbacks.Standing(standing.state(), standing.lostTo(), null));
  }

  private static String digest(byte[] body) {
    return Digests.report(Report.Outcome.SUCCEEDED, body).digest();
  }

  /** One look for attempts that have become known for events that were kept. */
  void matchOnce() {
    if (providers.isEmpty()) {
      return;
    }
    events
        .matched(List.copyOf(providers.keySet()), kinds, Limits.BATCH_MAX)
        .forEach(this::takeOrPutBehind);
    if (Clocks.since(forgot).compareTo(FORGET_INTERVAL) >= 0) {
      forgot = Clocks.nanos();
      forget();
    }
  }

  /** Whatever is wrong with one, the others are not kept waiting. */
  private void takeOrPutBehind(CallbackEvents.Matched matched) {
    try {
      Optional<byte[]> body = events.body(matched.event()); // one at a time: they may be large
      if (body.isPresent()) {
        take(matched, body.get());
      }
    } catch (StoreException e) {
      LOG.warn("{}: an event is tried again: {}", matched.attempt(), e.getMessage());
      events.inVain(matched.event());
    } catch (RuntimeException e) {
      LOG.error("{}: an event that was kept could not be taken", matched.attempt(), e);
      events.inVain(matched.event());
    }
  }

  private void take(CallbackEvents.Matched matched, byte[] body) {
    Speaking speaking = providers.get(matched.event().provider());
    if (speaking != null && speaking.reader().read(body) instanceof Content.Says says) {
      Answer answer = heard(speaking, matched.attempt(), says, body);
      LOG.info(
          "{}: an event that was kept has found it: {}",
          matched.attempt(),
          answer.getClass().getSimpleName());
    } else {
      LOG.warn("{}: an event that was kept cannot be read any more", matched.attempt());
    }
    events.taken(matched.event(), matched.attempt());
  }

  private void forget() {
    List<Boolean> unmatched;
    do {
      unmatched = events.forget(KEPT_FOR, Limits.BATCH_MAX);
      long lost = unmatched.stream().filter(it -> it).count();
      if (lost > 0) {
        LOG.warn("{} events were forgotten that no attempt was ever known for", lost);
      }
    } while (unmatched.size() == Limits.BATCH_MAX);
  }
}
