package dev.onejob.server.ui.overview;

import dev.onejob.domain.Circuit;
import dev.onejob.domain.Cost;
import dev.onejob.domain.Money;
import dev.onejob.server.config.ProviderSettings;
import dev.onejob.server.ui.overview.Overview.Everyone;
import dev.onejob.server.ui.overview.Overview.Minute;
import dev.onejob.server.ui.overview.Overview.Node;
import dev.onejob.server.ui.overview.Overview.Provider;
import dev.onejob.server.ui.overview.Overview.Sums;
import dev.onejob.server.ui.overview.Overview.Worker;
import dev.onejob.store.Circuits;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;

/** Reads what all nodes together have done, and who is there: small tables and bounded looks. */
final class EveryoneReader {
  private final DataSource database;
  private final Circuits circuits;
  private final List<ProviderSettings> providers;
  private final SharedView<List<Money>> saved;

  /** Looks at many rows for one number. */
  private static final Duration SAVED_KEPT = Duration.ofSeconds(10);

  EveryoneReader(DataSource database, List<ProviderSettings> providers) {
    this.database = database;
    this.circuits = new Circuits(database);
    this.providers = providers;
    this.saved = new SharedView<>(this::saved, SAVED_KEPT, System::nanoTime);
  }

  Everyone read() throws SQLException {
    List<Circuit> known = circuits.all();
    List<Money> spared = saved.now();
    try (Connection connection = database.getConnection()) {
      return new Everyone(
          kept(connection),
          minutes(connection),
          sums(connection, 1),
          sums(connection, HOURS_OF_DAY),
          paid(connection),
          spared,
          nodes(connection),
          workers(connection),
          providers(known, passes(connection)));
    }
  }

  private static final int HOURS_OF_DAY = 24;

  private static final String KEPT =
      """
      SELECT c.reltuples::bigint AS kept FROM pg_class AS c WHERE c.oid = 'onejob.job'::regclass
      """;

