package dev.onejob.bench.dbos;

import dev.dbos.transact.workflow.Workflow;
import dev.onejob.bench.peer.Ledger;
import dev.onejob.bench.peer.PeerJob;

/** Tells of the start of a job. */
public final class ToldWork implements Work {
  private final Ledger ledger;

  ToldWork(Ledger ledger) {
    this.ledger = ledger;
  }

  @Override
  @Workflow
  public String run(String payload) {
    ledger.started(PeerJob.keyIn(payload));
    return PeerJob.ANSWER;
  }
}
