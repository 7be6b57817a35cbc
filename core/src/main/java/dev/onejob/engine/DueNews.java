package dev.onejob.engine;

/**
 * Tells those who may start jobs that one may be due: the looks of this node, its looks for
 * workers, and the other nodes.
 */
final class DueNews {
  private final Runnable look;
  private final Runnable lookForWorkers;
  private final Runnable wakeOthers;

  DueNews(Runnable look, Runnable lookForWorkers, Runnable wakeOthers) {
    this.look = look;
    this.lookForWorkers = lookForWorkers;
    this.wakeOthers = wakeOthers;
  }

  /** This node, whoever is to start it. */
  void here() {
    look.run();
    lookForWorkers.run();
  }

  /** A job was left waiting here; another node may have room for it. */
  void leftWaiting() {
    here();
    wakeOthers.run();
  }

  /** A job, or an attempt, waits for a worker: no node starts it by itself. */
  void leftForWorkers() {
    lookForWorkers.run();
    wakeOthers.run();
  }
}
