package dev.onejob.bench.jobrunr;

import dev.onejob.bench.peer.Ledger;
import dev.onejob.bench.peer.PeerJob;
import org.jobrunr.jobs.lambdas.JobRequestHandler;

/** Tells of the start of a job. */
public final class Runner implements JobRequestHandler<RunRequest> {
  private final Ledger ledger;

  Runner(Ledger ledger) {
    this.ledger = ledger;
  }

  @Override
  public void run(RunRequest request) {
    ledger.started(PeerJob.keyIn(request.payload()));
  }
}
