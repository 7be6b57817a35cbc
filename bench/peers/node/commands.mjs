// The commands of the line protocol, for every peer alike.
//
// A peer is an object with `description`, `submit(key, payload)`, `submitMany([{key, payload}])` or
// null, `workersOn(ledger)`, `workersOff()`, `anyUnfinished()`, `unfinished()`, `kept()`, `close()`;
// a submit ends with its durable yes, or throws.

import { Ledger } from './ledger.mjs';
import { ticks } from './pacer.mjs';
import { keyOf, payload } from './payload.mjs';
import { Spans, now, sleep } from './times.mjs';
import { post } from './wrk.mjs';

/** Shorter than the patience of the bench, so that the answer says what was missing. */
const FINISH_MILLIS_MAX = 280_000;
const POLL_MILLIS = 5;

/** As many as the hand-written SQL has sessions where it is fastest on two processors. */
const BATCH_CALLERS = 2;

const NUMBER_MAX = 100_000_000;

export class Commands {
  #peer;
  #ledger = new Ledger();
  #working = false;

  constructor(peer) {
    this.#peer = peer;
  }

  async run([name, ...args]) {
    if (!Object.hasOwn(COMMANDS, name)) {
      throw new Error(`no such command: ${name}`);
    }
    const command = COMMANDS[name];
    if (command.args.length !== args.length) {
      throw new Error(`usage: ${[name, ...command.args].join(' ')}`);
    }
    return command.run(this, args.map((text, i) => READERS[command.args[i]](text)));
  }

  async workers(wanted) {
    if (wanted === 'on' && !this.#working) {
      await this.#peer.workersOn(this.#ledger);
      this.#working = true;
    } else if (wanted === 'off' && this.#working) {
      await this.#peer.workersOff();
      this.#working = false;
    }
    return { workers: wanted };
  }

  async submit(clients, jobs, prefix) {
    const spans = new Spans();
    const from = now();
    await this.#submitAll(clients, jobs, prefix, spans);
    return { jobs, nanos: nanosSince(from), submit: spans.figures() };
  }

  async batch(size, jobs, prefix) {
    if (this.#peer.submitMany === null) {
      return { unsupported: 'no such call' };
    }
    const from = now();
    await together(BATCH_CALLERS, jobs, size, (first) =>
      this.#submitMany(first, Math.min(jobs, first + size), prefix));
    return { jobs, nanos: nanosSince(from) };
  }

  async #submitMany(first, end, prefix) {
    const many = [];
    for (let index = first; index < end; index++) {
      const key = keyOf(prefix, index);
      many.push({ key, payload: payload(key) });
    }
    await this.#peer.submitMany(many);
    this.#ledger.accepted(many.length);
  }

  async drain() {
    if (this.#working) {
      throw new Error('the workers are on already');
    }
    const jobs = await this.#peer.unfinished();
    const from = now();
    await this.workers('on');
    await this.#finish();
    return { jobs, nanos: nanosSince(from) };
  }

  async lives(clients, jobs, prefix) {
    this.#demandWorkers();
    const [submits, starts] = this.#watch();
    const from = now();
    try {
      await this.#submitAll(clients, jobs, prefix, submits);
      await this.#finish();
    } finally {
      this.#ledger.watch(null);
    }
    const nanos = nanosSince(from);
    return { jobs, nanos, submit: submits.figures(), start: starts.figures() };
  }

