package dev.onejob.engine;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.DeskItem;
import dev.onejob.domain.JobId;
import dev.onejob.store.DeskQueries;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * What waits for a person, as {@link JobEngine#desk} tells it, read through a pool of the caller's
 * own: who only looks takes no connection from what moves jobs. Safe for many threads.
 */
public final class DeskView {
  private final Desk desk;

  private DeskView(Desk desk) {
    this.desk = desk;
  }

  /**
   * A view of what the engine's jobs wait for.
   *
   * @param pool to the database of the engine
   */
  public static DeskView over(JobEngine engine, DataSource pool) {
    return new DeskView(new Desk(new DeskQueries(pool), engine.health()));
  }

  /** Everything that waits for a person, within reach of the caller, oldest first. */
  public DeskItem.Page all(Access access, DeskFilter filter) {
    return desk.all(access, filter);
  }

  /** The attempts in doubt within reach of the caller, oldest first. */
  public DeskItem.Page inDoubt(Access access, DeskFilter filter) {
    return desk.inDoubt(access, filter);
  }

  /** The same, without those of jobs that have their result from another attempt. */
  public DeskItem.Page open(Access access, DeskFilter filter) {
    return desk.open(access, filter);
  }

  /** Those of the attempts that are in doubt and within reach of the caller, oldest first. */
  public List<DeskItem> inDoubt(Access access, Collection<AttemptId> attempts) {
    return desk.inDoubt(access, attempts);
  }

  /**
   * A job that is contested or waits for a decision; empty if it does neither, or is not within
   * reach of the caller.
   */
  public Optional<DeskItem> decision(Access access, JobId job) {
    return desk.decision(access, job);
  }
}
