package dev.onejob.bench.contest;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.onejob.bench.BenchKinds;
import dev.onejob.bench.peer.PeerJob;
import dev.onejob.domain.JobId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.random.RandomGenerator;
import javax.sql.DataSource;

/** One session of {@link LimitProgram}: each call is one statement and one transaction. */
final class LimitSession implements AutoCloseable {
  private static final byte[] FINGERPRINT = new byte[32];

  private static final String ADMIT =
      """
      INSERT INTO onejob.job (
        id, owner, key, kind, effect, fingerprint_version, fingerprint, input, route,
        priority, tags, state, version, live, starting, in_doubt, attempts_started,
        attempts_allowed, run_at, contested, when_unqualified)
      SELECT
        n.id, 'bench', n.key, 'bench', 'exclusive', 1, n.fingerprint, n.input,
        ARRAY['bench-provider'], 0, ARRAY[]::text[], 'queued', 0, 0, 0, 0, 0, 3,
        clock_timestamp(), false, 'wait'
      FROM unnest(?::uuid[], ?::text[], ?::bytea[], ?::bytea[]) AS n(id, key, fingerprint, input)
      RETURNING id
      """;

  private static final String BEAR =
      """
      WITH born AS (
        INSERT INTO onejob.job (
          id, owner, key, kind, effect, fingerprint_version, fingerprint, input, route,
          priority, tags, state, version, live, starting, in_doubt, attempts_started,
          attempts_allowed, contested, when_unqualified)
        SELECT
          n.id, 'bench', n.key, 'bench', 'exclusive', 1, n.fingerprint, n.input,
          ARRAY['bench-provider'], 0, ARRAY[]::text[], 'running', 0, 1, 1, 0, 1, 3, false, 'wait'
        FROM unnest(?::uuid[], ?::text[], ?::bytea[], ?::bytea[]) AS n(id, key, fingerprint, input)
        RETURNING id
      )
      INSERT INTO onejob.attempt (
        id, job_id, owner, number, provider, cause, provider_key, state, job_version, node,
        lease_token, lease_until)
      SELECT
        uuidv7(), b.id, 'bench', 1, 'bench-provider', 'dispatch',
        'oj_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef', 'starting', 0,
        'bench', gen_random_uuid(), clock_timestamp() + interval '30 seconds'
      FROM born AS b
      RETURNING id
      """;

  private static final String START =
      """
      WITH started AS (
        UPDATE onejob.job SET
          state = 'running', live = 1, starting = 1, attempts_started = 1, run_at = NULL
        WHERE id = ANY (?)
        RETURNING id
      )
      INSERT INTO onejob.attempt (
        id, job_id, owner, number, provider, cause, provider_key, state, job_version, node,
        lease_token, lease_until)
      SELECT
        uuidv7(), s.id, 'bench', 1, 'bench-provider', 'dispatch',
        'oj_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef', 'starting', 0,
        'bench', gen_random_uuid(), clock_timestamp() + interval '30 seconds'
      FROM started AS s
      RETURNING id
      """;

  private static final String CLAIM =
      """
      WITH due AS (
        SELECT id FROM onejob.job
        WHERE
          run_at IS NOT NULL AND kind = 'bench'
          AND coalesce(goes_on_at, route[1]) = 'bench-provider'
        ORDER BY (-priority), owner, run_at
        LIMIT ?
        FOR NO KEY UPDATE SKIP LOCKED
      ), started AS (
        UPDATE onejob.job AS j SET
          state = 'running', live = 1, starting = 1, attempts_started = 1, run_at = NULL
        FROM due
        WHERE j.id = due.id
        RETURNING j.id, j.input
      ), attempts AS (
        INSERT INTO onejob.attempt (
          id, job_id, owner, number, provider, cause, provider_key, state, job_version, node,
          lease_token, lease_until)
        SELECT
          uuidv7(), s.id, 'bench', 1, 'bench-provider', 'dispatch',
          'oj_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef', 'starting', 0,
          'bench', gen_random_uuid(), clock_timestamp() + interval '30 seconds'
        FROM started AS s
        RETURNING id, job_id
      )
      SELECT a.id, s.input FROM attempts AS a JOIN started AS s ON s.id = a.job_id
      """;

