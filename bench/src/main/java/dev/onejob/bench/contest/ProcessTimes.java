package dev.onejob.bench.contest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** Processor time and memory of processes, as Linux counts them. */
final class ProcessTimes {
  /** Of a tick, the unit of {@code /proc/PID/stat}: fixed in the interface of the kernel. */
  private static final double SECONDS_OF_A_TICK = 0.01;

  private static final int USER = 11;
  private static final int SYSTEM = 12;
  private static final int USER_OF_ENDED_CHILDREN = 13;
  private static final int SYSTEM_OF_ENDED_CHILDREN = 14;
  private static final double KIB_OF_A_MIB = 1_024;

  private ProcessTimes() {}

  /** Seconds that these processes have used; one that has gone counts nothing. */
  static double seconds(List<Long> pids) throws IOException {
    double sum = 0;
    for (long pid : pids) {
      List<String> fields = stat(pid);
      sum += fields.isEmpty() ? 0 : ticks(fields, USER) + ticks(fields, SYSTEM);
    }
    return sum * SECONDS_OF_A_TICK;
  }

  /** Seconds that a server has used with all its children, those that have ended included. */
  static double secondsOfTree(ProcessHandle root) throws IOException {
    List<String> fields = stat(root.pid());
    if (fields.isEmpty()) {
      throw new IOException("process " + root.pid() + " has gone");
    }
    double ended =
        ticks(fields, USER)
            + ticks(fields, SYSTEM)
            + ticks(fields, USER_OF_ENDED_CHILDREN)
            + ticks(fields, SYSTEM_OF_ENDED_CHILDREN);
    return ended * SECONDS_OF_A_TICK + seconds(root.descendants().map(ProcessHandle::pid).toList());
  }

  /** The most memory that these processes ever had resident, in MiB, added up. */
  static double peakMebibytes(List<Long> pids) throws IOException {
    double sum = 0;
    for (long pid : pids) {
      sum += kibibytes(pid, "VmHWM:");
    }
    return sum / KIB_OF_A_MIB;
  }

  private static double kibibytes(long pid, String name) throws IOException {
    try {
      return Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
          .filter(line -> line.startsWith(name))
          .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")))
          .sum();
    } catch (NoSuchFileException e) {
      return 0;
    }
  }

  /** What comes after the name of the program; empty if the process has gone. */
  private static List<String> stat(long pid) throws IOException {
    try {
      String text = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      return List.of(text.substring(text.lastIndexOf(')') + 2).split(" "));
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }

  private static double ticks(List<String> fields, int place) {
    return Double.parseDouble(fields.get(place));
  }
}
