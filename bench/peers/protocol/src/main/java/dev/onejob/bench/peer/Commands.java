package dev.onejob.bench.peer;

import java.util.Map;

/** Carries out the lines of the bench, one after the other. */
public interface Commands extends AutoCloseable {
  /** What is said unasked, once it is ready. */
  Map<String, Object> ready();

  /**
   * Carries out a line.
   *
   * @param words of the line, at least one
   * @throws UnsupportedOperationException saying why this contestant cannot do that
   */
  Map<String, Object> answer(String[] words) throws Exception;

  /** Stops, and lets go of everything. */
  @Override
  void close();
}
