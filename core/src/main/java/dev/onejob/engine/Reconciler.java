package dev.onejob.engine;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.Failure;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Limits;
import dev.onejob.domain.Report.Outcome;
import dev.onejob.domain.Result;
import dev.onejob.domain.Strength;
import dev.onejob.engine.Questions.Conclusion;
import dev.onejob.engine.Settler.Speaker;
import dev.onejob.provider.Finding;
import dev.onejob.provider.Inquiry;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import dev.onejob.store.JobQueries;
import dev.onejob.store.Learned;
import dev.onejob.store.Probes;
import dev.onejob.store.Probes.Claim;
import dev.onejob.store.Probes.Way;
import dev.onejob.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks providers about attempts in doubt, this node's and those of others, as the database's
 * schedule says. What is proved is settled like an attempt's own answer; what is only hinted at is
 * kept. Any number of nodes may do so at once.
 */
final class Reconciler {
  private static final Logger LOG = LoggerFactory.getLogger(Reconciler.class);

  /** From an answer in hand to its place in the database, on a slow day. */
  private static final Duration WRITING = Duration.ofSeconds(5);

  /** The key may hold no more: sent now, it could be a second act. */
  private static final Finding HELD_UP =
      new Finding.CannotSay(
          new Failure("held-up", "this node was held up until it was too late to ask"));

  private final Probes probes;
  private final JobQueries queries;
  private final Settler settler;
  private final Callbacks callbacks;
  private final Duration lease;
  private final Map<String, Kind> kinds;
  private final List<Respondent> respondents = new ArrayList<>();
  private volatile boolean closed;

  /** A provider that can be asked, and how many more questions it may have at once. */
  private record Respondent(
      Probes.Askable askable,
      Provider provider,
      Questions questions,
      ProbePolicy policy,
      Semaphore permits) {
    /** For how long nobody else may ask; a question that is put in time is over before. */
    Duration hold() {
      return policy.timeout().plus(WRITING);
    }

    /** The key still holds, and so does the claim until the answer. */
    boolean mayStillReplay(Duration sinceClaim) {
      return questions.inTime(sinceClaim) && sinceClaim.compareTo(WRITING) <= 0;
    }
  }

  Reconciler(EngineConfig config, Stores stores, Settler settler, Callbacks callbacks) {
    this.probes = stores.probes();
    this.queries = stores.queries();
    this.settler = settler;
    this.callbacks = callbacks;
    this.lease = config.holding().lease();
    this.kinds = config.kinds().stream().collect(Collectors.toMap(Kind::name, Function.identity()));
    config.providers().forEach((name, slot) -> add(name, slot, config));
  }

  private void add(String name, EngineConfig.ProviderSlot slot, EngineConfig config) {
    Questions questions = new Questions(slot.provider().capabilities(), slot.probes());
    askable(name, questions, config)
        .map(
            askable ->
                new Respondent(
                    askable,
                    slot.provider(),
                    questions,
                    slot.probes(),
                    new Semaphore(slot.probes().inFlightMax())))
        .ifPresent(respondents::add);
  }

