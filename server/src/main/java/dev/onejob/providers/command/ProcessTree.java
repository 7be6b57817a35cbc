package dev.onejob.providers.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A program and everything that it has started: its descendants, and on Linux also processes that
 * left the family (their parent died) but still carry the attempt's id in their environment.
 */
final class ProcessTree {
  /** How long a process may take to end by itself after it was asked to. */
  static final Duration GRACE = Duration.ofSeconds(2);

  /** A killed process is gone at once, save for what the kernel still has to write. */
  private static final Duration KILL_BOUND = Duration.ofSeconds(10);

  private static final Duration LOOK_AGAIN = Duration.ofMillis(20);
  private static final Path PROC = Path.of("/proc");

  private final Process root;
  private final String mark;

  ProcessTree(Process root, String attempt) {
    this.root = root;
    this.mark = Launch.ATTEMPT_VARIABLE + "=" + attempt;
  }

  /** Ends all of it: asks first, then kills. Returns when nothing of it is alive. */
  void end() throws InterruptedException {
    Set<ProcessHandle> asked = living();
    parentsFirst(asked).forEach(ProcessHandle::destroy);
    if (!emptyWithin(GRACE, asked)) {
      kill(asked);
    }
  }

  /** Kills all of it without asking. */
  void kill() throws InterruptedException {
    kill(living());
  }

  private void kill(Set<ProcessHandle> known) throws InterruptedException {
    long until = System.nanoTime() + KILL_BOUND.toNanos();
    Set<ProcessHandle> left = alive(known);
    while (!left.isEmpty()) {
      parentsFirst(left).forEach(ProcessHandle::destroyForcibly);
      if (System.nanoTime() - until > 0) {
        throw new IllegalStateException("processes do not die: " + left);
      }
      TimeUnit.NANOSECONDS.sleep(LOOK_AGAIN.toNanos());
      left = alive(left);
    }
  }

  /** A shell whose child ends before itself would go on with its next command. */
  private static List<ProcessHandle> parentsFirst(Set<ProcessHandle> all) {
    Map<ProcessHandle, Integer> depths = new HashMap<>();
    all.forEach(each -> depths.put(each, depth(each, all)));
    return all.stream().sorted(Comparator.comparing(depths::get)).toList();
  }

  private static int depth(ProcessHandle process, Set<ProcessHandle> all) {
    int depth = 0;
    Optional<ProcessHandle> parent = process.parent().filter(all::contains);
    while (parent.isPresent() && depth < all.size()) {
      depth++;
      parent = parent.get().parent().filter(all::contains);
    }
    return depth;
  }

  private boolean emptyWithin(Duration bound, Set<ProcessHandle> known)
      throws InterruptedException {
    long until = System.nanoTime() + bound.toNanos();
    while (!alive(known).isEmpty()) {
      if (System.nanoTime() - until > 0) {
        return false;
      }
      TimeUnit.NANOSECONDS.sleep(LOOK_AGAIN.toNanos());
    }
    return true;
  }

  /** What is alive now: of those known before, and newcomers. */
  private Set<ProcessHandle> alive(Set<ProcessHandle> known) {
    Set<ProcessHandle> all = new HashSet<>(known);
    all.addAll(living());
    all.removeIf(process -> !process.isAlive());
    return all;
  }

  private Set<ProcessHandle> living() {
    return Stream.of(Stream.of(root.toHandle()), root.descendants(), marked())
        .flatMap(handles -> handles)
        .filter(ProcessHandle::isAlive)
        .collect(Collectors.toSet());
  }

  private Stream<ProcessHandle> marked() {
    return Files.isDirectory(PROC)
        ? ProcessHandle.allProcesses().filter(process -> isMarked(process.pid()))
        : Stream.empty();
  }

  private boolean isMarked(long pid) {
    return environment(pid).filter(variables -> variables.contains(mark)).isPresent();
  }

  private static Optional<Set<String>> environment(long pid) {
    try {
      byte[] bytes = Files.readAllBytes(PROC.resolve(pid + "/environ"));
      return Optional.of(
          new HashSet<>(List.of(new String(bytes, StandardCharsets.UTF_8).split("\0"))));
    } catch (IOException e) {
      return Optional.empty(); // another user's, or gone meanwhile: not ours either way
    }
  }
}
