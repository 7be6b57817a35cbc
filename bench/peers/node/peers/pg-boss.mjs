// pg-boss with the options that its documentation names for throughput: workers that take batches
// and go on at once while these are full; and for latency: LISTEN/NOTIFY.

import { PgBoss } from 'pg-boss';
import { uuidOf } from '../payload.mjs';
import { numberOf, pool } from '../postgres.mjs';
import { versionOf } from '../versions.mjs';

const NAME = 'bench';
const WORKERS = 4;
const BATCH = 500;
const POOL = 16;

/** The shortest that it takes. */
const POLLING_SECONDS = 0.5;

// By the states of its own index of live jobs; a failed one is none that has finished.
const UNFINISHED = `
  SELECT count(*) FROM pgboss.job
   WHERE name = 'bench' AND state IN ('created', 'retry', 'active', 'failed')`;
const ANY_UNFINISHED = `
  SELECT count(*) FROM (
    SELECT FROM pgboss.job
     WHERE name = 'bench' AND state IN ('created', 'retry', 'active', 'failed') LIMIT 1) j`;
const KEPT = `
  SELECT count(*) FROM pgboss.job WHERE name = 'bench' AND state = 'completed'`;

export async function open(variant = 'notify') {
  if (variant !== 'notify' && variant !== 'polling') {
    throw new Error(`pg-boss has no variant ${variant}: notify, polling`);
  }
  const notify = variant === 'notify';
  const questions = pool(1);
  const boss = new PgBoss({
    host: process.env.PGHOST,
    port: Number(process.env.PGPORT ?? 5432),
    database: process.env.PGDATABASE,
    user: process.env.PGUSER,
    password: process.env.PGPASSWORD,
    max: POOL,
    useListenNotify: notify,
  });
  boss.on('error', (error) => console.error(error));
  boss.on('warning', (warning) => console.error(warning.message));
  await boss.start();
  if ((await boss.getQueue(NAME)) === null) {
    await boss.createQueue(NAME, { notify });
  }
  return new Boss(boss, questions, variant);
}

class Boss {
  #boss;
  #questions;

  constructor(boss, questions, variant) {
    const notify = variant === 'notify';
    this.#boss = boss;
    this.#questions = questions;
    this.description = {
      variant,
      version: versionOf('pg-boss'),
      settings:
        `${WORKERS} workers with batches of ${BATCH}, burstWhenBatchFull, `
        + (notify ? 'LISTEN/NOTIFY' : `polling every ${POLLING_SECONDS} s (the least)`)
        + `, id from the key, pool of ${POOL}; batches by insert, two callers`,
      store: 'PostgreSQL',
      keeps: 'the job with its input, for 7 days; results only of workers without batches',
      does_not: [
        'keys per owner', 'input comparison', 'attempts as rows', 'doubt', 'result kept',
      ],
      batch: true,
      processes: [{ role: 'peer', pid: process.pid }],
    };
  }

  async submit(key, payload) {
    const id = await this.#boss.send(NAME, payload, { id: uuidOf(key) });
    if (id === null) {
      throw new Error(`${key} was there before`);
    }
  }

  async submitMany(jobs) {
    await this.#boss.insert(
      NAME, jobs.map(({ key, payload }) => ({ id: uuidOf(key), data: payload })));
  }

  async workersOn(ledger) {
    const options = {
      batchSize: BATCH,
      localConcurrency: WORKERS,
      burstWhenBatchFull: true,
      pollingIntervalSeconds: POLLING_SECONDS,
    };
    await this.#boss.work(NAME, options, async (jobs) => {
      for (const { data } of jobs) {
        ledger.executing(data.key);
      }
    });
  }

  async workersOff() {
    await this.#boss.offWork(NAME, { wait: true });
  }

  async anyUnfinished() {
    return (await numberOf(this.#questions, ANY_UNFINISHED)) > 0;
  }

  unfinished() {
    return numberOf(this.#questions, UNFINISHED);
  }

  kept() {
    return numberOf(this.#questions, KEPT);
  }

  async close() {
    await this.#boss.stop({ graceful: true, timeout: 5000 });
    await this.#questions.end();
  }
}
