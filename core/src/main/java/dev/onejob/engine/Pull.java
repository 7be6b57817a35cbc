package dev.onejob.engine;

import dev.onejob.domain.Answer;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.ClaimedAttempt;
import dev.onejob.domain.ContractVerdict;
import dev.onejob.domain.Cost;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Limits;
import dev.onejob.domain.WorkerLease;
import dev.onejob.engine.WorkerAnswer.Became;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.PulledProvider;
import dev.onejob.store.Events;
import dev.onejob.store.JobQueries;
import dev.onejob.store.MoveRequest;
import dev.onejob.store.WorkerClaims;
import dev.onejob.store.WorkerLeases;
import dev.onejob.store.WorkerLeases.Heard;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The side of the workers that fetch their work: they claim attempts, say that they begin, that
 * they live, and how it ended. The start guard and the swap are those of every attempt. Safe for
 * many threads.
 */
public final class Pull {
  private static final Logger LOG = LoggerFactory.getLogger(Pull.class);

  private final EngineConfig config;
  private final String node;
  private final Map<String, Kind> kinds;
  private final Map<String, WorkerClaims.Terms> terms = new HashMap<>();
  private final WorkerClaims claims;
  private final WorkerLeases leases;
  private final JobQueries queries;
  private final PullWaiters waiters;
  private final Pass looking;
  private final Turns turns = new Turns();
  private final Consumer<Answer> onMove;
  private final Pricing pricing;
  private final Chronicle chronicle;
  private final Reported reported;

  /**
   * Makes one.
   *
   * @param reported told of every report that was news
   * @param onMove told of every move of a job
   */
  Pull(
      EngineConfig config,
      Stores stores,
      Chronicle chronicle,
      Reported reported,
      Consumer<Answer> onMove) {
    this.config = config;
    this.reported = reported;
    this.pricing = new Pricing(config);
    this.chronicle = chronicle;
    this.node = config.node();
    this.kinds = config.kinds().stream().collect(Collectors.toMap(Kind::name, Function.identity()));
    config
        .providers()
        .forEach(
            (name, slot) -> {
              if (slot.provider() instanceof PulledProvider pulled) {
                terms.put(name, new WorkerClaims.Terms(pulled.lease(), slot.inFlightMax()));
              }
            });
    this.claims = stores.workerClaims();
    this.leases = stores.workerLeases();
    this.queries = stores.queries();
    this.waiters = new PullWaiters(claims, stores.dueJobs(), List.copyOf(terms.keySet()));
    this.looking = new Pass("pull", config.pollInterval(), waiters::lookOnce);
    this.onMove = onMove;
  }

  void start() {
    looking.start();
  }

  /** There may be work for workers that wait on this node: one look serves all of them. */
  void signal() {
    if (waiters.any()) { // whoever comes later asks for itself first
      looking.signal();
    }
  }

  /** Those who wait are answered; what is in the hands of workers stays there. */
  void close() {
    waiters.close();
    looking.close();
  }

  /**
   * Gives a worker attempts to work on, written down before this returns. A claim that is sent
   * again under its request id gets the attempts that it got before, as long as they are starting.
   *
   * @param atMost how long to wait for work; capped at {@link Limits#CLAIM_WAIT_MAX}
   */
  public ClaimAnswer claim(Claim claim, Duration atMost) throws InterruptedException {
    for (int i = 0; i < claim.kinds().size(); i++) {
      if (!kinds.containsKey(claim.kinds().get(i))) {
        return new ClaimAnswer.UnknownKind(i, claim.kinds().get(i));
      }
    }
    PullWaiters.Place place = waiters.enter(claim);
    if (place == null) {
      return new ClaimAnswer.Crowded();
    }
    try {
      Duration capped =
          atMost.compareTo(Limits.CLAIM_WAIT_MAX) > 0 ? Limits.CLAIM_WAIT_MAX : atMost;
      return claimed(wish(claim), place, capped);
    } finally {
      waiters.leave(place);
    }
  }

  private ClaimAnswer.Taken claimed(
      WorkerClaims.Wish wish, PullWaiters.Place place, Duration atMost)
      throws InterruptedException {
    long from = Clocks.nanos();
    while (!waiters.closed()) {
      Optional<List<ClaimedAttempt>> taken = claims.claim(wish);
      if (taken.isPresent()) {
        return new ClaimAnswer.Taken(taken.get());
      }
      Duration left = atMost.minus(Clocks.since(from));
      if (!left.isPositive()) {
        break;
      }
      waiters.stepBack(place);
      place.await(left); // told or not, one more look: it also finds what an earlier try has taken
    }
    return new ClaimAnswer.Taken(List.of());
  }

