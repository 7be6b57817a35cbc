package dev.onejob.bench;

import java.time.Duration;

/** One of several things that take turns and are compared. */
interface Contestant {
  String name();

  /** Works for about that long and gives its figure: a rate, or a latency. */
  double measure(Duration about) throws Exception;
}
