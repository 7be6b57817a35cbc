package dev.onejob.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Walks every pair of state and event of the pure machine and compares what it does with the tables
 * of {@code docs/job-lifecycle.md}. {@code -Donejob.docs.write=true} writes them anew.
 */
class LifecycleDocumentTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "job-lifecycle.md");
  private static final AttemptId IT = Scenario.FIRST;
  private static final AttemptId RIVAL = Scenario.SECOND;
  private static final Failure FAILURE = new Failure("refused", "no");

  @Test
  void every_pair_of_state_and_event_does_what_the_document_says() throws IOException {
    String document = Files.readString(DOCUMENT);
    String written = with(with(document, "attempts", attempts()), "jobs", jobs());
    if (Boolean.getBoolean("onejob.docs.write")) {
      Files.writeString(DOCUMENT, written);
    }

    assertThat(Files.readString(DOCUMENT)).isEqualTo(written);
  }

  private static String with(String document, String name, String table) {
    String begin = "<!-- " + name + ": compared with the code -->\n";
    String end = "<!-- end of " + name + " -->";
    int from = document.indexOf(begin) + begin.length();
    int to = document.indexOf(end);
    assertThat(from).isGreaterThan(begin.length());
    return document.substring(0, from) + table + document.substring(to);
  }

  private static Map<String, JobEvent> eventsOfAnAttempt() {
    Map<String, JobEvent> events = new LinkedHashMap<>();
    events.put("accepted", new JobEvent.Accepted(IT));
    events.put("doubt", new JobEvent.Doubt(IT));
    events.put("result", new JobEvent.Finish(IT, Scenario.RESULT));
    events.put("failure", fail(Retryability.RETRYABLE));
    events.put("breach", new JobEvent.Breached(IT, FAILURE, Scenario.RESULT));
    events.put("stopped", new JobEvent.Stopped(IT, Scenario.STOP));
    events.put("untaken", new JobEvent.Untaken(IT, Scenario.STOP));
    events.put("silence", new JobEvent.Silence(IT));
    events.put("not_done", new JobEvent.Resolve(IT, Verdict.NOT_DONE, Then.WAIT));
    events.put("done", new JobEvent.ResolveDone(IT, Scenario.RESULT));
    events.put("still_running", new JobEvent.Resolve(IT, Verdict.STILL_RUNNING, Then.WAIT));
    events.put("abandon", new JobEvent.Resolve(IT, Verdict.ABANDON, Then.WAIT));
    return events;
  }

  private static JobEvent fail(Retryability retryability) {
    return new JobEvent.Fail(IT, FAILURE, retryability, Duration.ZERO, Scenario.FAILURE);
  }

  /** An attempt in each state, while the slot is empty and, where it can be, when it is taken. */
  private static Map<String, Life> attemptsInEveryState() {
    Life starting =
        Scenario.after(
            Scenario.racing(), new JobEvent.Start(IT, Scenario.PRIMARY, StartCause.DISPATCH));
    Life running = Scenario.after(starting, new JobEvent.Accepted(IT));
    Life unknown = Scenario.after(starting, new JobEvent.Doubt(IT));
    Life lostRace =
        Scenario.after(
            running,
            new JobEvent.Start(RIVAL, Scenario.FALLBACK, StartCause.BUTTON),
            new JobEvent.Finish(RIVAL, Scenario.OTHER_RESULT));
    Map<String, Life> lives = new LinkedHashMap<>();
    lives.put("starting", starting);
    lives.put("running", running);
    lives.put("unknown", unknown);
    lives.put("running, slot taken", lostRace);
    lives.put("unknown, slot taken", Scenario.after(lostRace, new JobEvent.Doubt(IT)));
    lives.put("succeeded", Scenario.after(running, new JobEvent.Finish(IT, Scenario.RESULT)));
    lives.put("failed by its answer", Scenario.after(running, fail(Retryability.FINAL)));
    lives.put(
        "failed by a breach",
        Scenario.after(running, new JobEvent.Breached(IT, FAILURE, Scenario.OTHER_RESULT)));
    lives.put(
        "failed by a decision",
        Scenario.after(unknown, new JobEvent.Resolve(IT, Verdict.NOT_DONE, Then.WAIT)));
    lives.put(
        "cancelled by a decision",
        Scenario.after(running, new JobEvent.Resolve(IT, Verdict.ABANDON, Then.WAIT)));
    lives.put("lost", Scenario.after(lostRace, new JobEvent.Silence(IT)));
    return lives;
  }

  private static String attempts() {
    Map<String, JobEvent> events = eventsOfAnAttempt();
    List<String> lines = new ArrayList<>();
    lines.add("| attempt | " + String.join(" | ", events.keySet()) + " |");
    lines.add("| --- |" + " --- |".repeat(events.size()));
    attemptsInEveryState()
        .forEach(
            (name, life) ->
                lines.add(
                    events.values().stream()
                        .map(event -> ofAttempt(life, event))
                        .collect(Collectors.joining(" | ", "| " + name + " | ", " |"))));
    return String.join("\n", lines) + "\n";
  }

  private static String ofAttempt(Life life, JobEvent event) {
    Lifecycle.Move move = Lifecycle.apply(life, event, Scenario.NOW);
    AttemptState state = move.life().attempt(IT).orElseThrow().state();
    return switch (move.answer()) {
      case Answer.Moved m -> state.word();
      case Answer.Lost l -> life.equals(move.life()) ? "as before" : state.word();
      case Answer.Repeated r -> "as before";
      case Answer.Recorded r ->
          r.contest() == Answer.Contest.CONTESTED ? "kept; contested" : "kept";
      case Answer.NotAllowed n -> "–";
      case Answer.Started s -> throw new AssertionError(event);
      case Answer.StartRefused s -> throw new AssertionError(event);
      case Answer.Changed c -> throw new AssertionError(event);
    };
  }

  private static Map<String, Life> jobsInEveryState() {
    Map<String, Life> attempts = attemptsInEveryState();
    Life unknown = attempts.get("unknown");
    Map<String, Life> jobs = new LinkedHashMap<>();
    jobs.put("queued", Scenario.racing());
    jobs.put("queued, past its deadline", Scenario.late());
    jobs.put("queued, waiting for qualification", attempts.get("failed by its answer"));
    jobs.put("queued, waiting for decision", attempts.get("failed by a decision"));
    jobs.put(
        "queued, contested",
        Scenario.after(
            attempts.get("failed by a decision"), new JobEvent.Finish(IT, Scenario.RESULT)));
    jobs.put("running, attempt starting", attempts.get("starting"));
    jobs.put("running, attempt running", attempts.get("running"));
    jobs.put(
        "running, cancel asked",
        Scenario.after(attempts.get("running"), new JobEvent.CancelRequest()));
    jobs.put("unknown", unknown);
    jobs.put("succeeded", attempts.get("succeeded"));
    jobs.put("failed", Scenario.after(Scenario.late(), new JobEvent.DeadlineReached()));
    jobs.put(
        "failed, contested",
        Scenario.after(
            unknown,
            new JobEvent.Resolve(IT, Verdict.NOT_DONE, Then.WAIT),
            new JobEvent.Start(RIVAL, Scenario.PRIMARY, StartCause.BUTTON),
            new JobEvent.Finish(IT, Scenario.RESULT),
            new JobEvent.Fail(
                RIVAL, FAILURE, Retryability.RETRYABLE, Duration.ZERO, Scenario.FAILURE)));
    jobs.put("cancelled", Scenario.after(Scenario.racing(), new JobEvent.CancelRequest()));
    return jobs;
  }

  private static Map<String, JobEvent> eventsOfAJob() {
    AttemptId fresh = RIVAL;
    Map<String, JobEvent> events = new LinkedHashMap<>();
    events.put("start by itself", new JobEvent.Start(fresh, Scenario.PRIMARY, StartCause.DISPATCH));
    events.put("fallback button", new JobEvent.Start(fresh, Scenario.FALLBACK, StartCause.BUTTON));
    events.put("race", new JobEvent.Start(fresh, Scenario.FALLBACK, StartCause.RACE));
    events.put("cancel", new JobEvent.CancelRequest());
    events.put("cancel, offer untaken", new JobEvent.CancelRequest(Set.of(IT)));
    events.put("deadline", new JobEvent.DeadlineReached());
    events.put("reroute", new JobEvent.Reroute());
    events.put("acknowledge", new JobEvent.Acknowledge(Then.RETRY));
    events.put("reopen", new JobEvent.Reopen(1, null));
    return events;
  }

  private static String jobs() {
    Map<String, JobEvent> events = eventsOfAJob();
    List<String> lines = new ArrayList<>();
    lines.add("| job | " + String.join(" | ", events.keySet()) + " |");
    lines.add("| --- |" + " --- |".repeat(events.size()));
    jobsInEveryState()
        .forEach(
            (name, life) ->
                lines.add(
                    events.values().stream()
                        .map(event -> ofJob(life, event))
                        .collect(Collectors.joining(" | ", "| " + name + " | ", " |"))));
    return String.join("\n", lines) + "\n";
  }

  private static String ofJob(Life life, JobEvent event) {
    Lifecycle.Move move = Lifecycle.apply(life, event, Scenario.NOW);
    return switch (move.answer()) {
      case Answer.Started s -> "running";
      case Answer.StartRefused s -> "no: " + s.why().word();
      case Answer.Moved m -> where(move.life().job());
      case Answer.Repeated r -> "as before";
      case Answer.NotAllowed n -> "–";
      case Answer.Lost l -> throw new AssertionError(event);
      case Answer.Recorded r -> throw new AssertionError(event);
      case Answer.Changed c -> throw new AssertionError(event);
    };
  }

  private static String where(JobStanding job) {
    String waiting = job.waitingFor() == null ? "" : ", waiting for " + job.waitingFor().word();
    String cancel =
        job.cancelRequestedAt() != null && !job.state().terminal() ? ", cancel asked" : "";
    return job.state().word() + waiting + cancel;
  }
}
