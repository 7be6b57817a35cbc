package dev.onejob.server.cli;

import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a command may touch of the world around it.
 *
 * @param out results only
 * @param err progress and complaints
 * @param environment an environment variable by its name; null if it is not set
 * @param folder the working folder
 * @param pause waits between two tries
 */
public record Terminal(
    InputStream in,
    PrintStream out,
    PrintStream err,
    Function<String, @Nullable String> environment,
    Path folder,
    Pause pause) {

  /** Waits. */
  @FunctionalInterface
  public interface Pause {
    /** Returns when the time is over. */
    void of(Duration time) throws InterruptedException;
  }

  /** One line of progress or complaint; what strangers wrote cannot steer the terminal. */
  void say(String line) {
    err.println(harmless(line));
  }

  /** One line of a result. */
  void print(String line) {
    out.println(harmless(line));
    out.flush();
  }

  private static String harmless(String line) {
    StringBuilder shown = new StringBuilder(line.length());
    line.codePoints()
        .map(c -> Character.isISOControl(c) && c != '\n' && c != '\t' ? '\uFFFD' : c)
        .forEach(shown::appendCodePoint);
    return shown.toString();
  }
}
