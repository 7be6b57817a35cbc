package dev.onejob.domain;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Jobs in the making, and every event that can meet them. */
final class Scenario {
  static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  static final AttemptId FIRST = new AttemptId(new UUID(1, 1));
  static final AttemptId SECOND = new AttemptId(new UUID(2, 2));
  static final AttemptId THIRD = new AttemptId(new UUID(3, 3));
  static final String PRIMARY = "primary";
  static final String FALLBACK = "fallback";
  static final Report RESULT = new Report(Report.Outcome.SUCCEEDED, "a".repeat(64), 10);
  static final Report OTHER_RESULT = new Report(Report.Outcome.SUCCEEDED, "b".repeat(64), 10);
  static final Report FAILURE = new Report(Report.Outcome.FAILED, "c".repeat(64), 0);
  static final Report STOP = new Report(Report.Outcome.STOPPED, "d".repeat(64), 0);
  private static final Failure REFUSED = new Failure("refused", "not today");

  /** The fallback is qualified, and everybody answers. */
  static final Ways QUALIFIED = ways(null, null);

  /** The fallback is not. */
  static final Ways UNQUALIFIED =
      ways(new Objection(FALLBACK, Objection.Reason.EXPIRED, "expired"), null);

  /** The fallback is qualified, and the first provider does not answer. */
  static final Ways FIRST_DOWN = ways(null, NOW.plusSeconds(60));

  private Scenario() {}

  private static Ways ways(Objection unproved, Instant firstDownUntil) {
    Ways.OpenCircuit circuit =
        firstDownUntil == null ? null : new Ways.OpenCircuit(firstDownUntil, false, "down");
    return new Ways(
        Map.of(PRIMARY, new Ways.Way(null, circuit), FALLBACK, new Ways.Way(unproved, null)),
        WhenPressed.REFUSE);
  }

  /** A job just admitted that may race from the first moment. */
  static Life racing() {
    return admitted(Duration.ZERO, null);
  }

  /** A job just admitted that never races. */
  static Life exclusive() {
    return admitted(null, null);
  }

  /** A job whose deadline has passed. */
  static Life late() {
    return admitted(Duration.ZERO, NOW);
  }

  private static Life admitted(Duration raceAfter, Instant deadline) {
    return new Life(
        JobStanding.admitted(
            List.of(PRIMARY, FALLBACK),
            NOW,
            deadline,
            new JobStanding.KindRules(2, raceAfter, WhenUnqualified.WAIT)),
        List.of());
  }

  /** Every event that makes sense of this life: about the attempts it has, and the next start. */
  static List<JobEvent> eventsOf(Life life) {
    List<JobEvent> events = new ArrayList<>();
    int made = life.attempts().size();
    AttemptId next = made == 0 ? FIRST : made == 1 ? SECOND : THIRD;
    for (StartCause cause : StartCause.values()) {
      if (made < 3 && (made < 2 || life.job().attemptsAllowed() > 2)) {
        events.add(new JobEvent.Start(next, PRIMARY, cause));
        events.add(new JobEvent.Start(next, FALLBACK, cause));
      }
    }
    events.add(new JobEvent.CancelRequest());
    life.attempts().forEach(a -> events.add(new JobEvent.CancelRequest(Set.of(a.id()))));
    events.add(new JobEvent.DeadlineReached());
    events.add(new JobEvent.Reroute());
    for (Then then : Then.values()) {
      events.add(new JobEvent.Acknowledge(then));
    }
    events.add(new JobEvent.Reopen(1, null));
    events.add(new JobEvent.Reopen(1, NOW.minusSeconds(1)));
    life.attempts().forEach(attempt -> events.addAll(eventsAbout(attempt.id())));
    return events;
  }

  static List<JobEvent> eventsAbout(AttemptId attempt) {
    List<JobEvent> events = new ArrayList<>();
    events.add(new JobEvent.Accepted(attempt));
    events.add(new JobEvent.Doubt(attempt));
    events.add(new JobEvent.Finish(attempt, RESULT));
    events.add(new JobEvent.Finish(attempt, OTHER_RESULT));
    for (Retryability retryability : Retryability.values()) {
      events.add(new JobEvent.Fail(attempt, REFUSED, retryability, Duration.ZERO, FAILURE));
    }
    events.add(new JobEvent.Breached(attempt, REFUSED, RESULT));
    events.add(new JobEvent.Breached(attempt, REFUSED, OTHER_RESULT));
    events.add(new JobEvent.Stopped(attempt, STOP));
    events.add(new JobEvent.Silence(attempt));
    events.add(new JobEvent.ResolveDone(attempt, RESULT));
    for (Verdict verdict : Verdict.values()) {
      for (Then then : Then.values()) {
        events.add(new JobEvent.Resolve(attempt, verdict, then));
      }
    }
    return events;
  }

  static Life after(Life life, JobEvent... events) {
    return after(Ways.WITHOUT_CONTRACT, life, events);
  }

  static Life after(Ways ways, Life life, JobEvent... events) {
    Life now = life;
    for (JobEvent event : events) {
      now = Lifecycle.apply(now, event, NOW, ways).life();
    }
    return now;
  }
}
