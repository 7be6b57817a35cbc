package dev.onejob.bench.contest;

import dev.onejob.bench.Ground;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** One-row inserts into the product's table by PostgreSQL's own load generator. */
final class Pgbench {
  static final String NAME = "pgbench";

  private static final String CLIENTS = "32";
  private static final Pattern RATE = Pattern.compile("tps = ([0-9.]+) \\(without");
  private static final String INSERT =
      """
      INSERT INTO onejob.job (id, owner, key, kind, effect, fingerprint_version, fingerprint, \
      input, route, priority, tags, state, version, live, starting, in_doubt, attempts_started, \
      attempts_allowed, run_at, contested, when_unqualified) \
      VALUES (uuidv7(), 'bench', gen_random_uuid()::text, 'bench', 'exclusive', 1, \
      decode(repeat('00', 32), 'hex'), decode(repeat('61', 500), 'hex'), \
      ARRAY['bench-provider'], 0, ARRAY[]::text[], 'queued', 0, 0, 0, 0, 0, 3, clock_timestamp(), \
      false, 'wait') ON CONFLICT (owner, key) DO NOTHING;
      """;

  private Pgbench() {}

  static boolean isInstalled() {
    return Arrays.stream(System.getenv("PATH").split(":"))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, NAME)));
  }

  /** As contestants say it of themselves. */
  static JsonNode description() throws IOException {
    Process process = new ProcessBuilder(NAME, "--version").start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    ObjectNode description = JsonMapper.shared().createObjectNode();
    description
        .put("peer", NAME)
        .put("version", said.strip())
        .put("runtime", "C")
        .put("settings", "prepared statements, 32 clients in 2 threads, a row a transaction")
        .put("store", "PostgreSQL")
        .put("keeps", "the row")
        .putArray("does_not")
        .add("anything but the insert");
    return description;
  }

  /** Transactions a second, each of one row, after a short warm-up. */
  static double inserts(Ground ground, Path folder, int number, Duration about)
      throws IOException, InterruptedException, SQLException {
    String database = NAME + "_" + number;
    ground.create(database);
    try {
      Path script = Files.writeString(folder.resolve(database + ".sql"), INSERT);
      run(ground, database, script, Duration.ofSeconds(1));
      return run(ground, database, script, about);
    } finally {
      ground.drop(database);
    }
  }

  private static double run(Ground ground, String database, Path script, Duration about)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
            List.of(
                NAME,
                "--no-vacuum",
                "--protocol=prepared",
                "--client=" + CLIENTS,
                "--jobs=2",
                "--time=" + about.toSeconds(),
                "--file=" + script,
                database));
    builder.environment().putAll(PeerRecipe.environment(ground, database, script));
    Process process = builder.redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    Matcher rate = RATE.matcher(said);
    if (process.waitFor() != 0 || !rate.find()) {
      throw new IOException("pgbench failed: " + said);
    }
    return Double.parseDouble(rate.group(1));
  }
}
