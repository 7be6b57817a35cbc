package dev.onejob.bench.contest;

import dev.onejob.bench.Ground;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * How a contestant is started.
 *
 * @param name short, unique: letters, digits and dashes
 * @param command and its arguments
 */
record PeerRecipe(String name, List<String> command) {
  private static final String HEAP = "-Xmx1g";

  PeerRecipe {
    command = List.copyOf(command);
  }

  /** A contestant in Java, on a class path of its own. */
  static PeerRecipe java(String name, String classes, String main, String... arguments) {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            HEAP,
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            classes,
            main);
    return new PeerRecipe(name, concat(command, List.of(arguments)));
  }

  private static List<String> concat(List<String> one, List<String> other) {
    return java.util.stream.Stream.concat(one.stream(), other.stream()).toList();
  }

  /** What it is told by its environment. */
  static Map<String, String> environment(Ground ground, String database, Path folder) {
    return Map.of(
        "PGHOST",
        "127.0.0.1",
        "PGPORT",
        Integer.toString(ground.port()),
        "PGDATABASE",
        database,
        "PGUSER",
        "postgres",
        "PGPASSWORD",
        "",
        "PEER_FOLDER",
        folder.toString());
  }
}