  private static final String SETTLE =
      """
      WITH settled AS (
        UPDATE onejob.attempt AS a SET
          state = 'succeeded', ending = 'report', ended_at = clock_timestamp(),
          lease_token = NULL, lease_until = NULL, report_outcome = 'succeeded',
          report_digest = '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
          report_bytes = octet_length(n.result)
        FROM unnest(?::uuid[], ?::bytea[]) AS n(id, result)
        WHERE a.id = n.id
        RETURNING a.id, a.job_id, n.result
      )
      UPDATE onejob.job AS j SET
        state = 'succeeded', version = 1, completed_by = s.id, live = 0, starting = 0,
        result_format = 'json', result = s.result, ended_at = clock_timestamp()
      FROM settled AS s
      WHERE j.id = s.job_id
      RETURNING j.id
      """;

  private final RandomGenerator random = RandomGenerator.getDefault();
  private final Connection connection;
  private final PreparedStatement admit;
  private final PreparedStatement bear;
  private final PreparedStatement start;
  private final PreparedStatement claim;
  private final PreparedStatement settle;

  LimitSession(DataSource database) throws SQLException {
    connection = database.getConnection();
    admit = connection.prepareStatement(ADMIT);
    bear = connection.prepareStatement(BEAR);
    start = connection.prepareStatement(START);
    claim = connection.prepareStatement(CLAIM);
    settle = connection.prepareStatement(SETTLE);
  }

  /** Admits jobs; gives their ids. */
  List<UUID> admit(String prefix, int first, int jobs) throws SQLException {
    return insert(admit, prefix, first, jobs);
  }

  /** Admits jobs, each with its first attempt; gives the ids of the attempts. */
  List<UUID> bear(String prefix, int first, int jobs) throws SQLException {
    return insert(bear, prefix, first, jobs);
  }

  private List<UUID> insert(PreparedStatement statement, String prefix, int first, int jobs)
      throws SQLException {
    List<String> keys = new ArrayList<>(jobs);
    List<byte[]> inputs = new ArrayList<>(jobs);
    for (int i = first; i < first + jobs; i++) {
      PeerJob job = PeerJob.of(prefix, i);
      keys.add(job.key());
      inputs.add(job.payload().getBytes(UTF_8));
    }
    return insert(statement, keys, inputs);
  }

  /** Admits jobs of these keys and inputs; gives their ids. */
  List<UUID> admit(List<String> keys, List<byte[]> inputs) throws SQLException {
    return insert(admit, keys, inputs);
  }

  private List<UUID> insert(PreparedStatement statement, List<String> keys, List<byte[]> inputs)
      throws SQLException {
    List<UUID> ids = new ArrayList<>(keys.size());
    for (int i = 0; i < keys.size(); i++) {
      ids.add(JobId.next(System.currentTimeMillis(), random).uuid());
    }
    array(statement, 1, "uuid", ids);
    array(statement, 2, "text", keys);
    array(statement, 3, "bytea", Collections.nCopies(keys.size(), FINGERPRINT));
    array(statement, 4, "bytea", inputs);
    return all(ids(statement), keys.size());
  }

  /** Starts an attempt of each; gives their ids. */
  List<UUID> start(List<UUID> jobs) throws SQLException {
    array(start, 1, "uuid", jobs);
    return all(ids(start), jobs.size());
  }

  /** Claims what is due and starts an attempt of each; gives their ids. */
  List<UUID> claim(int jobs) throws SQLException {
    claim.setInt(1, jobs);
    return ids(claim);
  }

  /** Settles the attempts and their jobs; gives how many. */
  int settle(List<UUID> attempts) throws SQLException {
    if (attempts.isEmpty()) {
      return 0;
    }
    byte[] answer = PeerJob.ANSWER.getBytes(UTF_8);
    array(settle, 1, "uuid", attempts);
    array(settle, 2, "bytea", Collections.nCopies(attempts.size(), answer));
    return all(ids(settle), attempts.size()).size();
  }

  private void array(PreparedStatement statement, int place, String type, List<?> values)
      throws SQLException {
    Object[] array = type.equals("bytea") ? values.toArray(new byte[0][]) : values.toArray();
    statement.setArray(place, connection.createArrayOf(type, array));
  }

  private static List<UUID> ids(PreparedStatement statement) throws SQLException {
    List<UUID> ids = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        ids.add(rows.getObject(1, UUID.class));
      }
    }
    return ids;
  }

  private static List<UUID> all(List<UUID> ids, int expected) {
    if (ids.size() != expected) {
      throw new IllegalStateException(
          ids.size() + " rows instead of " + expected + " of kind " + BenchKinds.KIND);
    }
    return ids;
  }

  @Override
  public void close() throws SQLException {
    try (connection) {
      admit.close();
      bear.close();
      start.close();
      claim.close();
      settle.close();
    }
  }
}
