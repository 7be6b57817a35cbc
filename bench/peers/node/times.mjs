// Moments and spans of time. All moments are whole microseconds of the machine's monotonic clock,
// which all processes share: a start in another process can be set against a submit in this one.

import { createHistogram } from 'node:perf_hooks';

/** Spans beyond an hour are counted as an hour; no command lasts that long. */
const SPAN_MAX_US = 3_600_000_000;

export function now() {
  const [seconds, nanos] = process.hrtime();
  return seconds * 1e6 + Math.floor(nanos / 1e3);
}

export function sleep(millis) {
  return new Promise((resolve) => setTimeout(resolve, millis));
}

/** Spans of time with three digits each, in the HdrHistogram that Node.js brings along. */
export class Spans {
  #histogram = createHistogram({ lowest: 1, highest: SPAN_MAX_US, figures: 3 });

  add(micros) {
    this.#histogram.record(Math.min(Math.max(1, Math.floor(micros)), SPAN_MAX_US));
  }

  figures() {
    const h = this.#histogram;
    if (h.count === 0) {
      return { count: 0, p50_us: 0, p90_us: 0, p99_us: 0, p999_us: 0, max_us: 0 };
    }
    return {
      count: h.count,
      p50_us: h.percentile(50),
      p90_us: h.percentile(90),
      p99_us: h.percentile(99),
      p999_us: h.percentile(99.9),
      max_us: h.max,
    };
  }
}
