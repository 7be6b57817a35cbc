package dev.onejob.document;

/**
 * One thing that is wrong with a configuration.
 *
 * @param file as the operator named it
 * @param line from 1; 0 where no line can be named
 * @param message the setting, and what was expected of it
 */
public record ConfigProblem(String file, int line, String message) {
  @Override
  public String toString() {
    return file + (line > 0 ? ":" + line : "") + ": " + message;
  }
}
