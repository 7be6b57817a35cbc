package dev.onejob.engine;

import dev.onejob.store.Retention;
import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets go of what need not be kept any longer, batch after batch until nothing is ripe. */
final class Keeper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Keeper.class);

  private final Retention retention;
  private final RetentionRules rules;
  private final Pass pass;
  private volatile boolean closed;

  Keeper(Retention retention, RetentionRules rules) {
    this.retention = retention;
    this.rules = rules;
    this.pass = new Pass("retention", rules.interval(), this::keepOnce);
  }

  void start() {
    pass.start();
  }

  private void keepOnce() {
    Duration tombstoneAfter = rules.tombstoneAfter();
    if (tombstoneAfter != null) {
      all("removed", () -> retention.removeJobs(tombstoneAfter, rules.batch()));
    }
    Duration payloadAfter = rules.payloadAfter();
    if (payloadAfter != null) {
      all("emptied the payloads of", () -> retention.emptyPayloads(payloadAfter, rules.batch()));
    }
  }

  private void all(String what, Supplier<Retention.Batch> next) {
    long done = 0;
    Retention.Batch batch;
    do {
      batch = next.get();
      done += batch.done();
    } while (batch.more() && !closed);
    if (done > 0) {
      LOG.info("retention {} {} jobs", what, done);
    }
  }

  /** Stops after the batch under way. */
  @Override
  public void close() {
    closed = true;
    pass.close();
  }
}
