package dev.onejob.server.qualification;

import dev.onejob.domain.QualificationRun;
import dev.onejob.domain.RunId;
import dev.onejob.engine.JobEngine;
import dev.onejob.qualification.Ask;
import dev.onejob.qualification.Candidate;
import dev.onejob.qualification.Plan;
import dev.onejob.qualification.Promise;
import dev.onejob.store.QualificationRuns;
import dev.onejob.store.QualificationRuns.NewRun;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs qualifications. Any node carries on any run whose contract and provider it has; two that do
 * so ask the same questions under the same keys, which are the same jobs. Safe for many threads.
 */
public final class Qualifier implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Qualifier.class);
  private static final Duration INTERVAL = Duration.ofMillis(500);
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(5);

  /** Runs that one node carries on at once. */
  private static final int RUNS_MAX = 8;

  private final Scope scope;
  private final JobEngine engine;
  private final QualificationRuns runs;
  private final Passes passes;
  private final InstantSource clock;
  private final Map<RunId, Interview> interviews = new ConcurrentHashMap<>();
  private final ScheduledExecutorService schedule =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofVirtual().name("onejob-qualify").factory());

  /** Over what this node knows; asks nothing before {@link #start}. */
  public Qualifier(
      Scope scope, JobEngine engine, QualificationRuns runs, Passes passes, InstantSource clock) {
    this.scope = scope;
    this.engine = engine;
    this.runs = runs;
    this.passes = passes;
    this.clock = clock;
  }

  /** Begins to carry on open runs, and to renew passes before they expire. */
  public void start() {
    schedule.scheduleWithFixedDelay(
        this::passUnbroken, INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void passUnbroken() {
    try {
      advanceOnce();
      for (Passes.Due due : passes.due()) {
        renew(due);
      }
    } catch (RuntimeException | Error e) { // an Error must not end the schedule unseen
      LOG.warn("qualifications failed and will be tried again: {}", e.toString());
      LOG.debug("qualifications", e);
    }
  }

  /**
   * What a run would ask, and is going to take.
   *
   * @param unusable why it cannot be made; null if it can
   */
  public record Prospect(
      String kind, String provider, Plan.@Nullable Estimate estimate, @Nullable String unusable) {}

  /** The prospects for some providers of a kind; of its whole route, if none is named. */
  public List<Prospect> prospects(String kind, List<String> providers) {
    return scope.chosen(kind, providers).stream().map(each -> prospect(kind, each)).toList();
  }

  private Prospect prospect(String kind, String provider) {
    String unusable = scope.unusable(kind, provider).orElse(null);
    return unusable != null
        ? new Prospect(kind, provider, null, unusable)
        : new Prospect(
            kind,
            provider,
            Plan.Estimate.of(
                plan(kind, provider, "dry-run"), scope.candidate(provider), scope.prices(provider)),
            null);
  }

  private List<Ask> plan(String kind, String provider, String seed) {
    return Plan.of(scope.promise(kind), scope.candidate(provider), seed);
  }

  /**
   * Opens a run, or carries on the one that is open.
   *
   * @throws IllegalArgumentException if there is nothing to be proved: no contract, no such
   *     provider, or one that cannot be asked
   */
  public RunId open(String kind, String provider, String requestedBy) {
    scope
        .unusable(kind, provider)
        .ifPresent(
            why -> {
              throw new IllegalArgumentException(why);
            });
    RunId fresh = RunId.next(clock.millis(), ThreadLocalRandom.current());
    int asked = plan(kind, provider, fresh.toString()).size();
    RunId id = runs.open(new NewRun(fresh, scope.subject(kind, provider), requestedBy, asked));
    LOG.info("qualification {} of {} for {} goes on, asked by {}", id, provider, kind, requestedBy);
    return id;
  }

  private void renew(Passes.Due due) {
    if (scope.unusable(due.kind(), due.provider()).isEmpty()) {
      open(due.kind(), due.provider(), "schedule");
    }
  }

  /** The runs of a deployment. */
  public QualificationRuns runs() {
    return runs;
  }

  /** What this node can qualify. */
  public Scope scope() {
    return scope;
  }

  /** Carries on every open run that this node knows, by one step each. */
  public void advanceOnce() {
    List<QualificationRun> open = runs.running(RUNS_MAX);
    interviews.keySet().retainAll(open.stream().map(QualificationRun::id).toList());
    for (QualificationRun run : open) {
      interview(run).ifPresent(interview -> advance(run, interview));
    }
  }

  /** Empty if the run is about what this node does not have: another one may. */
  private Optional<Interview> interview(QualificationRun run) {
    String kind = run.subject().kind();
    String provider = run.subject().provider();
    if (scope.unusable(kind, provider).isPresent()
        || !scope.subject(kind, provider).equals(run.subject())) {
      return Optional.empty();
    }
    return Optional.of(
        interviews.computeIfAbsent(
            run.id(),
            id ->
                new Interview(
                    engine, run, scope.candidate(provider), plan(kind, provider, id.toString()))));
  }

  private void advance(QualificationRun run, Interview interview) {
    interview.advance();
    if (!interview.isOver()) {
      runs.progress(run.id(), interview.answered());
      return;
    }
    Promise promise = scope.promise(run.subject().kind());
    Candidate candidate = scope.candidate(run.subject().provider());
    new Conclusion(runs, passes, scope).draw(run, promise, candidate, interview.entries());
    interviews.remove(run.id());
  }

  @Override
  public void close() {
    schedule.shutdown(); // no interrupt: a pass may hold a connection
    try {
      if (!schedule.awaitTermination(STOP_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn("a pass over qualifications is still going on");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
