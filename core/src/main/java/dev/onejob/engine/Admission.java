package dev.onejob.engine;

import dev.onejob.domain.Fingerprint;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Limits;
import dev.onejob.domain.Names;
import dev.onejob.engine.Runs.Leaving;
import dev.onejob.intent.Intent;
import dev.onejob.intent.JsonLimits;
import dev.onejob.intent.JsonRefused;
import dev.onejob.intent.JsonValue;
import dev.onejob.intent.StrictJson;
import dev.onejob.store.Admissions;
import dev.onejob.store.JobQueries.Work;
import dev.onejob.store.MoveRequest;
import dev.onejob.store.NewJob;
import dev.onejob.store.StoreException;
import dev.onejob.store.Webhooks;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Admits intents: checks them, has their keys bound, and compares the fingerprints. */
final class Admission {
  private static final Pattern TAG =
      Pattern.compile("[A-Za-z0-9._:=/@+-]{1," + Limits.TAG_CHARS_MAX + "}");

  private static final Instant DEADLINE_MIN = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant DEADLINE_END = Instant.parse("+10000-01-01T00:00:00Z");

  private final Dispatcher dispatcher;
  private final Admissions store;
  private final Writes writes;
  private final Chronicle chronicle;
  private final DueNews due;
  private final RepeatCounts repeats;
  private final Webhooks webhooks;

  Admission(
      Stores stores,
      Writes writes,
      Chronicle chronicle,
      Dispatcher dispatcher,
      DueNews due,
      RepeatCounts repeats) {
    this.dispatcher = dispatcher;
    this.store = stores.admissions();
    this.writes = writes;
    this.chronicle = chronicle;
    this.due = due;
    this.repeats = repeats;
    this.webhooks = stores.webhooks();
  }

  Admitted submit(Submission submission) {
    return switch (check(submission)) {
      case Checked.Answered answered -> told(submission, answered.answer());
      case Checked.Fit fit -> admit(fit);
    };
  }

  /**
   * Admits many. They wait to be started, and what can start here is looked for at once. Where a
   * key comes twice, the first that could be admitted has it.
   *
   * @return an answer for each, in their order
   */
  List<Admitted> submitAll(List<Submission> submissions) {
    List<Admitted> answers;
    try (BulkAdmission bulk = new BulkAdmission(this::admitChunk, submissions.size())) {
      submissions.forEach(bulk::add);
      answers = bulk.end();
    } finally {
      due.leftWaiting(); // some may be there although others could not be written
    }
    for (int i = 0; i < answers.size(); i++) {
      told(submissions.get(i), answers.get(i));
    }
    return answers;
  }

  private List<Admitted> admitChunk(List<Submission> submissions) {
    List<Checked> checked = submissions.stream().map(this::check).toList();
    List<NewJob> jobs = new ArrayList<>(checked.size());
    for (Checked one : checked) {
      if (one instanceof Checked.Fit fit) {
        jobs.add(fit.job());
      }
    }
    Iterator<Admissions.Bound> bound = writes.admitAll(jobs).iterator();
    List<Admitted> answers = new ArrayList<>(checked.size());
    for (Checked one : checked) {
      answers.add(
          switch (one) {
            case Checked.Answered answered -> answered.answer();
            case Checked.Fit fit -> queued(fit, bound.next());
          });
    }
    return answers;
  }

  private Admitted told(Submission submission, Admitted answer) {
    if (chronicle.submitted(submission, answer) instanceof Admitted.Known known) {
      repeats.count(known.id());
    }
    return answer;
  }

  /** A submission that was looked at. */
  private sealed interface Checked {
    /** It needs no more. */
    record Answered(Admitted answer) implements Checked {}

    /** It may be admitted. */
    record Fit(Submission submission, JsonValue input, NewJob job) implements Checked {}
  }

  private Checked check(Submission submission) {
    Admitted.Refused refused = refusal(submission);
    if (refused != null) {
      return new Checked.Answered(refused);
    }
    JsonValue input;
    try {
      input = StrictJson.read(submission.input(), JsonLimits.INPUT);
    } catch (JsonRefused e) {
      return new Checked.Answered(
          new Admitted.Refused("input-invalid", e.getMessage(), e.pointer()));
    }
    Kind kind = dispatcher.kind(submission.kind());
    if (kind == null) {
      return unlessBound(
          submission, input, "kind-unknown", "no kind is named " + submission.kind(), "/kind");
    }
    String webhook = submission.webhook();
    return webhook == null || (Names.fits(webhook) && webhooks.isKnown(submission.owner(), webhook))
        ? new Checked.Fit(submission, input, newJob(submission, kind, input))
        : unlessBound(
            submission,
            input,
            "field-invalid",
            "no webhook of this owner is in use under that name",
            "/webhook");
  }

  /** A key that is bound stays bound, even where its kind or webhook is no longer there. */
  private Checked unlessBound(
      Submission submission, JsonValue input, String code, String message, String pointer) {
    return new Checked.Answered(
        store
            .find(submission.owner(), submission.key())
            .map(bound -> compared(submission, input, bound))
            .orElseGet(() -> new Admitted.Refused(code, message, pointer)));
  }

  private Admitted admit(Checked.Fit fit) {
    NewJob job = fit.job();
    Leaving leaving = writes.mayBeBound(job) ? null : dispatcher.board(work(job));
    if (leaving != null) {
      return admit(fit, leaving);
    }
    Admissions.Bound bound = writes.admit(job);
    Admitted answer = queued(fit, bound);
    if (bound.created()) {
      if (dispatcher.isPulled(job.route().getFirst())) {
        due.leftForWorkers();
      } else {
        due.leftWaiting();
      }
    }
    return told(fit.submission(), answer);
  }

