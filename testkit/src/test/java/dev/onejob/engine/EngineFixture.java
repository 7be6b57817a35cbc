package dev.onejob.engine;

import static org.awaitility.Awaitility.await;

import dev.onejob.domain.Attempt;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Result;
import dev.onejob.domain.Then;
import dev.onejob.domain.Verdict;
import dev.onejob.testkit.Engines;
import dev.onejob.testkit.ScriptedProvider;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import javax.sql.DataSource;

/** Nodes over one database, with two providers in the hands of the test. */
final class EngineFixture implements AutoCloseable {
  static final Kind PLAIN = Engines.exclusive("plain", "a", "b");
  static final Kind RACE = Engines.patient(Engines.racing("race", "a", "b"));

  /** {@link #PLAIN}, for tests in which no silence is to become a doubt. */
  static final Kind PATIENT = Engines.patient(PLAIN);

  /** One whose attempts are started together with their jobs; its rule is not met in a test. */
  static final Kind GOING_ON =
      Engines.patient(Engines.goingOn("going-on", Duration.ofHours(1), "a", "b"));

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  final ScriptedProvider a = new ScriptedProvider();
  final ScriptedProvider b = new ScriptedProvider();
  private final DataSource database;
  private final List<JobEngine> nodes = new ArrayList<>();

  EngineFixture(DataSource database) {
    this.database = database;
  }

  JobEngine node() {
    return node(List.of(PLAIN, RACE));
  }

  /** One on which silence is not soon a doubt. */
  JobEngine patientNode() {
    return node(List.of(PATIENT, RACE));
  }

  JobEngine node(List<Kind> kinds) {
    return node(Engines.config(kinds, Map.of("a", a, "b", b)));
  }

  JobEngine node(EngineConfig config) {
    JobEngine node = JobEngine.start(database, config);
    nodes.add(node);
    return node;
  }

  /** A node with a way of its own to the database. */
  JobEngine node(DataSource own, EngineConfig config) {
    JobEngine node = JobEngine.start(own, config);
    nodes.add(node);
    return node;
  }

  EngineConfig config(Kind... kinds) {
    return Engines.config(List.of(kinds), Map.of("a", a, "b", b));
  }

  static JobId submit(JobEngine node, String key, String kind) {
    return ((Admitted.Created) node.submit(Engines.submission(key, kind, "{}"))).id();
  }

  Job awaitJob(JobId id, Predicate<Job> condition) {
    JobEngine any = nodes.getLast();
    return await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> any.job(Access.ALL, id).orElseThrow(), condition);
  }

  Job awaitState(JobId id, JobState state) {
    return awaitJob(id, job -> job.standing().state() == state);
  }

  Attempt awaitAttempt(JobId id, int number, AttemptState state) {
    Job job =
        awaitJob(
            id,
            j ->
                j.attempts().size() >= number
                    && j.attempts().get(number - 1).standing().state() == state);
    return job.attempts().get(number - 1);
  }

  static AttemptId attempt(Job job, int number) {
    return job.attempts().get(number - 1).standing().id();
  }

  static Decision decision(Verdict verdict, Then then) {
    Result result =
        verdict == Verdict.DONE
            ? new Result(Result.Format.JSON, "\"found\"".getBytes(StandardCharsets.UTF_8))
            : null;
    return new Decision(verdict, result, then, "the operator looked", "operator");
  }

  static String result(Job job) {
    return new String(job.result().bytes(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    nodes.forEach(JobEngine::close);
  }
}
