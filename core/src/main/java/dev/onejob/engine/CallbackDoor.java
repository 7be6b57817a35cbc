package dev.onejob.engine;

import dev.onejob.domain.AttemptId;
import java.net.URI;

/** Where providers find this deployment when they call back. Safe for many threads. */
@FunctionalInterface
public interface CallbackDoor {
  /**
   * The address for one attempt, the same on every node.
   *
   * @param secret of this attempt alone, in letters that need no escape in a path; whoever knows it
   *     may speak for the attempt, so it must reach its provider only
   */
  URI address(AttemptId attempt, String secret);
}
