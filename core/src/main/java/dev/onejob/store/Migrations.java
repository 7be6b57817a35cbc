package dev.onejob.store;

import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/**
 * Brings the schema {@code onejob} up to date. Migrations are numbered, explained in their own
 * files, and never changed once released.
 */
public final class Migrations {
  private static final String SCHEMA = "onejob";
  private static final String LOCATION = "classpath:dev/onejob/store/migrations";

  private Migrations() {}

  /** Migrates; safe to call from many nodes at once. */
  public static void migrate(DataSource database) {
    Flyway.configure(Migrations.class.getClassLoader())
        .dataSource(database)
        .schemas(SCHEMA)
        .defaultSchema(SCHEMA)
        .locations(LOCATION)
        .table("schema_history")
        .load()
        .migrate();
  }
}
