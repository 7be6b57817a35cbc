package dev.onejob.store;

import dev.onejob.domain.Answer;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.Breach;
import dev.onejob.domain.ContractVerdict;
import dev.onejob.domain.Effect;
import dev.onejob.domain.Failure;
import dev.onejob.domain.Fingerprint;
import dev.onejob.domain.IntentKey;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobStanding.KindRules;
import dev.onejob.domain.KindContract;
import dev.onejob.domain.Life;
import dev.onejob.domain.Owner;
import dev.onejob.domain.Report;
import dev.onejob.domain.Result;
import dev.onejob.domain.StartCause;
import dev.onejob.domain.Then;
import dev.onejob.domain.WhenUnqualified;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;
import javax.sql.DataSource;

/** The store over one database, and jobs in any state in one line. */
final class StoreFixture {
  static final String PRIMARY = "primary";
  static final String FALLBACK = "fallback";
  static final Owner OWNER = new Owner("tester");
  static final KindRules PLAIN = new KindRules(3, null, WhenUnqualified.WAIT);
  static final KindRules RACING = new KindRules(3, Duration.ZERO, WhenUnqualified.WAIT);
  static final Result RESULT = result("{\"ok\":true}");
  static final Report REPORT = new Report(Report.Outcome.SUCCEEDED, "a".repeat(64), 11);
  static final ContractVerdict.Broken BROKEN =
      new ContractVerdict.Broken(List.of(new Breach("schema", "/ok", "/properties/ok", "no")));

  /** A contract that nothing keeps. */
  static final KindContract CONTRACT =
      new KindContract() {
        @Override
        public String title() {
          return "never/1";
        }

        @Override
        public String hash() {
          return "d".repeat(64);
        }

        @Override
        public Result.Format format() {
          return Result.Format.JSON;
        }

        @Override
        public ContractVerdict check(byte[] input, Result result, String usage) {
          return BROKEN;
        }
      };

  private static final RandomGenerator RANDOM = RandomGenerator.getDefault();
  private static final Duration LEASE = Duration.ofMinutes(1);

  final Admissions admissions;
  final ShortWay shortWay;
  final Moves moves;
  final Sweeps sweeps;
  final JobQueries queries;

  StoreFixture(DataSource database) {
    admissions = new Admissions(database);
    shortWay = new ShortWay(database);
    moves = new Moves(database);
    sweeps = new Sweeps(database);
    queries = new JobQueries(database);
  }

  static Result result(String json) {
    return new Result(Result.Format.JSON, json.getBytes(StandardCharsets.UTF_8));
  }

  static JobId jobId() {
    return JobId.next(System.nanoTime() >>> 20, RANDOM);
  }

  static AttemptId attemptId() {
    return AttemptId.next(System.nanoTime() >>> 20, RANDOM);
  }

  static NewJob newJob(String key, KindRules rules) {
    return newJob(key, rules, null, (byte) 0);
  }

  static NewJob newJob(String key, KindRules rules, Duration deadlineAfter, byte intent) {
    byte[] sha256 = new byte[Fingerprint.SHA256_BYTES];
    sha256[0] = intent;
    return new NewJob(
        jobId(),
        OWNER,
        new IntentKey(key),
        "test",
        rules.raceAfter() == null ? Effect.EXCLUSIVE : Effect.HARMLESS,
        new Fingerprint(1, sha256),
        "{}".getBytes(StandardCharsets.UTF_8),
        List.of(PRIMARY, FALLBACK),
        null,
        deadlineAfter,
        0,
        List.of(),
        rules);
  }

  JobId admit(String key, KindRules rules) {
    return admissions.admit(List.of(newJob(key, rules))).getFirst().id();
  }

  /** A start by the dispatcher at the first provider. */
  static MoveRequest start(JobId job, AttemptId attempt) {
    return start(job, new JobEvent.Start(attempt, PRIMARY, StartCause.DISPATCH));
  }

  /** A start by the button at the second provider. */
  static MoveRequest button(JobId job, AttemptId attempt) {
    return start(job, new JobEvent.Start(attempt, FALLBACK, StartCause.BUTTON));
  }

  static MoveRequest start(JobId job, JobEvent.Start start) {
    return start(job, start, LEASE);
  }

  static MoveRequest start(JobId job, JobEvent.Start start, Duration lease) {
    return new MoveRequest(
        job, start, new MoveRequest.Departure("node", UUID.randomUUID(), lease.toMillis()));
  }

  static MoveRequest finish(JobId job, AttemptId attempt, long version) {
    return new MoveRequest(
        job, new JobEvent.Finish(attempt, REPORT), new MoveRequest.Payload(RESULT, null, version));
  }

  static MoveRequest doubt(JobId job, AttemptId attempt) {
    return new MoveRequest(
        job,
        new JobEvent.Doubt(attempt),
        new MoveRequest.Cause(new Failure("timeout", "no answer")));
  }

  static MoveRequest accepted(JobId job, AttemptId attempt) {
    return new MoveRequest(
        job,
        new JobEvent.Accepted(attempt),
        new MoveRequest.Acceptance(null, UUID.randomUUID(), LEASE.toMillis()));
  }

  static MoveRequest decision(JobId job, JobEvent event, String verdict, Then then) {
    return new MoveRequest(
        job, event, new MoveRequest.Decided(verdict, then, "because", "operator", RESULT));
  }

  /** Starts by the short way; empty where it does not say yes. */
  List<Optional<Answer>> starts(List<MoveRequest> requests) {
    return moved(requests.stream().<Write>map(Write.Start::new).toList());
  }

  /** Claims slots by the short way; empty where it does not say yes. */
  List<Optional<Answer>> claimSlots(List<MoveRequest> requests) {
    return moved(requests.stream().<Write>map(Write.ClaimSlot::new).toList());
  }

  private List<Optional<Answer>> moved(List<Write> writes) {
    return shortWay.write(writes).stream()
        .map(one -> one instanceof Write.Moved moved ? moved.answer() : null)
        .map(Optional::ofNullable)
        .toList();
  }

  /** Starts a first attempt. */
  AttemptId started(JobId job) {
    AttemptId attempt = attemptId();
    Answer answer = starts(List.of(start(job, attempt))).getFirst().orElseThrow();
    if (!(answer instanceof Answer.Started)) {
      throw new IllegalStateException("not started: " + answer);
    }
    return attempt;
  }

  Job job(JobId id) {
    return queries.job(id).orElseThrow();
  }

  Life life(JobId id) {
    Job job = job(id);
    return new Life(job.standing(), job.attempts().stream().map(a -> a.standing()).toList());
  }
}
