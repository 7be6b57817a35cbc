package dev.onejob.store;

import dev.onejob.domain.Answer;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.Binding;
import dev.onejob.domain.Breach;
import dev.onejob.domain.ContractVerdict;
import dev.onejob.domain.Demand;
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
import dev.onejob.domain.Qualification;
import dev.onejob.domain.Report;
import dev.onejob.domain.Result;
import dev.onejob.domain.StartCause;
import dev.onejob.domain.Then;
import dev.onejob.domain.WhenPressed;
import dev.onejob.domain.WhenUnqualified;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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

  static final String KIND = "test";
  static final Binding BINDING = new Binding("contract", "settings", "1", "model");
  static final int BREACHES_MAX = 3;
  static final Map<String, Demand> DEMANDS =
      Map.of(
          KIND,
          new Demand(Map.of(PRIMARY, BINDING, FALLBACK, BINDING), WhenPressed.ALLOW, BREACHES_MAX));
  private static final RandomGenerator RANDOM = RandomGenerator.getDefault();
  private static final Duration LEASE = Duration.ofMinutes(1);

  private final DataSource database;

  final Admissions admissions;
  final ShortWay shortWay;
  final Moves moves;
  final Sweeps sweeps;
  final Qualifications qualifications;
  final Circuits circuits;
  final JobQueries queries;

  StoreFixture(DataSource database) {
    this.database = database;
    admissions = new Admissions(database);
    shortWay = new ShortWay(database);
    moves = new Moves(database, DEMANDS, made -> {});
    qualifications = new Qualifications(database);
    circuits = new Circuits(database);
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
        KIND,
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

  /** A result that breaks the contract. */
  static MoveRequest breached(JobId job, AttemptId attempt) {
    Failure failure = new Failure(Failure.CONTRACT_BREACH, "/ok: no");
    return new MoveRequest(
        job,
        new JobEvent.Breached(attempt, failure, REPORT),
        new MoveRequest.BrokenContract(failure, CONTRACT, BROKEN, RESULT, REPORT, null));
  }

  static MoveRequest decision(JobId job, JobEvent event, String verdict, Then then) {
    return new MoveRequest(
        job, event, new MoveRequest.Decided(verdict, then, "because", "operator", RESULT));
  }

  /** Opens the circuit of a provider, for so long from now on; null: there is none. */
  void setCircuit(String provider, Duration openFor) {
    try (Connection connection = database.getConnection();
        PreparedStatement delete =
            connection.prepareStatement("DELETE FROM onejob.circuit WHERE provider = ?");
        PreparedStatement insert =
            connection.prepareStatement(
                """
                INSERT INTO onejob.circuit (
                  provider, failures, failure_code, failure_message, failed_at, opened_at,
                  open_until, pause_ms)
                VALUES (?, 5, 'connect-failed', 'no', now(), now(), now() + ? * interval '1 s', 9)
                """)) {
      delete.setString(1, provider);
      delete.executeUpdate();
      if (openFor != null) {
        insert.setString(1, provider);
        insert.setLong(2, openFor.toSeconds());
        insert.executeUpdate();
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The fallback passes. */
  Qualification qualify() {
    return qualify(Duration.ofHours(1));
  }

  Qualification qualify(Duration validFor) {
    return qualifications.record(
        new Qualification.Pass(
            KIND, FALLBACK, BINDING, "model-1", "run " + UUID.randomUUID(), validFor));
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
