package dev.onejob.server.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What the command line says instead of the file; null: as the file says. */
public record Overrides(
    @Nullable String database,
    @Nullable String host,
    @Nullable Integer port,
    @Nullable Path data,
    @Nullable String node) {
  /** Nothing. */
  public static final Overrides NONE = new Overrides(null, null, null, null, null);
}
