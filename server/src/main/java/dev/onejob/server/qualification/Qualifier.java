package dev.onejob.server.qualification;

import dev.onejob.domain.QualificationRun;
import dev.onejob.domain.QualificationRun.Subject;
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

  /** Why runs are not carried on, each said once. */
  private final Map<RunId, String> troubles = new ConcurrentHashMap<>();

  private final List<Subject> subjects;
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
    this.subjects = scope.subjects();
  }

  /** Begins to carry on open runs, and to renew passes before they expire. */
  public void start() {
    schedule.scheduleWithFixedDelay(
        this::passUnbroken, INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void passUnbroken() {
    try {
      advanceOnce();
      passes.due().forEach(this::renew);
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
    String unusable = unusable(kind, provider).orElse(null);
    return unusable != null
        ? new Prospect(kind, provider, null, unusable)
        : new Prospect(
            kind,
            provider,
            Plan.Estimate.of(
                plan(kind, provider, "dry-run"), scope.candidate(provider), scope.prices(provider)),
            null);
  }

  /** Why a provider cannot be asked for a kind; empty if it can. */
  public Optional<String> unusable(String kind, String provider) {
    Optional<String> why = scope.unusable(kind, provider);
    return why.isPresent()
        ? why
        : Interview.unaskable(kind, scope.candidate(provider), plan(kind, provider, "dry-run"));
  }

  private List<Ask> plan(String kind, String provider, String seed) {
    return Plan.of(scope.promise(kind), scope.candidate(provider), seed);
  }

  /**
   * Opens a run, or carries on the one that is open.
   *
   * @throws IllegalArgumentException if there is nothing to be proved: no contract, no such
   *     provider, or one that cannot be asked; also if a question would be too large
   */
  public RunId open(String kind, String provider, String requestedBy) {
    unusable(kind, provider)
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
    try {
      open(due.kind(), due.provider(), "schedule");
    } catch (RuntimeException e) { // the others are renewed all the same
      LOG.warn("{} for {} is not renewed: {}", due.provider(), due.kind(), e.toString());
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

  /**
   * Carries on the open runs that this node knows, by one step each. One that cannot be carried on
   * keeps no other from it, and is tried again at the next turn.
   */
  public void advanceOnce() {
    List<QualificationRun> open = runs.running(subjects);
    List<RunId> ids = open.stream().map(QualificationRun::id).toList();
    interviews.keySet().retainAll(ids);
    troubles.keySet().retainAll(ids);
    int advanced = 0;
    for (QualificationRun run : open) {
      if (advanced < RUNS_MAX && advance(run) == Step.TAKEN) {
        advanced++;
      }
    }
  }

  private enum Step {
    TAKEN,
    FAILED
  }

  private Step advance(QualificationRun run) {
    try {
      advance(run, interview(run));
      troubles.remove(run.id());
      return Step.TAKEN;
    } catch (Interview.AskedOtherwise e) {
      LOG.warn("qualification {} is outdated: {}", run.id(), e.getMessage());
      runs.outdate(run.id());
    } catch (RuntimeException | Error e) { // an Error of one run must not end the others
      if (!e.toString().equals(troubles.put(run.id(), e.toString()))) {
        LOG.warn("qualification {} is not carried on: {}", run.id(), e.toString());
        LOG.debug("qualification {}", run.id(), e);
      }
    }
    return Step.FAILED;
  }

  private Interview interview(QualificationRun run) {
    String kind = run.subject().kind();
    String provider = run.subject().provider();
    return interviews.computeIfAbsent(
        run.id(),
        id ->
            new Interview(
                engine, run, scope.candidate(provider), plan(kind, provider, id.toString())));
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
