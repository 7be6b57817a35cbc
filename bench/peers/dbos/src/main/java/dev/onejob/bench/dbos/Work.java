package dev.onejob.bench.dbos;

/** What DBOS runs; it stands before the object that does it. */
public interface Work {
  /** Tells of the start of a job. */
  String run(String payload);
}
