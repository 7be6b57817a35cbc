package dev.onejob.soak;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;

/**
 * How a soak is made to go wrong, so that the checker can be seen to notice it. Only tests have
 * one. The soak ends as soon as such a breach is there.
 *
 * @param inFront classes that go before those of the nodes
 * @param until which breaches will come
 * @param more who acts besides
 */
record Twist(Path inFront, Predicate<Breach> until, More more) {
  /** Who acts besides: more load. */
  interface More {
    List<Actor> actors(Stage stage);
  }
}
