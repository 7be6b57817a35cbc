package dev.onejob.soak;

import dev.onejob.testkit.FaultyLine;
import java.io.IOException;
import java.util.List;

/** Somebody who gets into trouble. */
interface Target extends AutoCloseable {
  Program program();

  /** Its ways to what it cannot do without. */
  List<FaultyLine> lines();

  default String name() {
    return program().name();
  }

  /** Kills it for good, and closes its lines. */
  @Override
  default void close() throws IOException {
    program().kill();
    for (FaultyLine line : lines()) {
      line.close();
    }
  }
}
