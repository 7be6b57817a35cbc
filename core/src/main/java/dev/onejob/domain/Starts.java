package dev.onejob.domain;

import dev.onejob.domain.Answer.StartRefused;
import dev.onejob.domain.JobStanding.Place;
import dev.onejob.domain.Lifecycle.Move;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The guard of a start (DESIGN 4.1): the same for dispatcher, button, workers and race. */
final class Starts {
  private Starts() {}

  static Move decide(Life life, JobEvent.Start start, Instant now, Ways ways) {
    StartRefused refused = refusal(life, start, now, ways);
    return refused != null ? new Move(life, refused) : started(life, start, now, ways);
  }

  private static Move started(Life life, JobEvent.Start start, Instant now, Ways ways) {
    JobStanding job = life.job();
    int number = job.attemptsStarted() + 1;
    AttemptStanding fresh =
        new AttemptStanding(
            start.attempt(),
            number,
            start.provider(),
            AttemptState.STARTING,
            job.version(),
            now,
            null,
            null);
    Life after =
        life.plus(fresh).with(job.withAttemptsStarted(number).at(Place.RUNNING)).recounted();
    Objection unproved = ways.unproved(job.route(), start.provider());
    return new Move(
        after,
        new Answer.Started(fresh.id(), number, fresh.jobVersion()),
        unproved == null ? List.of() : List.of(unproved));
  }

  private static @Nullable StartRefused refusal(
      Life life, JobEvent.Start start, Instant now, Ways ways) {
    JobStanding job = life.job();
    StartRefused ended = ended(job);
    if (ended != null) {
      return ended;
    }
    if (job.cancelRequestedAt() != null) {
      return because(StartRefusal.CANCEL_REQUESTED);
    }
    if (job.contested()) {
      return because(StartRefusal.CONTESTED);
    }
    StartRefused blocked = blocked(life, start, now);
    if (blocked != null) {
      return blocked;
    }
    if (job.attemptsStarted() >= job.attemptsAllowed()) {
      return because(StartRefusal.ATTEMPTS_USED_UP);
    }
    if (job.deadlinePassed(now)) {
      return because(StartRefusal.DEADLINE_PASSED);
    }
    if (!job.route().contains(start.provider())) {
      return because(StartRefusal.PROVIDER_NOT_ON_ROUTE);
    }
    if (!ways.judged() && !isEarly(job, start, now)) {
      return because(StartRefusal.NOT_QUALIFIED);
    }
    return switch (start.cause()) {
      case BUTTON -> notByButton(job, start.provider(), ways);
      case DISPATCH -> notByItself(job, start.provider(), now, ways);
      case RACE -> notAsRival(job, start.provider(), ways);
    };
  }

  /** What is not due is refused for that. */
  private static boolean isEarly(JobStanding job, JobEvent.Start start, Instant now) {
    Instant runAt = job.runAt();
    return start.cause() == StartCause.DISPATCH && (runAt == null || now.isBefore(runAt));
  }

  private static @Nullable StartRefused ended(JobStanding job) {
    return switch (job.state()) {
      case SUCCEEDED -> because(StartRefusal.ALREADY_SUCCEEDED);
      case FAILED -> because(StartRefusal.ALREADY_FAILED);
      case CANCELLED -> because(StartRefusal.ALREADY_CANCELLED);
      case QUEUED, RUNNING, UNKNOWN -> null;
    };
  }

  private static @Nullable StartRefused blocked(Life life, JobEvent.Start start, Instant now) {
    AttemptStanding unknown = life.firstIn(AttemptState.UNKNOWN).orElse(null);
    if (unknown != null) {
      return new StartRefused(StartRefusal.ATTEMPT_UNKNOWN, unknown.id(), null);
    }
    AttemptStanding starting = life.firstIn(AttemptState.STARTING).orElse(null);
    if (starting != null) {
      return new StartRefused(StartRefusal.ATTEMPT_STARTING, starting.id(), null);
    }
    AttemptStanding running = life.firstIn(AttemptState.RUNNING).orElse(null);
    return running == null ? null : race(life.job(), running, start, now);
  }

  private static @Nullable StartRefused race(
      JobStanding job, AttemptStanding running, JobEvent.Start start, Instant now) {
    if (job.raceAfter() == null || start.cause() == StartCause.DISPATCH) {
      return new StartRefused(StartRefusal.ATTEMPT_RUNNING, running.id(), null);
    }
    if (job.live() >= Limits.LIVE_ATTEMPTS_MAX) {
      return new StartRefused(StartRefusal.RACE_FULL, running.id(), null);
    }
    Instant raceFrom = running.startedAt().plus(job.raceAfter());
    return now.isBefore(raceFrom)
        ? new StartRefused(StartRefusal.RACE_TOO_EARLY, running.id(), raceFrom)
        : null;
  }

  private static @Nullable StartRefused notByButton(JobStanding job, String provider, Ways ways) {
    return ways.unproved(job.route(), provider) == null || ways.whenPressed() == WhenPressed.ALLOW
        ? null
        : because(StartRefusal.NOT_QUALIFIED);
  }

  private static @Nullable StartRefused notByItself(
      JobStanding job, String provider, Instant now, Ways ways) {
    if (job.waitingFor() != null) {
      return because(StartRefusal.WAITING);
    }
    Instant runAt = job.runAt();
    if (runAt == null || now.isBefore(runAt)) {
      return new StartRefused(StartRefusal.NOT_DUE, null, runAt);
    }
    Ways.Way way = ways.of(provider);
    if (!provider.equals(job.route().getFirst()) && way.unproved() != null) {
      return because(StartRefusal.NOT_QUALIFIED);
    }
    return provider.equals(job.goesOnAt()) ? shut(way) : because(StartRefusal.DUE_ELSEWHERE);
  }

  private static @Nullable StartRefused notAsRival(JobStanding job, String provider, Ways ways) {
    if (job.live() == 0) {
      return because(StartRefusal.NOTHING_TO_RACE);
    }
    return ways.unproved(job.route(), provider) == null
        ? shut(ways.of(provider))
        : because(StartRefusal.NOT_QUALIFIED);
  }

  private static @Nullable StartRefused shut(Ways.Way way) {
    Ways.OpenCircuit circuit = way.circuit();
    return circuit == null || circuit.passable()
        ? null
        : new StartRefused(StartRefusal.CIRCUIT_OPEN, null, circuit.until());
  }

  private static StartRefused because(StartRefusal why) {
    return new StartRefused(why, null, null);
  }
}