  async paced(rate, seconds, prefix) {
    this.#demandWorkers();
    const [submits, starts] = this.#watch();
    const jobs = number(String(rate * seconds));
    const all = [];
    try {
      await ticks(rate, jobs, (index, due) => {
        const key = keyOf(prefix, index);
        this.#ledger.calling(key, due);
        all.push(this.#submitOne(key, due, submits).then(() => null, (error) => ({ error })));
      });
      const failed = (await Promise.all(all)).find((each) => each !== null);
      if (failed !== undefined) {
        throw failed.error;
      }
      await this.#finish();
    } finally {
      this.#ledger.watch(null);
    }
    return { jobs, submit: submits.figures(), start: starts.figures() };
  }

  /** Beyond the protocol: wrk at the peer's own door, from here. */
  async http(way, connections, seconds, prefix) {
    const url = this.#peer.description.http?.[way];
    if (url === undefined) {
      return { unsupported: 'no such door' };
    }
    if (way === 'request_response') {
      this.#demandWorkers();
    }
    return post(url, this.#peer.description.http.key_header, connections, seconds, prefix);
  }

  async await() {
    await this.#storeFinishes();
    return { unfinished: await this.#peer.unfinished() };
  }

  async check() {
    const unfinished = await this.#peer.unfinished();
    const kept = await this.#peer.kept();
    return { ...this.#ledger.settle(), unfinished, kept };
  }

  async close() {
    try {
      await this.workers('off');
    } finally {
      await this.#peer.close();
    }
  }

  #demandWorkers() {
    if (!this.#working) {
      throw new Error('the workers are off');
    }
  }

  #watch() {
    const starts = new Spans();
    this.#ledger.watch(starts);
    return [new Spans(), starts];
  }

  async #submitAll(clients, jobs, prefix, spans) {
    await together(clients, jobs, 1, (index) => {
      const key = keyOf(prefix, index);
      const from = now();
      this.#ledger.calling(key, from);
      return this.#submitOne(key, from, spans);
    });
  }

  async #submitOne(key, from, spans) {
    await this.#peer.submit(key, payload(key));
    spans.add(now() - from);
    this.#ledger.accepted(1);
  }

  /** Memory first, since asking the store costs; then the store has the last word. */
  async #finish() {
    await this.#ledger.allExecuted(FINISH_MILLIS_MAX);
    await this.#storeFinishes();
  }

  async #storeFinishes() {
    const until = now() + FINISH_MILLIS_MAX * 1e3;
    while (await this.#peer.anyUnfinished()) {
      if (now() > until) {
        throw new Error(`${await this.#peer.unfinished()} jobs are not finished`);
      }
      await sleep(POLL_MILLIS);
    }
  }
}

/** Each caller takes the next part once it is through with its last one; none after a failure. */
async function together(callers, jobs, size, part) {
  let next = 0;
  let failed = false;
  const caller = async () => {
    while (next < jobs && !failed) {
      const first = next;
      next += size;
      try {
        await part(first);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await everyOne(Array.from({ length: callers }, caller));
}

/** Waits for all of them, also when one fails: nothing of a command goes on after its answer. */
async function everyOne(promises) {
  const failed = (await Promise.allSettled(promises)).find((each) => each.status === 'rejected');
  if (failed !== undefined) {
    throw failed.reason;
  }
}

function nanosSince(micros) {
  return (now() - micros) * 1000;
}

function number(text) {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > NUMBER_MAX) {
    throw new Error(`not a number from 1 to ${NUMBER_MAX}: ${text}`);
  }
  return value;
}

function oneOf(...words) {
  return (text) => {
    if (!words.includes(text)) {
      throw new Error(`not one of ${words.join(', ')}: ${text}`);
    }
    return text;
  };
}

const READERS = {
  'on|off': oneOf('on', 'off'),
  WAY: oneOf('one_way', 'request_response'),
  CLIENTS: number,
  CONNECTIONS: number,
  JOBS: number,
  SIZE: number,
  RATE: number,
  SECONDS: number,
  PREFIX: (text) => {
    if (!/^[a-z0-9-]{1,64}$/.test(text)) {
      throw new Error(`not a prefix of keys: ${text}`);
    }
    return text;
  },
};

const COMMANDS = {
  workers: { args: ['on|off'], run: (all, args) => all.workers(...args) },
  submit: { args: ['CLIENTS', 'JOBS', 'PREFIX'], run: (all, args) => all.submit(...args) },
  batch: { args: ['SIZE', 'JOBS', 'PREFIX'], run: (all, args) => all.batch(...args) },
  drain: { args: [], run: (all) => all.drain() },
  lives: { args: ['CLIENTS', 'JOBS', 'PREFIX'], run: (all, args) => all.lives(...args) },
  paced: { args: ['RATE', 'SECONDS', 'PREFIX'], run: (all, args) => all.paced(...args) },
  http: {
    args: ['WAY', 'CONNECTIONS', 'SECONDS', 'PREFIX'],
    run: (all, args) => all.http(...args),
  },
  await: { args: [], run: (all) => all.await() },
  check: { args: [], run: (all) => all.check() },
};
