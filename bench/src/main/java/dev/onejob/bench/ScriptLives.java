package dev.onejob.bench;

import java.sql.Array;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The same lives by a script: it admits, starts and settles a hundred jobs at a time, in three
 * transactions of one statement each. It makes its values up inside the database and asks no
 * questions; nothing that keeps a law is in it but the constraints of the tables.
 */
final class ScriptLives implements Contestant {
  private static final int BATCH = 100;

  private static final String ADMIT =
      """
      INSERT INTO onejob.job (
        id, owner, key, kind, effect, fingerprint_version, fingerprint, input, route,
        priority, tags, state, version, live, starting, in_doubt, attempts_started,
        attempts_allowed, run_at, contested, when_unqualified)
      SELECT
        uuidv7(), 'bench', gen_random_uuid()::text, 'bench', 'exclusive', 1,
        '\\x0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef'::bytea,
        convert_to(?, 'UTF8'), ARRAY['bench-provider'], 0, ARRAY[]::text[], 'queued', 0, 0, 0, 0,
        0, 3, clock_timestamp(), false, 'wait'
      FROM generate_series(1, ?)
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
        'bench', gen_random_uuid(), clock_timestamp() + interval '30 minutes'
      FROM started AS s
      RETURNING id
      """;

  private static final String SETTLE =
      """
      WITH settled AS (
        UPDATE onejob.attempt SET
          state = 'succeeded', ending = 'report', ended_at = clock_timestamp(),
          lease_token = NULL, lease_until = NULL, report_outcome = 'succeeded',
          report_digest = '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
          report_bytes = 70
        WHERE id = ANY (?)
        RETURNING id, job_id
      )
      UPDATE onejob.job AS j SET
        state = 'succeeded', version = 1, completed_by = s.id, live = 0, starting = 0,
        result_format = 'json', result = j.input, ended_at = clock_timestamp()
      FROM settled AS s
      WHERE j.id = s.job_id
      RETURNING j.id
      """;

  private final String url;
  private final int clients;

  ScriptLives(String url, int clients) {
    this.url = url;
    this.clients = clients;
  }

  static String name(int clients) {
    return "script, " + clients + (clients == 1 ? " client" : " clients");
  }

  @Override
  public String name() {
    return name(clients);
  }

  @Override
  public double measure(Duration about) throws Exception {
    long from = System.nanoTime();
    long until = from + about.toNanos();
    long lives = 0;
    try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
      List<Future<Long>> all = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        all.add(threads.submit(() -> liveUntil(until)));
      }
      for (Future<Long> one : all) {
        lives += one.get();
      }
    }
    double took = (System.nanoTime() - from) / 1e9;
    return lives / took;
  }

  private long liveUntil(long until) throws SQLException {
    long lives = 0;
    try (Connection connection = DriverManager.getConnection(url);
        PreparedStatement admit = connection.prepareStatement(ADMIT);
        PreparedStatement start = connection.prepareStatement(START);
        PreparedStatement settle = connection.prepareStatement(SETTLE)) {
      admit.setString(1, LibraryLives.INPUT);
      admit.setInt(2, BATCH);
      while (System.nanoTime() < until) {
        List<UUID> jobs = ids(admit);
        List<UUID> attempts = ids(start, connection, jobs);
        lives += ids(settle, connection, attempts).size();
      }
    }
    return lives;
  }

  private static List<UUID> ids(PreparedStatement statement, Connection connection, List<UUID> of)
      throws SQLException {
    Array array = connection.createArrayOf("uuid", of.toArray());
    statement.setArray(1, array);
    return ids(statement);
  }

  private static List<UUID> ids(PreparedStatement statement) throws SQLException {
    List<UUID> ids = new ArrayList<>(BATCH);
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        ids.add(rows.getObject(1, UUID.class));
      }
    }
    if (ids.size() != BATCH) {
      throw new IllegalStateException(ids.size() + " rows instead of " + BATCH);
    }
    return ids;
  }
}
