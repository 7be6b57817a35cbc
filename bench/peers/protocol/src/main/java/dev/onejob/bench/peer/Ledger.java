package dev.onejob.bench.peer;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/** Which jobs have run, how often, and when each began: written by the handlers of a contestant. */
public final class Ledger {
  private final Map<String, Run> runs = new ConcurrentHashMap<>();
  private final Map<String, Long> others = new ConcurrentHashMap<>();
  private final LongAdder submitted = new LongAdder();
  private final LongAdder executions = new LongAdder();
  private final LongAdder jobsExecuted = new LongAdder();

  /** The jobs that one command submits: when each was due, and when it first began. */
  static final class Run {
    private final String prefix;
    private final AtomicIntegerArray executions;
    private final AtomicLongArray dueNanos;
    private final AtomicLongArray startNanos;

    private Run(String prefix, int jobs) {
      this.prefix = prefix;
      this.executions = new AtomicIntegerArray(jobs);
      this.dueNanos = new AtomicLongArray(jobs);
      this.startNanos = new AtomicLongArray(jobs);
    }

    PeerJob job(int number) {
      return PeerJob.of(prefix, number);
    }

    int jobs() {
      return executions.length();
    }

    List<Long> dues() {
      return IntStream.range(0, jobs()).mapToObj(dueNanos::get).toList();
    }

    void due(int number, long nanos) {
      dueNanos.setPlain(number, nanos);
    }

    /** From due to the first line of the handler. */
    Latencies starts() {
      Latencies all = new Latencies();
      for (int i = 0; i < jobs(); i++) {
        all.record(startNanos.get(i) - dueNanos.get(i));
      }
      return all;
    }
  }

  /** The counts up to now. */
  record Counts(long submitted, long executions, long jobsExecuted) {}

  /** A handler begins with the job of this key. */
  public void started(String key) {
    long now = System.nanoTime();
    executions.increment();
    int dash = key.lastIndexOf('-');
    Run run = dash < 0 ? null : runs.get(key.substring(0, dash));
    if (run == null) {
      if (others.putIfAbsent(key, now) == null) {
        jobsExecuted.increment();
      }
      return;
    }
    int number = Integer.parseInt(key, dash + 1, key.length(), 10);
    if (run.executions.getAndIncrement(number) == 0) {
      run.startNanos.set(number, now);
      jobsExecuted.increment();
    }
  }

  Run begin(String prefix, int jobs) {
    Run run = new Run(prefix, jobs);
    if (runs.putIfAbsent(prefix, run) != null) {
      throw new IllegalArgumentException("the prefix " + prefix + " has been used");
    }
    return run;
  }

  /** When the jobs of a run began here, whoever submitted them; 0: not here. */
  List<Long> starts(String prefix, int jobs) {
    Run own = runs.get(prefix);
    return IntStream.range(0, jobs)
        .mapToObj(
            i ->
                own == null
                    ? others.getOrDefault(prefix + "-" + i, 0L)
                    : Long.valueOf(own.startNanos.get(i)))
        .toList();
  }

  void submitted(long jobs) {
    submitted.add(jobs);
  }

  Counts counts() {
    return new Counts(submitted.sum(), executions.sum(), jobsExecuted.sum());
  }

  /** Forgets the counts; keys stay used. */
  void forget() {
    submitted.reset();
    executions.reset();
    jobsExecuted.reset();
  }
}
