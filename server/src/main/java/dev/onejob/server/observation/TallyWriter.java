package dev.onejob.server.observation;

import dev.onejob.domain.Money;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes down what a node has counted, every few seconds: its sign of life as well. */
public final class TallyWriter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TallyWriter.class);

  /** Between two writes, in milliseconds. */
  private static final long INTERVAL_MILLIS = 5_000;

  private final Tally tally;
  private final DataSource database;
  private final String node;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition over = lock.newCondition();
  private boolean closed;
  private boolean failed;
  private final Thread thread;

  private TallyWriter(Tally tally, DataSource database, String node) {
    this.tally = tally;
    this.database = database;
    this.node = node;
    this.thread = Thread.ofVirtual().name("onejob-tally").unstarted(this::run);
  }

  /**
   * Begins to write.
   *
   * @param database the small pool of pages
   * @param node the name of this node
   */
  public static TallyWriter start(Tally tally, DataSource database, String node) {
    TallyWriter writer = new TallyWriter(tally, database, node);
    writer.thread.start();
    return writer;
  }

  private void run() {
    try {
      do {
        writeOnce();
      } while (pause());
      writeOnce();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean pause() throws InterruptedException {
    lock.lock();
    try {
      long nanos = TimeUnit.MILLISECONDS.toNanos(INTERVAL_MILLIS);
      while (!closed && nanos > 0) {
        nanos = over.awaitNanos(nanos);
      }
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  private void writeOnce() {
    Tally.Taken taken = tally.take();
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      try {
        write(connection, taken);
        connection.commit();
      } catch (SQLException | RuntimeException e) {
        connection.rollback();
        throw e;
      } finally {
        connection.setAutoCommit(true);
      }
      failed = false;
    } catch (SQLException | RuntimeException e) {
      tally.putBack(taken); // counted twice at worst, where the answer to the commit was lost
      if (!failed) {
        LOG.warn("what this node has counted for the overview could not be written", e);
      }
      failed = true;
    }
  }

  private static final String ADD =
      """
      INSERT INTO onejob_server.tally AS t
        (minute, node, created, repeated, mismatched, succeeded, failed, cancelled, lost)
      VALUES (date_trunc('minute', clock_timestamp()), ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (minute, node) DO UPDATE SET
        written_at = clock_timestamp(),
        created = t.created + excluded.created,
        repeated = t.repeated + excluded.repeated,
        mismatched = t.mismatched + excluded.mismatched,
        succeeded = t.succeeded + excluded.succeeded,
        failed = t.failed + excluded.failed,
        cancelled = t.cancelled + excluded.cancelled,
        lost = t.lost + excluded.lost
      """;

  private static final String ADD_PAID =
      """
      INSERT INTO onejob_server.tally_paid AS t (minute, node, currency, paid)
      VALUES (date_trunc('minute', clock_timestamp()), ?, ?, ?)
      ON CONFLICT (minute, node, currency) DO UPDATE SET paid = t.paid + excluded.paid
      """;

  private static final String FORGET =
      """
      DELETE FROM onejob_server.tally
       WHERE minute < clock_timestamp() - INTERVAL '2 days'
      """;

  private static final String FORGET_PAID =
      """
      DELETE FROM onejob_server.tally_paid
       WHERE minute < clock_timestamp() - INTERVAL '2 days'
      """;

  private void write(Connection connection, Tally.Taken taken) throws SQLException {
    Tally.Counts counts = taken.counts();
    try (PreparedStatement add = connection.prepareStatement(ADD)) {
      add.setString(1, node);
      add.setLong(2, counts.created());
      add.setLong(3, counts.repeated());
      add.setLong(4, counts.mismatched());
      add.setLong(5, counts.succeeded());
      add.setLong(6, counts.failed());
      add.setLong(7, counts.cancelled());
      add.setLong(8, counts.lost());
      add.executeUpdate();
    }
    for (Money each : taken.paid().values()) {
      try (PreparedStatement add = connection.prepareStatement(ADD_PAID)) {
        add.setString(1, node);
        add.setString(2, each.currency());
        add.setBigDecimal(3, each.amount());
        add.executeUpdate();
      }
    }
    try (Statement delete = connection.createStatement()) {
      delete.executeUpdate(FORGET);
      delete.executeUpdate(FORGET_PAID);
    }
  }

  /** Writes once more what was counted, and no more. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      over.signalAll();
    } finally {
      lock.unlock();
    }
    try {
      thread.join(TimeUnit.MILLISECONDS.toMillis(INTERVAL_MILLIS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
