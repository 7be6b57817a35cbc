// A clock that ticks at a fixed rate, in a thread of its own: timers of the event loop are a
// millisecond coarse, which is as long as some of what is measured.

import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';

const NANOS = 1_000_000_000n;

/**
 * Calls `tick(index, due)` for each of the ticks, `due` in microseconds of the monotonic clock.
 * However late a tick is delivered, its due moment is by the rate alone.
 */
export function ticks(rate, count, tick) {
  const worker = new Worker(new URL(import.meta.url), { workerData: { rate, count } });
  return new Promise((resolve, reject) => {
    let origin;
    let ticked = 0;
    worker.on('message', (index) => {
      if (typeof index === 'bigint') {
        origin = index;
        return;
      }
      ticked++;
      tick(index, Number((origin + dueAfter(index, rate)) / 1000n));
    });
    worker.on('error', reject);
    worker.on('exit', () =>
      ticked === count ? resolve() : reject(new Error(`${ticked} of ${count} ticks were heard`)));
  });
}

function dueAfter(index, rate) {
  return (BigInt(index) * NANOS) / BigInt(rate);
}

function run({ rate, count }) {
  const nobody = new Int32Array(new SharedArrayBuffer(4));
  const origin = process.hrtime.bigint() + NANOS / 20n;
  parentPort.postMessage(origin);
  for (let index = 0; index < count; index++) {
    const left = Number(origin + dueAfter(index, rate) - process.hrtime.bigint());
    if (left > 0) {
      Atomics.wait(nobody, 0, 0, left / 1e6);
    }
    parentPort.postMessage(index);
  }
}

if (!isMainThread) {
  run(workerData);
}
