package dev.onejob.soak;

import dev.onejob.soak.Breach.Promise;
import dev.onejob.soak.History.Acknowledged;
import dev.onejob.soak.History.ResultRead;
import dev.onejob.soak.Tables.AttemptRow;
import dev.onejob.soak.Tables.CallRow;
import dev.onejob.soak.Tables.Counts;
import dev.onejob.soak.Tables.DecisionRow;
import dev.onejob.soak.Tables.JobRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Judges a whole history. Pure: it knows what was recorded, and nothing else. */
final class Checker {
  private static final Set<String> ENDED = Set.of("succeeded", "failed", "cancelled");

  /** Verdicts after which the attempt is over and fenced. */
  private static final Set<String> FENCING = Set.of("abandon", "not_done");

  private final History history;
  private final Tables tables;
  private final Map<String, List<JobRow>> jobs;
  private final Map<String, List<AttemptRow>> attempts;
  private final Map<String, List<DecisionRow>> decisions;
  private final Map<String, List<CallRow>> calls;
  private final List<Breach> breaches = new ArrayList<>();

  private Checker(History history, Tables tables) {
    this.history = history;
    this.tables = tables;
    this.jobs = by(tables.jobs(), JobRow::id);
    this.attempts = by(tables.attempts(), AttemptRow::job);
    this.decisions = by(tables.decisions(), DecisionRow::job);
    this.calls = by(tables.calls(), CallRow::job);
  }

  private static <T> Map<String, List<T>> by(List<T> rows, Function<T, String> name) {
    return rows.stream().collect(Collectors.groupingBy(name));
  }

  /** All breaches; empty if every promise was kept. */
  static List<Breach> check(History history, Tables tables) {
    Checker checker = new Checker(history, tables);
    checker.acknowledged();
    checker.keys();
    checker.results();
    for (JobRow job : tables.jobs()) {
      checker.slot(job);
      checker.effects(job);
      checker.adrift(job);
      checker.counts(job);
    }
    checker.callsOfNoJob();
    checker.sentOnce();
    checker.notDone();
    return List.copyOf(checker.breaches);
  }

  private void breach(Promise promise, String subject, String detail) {
    breaches.add(new Breach(promise, subject, detail));
  }

  private void acknowledged() {
    Map<String, String> told = new HashMap<>();
    for (Acknowledged each : history.acknowledged()) {
      String before = told.put(each.key(), each.job());
      if (before != null && !before.equals(each.job())) {
        breach(Promise.ONE_JOB_PER_KEY, each.key(), "told " + before + " and " + each.job());
      }
      List<JobRow> kept = jobs.getOrDefault(each.job(), List.of());
      if (kept.isEmpty() && !each.job().equals(before)) {
        breach(Promise.ACKNOWLEDGED_IS_KEPT, each.key(), each.job() + " is not there");
      } else if (kept.stream().anyMatch(job -> !job.key().equals(each.key()))) {
        breach(Promise.ONE_JOB_PER_KEY, each.key(), each.job() + " belongs to another key");
      }
    }
  }

  private void keys() {
    by(tables.jobs(), job -> job.owner() + " " + job.key())
        .forEach(
            (key, rows) -> {
              if (rows.size() > 1) {
                breach(Promise.ONE_JOB_PER_KEY, key, rows.size() + " jobs");
              }
            });
  }

  private void results() {
    Map<String, String> seen = new HashMap<>();
    for (ResultRead each : history.results()) {
      String before = seen.put(each.job(), each.digest());
      if (before != null && !before.equals(each.digest())) {
        breach(Promise.ONE_RESULT_PER_JOB, each.job(), "two results were read");
      }
    }
    seen.forEach(
        (job, digest) -> {
          for (JobRow row : jobs.getOrDefault(job, List.of())) {
            if (!digest.equals(row.result())) {
              breach(Promise.ONE_RESULT_PER_JOB, job, "another result is kept than was read");
            }
          }
        });
  }

