package dev.onejob.bench;

import java.time.Duration;

/** Durable submits over HTTP at one server: a rate, or at one connection a latency. */
final class Submits {
  private Submits() {}

  /** Submits per second. */
  record Rate(String name, Wrk wrk, ServerProcess.Door door, int connections)
      implements Contestant {
    @Override
    public double measure(Duration about) throws Exception {
      return wrk.post(door, connections, about).perSecond();
    }
  }

  /** Median latency in milliseconds, one request after the other. */
  record Latency(String name, Wrk wrk, ServerProcess.Door door) implements Contestant {
    @Override
    public double measure(Duration about) throws Exception {
      return wrk.post(door, 1, about).latency().toNanos() / 1e6;
    }
  }
}
