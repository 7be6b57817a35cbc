package dev.onejob.bench.peer;

import java.util.List;
import java.util.Map;

/**
 * A contestant: a job system in the configuration that its own documentation recommends for speed.
 * Its handler tells the {@link Ledger} of every start and does nothing else. Calls come from many
 * threads; {@link #workersOn} and {@link #workersOff} in turn from one.
 */
public interface Peer extends AutoCloseable {
  /** What it is, for the report. */
  Description description();

  /**
   * Where jobs can be submitted over HTTP, in the words of the protocol: {@code one_way}, {@code
   * request_response}, {@code key_header} and what else must be sent; empty: nowhere.
   */
  default Map<String, Object> http() {
    return Map.of();
  }

  /** Starts the workers, which are off in the beginning. */
  void workersOn() throws Exception;

  /**
   * Stops the workers; returns when none acts any more.
   *
   * @throws UnsupportedOperationException if submitting is running, here
   */
  void workersOff() throws Exception;

  /** Submits one job by the call that finds duplicates, if there is one; durable on return. */
  void submit(PeerJob job) throws Exception;

  /** Submits many at once; called only if {@link Description#batch} says that there is a way. */
  void submitAll(List<PeerJob> jobs) throws Exception;

  /** Jobs that have not finished, as the store says. */
  long unfinished() throws Exception;

  /** Finished jobs that the store still has. */
  long kept() throws Exception;

  /** What it has counted of its own work since the last time; empty if it counts nothing. */
  default Map<String, Object> counts() {
    return Map.of();
  }

  /** Stops, and lets go of everything. */
  @Override
  void close();

  /**
   * What a contestant is.
   *
   * @param peer its name
   * @param variant which of its configurations
   * @param version its own
   * @param settings in one line of prose
   * @param store where jobs are durable
   * @param keeps what stays of a finished job
   * @param doesNot what the measured product does and it does not, a few words each
   * @param batch whether one call takes many jobs
   */
  record Description(
      String peer,
      String variant,
      String version,
      String settings,
      String store,
      String keeps,
      List<String> doesNot,
      boolean batch) {
    /** Copies the list. */
    public Description {
      doesNot = List.copyOf(doesNot);
    }
  }

  /** Makes one, on a database that is empty or has its schema; the workers are off. */
  @FunctionalInterface
  interface Opening {
    Peer open(PeerDatabase database, Ledger ledger) throws Exception;
  }
}
