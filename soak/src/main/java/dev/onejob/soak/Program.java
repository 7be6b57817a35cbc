package dev.onejob.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A process that can be killed, frozen, thawed and started again; each time it is another life,
 * under a name of its own.
 */
final class Program {
  private final String name;
  private final Path log;
  private final Command command;

  /** When each earlier life was over for sure, by the monotonic clock. */
  private final Map<String, Long> endings = new HashMap<>();

  private int lives;
  private @Nullable Process process;
  private long thawedAt = System.nanoTime();
  private volatile Condition condition = Condition.DOWN;

  /** How it is. */
  enum Condition {
    UP,
    FROZEN,
    DOWN
  }

  /** What is run, for a life of that name. */
  interface Command {
    ProcessBuilder of(String life);
  }

  /**
   * Makes one that does not run yet.
   *
   * @param log where all that it says is kept, of all its lives
   */
  Program(String name, Path log, Command command) {
    this.name = name;
    this.log = log;
    this.command = command;
  }

  String name() {
    return name;
  }

  Condition condition() {
    return condition;
  }

  /** The name under which its present process acts. */
  private String life() {
    return name + "-" + lives;
  }

  /** Whether that life is, or was, one of its own. */
  boolean owns(String life) {
    return life.startsWith(name + "-");
  }

  /**
   * Whether a life of this program can surprise nobody any more: it is dead, or runs and has not
   * been frozen, and that for a while.
   */
  synchronized boolean isSettled(String life, Duration quiet) {
    boolean running = life.equals(life()) && condition == Condition.UP;
    Long from = running ? Long.valueOf(thawedAt) : endings.get(life);
    return from != null && System.nanoTime() - from > quiet.toNanos();
  }

  /** Begins another life. */
  synchronized void start() throws IOException {
    endings.put(life(), System.nanoTime()); // it may have ended by itself, nobody knows when
    lives++;
    Files.createDirectories(log.getParent());
    process =
        command
            .of(life())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    thawedAt = System.nanoTime();
    condition = Condition.UP;
  }

  /** Whether its process has not ended by itself. */
  synchronized boolean lives() {
    return process != null && process.isAlive();
  }

  /** SIGKILL: it is dead when this returns. */
  synchronized void kill() {
    if (process != null) {
      process.destroyForcibly();
      process.onExit().join();
      endings.put(life(), System.nanoTime());
    }
    condition = Condition.DOWN;
  }

  /** SIGSTOP. */
  void freeze() throws IOException, InterruptedException {
    signal("STOP", Condition.FROZEN);
  }

  /** SIGCONT. */
  void thaw() throws IOException, InterruptedException {
    signal("CONT", Condition.UP);
  }

  private synchronized void signal(String signal, Condition next)
      throws IOException, InterruptedException {
    if (process != null) {
      new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid())).start().waitFor();
    }
    thawedAt = System.nanoTime();
    condition = next;
  }
}
