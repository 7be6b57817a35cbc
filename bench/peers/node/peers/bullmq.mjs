// BullMQ on a Redis of its own, from Debian, whose append-only file is flushed before each answer.

import { execFileSync } from 'node:child_process';
import { Queue, Worker } from 'bullmq';
import Redis from 'ioredis';
import { Child, findProgram, freePorts } from '../child.mjs';
import { ownFolder } from '../folders.mjs';
import { versionOf } from '../versions.mjs';

const NAME = 'bench';
const CONCURRENCY = 200;
const UNFINISHED =
  ['wait', 'active', 'delayed', 'prioritized', 'paused', 'waiting-children', 'failed'];

export async function open(variant = 'always', folder) {
  if (variant !== 'always' && variant !== 'everysec') {
    throw new Error(`bullmq has no variant ${variant}: always, everysec`);
  }
  const program = findProgram('redis-server');
  if (program === null) {
    throw new Error('redis-server is missing (Debian: apt-get install redis-server)');
  }
  const data = ownFolder(folder, 'redis');
  const said = execFileSync(program, ['--version'], { encoding: 'utf8' });
  const version = /v=([\d.]+)/.exec(said)?.[1] ?? 'of unknown version';
  const [port] = await freePorts(1);
  const redis = new Child('redis-server', program, [
    '--bind', '127.0.0.1', '--port', String(port), '--dir', data, '--daemonize', 'no',
    '--save', '', '--appendonly', 'yes', '--appendfsync', variant,
    '--maxmemory-policy', 'noeviction', '--loglevel', 'warning',
  ]);
  try {
    await redis.ready(() => ping(port));
    return new BullMq(redis, port, variant, version);
  } catch (error) {
    await redis.stop();
    throw error;
  }
}

async function ping(port) {
  const line = new Redis({ host: '127.0.0.1', port, lazyConnect: true, retryStrategy: () => null });
  line.on('error', () => {}); // told by the answer below
  try {
    await line.connect();
    return (await line.ping()) === 'PONG';
  } finally {
    line.disconnect();
  }
}

class BullMq {
  #redis;
  #connection;
  #queue;
  #worker = null;

  constructor(redis, port, variant, redisVersion) {
    this.#redis = redis;
    this.#connection = { host: '127.0.0.1', port, maxRetriesPerRequest: null };
    this.#queue = new Queue(NAME, { connection: this.#connection });
    this.#queue.on('error', (error) => console.error(error));
    this.description = {
      variant: `appendfsync ${variant}`,
      version: versionOf('bullmq'),
      settings:
        `one worker with concurrency ${CONCURRENCY}, job id = key, ioredis `
        + `${versionOf('ioredis')}; batches by addBulk, two callers`,
      store: `Redis ${redisVersion}, append-only file, appendfsync ${variant}`,
      keeps: 'the job with input and result in Redis, until removed',
      does_not: [
        'keys per owner', 'input comparison', 'attempts as rows', 'doubt',
        ...(variant === 'always' ? [] : ['durable: may lose the last second']),
      ],
      batch: true,
      processes: [{ role: 'peer', pid: process.pid }, { role: 'redis', pid: redis.pid }],
    };
  }

  async submit(key, payload) {
    await this.#queue.add(NAME, payload, { jobId: key });
  }

  async submitMany(jobs) {
    await this.#queue.addBulk(
      jobs.map(({ key, payload }) => ({ name: NAME, data: payload, opts: { jobId: key } })));
  }

  async workersOn(ledger) {
    const handle = async ({ data }) => {
      ledger.executing(data.key);
      return { ok: true };
    };
    this.#worker =
      new Worker(NAME, handle, { connection: this.#connection, concurrency: CONCURRENCY });
    this.#worker.on('error', (error) => console.error(error));
    await this.#worker.waitUntilReady();
  }

  async workersOff() {
    await this.#worker.close();
    this.#worker = null;
  }

  async anyUnfinished() {
    return (await this.unfinished()) > 0;
  }

  unfinished() {
    return this.#queue.getJobCountByTypes(...UNFINISHED);
  }

  kept() {
    return this.#queue.getJobCountByTypes('completed');
  }

  async close() {
    await this.#queue.close();
    await this.#redis.stop();
  }
}
