package dev.onejob.bench.contest;

/** What is measured of a contestant in a round. */
enum Figure {
  LIVES("whole lives/s", true),
  SUBMITS_16("submits/s, 16 at a time", true),
  SUBMITS_64("submits/s, 64 at a time", true),
  BULK("submits/s, 1,000 a call", true),
  DRAIN("drained jobs/s", true),
  BACKLOG("jobs in the backlog", true),
  SUBMIT_P50_AT_300("submit, p50 ms, 300/s", false),
  SUBMIT_P99_AT_300("submit, p99 ms, 300/s", false),
  START_P50_AT_300("submit to start, p50 ms, 300/s", false),
  START_P99_AT_300("submit to start, p99 ms, 300/s", false),
  SUBMIT_P50_AT_50("submit, p50 ms, 50/s", false),
  SUBMIT_P99_AT_50("submit, p99 ms, 50/s", false),
  START_P50_AT_50("submit to start, p50 ms, 50/s", false),
  START_P99_AT_50("submit to start, p99 ms, 50/s", false),
  CPU_PEER("µs of CPU per life, contestant", false),
  CPU_POSTGRES("µs of CPU per life, PostgreSQL", false),
  CPU("µs of CPU per life, both", false),
  PEAK_MEMORY("peak resident MiB", false),
  FIRST_START("ms to ready, empty database", false),
  START("ms to ready, existing schema", false),
  HTTP_ADMITS("submits/s, nothing else to do", true),
  HTTP_ADMIT_P50("p50 ms, nothing else to do", false),
  HTTP_ADMIT_P99("p99 ms, nothing else to do", false),
  HTTP_SUBMITS("submits/s, jobs worked on too", true),
  HTTP_SUBMIT_P50("p50 ms, jobs worked on too", false),
  HTTP_SUBMIT_P99("p99 ms, jobs worked on too", false),
  HTTP_WAITS("submits that wait for the result/s", true),
  HTTP_WAIT_P99("submit and wait, p99 ms", false),
  HTTP_REPEATS("repeats of 1,000 ended keys/s, 64 connections", true),
  HTTP_STATEMENTS_A_REPEAT("writing statements per repeat", false),
  HTTP_ROWS_A_REPEAT("rows written per repeat", false),
  HTTP_CROWD("submits/s, 256 connections", true),
  HTTP_STORM("requests/s, 50 equal ones in a burst, 256 connections", true),
  HTTP_STORM_JOBS("new jobs/s of these", true),
  ONE_ROW_INSERTS("one-row inserts/s, 32 clients", true);

  private final String words;
  private final boolean moreIsBetter;

  Figure(String words, boolean moreIsBetter) {
    this.words = words;
    this.moreIsBetter = moreIsBetter;
  }

  String words() {
    return words;
  }

  boolean moreIsBetter() {
    return moreIsBetter;
  }
}
