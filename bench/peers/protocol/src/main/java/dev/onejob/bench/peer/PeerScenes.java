package dev.onejob.bench.peer;

import dev.onejob.bench.peer.Ledger.Run;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** The scenes, played with one contestant. */
final class PeerScenes {
  private static final Duration PATIENCE = Duration.ofSeconds(280);
  private static final long LOOK_NANOS = Duration.ofNanos(200_000).toNanos();
  private static final long ASK_NANOS = Duration.ofMillis(5).toNanos();

  /** As many as the limit has sessions where it is fastest on two processors. */
  private static final int BATCH_CALLERS = 2;

  private final Peer peer;
  private final Ledger ledger;

  PeerScenes(Peer peer, Ledger ledger) {
    this.peer = peer;
    this.ledger = ledger;
  }

  Map<String, Object> workers(String word) throws Exception {
    switch (word) {
      case "on" -> peer.workersOn();
      case "off" -> peer.workersOff();
      default -> throw new IllegalArgumentException("workers on, or workers off");
    }
    return Map.of("workers", word);
  }

  Map<String, Object> submit(int clients, int jobs, String prefix) throws Exception {
    Run run = ledger.begin(prefix, jobs);
    long from = System.nanoTime();
    Latencies submits = closedLoop(clients, run);
    return Map.of("jobs", jobs, "nanos", System.nanoTime() - from, "submit", submits.words());
  }

  Map<String, Object> batch(int size, int jobs, String prefix) throws Exception {
    if (!peer.description().batch()) {
      return Map.of("unsupported", "no such call");
    }
    Run run = ledger.begin(prefix, jobs);
    long from = System.nanoTime();
    together(
        BATCH_CALLERS, jobs, size, first -> submitAll(run, first, Math.min(jobs, first + size)));
    return Map.of("jobs", jobs, "nanos", System.nanoTime() - from);
  }

  private void submitAll(Run run, int first, int end) throws Exception {
    List<PeerJob> some = new ArrayList<>(end - first);
    for (int i = first; i < end; i++) {
      run.due(i, System.nanoTime());
      some.add(run.job(i));
    }
    peer.submitAll(some);
    ledger.submitted(some.size());
  }

  Map<String, Object> drain() throws Exception {
    Ledger.Counts before = ledger.counts();
    long from = System.nanoTime();
    peer.workersOn();
    awaitAll();
    return Map.of(
        "jobs", before.submitted() - before.jobsExecuted(), "nanos", System.nanoTime() - from);
  }

  Map<String, Object> lives(int clients, int jobs, String prefix) throws Exception {
    Run run = ledger.begin(prefix, jobs);
    long from = System.nanoTime();
    Latencies submits = closedLoop(clients, run);
    awaitAll();
    long nanos = System.nanoTime() - from;
    return Map.of(
        "jobs", jobs, "nanos", nanos, "submit", submits.words(), "start", run.starts().words());
  }

  private Latencies closedLoop(int clients, Run run) throws Exception {
    Latencies submits = new Latencies();
    together(clients, run.jobs(), 1, number -> submitDue(run, number, System.nanoTime(), submits));
    return submits;
  }

  /** One part of what several callers share. */
  @FunctionalInterface
  private interface Part {
    void play(int first) throws Exception;
  }

  /** Each caller takes the next part as soon as it is through with its last one. */
  private static void together(int callers, int jobs, int size, Part part) throws Exception {
    AtomicInteger next = new AtomicInteger();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < callers; i++) {
        all.add(
            threads.submit(
                () -> {
                  for (int n = next.getAndAdd(size); n < jobs; n = next.getAndAdd(size)) {
                    part.play(n);
                  }
                  return null;
                }));
      }
      awaitEnds(all);
    }
  }

  private void submitDue(Run run, int number, long due, Latencies submits) throws Exception {
    run.due(number, due);
    peer.submit(run.job(number));
    submits.record(System.nanoTime() - due);
    ledger.submitted(1);
  }

  Map<String, Object> paced(int perSecond, int seconds, String prefix) throws Exception {
    Run run = ledger.begin(prefix, perSecond * seconds);
    Latencies submits = openLoop(perSecond, run);
    awaitAll();
    return Map.of("jobs", run.jobs(), "submit", submits.words(), "start", run.starts().words());
  }

  /** As {@link #paced}, but whoever shares the store may run the jobs; tells when each was due. */
  Map<String, Object> admit(int perSecond, int seconds, String prefix) throws Exception {
    Run run = ledger.begin(prefix, perSecond * seconds);
    Latencies submits = openLoop(perSecond, run);
    awaitStore(System.nanoTime() + PATIENCE.toNanos());
    return Map.of("jobs", run.jobs(), "submit", submits.words(), "due_nanos", run.dues());
  }

  /** By the monotonic clock, which all processes of a machine share. */
  Map<String, Object> starts(int jobs, String prefix) {
    return Map.of("start_nanos", ledger.starts(prefix, jobs));
  }

  /** A job is submitted when it is due, whatever became of those before it. */
  private Latencies openLoop(int perSecond, Run run) throws Exception {
    Latencies submits = new Latencies();
    long stepNanos = Duration.ofSeconds(1).toNanos() / perSecond;
    long first = System.nanoTime() + stepNanos;
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < run.jobs(); i++) {
        int number = i;
        long due = first + i * stepNanos;
        parkUntil(due);
        all.add(
            threads.submit(
                () -> {
                  submitDue(run, number, due, submits);
                  return null;
                }));
      }
      awaitEnds(all);
    }
    return submits;
  }

  private static void parkUntil(long nanos) {
    for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  private static void awaitEnds(List<Future<?>> all)
      throws InterruptedException, ExecutionException {
    for (Future<?> one : all) {
      one.get();
    }
  }

  Map<String, Object> await() throws Exception {
    awaitStore(System.nanoTime() + PATIENCE.toNanos());
    return Map.of("unfinished", 0);
  }

  /** First the memory must say that all have run, then the store that all have finished. */
  private void awaitAll() throws Exception {
    long until = System.nanoTime() + PATIENCE.toNanos();
    long submitted = ledger.counts().submitted();
    while (ledger.counts().jobsExecuted() < submitted) {
      checkPatience(until);
      LockSupport.parkNanos(LOOK_NANOS);
    }
    awaitStore(until);
  }

  private void awaitStore(long until) throws Exception {
    while (peer.unfinished() > 0) {
      checkPatience(until);
      LockSupport.parkNanos(ASK_NANOS);
    }
  }

  private void checkPatience(long until) throws TimeoutException {
    if (System.nanoTime() - until > 0) {
      throw new TimeoutException("not all have finished: " + ledger.counts());
    }
  }

  Map<String, Object> check() throws Exception {
    Ledger.Counts counts = ledger.counts();
    long unfinished = peer.unfinished();
    ledger.forget();
    return Map.of(
        "submitted", counts.submitted(),
        "executions", counts.executions(),
        "jobs_executed", counts.jobsExecuted(),
        "unfinished", unfinished,
        "kept", peer.kept());
  }
}
