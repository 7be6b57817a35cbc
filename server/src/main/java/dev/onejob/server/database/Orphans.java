package dev.onejob.server.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a killed service leaves behind: its PostgreSQL goes on running, or its pid file names a
 * process that is no more. Ours are known by their program, which lies in our own folder; so no
 * other server, and no innocent process under a re-used number, is ever touched.
 */
final class Orphans {
  private static final Logger LOG = LoggerFactory.getLogger(Orphans.class);

  /** Enough to write out the memory of a small server. */
  private static final Duration FAST_STOP_MAX = Duration.ofSeconds(20);

  private static final Duration IMMEDIATE_STOP_MAX = Duration.ofSeconds(10);

  private Orphans() {}

  /** Ends what still runs and clears away a stale pid file. Call only under the folder's lock. */
  static void clear(Path binaries, Path cluster) {
    List<ProcessHandle> left = running(binaries);
    if (!left.isEmpty()) {
      LOG.info("ending the PostgreSQL that an earlier, killed service left behind");
      stop(left, "INT", FAST_STOP_MAX);
      left = running(binaries);
    }
    if (!left.isEmpty()) {
      stop(left, "QUIT", IMMEDIATE_STOP_MAX);
      left = running(binaries);
    }
    if (!left.isEmpty()) {
      throw new DatabaseException(
          "an earlier PostgreSQL on this data folder does not end (process "
              + left.getFirst().pid()
              + "); end it by hand");
    }
    try {
      Files.deleteIfExists(cluster.resolve("postmaster.pid"));
    } catch (IOException e) {
      throw new DatabaseException("cannot remove a stale postmaster.pid: " + e, e);
    }
  }

  private static List<ProcessHandle> running(Path binaries) {
    return ProcessHandle.allProcesses()
        .filter(process -> ours(process, binaries))
        .filter(process -> process.parent().filter(above -> ours(above, binaries)).isEmpty())
        .toList();
  }

  private static boolean ours(ProcessHandle process, Path binaries) {
    return process.info().command().filter(it -> Path.of(it).startsWith(binaries)).isPresent();
  }

  /** SIGINT and SIGQUIT have meanings to PostgreSQL that Java has no call for. */
  private static void stop(List<ProcessHandle> processes, String signal, Duration atMost) {
    for (ProcessHandle process : processes) {
      try {
        new ProcessBuilder("sh", "-c", "kill -" + signal + " " + process.pid())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor();
        process.onExit().get(atMost.toMillis(), TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        LOG.warn("PostgreSQL process {} did not end within {}", process.pid(), atMost);
      } catch (IOException | ExecutionException e) {
        throw new DatabaseException("cannot end process " + process.pid() + ": " + e, e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new DatabaseException("interrupted while ending an earlier PostgreSQL", e);
      }
    }
  }
}