  private void slot(JobRow job) {
    List<AttemptRow> winners =
        attempts.getOrDefault(job.id(), List.of()).stream()
            .filter(attempt -> attempt.state().equals("succeeded"))
            .toList();
    String by = job.completedBy();
    boolean agrees =
        by == null
            ? winners.isEmpty() && !job.state().equals("succeeded")
            : winners.size() == 1 && winners.getFirst().id().equals(by);
    if (!agrees) {
      breach(
          Promise.ONE_RESULT_PER_JOB,
          job.id(),
          "completed by "
              + by
              + ", succeeded are "
              + winners.stream().map(AttemptRow::id).toList());
    }
    for (DecisionRow decision : decisions.getOrDefault(job.id(), List.of())) {
      if (by != null && by.equals(decision.attempt()) && FENCING.contains(decision.verdict())) {
        breach(
            Promise.FENCED_STAYS_FENCED,
            job.id(),
            by + " claimed the slot although it was ended by " + decision.verdict());
      }
    }
  }

  /** A harmless kind may race: there every attempt may have had its effect. */
  private void effects(JobRow job) {
    long effects =
        calls.getOrDefault(job.id(), List.of()).stream()
            .filter(call -> call.actedAt() != null)
            .count();
    long abandoned =
        decisions.getOrDefault(job.id(), List.of()).stream()
            .filter(decision -> decision.verdict().equals("abandon"))
            .map(DecisionRow::attempt)
            .distinct()
            .count();
    long excused =
        job.effect().equals("harmless")
            ? attempts.getOrDefault(job.id(), List.of()).size()
            : 1 + abandoned;
    if (effects > excused) {
      breach(
          Promise.EFFECTS_ARE_EXCUSED,
          job.id(),
          effects + " effects where " + excused + " are excused");
    }
  }

  private void callsOfNoJob() {
    for (String job : calls.keySet()) {
      if (!jobs.containsKey(job)) {
        breach(Promise.ACKNOWLEDGED_IS_KEPT, job, "the provider was called for a job unheard of");
      }
    }
  }

  /** Whoever holds an attempt carries it out, and nobody does so a second time. */
  private void sentOnce() {
    by(tables.calls(), CallRow::attempt)
        .forEach(
            (attempt, requests) -> {
              if (requests.size() > 1) {
                String job = requests.getFirst().job();
                breach(Promise.SENT_ONCE, job, requests.size() + " requests came for " + attempt);
              }
            });
  }

  private void adrift(JobRow job) {
    boolean atTheDesk =
        job.state().equals("unknown")
            || job.contested()
            || "decision".equals(job.waitingFor())
            || "qualification".equals(job.waitingFor());
    boolean leased =
        attempts.getOrDefault(job.id(), List.of()).stream()
            .anyMatch(attempt -> isAfter(attempt.leaseUntil(), tables.now()));
    if (!ENDED.contains(job.state()) && !job.due() && !leased && !atTheDesk) {
      breach(Promise.NO_JOB_ADRIFT, job.id(), job.state() + ", and nobody sees to it");
    }
  }

  private static boolean isAfter(@Nullable Instant time, Instant now) {
    return time != null && time.isAfter(now);
  }

  private void counts(JobRow job) {
    List<AttemptRow> own = attempts.getOrDefault(job.id(), List.of());
    Counts counted =
        new Counts(
            (int) own.stream().filter(AttemptRow::live).count(),
            (int) own.stream().filter(attempt -> attempt.state().equals("starting")).count(),
            (int) own.stream().filter(attempt -> attempt.state().equals("unknown")).count());
    if (!counted.equals(job.counts())) {
      breach(Promise.COUNTS_AGREE, job.id(), job.counts() + " but there are " + counted);
    }
  }

  /** Looked at from the end, so that an effect that came after the verdict is a breach too. */
  private void notDone() {
    Map<String, Instant> acted = new HashMap<>();
    for (CallRow call : tables.calls()) {
      if (call.actedAt() != null) {
        acted.merge(call.attempt(), call.actedAt(), (a, b) -> a.isBefore(b) ? a : b);
      }
    }
    for (DecisionRow decision : tables.decisions()) {
      Instant actedAt = acted.get(decision.attempt());
      if (decision.verdict().equals("not_done") && actedAt != null) {
        breach(
            Promise.NOT_DONE_IS_TRUE,
            decision.job(),
            "%s was said not to be done at %s, and acted at %s"
                .formatted(decision.attempt(), decision.at(), actedAt));
      }
    }
  }
}
