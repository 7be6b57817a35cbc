package dev.onejob.soak;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.onejob.providers.sandbox.SandboxLedger;
import dev.onejob.providers.sandbox.SandboxServer;
import dev.onejob.server.access.ServerMigrations;
import dev.onejob.testkit.PaymentPeer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * The sandbox provider, and beside it a payment service that acts once for a key, in a process of
 * its own: what happens to nodes does not happen to it. Both write what they do into one ledger; of
 * payments only those that were made.
 */
final class ProviderProcess {
  private static final int CONNECTIONS = 16;

  private static final String PAID =
      """
      INSERT INTO onejob_server.sandbox_call (job, attempt, provider, acted_at)
      VALUES (?, ?, ?, clock_timestamp())
      """;

  private ProviderProcess() {}

  /** Serves until its standard input ends; prints both addresses first. */
  public static void main(String[] args) throws Exception {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(args[0]);
    config.setMaximumPoolSize(CONNECTIONS);
    try (HikariDataSource ledger = new HikariDataSource(config)) {
      ServerMigrations.migrate(ledger);
      try (SandboxServer sandbox = SandboxServer.start(new SandboxLedger(ledger), 0);
          PaymentPeer payments = PaymentPeer.start((job, attempt) -> paid(ledger, job, attempt))) {
        System.out.println(sandbox.uri());
        System.out.println(payments.uri());
        while (System.in.read() >= 0) {
          // whoever started it says nothing, and closes when it ends
        }
      }
    }
  }

  private static void paid(DataSource ledger, String job, String attempt) {
    try (Connection connection = ledger.getConnection();
        PreparedStatement insert = connection.prepareStatement(PAID)) {
      insert.setString(1, job);
      insert.setString(2, attempt);
      insert.setString(3, Scripts.PAYMENTS);
      insert.executeUpdate();
    } catch (SQLException e) {
      throw new IllegalStateException("a payment could not be written down", e);
    }
  }
}