  /** What that provider can be asked about from this node; empty if about nothing. */
  static Optional<Probes.Askable> askable(String name, Questions questions, EngineConfig config) {
    List<String> known =
        config.kinds().stream()
            .filter(kind -> kind.route().contains(name))
            .map(Kind::name)
            .toList();
    return questions.ways().isEmpty() || known.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Probes.Askable(
                name, known, List.copyOf(config.demands().keySet()), questions.ways()));
  }

  /** One look for attempts to ask about; the questions themselves go on beside it. */
  void probeOnce() {
    for (Respondent respondent : respondents) {
      Probes.Span span = respondent.questions().span();
      probes.schedule(respondent.askable(), span, Limits.BATCH_MAX);
      int room = respondent.permits().availablePermits();
      if (room > 0 && !closed) {
        Clocks.Moment from = Clocks.now();
        probes
            .claim(respondent.askable(), respondent.hold(), room)
            .forEach(claim -> ask(respondent, claim, from));
      }
    }
    if (!respondents.isEmpty()) {
      probes.endOver(Limits.BATCH_MAX);
    }
  }

  /**
   * Looks for attempts whose nodes are gone and whose providers can be looked up: they are watched
   * on from here, without a doubt. To be made before the sweep, which doubts the others that had
   * lapsed before this began.
   */
  void watchOnOnce() {
    for (Respondent respondent : respondents) {
      if (!closed && respondent.questions().looksUp()) {
        try {
          watchOn(respondent);
        } catch (StoreException e) {
          LOG.warn("what can be watched on is left to the sweep: {}", e.getMessage());
        }
      }
    }
  }

  private void watchOn(Respondent respondent) {
    Duration untilHeardOf = lease.plus(respondent.hold());
    Probes.Span span = respondent.questions().span();
    List<AttemptId> taken;
    do {
      taken = probes.watchOn(respondent.askable(), span, untilHeardOf, Limits.BATCH_MAX);
      taken.forEach(attempt -> LOG.info("{} is watched on: its holder is gone", attempt));
    } while (taken.size() == Limits.BATCH_MAX && !closed);
  }

  private void ask(Respondent respondent, Claim claim, Clocks.Moment from) {
    respondent.permits().acquireUninterruptibly(); // only this pass takes any, and there was room
    Thread.ofVirtual()
        .name("onejob-probe-" + claim.attempt().id())
        .start(() -> askAndLearn(respondent, claim, from));
  }

  private void askAndLearn(Respondent respondent, Claim claim, Clocks.Moment from) {
    Duration timeout = respondent.policy().timeout();
    try {
      Question question;
      try {
        question = question(respondent, claim, from);
      } catch (RuntimeException e) {
        respondent.permits().release();
        throw e;
      }
      Finding finding = Asking.ask(question.put(), timeout, respondent.permits()::release);
      if (!closed) {
        learn(respondent, claim, new Answered(question.way(), finding, from.ago()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // closing: another question will be put
    } catch (StoreException e) {
      LOG.warn("{} is asked about again: {}", claim.attempt().id(), e.getMessage());
    } catch (RuntimeException e) {
      LOG.error("{} {} could not be asked about", claim.job(), claim.attempt().id(), e);
    }
  }

  private record Question(Way way, Callable<Finding> put) {}

  private Question question(Respondent respondent, Claim claim, Clocks.Moment from) {
    Provider provider = respondent.provider();
    Duration timeout = respondent.policy().timeout();
    Way way = respondent.questions().way(claim).orElseThrow();
    if (way == Way.BY_REPLAY) {
      ProviderRequest request = request(claim, timeout);
      boolean leaves = probes.leave(claim); // here, for the question itself holds no connection
      return new Question(
          way,
          () ->
              leaves && respondent.mayStillReplay(from.ago())
                  ? provider.replay(request, () -> respondent.mayStillReplay(from.ago()))
                  : HELD_UP);
    }
    return new Question(way, () -> provider.lookup(inquiry(claim, timeout)));
  }

  private static Inquiry inquiry(Claim claim, Duration timeout) {
    return new Inquiry(
        claim.job(),
        claim.attempt().id(),
        claim.attempt().number(),
        claim.kind(),
        claim.providerKey(),
        claim.providerRef(),
        timeout);
  }

  private ProviderRequest request(Claim claim, Duration timeout) {
    return new ProviderRequest(
        claim.job(),
        claim.attempt().id(),
        claim.attempt().number(),
        claim.owner(),
        claim.kind(),
        claim.providerKey(),
        queries.work(claim.job()).orElseThrow().input(),
        timeout,
        Duration.ZERO,
        callbacks.address(claim.attempt().id()));
  }

  /** What came of a question, and how long after its claim. */
  private record Answered(Way way, Finding finding, Duration sinceClaim) {}

  private void learn(Respondent respondent, Claim claim, Answered answered)
      throws InterruptedException {
    Way way = answered.way();
    Finding finding = answered.finding();
    Conclusion conclusion = respondent.questions().conclude(way, finding, answered.sinceClaim());
    LOG.info("{} {}: asked by {}: {}", claim.job(), claim.attempt().id(), way, says(finding));
    ProbePolicy policy = respondent.policy();
    Duration next = next(respondent, claim, conclusion);
    UUID watch =
        conclusion instanceof Conclusion.AtWork && claim.watchToken() == null
            ? UUID.randomUUID()
            : null;
    boolean latest =
        probes.learn(claim, learned(way, finding, conclusion.strength(), next, policy, watch));
    if (latest || conclusion instanceof Conclusion.Ends) { // an end is one, whoever has heard of it
      conclude(claim, conclusion, watch, next.plus(respondent.hold()));
    } else {
      LOG.info("{} {}: asked again since, nothing follows", claim.job(), claim.attempt().id());
    }
  }

  /** What is decided needs no further question, unless it cannot be written. */
  private static Duration next(Respondent respondent, Claim claim, Conclusion conclusion) {
    ProbePolicy policy = respondent.policy();
    return switch (conclusion) {
      case Conclusion.Ends e -> respondent.hold();
      case Conclusion.NotDone n -> respondent.hold();
      case Conclusion.AtWork w -> policy.delay(claim.number(), ThreadLocalRandom.current());
      case Conclusion.Open o -> policy.delay(claim.number(), ThreadLocalRandom.current());
    };
  }

  private static Learned learned(
      Way way,
      Finding finding,
      Strength strength,
      Duration next,
      ProbePolicy policy,
      @Nullable UUID watch) {
    Result result = finding instanceof Finding.Succeeded s ? s.result() : null;
    return new Learned(
        way == Way.BY_REPLAY ? "replay" : "lookup",
        strength,
        says(finding),
        result == null ? "" : Digests.report(Outcome.SUCCEEDED, result.bytes()).digest(),
        result == null ? 0 : result.bytes().length,
        next,
        policy.timeout(),
        watch);
  }

  static String says(Finding finding) {
    return switch (finding) {
      case Finding.Succeeded s -> "succeeded";
      case Finding.Failed f -> "failed: " + f.failure().code();
      case Finding.Stopped s -> "stopped";
      case Finding.AtWork w -> "at work";
      case Finding.NotFound n -> "not found";
      case Finding.CannotSay c -> "cannot say: " + c.why().code();
    };
  }

  private void conclude(Claim claim, Conclusion conclusion, @Nullable UUID watch, Duration lease)
      throws InterruptedException {
    Kind kind = Objects.requireNonNull(kinds.get(claim.kind()));
    Speaker speaker =
        new Speaker(
            claim.job(),
            claim.attempt().id(),
            kind,
            claim.attempt().provider(),
            claim.attempt().number(),
            claim.attempt().jobVersion(),
            /* evident= */ true);
    switch (conclusion) {
      case Conclusion.Ends ends ->
          settler.settle(speaker, ends.outcome(), () -> input(claim), () -> false);
      case Conclusion.NotDone n ->
          settler.notDone(
              speaker, claim.number(), claim.attempt().provider() + " knows of no such request");
      case Conclusion.AtWork work -> {
        if (watch != null) {
          settler.watched(speaker, claim.number(), work.providerRef(), watch, lease);
        } else {
          probes.renew(claim.attempt().id(), Objects.requireNonNull(claim.watchToken()), lease);
        }
      }
      case Conclusion.Open o -> {}
    }
  }

  private Optional<byte[]> input(Claim claim) {
    return queries.work(claim.job()).map(JobQueries.Work::input);
  }

  /** Puts no more questions; an answer that still comes is left to the next who asks. */
  void close() {
    closed = true;
  }
}
