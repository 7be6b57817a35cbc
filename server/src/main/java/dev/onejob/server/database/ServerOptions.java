package dev.onejob.server.database;

import java.util.Map;

/** How the embedded PostgreSQL is set. */
final class ServerOptions {
  /** The library would switch the first two off, and its tests need no full pages either. */
  static final Map<String, String> ALL =
      Map.ofEntries(
          Map.entry("fsync", "on"),
          Map.entry("synchronous_commit", "on"),
          Map.entry("full_page_writes", "on"),
          Map.entry("listen_addresses", "127.0.0.1"),
          Map.entry("unix_socket_directories", ""),
          Map.entry("max_connections", "100"),
          Map.entry("logging_collector", "on"),
          Map.entry("log_directory", "log"),
          Map.entry("log_filename", "postgresql-%a.log"),
          Map.entry("log_truncate_on_rotation", "on"));

  private ServerOptions() {}
}
