package dev.onejob.server.qualification;

import dev.onejob.domain.Attempt;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Failure;
import dev.onejob.domain.IntentKey;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Limits;
import dev.onejob.domain.QualificationRun;
import dev.onejob.domain.Result;
import dev.onejob.domain.RunId;
import dev.onejob.engine.Access;
import dev.onejob.engine.Admitted;
import dev.onejob.engine.JobEngine;
import dev.onejob.engine.Submission;
import dev.onejob.providers.BoundedJson;
import dev.onejob.qualification.Ask;
import dev.onejob.qualification.Candidate;
import dev.onejob.qualification.Observation;
import dev.onejob.qualification.Observation.Ending;
import dev.onejob.qualification.Transcript.Entry;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The questions of one run, on their way: each a job whose key is made of the run and the question.
 * Remembers nothing that could not be asked again. Of one thread.
 */
final class Interview {
  /** Questions that are open at once; the slots of the kind bound what is really under way. */
  private static final int OPEN_MAX = 8;

  /** As long as any other. */
  private static final RunId RUN_ID = new RunId(new UUID(0, 0));

  private final JobEngine engine;
  private final QualificationRun run;
  private final Candidate candidate;
  private final List<Ask> asks;
  private final Map<Ask, JobId> open = new LinkedHashMap<>();
  private final Map<Ask, Observation> came = new LinkedHashMap<>();
  private int next;

  Interview(JobEngine engine, QualificationRun run, Candidate candidate, List<Ask> asks) {
    this.engine = engine;
    this.run = run;
    this.candidate = candidate;
    this.asks = List.copyOf(asks);
  }

  /** Takes in what has come, and asks what comes next. */
  void advance() {
    for (Map.Entry<Ask, JobId> each : List.copyOf(open.entrySet())) {
      Job job = engine.job(Access.ALL, each.getValue()).orElse(null);
      Optional<Observation> observation = job == null ? Optional.of(gone()) : observation(job);
      observation.ifPresent(
          seen -> {
            came.put(each.getKey(), seen);
            open.remove(each.getKey());
          });
    }
    while (open.size() < OPEN_MAX && next < asks.size()) {
      Ask ask = asks.get(next);
      open.put(ask, submit(ask));
      next++; // only now: what could not be submitted is the next question still
    }
  }

  /** A question of the run has been asked in other words: by another version, of another plan. */
  static final class AskedOtherwise extends RuntimeException {
    private static final long serialVersionUID = 1L;

    AskedOtherwise(Ask ask, JobId id) {
      super(ask.key() + " was asked otherwise in " + id);
    }
  }

  /** Why a plan cannot be asked as it is; empty if it can. */
  static Optional<String> unaskable(String kind, Candidate candidate, List<Ask> asks) {
    for (Ask ask : asks) {
      int bytes = ProbeInput.of(kind, candidate, ask).bytes().length;
      if (bytes > Limits.INPUT_BYTES_MAX) {
        return Optional.of(
            "the question %s has %d bytes, at most %d can be asked: choose a smaller sample"
                .formatted(ask.key(), bytes, Limits.INPUT_BYTES_MAX));
      }
      int chars = key(RUN_ID, ask).length();
      if (chars > Limits.KEY_CHARS_MAX) {
        return Optional.of(
            "the key of the question %s has %d characters, at most %d can be: choose a shorter name"
                    .formatted(ask.key(), chars, Limits.KEY_CHARS_MAX)
                + " for the sample");
      }
    }
    return Optional.empty();
  }

  private static String key(RunId run, Ask ask) {
    return run + "/" + URLEncoder.encode(ask.key(), StandardCharsets.UTF_8);
  }

  private JobId submit(Ask ask) {
    ProbeInput input = ProbeInput.of(run.subject().kind(), candidate, ask);
    Submission submission =
        new Submission(
            Probes.OWNER,
            new IntentKey(key(run.id(), ask)),
            Probes.KIND,
            input.bytes(),
            null,
            null,
            0,
            List.of(run.id().toString()));
    return switch (engine.submit(submission)) {
      case Admitted.Created created -> created.id();
      case Admitted.Known known -> known.id();
      case Admitted.DifferentIntent other -> throw new AskedOtherwise(ask, other.id());
      case Admitted.Refused refused ->
          throw new IllegalStateException(ask.key() + " cannot be asked: " + refused.message());
    };
  }

  /** Empty while nothing can be said. */
  private Optional<Observation> observation(Job job) {
    return switch (job.standing().state()) {
      case SUCCEEDED -> Optional.of(read(job.result()));
      case FAILED, CANCELLED ->
          Optional.of(ProbedProvider.without(Ending.UNANSWERED, failure(job)));
      case UNKNOWN -> Optional.of(inDoubt(job));
      case QUEUED ->
          job.standing().waitingFor() == null ? Optional.empty() : Optional.of(inDoubt(job));
      case RUNNING -> Optional.empty();
    };
  }

  private static Observation read(@Nullable Result result) {
    return result == null ? gone() : Observation.of(BoundedJson.read(result.bytes()));
  }

  private static Observation gone() {
    return ProbedProvider.without(
        Ending.UNANSWERED, new Failure("emptied", "the answer is no longer kept"));
  }

  /** A question in doubt is not asked again, proves nothing, and nobody has to decide about it. */
  private Observation inDoubt(Job job) {
    engine.cancel(Access.ALL, job.id());
    return ProbedProvider.without(Ending.UNANSWERED, failure(job));
  }

  private static @Nullable Failure failure(Job job) {
    return job.attempts().stream()
        .filter(attempt -> attempt.standing().state() != AttemptState.STARTING)
        .map(Attempt::failure)
        .filter(failure -> failure != null)
        .reduce((first, last) -> last)
        .orElse(null);
  }

  boolean isOver() {
    return came.size() == asks.size();
  }

  int answered() {
    return came.size();
  }

  /**
   * Every planned question, in the order in which they were asked.
   *
   * @throws IllegalStateException if one has not come to its end
   */
  List<Entry> entries() {
    return asks.stream().map(this::entry).toList();
  }

  private Entry entry(Ask ask) {
    Observation observation = came.get(ask);
    if (observation == null) {
      throw new IllegalStateException(ask.key() + " has no answer");
    }
    return new Entry(ask, observation);
  }
}
