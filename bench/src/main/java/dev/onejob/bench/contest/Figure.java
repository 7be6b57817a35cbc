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
  START("ms to ready, existing schema", false);

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
