package dev.onejob.server.access;

import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/** Brings the schema {@code onejob_server} up to date: what the service keeps besides jobs. */
public final class ServerMigrations {
  private static final String SCHEMA = "onejob_server";
  private static final String LOCATION = "classpath:dev/onejob/server/migrations";

  private ServerMigrations() {}

  /** Migrates; safe to call from many nodes at once. */
  public static void migrate(DataSource database) {
    Flyway.configure(ServerMigrations.class.getClassLoader())
        .dataSource(database)
        .schemas(SCHEMA)
        .defaultSchema(SCHEMA)
        .locations(LOCATION)
        .table("schema_history")
        .load()
        .migrate();
  }
}