  private static long kept(Connection connection) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(KEPT);
        ResultSet rows = select.executeQuery()) {
      return rows.next() ? rows.getLong("kept") : -1;
    }
  }

  private static final String MINUTES =
      """
      SELECT m.minute,
             coalesce(sum(t.succeeded), 0)::bigint AS succeeded,
             coalesce(sum(t.failed), 0)::bigint AS failed,
             coalesce(sum(t.cancelled + t.lost), 0)::bigint AS others
        FROM generate_series(
               date_trunc('minute', statement_timestamp()) - INTERVAL '59 minutes',
               date_trunc('minute', statement_timestamp()), INTERVAL '1 minute') AS m (minute)
        LEFT JOIN onejob_server.tally AS t ON t.minute = m.minute
       GROUP BY m.minute
       ORDER BY m.minute
      """;

  private static List<Minute> minutes(Connection connection) throws SQLException {
    List<Minute> minutes = new ArrayList<>();
    try (PreparedStatement select = connection.prepareStatement(MINUTES);
        ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        minutes.add(
            new Minute(
                instant(rows, "minute"),
                rows.getLong("succeeded"),
                rows.getLong("failed"),
                rows.getLong("others")));
      }
    }
    return minutes;
  }

  private static final String SUMS =
      """
      SELECT coalesce(sum(t.created), 0)::bigint AS created,
             coalesce(sum(t.repeated), 0)::bigint AS repeated,
             coalesce(sum(t.mismatched), 0)::bigint AS mismatched,
             coalesce(sum(t.succeeded), 0)::bigint AS succeeded,
             coalesce(sum(t.failed), 0)::bigint AS failed,
             coalesce(sum(t.lost), 0)::bigint AS lost
        FROM onejob_server.tally AS t
       WHERE t.minute > statement_timestamp() - ? * INTERVAL '1 hour'
      """;

  private static Sums sums(Connection connection, int hours) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(SUMS)) {
      select.setInt(1, hours);
      try (ResultSet rows = select.executeQuery()) {
        rows.next();
        return new Sums(
            rows.getLong("created"),
            rows.getLong("repeated"),
            rows.getLong("mismatched"),
            rows.getLong("succeeded"),
            rows.getLong("failed"),
            rows.getLong("lost"));
      }
    }
  }

  private static final String PAID =
      """
      SELECT p.currency, sum(p.paid) AS paid
        FROM onejob_server.tally_paid AS p
       WHERE p.minute > statement_timestamp() - INTERVAL '24 hours'
       GROUP BY p.currency
       ORDER BY p.currency
      """;

  private static List<Money> paid(Connection connection) throws SQLException {
    List<Money> paid = new ArrayList<>();
    try (PreparedStatement select = connection.prepareStatement(PAID);
        ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        paid.add(new Money(rows.getBigDecimal("paid"), rows.getString("currency")));
      }
    }
    return paid;
  }

  /** The newest jobs of which a key was repeated are looked at, and no more than these. */
  static final int REPEATED_MAX = 5_000;

  private static final String SAVED =
      """
      SELECT r.repeats, a.cost
        FROM (
          SELECT t.job_id, t.repeats FROM onejob.job_repeat AS t
           WHERE t.job_id >= (
             lpad(to_hex(floor(extract(epoch FROM
               statement_timestamp() - INTERVAL '24 hours') * 1000)::bigint), 12, '0')
             || '00000000000000000000')::uuid
           ORDER BY t.job_id DESC LIMIT ?) AS r
        JOIN onejob.job AS j ON j.id = r.job_id
        JOIN onejob.attempt AS a ON a.id = j.completed_by
       WHERE a.cost IS NOT NULL
      """;

  /** Of jobs that were admitted in the last day: the winner's price, once for each repeat. */
  private List<Money> saved() throws SQLException {
    Map<String, Money> saved = new TreeMap<>();
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(SAVED)) {
      select.setInt(1, REPEATED_MAX);
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          Money price = Cost.of(rows.getString("cost")).price();
          if (price != null) {
            BigDecimal amount =
                price.amount().multiply(BigDecimal.valueOf(rows.getLong("repeats")));
            saved.merge(price.currency(), new Money(amount, price.currency()), Money::plus);
          }
        }
      }
    }
    return List.copyOf(saved.values());
  }

  private static final String NODES =
      """
      SELECT t.node, max(t.written_at) AS seen_at
        FROM onejob_server.tally AS t
       WHERE t.minute > statement_timestamp() - INTERVAL '24 hours'
       GROUP BY t.node
       ORDER BY seen_at DESC, t.node
       LIMIT 100
      """;

  private static List<Node> nodes(Connection connection) throws SQLException {
    List<Node> nodes = new ArrayList<>();
    try (PreparedStatement select = connection.prepareStatement(NODES);
        ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        nodes.add(new Node(rows.getString("node"), instant(rows, "seen_at")));
      }
    }
    return nodes;
  }

  /** Of more attempts that workers hold than this, some are looked at. */
  static final int HELD_MAX = 10_000;

  private static final String WORKERS =
      """
      SELECT h.worker, count(*) AS attempts, max(h.lease_until) AS lease_until
        FROM (
          SELECT a.worker, a.lease_until
            FROM onejob.attempt AS a
           WHERE a.claimed_by IS NOT NULL
             AND a.state IN ('starting', 'running')
             AND a.worker IS NOT NULL
             AND a.lease_until IS NOT NULL
           LIMIT ?) AS h
       GROUP BY h.worker
       ORDER BY h.worker
       LIMIT 100
      """;

  private static List<Worker> workers(Connection connection) throws SQLException {
    List<Worker> workers = new ArrayList<>();
    try (PreparedStatement select = connection.prepareStatement(WORKERS)) {
      select.setInt(1, HELD_MAX);
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          workers.add(
              new Worker(
                  rows.getString("worker"),
                  rows.getLong("attempts"),
                  instant(rows, "lease_until")));
        }
      }
    }
    return workers;
  }

  private static final String PASSES =
      """
      SELECT q.provider, count(DISTINCT q.kind) AS kinds
        FROM onejob.qualification AS q
       WHERE q.withdrawn_at IS NULL AND q.valid_until > statement_timestamp()
       GROUP BY q.provider
      """;

  private static Map<String, Long> passes(Connection connection) throws SQLException {
    Map<String, Long> passes = new HashMap<>();
    try (PreparedStatement select = connection.prepareStatement(PASSES);
        ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        passes.put(rows.getString("provider"), rows.getLong("kinds"));
      }
    }
    return passes;
  }

  private List<Provider> providers(List<Circuit> known, Map<String, Long> passes) {
    Map<String, Circuit> circuitOf = new HashMap<>();
    known.forEach(each -> circuitOf.put(each.provider(), each));
    return providers.stream()
        .map(
            each ->
                new Provider(
                    each.name(),
                    each.type(),
                    circuitOf.get(each.name()),
                    passes.getOrDefault(each.name(), 0L)))
        .toList();
  }

  private static Instant instant(ResultSet rows, String column) throws SQLException {
    return rows.getObject(column, OffsetDateTime.class).toInstant();
  }
}