  private WorkerClaims.Wish wish(Claim claim) {
    return new WorkerClaims.Wish(
        claim.credential(),
        claim.worker(),
        claim.request(),
        claim.access().owner(),
        node,
        kinds.values().stream()
            .filter(kind -> claim.kinds().contains(kind.name()))
            .collect(Collectors.toMap(Kind::name, Kind::attemptTimeout)),
        terms,
        claim.count(),
        turns,
        () -> AttemptId.next(Clocks.epochMillis(), ThreadLocalRandom.current()));
  }

  /**
   * The worker lives: its lease is renewed, and it hears whether the result is still wanted. {@link
   * WorkerAnswer.Leased} or {@link WorkerAnswer.LeaseLost}; empty if there is no such attempt
   * within reach.
   */
  public Optional<WorkerAnswer> heartbeat(Access access, AttemptId attempt, UUID leaseToken) {
    return find(access, attempt)
        .map(known -> leased(leases.renew(known.job(), attempt, leaseToken)));
  }

  /**
   * The worker is about to act. To be said before it does; saying it again is harmless. {@link
   * WorkerAnswer.Leased} or {@link WorkerAnswer.LeaseLost}; empty if there is no such attempt
   * within reach.
   *
   * @param providerRef an id of the work, to be kept with the attempt
   */
  public Optional<WorkerAnswer> accepted(
      Access access, AttemptId attempt, UUID leaseToken, @Nullable String providerRef) {
    return find(access, attempt)
        .map(known -> leased(leases.accept(known.job(), attempt, leaseToken, providerRef)));
  }

  /**
   * How the work ended. {@link WorkerAnswer.Settled}, also where the same was said before; or
   * {@link WorkerAnswer.LeaseLost} with what became of it. Empty if there is no such attempt within
   * reach.
   *
   * @throws KindNotKnownException if it brought a result and this node does not know the kind
   */
  public Optional<WorkerAnswer> settle(
      Access access, AttemptId attempt, UUID leaseToken, Outcome outcome) {
    return find(access, attempt)
        .map(
            known -> {
              Cost cost = pricing.cost(known.provider(), outcome);
              MoveRequest request =
                  WorkerReports.request(
                      attempt,
                      known,
                      config.judging(known.kind(), known.contracted()),
                      () -> queries.work(known.job()).map(JobQueries.Work::input),
                      outcome,
                      cost);
              Heard heard = leases.settle(leaseToken, request);
              if (heard.answer() instanceof Answer.Moved || heard.answer() instanceof Answer.Lost) {
                chronicle.charged(known.kind(), known.provider(), cost);
                reported.news(kinds.get(known.kind()), known, request, outcome, heard.answer());
              }
              return settled(request, heard);
            });
  }

  private Optional<WorkerLeases.Known> find(Access access, AttemptId attempt) {
    return leases.find(attempt).filter(known -> access.covers(known.owner()));
  }

  private static WorkerAnswer leased(Heard heard) {
    WorkerLease lease = heard.lease();
    return lease == null
        ? new WorkerAnswer.LeaseLost(Became.NOTHING, heard.state(), heard.lostTo())
        : new WorkerAnswer.Leased(heard.state(), lease);
  }

  private WorkerAnswer settled(MoveRequest request, Heard heard) {
    Answer answer = heard.answer();
    if (answer != null) {
      onMove.accept(answer);
    }
    return switch (heard.grip()) {
      case HELD -> new WorkerAnswer.Settled(heard.state(), heard.lostTo(), broken(request, heard));
      case LOST, FOREIGN -> {
        Became became = became(answer);
        LOG.info(
            "{} {}: {} came under a lost lease: {}",
            request.job(),
            Events.attempt(request.event()).orElseThrow(),
            JobLog.word(request.event()), // and no more of it: a failure may quote a provider
            became.name().toLowerCase(Locale.ROOT));
        yield new WorkerAnswer.LeaseLost(became, heard.state(), heard.lostTo());
      }
    };
  }

  private static ContractVerdict.@Nullable Broken broken(MoveRequest request, Heard heard) {
    return heard.state() == AttemptState.FAILED
            && request.details() instanceof MoveRequest.BrokenContract it
        ? it.verdict()
        : null;
  }

  private static Became became(@Nullable Answer answer) {
    return switch (answer) {
      case null -> Became.NOTHING;
      case Answer.Moved moved -> Became.TAKEN;
      case Answer.Repeated repeated -> Became.TAKEN;
      case Answer.Lost lost -> Became.LOST;
      case Answer.Recorded recorded ->
          recorded.contest() == Answer.Contest.CONTESTED ? Became.CONTESTED : Became.RECORDED;
      case Answer.NotAllowed other -> throw unexpected(other);
      case Answer.Started other -> throw unexpected(other);
      case Answer.StartRefused other -> throw unexpected(other);
      case Answer.Changed other -> throw unexpected(other);
    };
  }

  private static IllegalStateException unexpected(Answer answer) {
    return new IllegalStateException("a worker's report was answered by " + answer);
  }
}
