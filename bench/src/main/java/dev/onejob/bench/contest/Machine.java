package dev.onejob.bench.contest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** What the figures were made on, without its name. */
final class Machine {
  private static final double KIB_OF_A_GIB = 1_024 * 1_024;

  private Machine() {}

  static String words(String postgres) throws IOException {
    return String.format(
        Locale.ROOT,
        "%d cores (%s), %.0f GiB, %s; Java %s; PostgreSQL %s, embedded, with fsync,"
            + " synchronous_commit and full_page_writes on, everything else as it comes, but 300"
            + " connections, and pg_stat_statements at hand. Contestants, load and PostgreSQL share"
            + " the machine",
        Runtime.getRuntime().availableProcessors(),
        field("/proc/cpuinfo", "model name", ":"),
        Double.parseDouble(field("/proc/meminfo", "MemTotal", ":").replaceAll("\\D", ""))
            / KIB_OF_A_GIB,
        field("/etc/os-release", "PRETTY_NAME", "=").replace("\"", ""),
        Runtime.version(),
        postgres);
  }

  private static String field(String file, String name, String separator) throws IOException {
    return Files.readAllLines(Path.of(file)).stream()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(line.indexOf(separator) + 1).strip())
        .findFirst()
        .orElse("unknown");
  }
}
