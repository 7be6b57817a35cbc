package dev.onejob.bench.peer;

import java.util.Map;
import org.HdrHistogram.AtomicHistogram;

/** How long something took, many times; safe for many threads. */
public final class Latencies {
  private static final long LONGEST_MICROS = 600_000_000;
  private static final int DIGITS = 3;
  private static final long NANOS_OF_A_MICRO = 1_000;

  private final AtomicHistogram micros = new AtomicHistogram(LONGEST_MICROS, DIGITS);

  /** Keeps one; what is shorter than a microsecond counts as one, longer than 10 min as that. */
  public void record(long nanos) {
    micros.recordValue(Math.clamp(nanos / NANOS_OF_A_MICRO, 1, LONGEST_MICROS));
  }

  /** In the words of the protocol. */
  public Map<String, Object> words() {
    return Map.of(
        "count", micros.getTotalCount(),
        "p50_us", micros.getValueAtPercentile(50),
        "p90_us", micros.getValueAtPercentile(90),
        "p99_us", micros.getValueAtPercentile(99),
        "p999_us", micros.getValueAtPercentile(99.9),
        "max_us", micros.getMaxValue());
  }
}
