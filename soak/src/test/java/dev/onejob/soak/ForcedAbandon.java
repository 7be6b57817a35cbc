package dev.onejob.soak;

import dev.onejob.domain.JobId;
import dev.onejob.soak.Api.Reply;
import java.net.URI;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Abandons an attempt between the read and the swap of its result. The read is its start, which
 * brings the version; the swap is held back by {@link CrookedStore} for as long as this holds a
 * lock, and that it waits there can be seen. Once the attempt is abandoned and another one is at
 * work, the swap is let go.
 */
final class ForcedAbandon implements Actor {
  /** Held by the session that holds back the swap of a job. */
  static final String HOLD = "SELECT pg_advisory_lock(hashtextextended(?::uuid::text, 0))";

  private static final String WAITS =
      """
      SELECT a.id
      FROM onejob.attempt AS a
      WHERE a.job_id = ?
        AND a.number = 1
        AND a.state IN ('starting', 'running')
        AND EXISTS (SELECT FROM pg_locks AS l WHERE l.locktype = 'advisory' AND NOT l.granted)
      """;

  private static final String SECOND_IS_AT_WORK =
      """
      SELECT a.id
      FROM onejob.attempt AS a
      WHERE a.job_id = ? AND a.number = 2 AND a.state = 'running'
      """;

  /** The first answers soon; the second is accepted at once and never answers. */
  private static final String BODY =
      """
      {"kind":"exclusive","input":{"script":{
        "p1":[{"answer_after_ms":700},{"accept_after_ms":0,"outcome":"hang"}],
        "p2":{"accept_after_ms":0,"outcome":"hang"}}}}""";

  private static final Duration POLL = Duration.ofMillis(50);

  /** Below the 10 s after which a node gives up a connection that is silent. */
  private static final Duration TRY = Duration.ofSeconds(9);

  private final Stage stage;
  private final Nodes nodes;
  private final Api clients;
  private final Api operators;
  private final Set<String> abandoned;
  private final Turns turns = new Turns("forced abandon", this::turn);
  private @Nullable Connection holding;
  private @Nullable JobId job;
  private boolean isAbandoned;
  private long since;
  private int number;

  /**
   * Makes one.
   *
   * @param abandoned gets the jobs of which an attempt was abandoned while its swap was held back
   */
  ForcedAbandon(Stage stage, Set<String> abandoned) {
    this.stage = stage;
    this.nodes = new Nodes(stage.nodes());
    this.clients = new Api(stage.keys().client());
    this.operators = new Api(stage.keys().operator());
    this.abandoned = abandoned;
  }

  @Override
  public void start() {
    turns.start();
  }

  @Override
  public void stop() {
    turns.stop();
    letGo();
  }

  /** One step; whatever goes wrong in the trouble around is tried with another job. */
  private Duration turn() throws InterruptedException {
    try {
      if (holding == null || job == null) {
        begin();
      } else if (!isAbandoned) {
        abandonIfItWaits(holding, job);
      } else if (find(holding, SECOND_IS_AT_WORK, job).isPresent()) {
        letGo();
      }
      if (System.nanoTime() - since > TRY.toNanos()) {
        letGo();
      }
    } catch (SQLException e) { // the database is being restarted
      letGo();
    }
    return POLL;
  }

  private void begin() throws InterruptedException, SQLException {
    since = System.nanoTime();
    isAbandoned = false;
    String key = "forced-" + number++;
    Optional<Reply> reply = clients.submit(nodes.next(), key, BODY).filter(Reply::ok);
    job = reply.flatMap(told -> JobId.parse(told.text("id"))).orElse(null);
    if (job != null) {
      holding = stage.ground().openDatabase();
      try (PreparedStatement hold = holding.prepareStatement(HOLD)) {
        hold.setObject(1, job.uuid());
        hold.execute();
      }
    }
  }

  private void abandonIfItWaits(Connection database, JobId waiting)
      throws InterruptedException, SQLException {
    Optional<String> attempt = find(database, WAITS, waiting);
    if (attempt.isEmpty()) {
      return;
    }
    URI node = nodes.next();
    String body = "{\"verdict\":\"abandon\",\"then\":\"retry\",\"reason\":\"forced\"}";
    String path = "/v1/attempts/" + attempt.get() + "/resolution";
    if (operators.post(node, path, body).filter(Reply::ok).isPresent()) {
      isAbandoned = true;
      abandoned.add(waiting.toString());
    }
  }

  private static Optional<String> find(Connection database, String sql, JobId of)
      throws SQLException {
    try (PreparedStatement statement = database.prepareStatement(sql)) {
      statement.setObject(1, of.uuid());
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next() ? Optional.ofNullable(Dump.attemptId(rows, "id")) : Optional.empty();
      }
    }
  }

  /** Ends the session, and with it the lock. */
  private void letGo() {
    Connection held = holding;
    holding = null;
    job = null;
    try {
      if (held != null) {
        held.close();
      }
    } catch (SQLException e) {
      throw new IllegalStateException("a session does not end", e);
    }
  }
}
