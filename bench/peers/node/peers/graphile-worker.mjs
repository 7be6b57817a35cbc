// graphile-worker as its documentation's page on performance sets it up for speed.

import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import { numberOf, pool } from '../postgres.mjs';
import { versionOf } from '../versions.mjs';

const NAME = 'bench';
const CONCURRENT_JOBS = 24;
const LOCAL_QUEUE = 500;

/** Workers and submitters share it: one for each concurrent job and a few more. */
const POOL = 28;

const UNFINISHED = 'SELECT count(*) FROM graphile_worker._private_jobs';
const ANY_UNFINISHED = 'SELECT count(*) FROM (SELECT FROM graphile_worker._private_jobs LIMIT 1) j';

/** Everything but errors is left out: a line a job would be measured too. */
const logger = new Logger(() => (level, message) => {
  if (level === 'error') {
    console.error(message);
  }
});

const worker = {
  concurrentJobs: CONCURRENT_JOBS,
  maxPoolSize: POOL,
  localQueue: { size: LOCAL_QUEUE },
  completeJobBatchDelay: 0,
  failJobBatchDelay: 0,
};

export async function open(variant) {
  if (variant !== undefined) {
    throw new Error(`graphile-worker has no variant ${variant}`);
  }
  const shared = pool(POOL);
  const questions = pool(1);
  const settings = { preset: { worker }, pgPool: shared, logger };
  const utils = await makeWorkerUtils(settings);
  await utils.migrate();
  return new GraphileWorker(settings, utils, questions);
}

class GraphileWorker {
  #settings;
  #utils;
  #questions;
  #runner = null;

  constructor(settings, utils, questions) {
    this.#settings = settings;
    this.#utils = utils;
    this.#questions = questions;
  }

  description = {
    variant: 'local queue',
    version: versionOf('graphile-worker'),
    settings:
      `${CONCURRENT_JOBS} concurrent jobs, local queue of ${LOCAL_QUEUE}, completions in batches `
      + `(delay 0), job key with unsafe_dedupe, LISTEN/NOTIFY, pool of ${POOL}; `
      + 'batches by add_jobs, two callers',
    store: 'PostgreSQL',
    keeps: 'nothing: a finished job is deleted',
    does_not: [
      'keys per owner', 'keys after the end', 'input comparison', 'attempts as rows', 'fencing',
      'doubt', 'result kept', 'history kept',
    ],
    batch: true,
    processes: [{ role: 'peer', pid: process.pid }],
  };

  async submit(key, payload) {
    await this.#utils.addJob(NAME, payload, { jobKey: key, jobKeyMode: 'unsafe_dedupe' });
  }

  async submitMany(jobs) {
    await this.#utils.addJobs(
      jobs.map(({ key, payload }) => ({ identifier: NAME, payload, jobKey: key })));
  }

  async workersOn(ledger) {
    const handle = async ({ key }) => ledger.executing(key);
    this.#runner = await run({
      ...this.#settings,
      taskList: { [NAME]: handle },
      parsedCronItems: [],
      noHandleSignals: true,
    });
  }

  async workersOff() {
    await this.#runner.stop();
    this.#runner = null;
  }

  async anyUnfinished() {
    return (await numberOf(this.#questions, ANY_UNFINISHED)) > 0;
  }

  unfinished() {
    return numberOf(this.#questions, UNFINISHED);
  }

  /** They are deleted. */
  async kept() {
    return 0;
  }

  async close() {
    await this.#utils.release();
    await this.#settings.pgPool.end();
    await this.#questions.end();
  }
}
