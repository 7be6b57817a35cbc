package dev.onejob.soak;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.onejob.providers.sandbox.SandboxLedger;
import dev.onejob.providers.sandbox.SandboxServer;
import dev.onejob.server.access.ServerMigrations;

/** The sandbox provider in a process of its own: what happens to nodes does not happen to it. */
final class ProviderProcess {
  private static final int CONNECTIONS = 16;

  private ProviderProcess() {}

  /** Serves until its standard input ends; prints its address first. */
  public static void main(String[] args) throws Exception {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(args[0]);
    config.setMaximumPoolSize(CONNECTIONS);
    try (HikariDataSource ledger = new HikariDataSource(config)) {
      ServerMigrations.migrate(ledger);
      try (SandboxServer sandbox = SandboxServer.start(new SandboxLedger(ledger), 0)) {
        System.out.println(sandbox.uri());
        while (System.in.read() >= 0) {
          // whoever started it says nothing, and closes when it ends
        }
      }
    }
  }
}