  /** With a slot, which its attempt takes along; nobody else needs it if there is none. */
  private Admitted admit(Checked.Fit fit, Leaving leaving) {
    long since = Clocks.nanos();
    Admissions.Bound bound = written(fit.job(), leaving, since);
    try {
      return told(fit.submission(), answer(fit, bound, leaving));
    } finally {
      if (bound.created()) {
        goOn(leaving, () -> dispatcher.admitted(leaving, bound.started(), since));
      } else {
        dispatcher.stays(leaving);
      }
    }
  }

  private Admissions.Bound written(NewJob job, Leaving leaving, long since) {
    MoveRequest start = leaving.kind().goesOnFromDoubt() ? leaving.request() : null;
    try {
      return writes.admit(job, start);
    } catch (RuntimeException | Error e) { // also Errors: it may be in the reading of the answer
      boolean mayBeThere =
          !StartWriter.nothingWasDone(e) && !(e instanceof StoreException.NotConnected);
      if (mayBeThere && start != null) {
        goOn(leaving, () -> dispatcher.admissionLost(leaving, since));
      } else {
        dispatcher.stays(leaving);
      }
      if (mayBeThere) {
        due.here(); // if it waits to be started: looks have left it out until now
      }
      throw e;
    }
  }

  /** An Error, as where no thread can be had, leaves it to a look or its lease. */
  private void goOn(Leaving leaving, Runnable departure) {
    try {
      departure.run();
    } catch (RuntimeException | Error e) {
      dispatcher.stays(leaving);
      throw e;
    }
  }

  private Admitted queued(Checked.Fit fit, Admissions.Bound bound) {
    if (bound.created()) {
      dispatcher.leftWaiting(fit.job().kind(), fit.job().route().getFirst());
    }
    return answer(fit, bound, /* leaving= */ null);
  }

  private static Admitted answer(
      Checked.Fit fit, Admissions.Bound bound, @Nullable Leaving leaving) {
    Admissions.Birth birth = bound.birth();
    if (birth == null) {
      return compared(fit.submission(), fit.input(), bound);
    }
    MoveRequest start = leaving == null || !bound.started() ? null : leaving.request();
    return new Admitted.Created(Newborn.of(fit.job(), birth, start));
  }

  private static Work work(NewJob job) {
    return new Work(job.id(), job.owner(), job.key(), job.kind(), job.route(), job.input());
  }

  private static Admitted compared(Submission submission, JsonValue input, Admissions.Bound bound) {
    Fingerprint mine =
        Intent.fingerprint(
            bound.fingerprint().version(), submission.kind(), input, submission.route());
    return mine.equals(bound.fingerprint())
        ? new Admitted.Known(bound.id())
        : new Admitted.DifferentIntent(bound.id());
  }

  private NewJob newJob(Submission submission, Kind kind, JsonValue input) {
    return new NewJob(
        JobId.next(Clocks.epochMillis(), ThreadLocalRandom.current()),
        submission.owner(),
        submission.key(),
        kind.name(),
        kind.effect(),
        Intent.fingerprint(kind.name(), input, submission.route()),
        submission.input(),
        submission.route() == null ? kind.route() : submission.route(),
        submission.deadline(),
        kind.deadline(),
        submission.priority(),
        submission.tags(),
        kind.rules(),
        submission.webhook(),
        dispatcher.knowsContract(kind.name()));
  }

  private Admitted.@Nullable Refused refusal(Submission submission) {
    if (submission.input().length > Limits.INPUT_BYTES_MAX) {
      return new Admitted.Refused(
          "input-too-large",
          "the input has %d bytes, at most %d are taken"
              .formatted(submission.input().length, Limits.INPUT_BYTES_MAX),
          "");
    }
    if (Math.abs(submission.priority()) > Limits.PRIORITY_MAX) {
      return new Admitted.Refused(
          "field-invalid",
          "a priority is a whole number from -%d to %d"
              .formatted(Limits.PRIORITY_MAX, Limits.PRIORITY_MAX),
          "/priority");
    }
    if (submission.deadline() != null && !isTellable(submission.deadline())) {
      return new Admitted.Refused(
          "field-invalid", "a deadline is a time from the year 1 to the year 9999", "/deadline");
    }
    if (submission.tags().size() > Limits.TAGS_MAX) {
      return new Admitted.Refused("field-invalid", "at most " + Limits.TAGS_MAX + " tags", "/tags");
    }
    for (int i = 0; i < submission.tags().size(); i++) {
      if (!TAG.matcher(submission.tags().get(i)).matches()) {
        return new Admitted.Refused(
            "field-invalid",
            "a tag is 1 to " + Limits.TAG_CHARS_MAX + " letters, digits and . _ : = / @ + -",
            "/tags/" + i);
      }
    }
    return submission.route() == null ? null : routeRefusal(submission.route());
  }

  /** Whether it has four digits of a year, which is what everybody reads and every column holds. */
  private static boolean isTellable(Instant time) {
    return !time.isBefore(DEADLINE_MIN) && time.isBefore(DEADLINE_END);
  }

  private Admitted.@Nullable Refused routeRefusal(List<String> route) {
    if (route.isEmpty() || route.size() > Limits.ROUTE_PROVIDERS_MAX) {
      return new Admitted.Refused(
          "field-invalid",
          "a route has 1 to " + Limits.ROUTE_PROVIDERS_MAX + " providers",
          "/route");
    }
    for (int i = 0; i < route.size(); i++) {
      if (!dispatcher.knowsProvider(route.get(i))) {
        return new Admitted.Refused(
            "provider-unknown", "no provider is named " + route.get(i), "/route/" + i);
      }
    }
    return new HashSet<>(route).size() == route.size()
        ? null
        : new Admitted.Refused("field-invalid", "a route names a provider once", "/route");
  }
}
