import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Commands } from '../commands.mjs';
import { payload, uuidOf } from '../payload.mjs';

const STALL_MILLIS = 500;

/** Runs what it is given in the same process, and can be told to do it wrongly. */
class PlainPeer {
  description = {};
  submitMany = null;
  #queued = [];
  #ledger = null;
  #faults;

  constructor(faults = {}) {
    this.#faults = faults;
  }

  async submit(key, job) {
    assert.equal(job.key, key);
    if (this.#faults.refuses === key) {
      throw new Error(`${key} is refused`);
    }
    if (this.#faults.stallsAt === key) {
      const until = Date.now() + STALL_MILLIS;
      while (Date.now() < until);
    }
    this.#queued.push(key);
    setImmediate(() => this.#work());
  }

  async workersOn(ledger) {
    this.#ledger = ledger;
    this.#work();
  }

  async workersOff() {
    this.#ledger = null;
  }

  async anyUnfinished() {
    return this.#queued.length > 0;
  }

  async unfinished() {
    return this.#queued.length;
  }

  async kept() {
    return 0;
  }

  async close() {}

  #work() {
    while (this.#ledger !== null && this.#queued.length > 0) {
      const key = this.#queued.shift();
      this.#ledger.executing(key);
      if (this.#faults.runsTwice === key) {
        this.#ledger.executing(key);
      }
    }
  }
}

function say(commands, line) {
  return commands.run(line.split(' '));
}

test('a payload has 500 bytes whatever its key', () => {
  for (const key of ['a-0', 'warm-1234567', `${'x'.repeat(64)}-99999999`]) {
    assert.equal(Buffer.byteLength(JSON.stringify(payload(key))), 500);
  }
});

test('the UUID of a key is by name: the same for the same key, as the RFC says', () => {
  assert.equal(uuidOf('www.example.com'), 'b63cdfa4-3df9-568e-97ae-006c5b8fd652');
  assert.notEqual(uuidOf('a-1'), uuidOf('a-2'));
});

test('lives end when all have run, and each is measured from its call', async () => {
  const commands = new Commands(new PlainPeer());
  await say(commands, 'workers on');
  const { jobs, nanos, submit, start } = await say(commands, 'lives 8 100 a');
  assert.equal(jobs, 100);
  assert.ok(nanos > 0);
  assert.equal(submit.count, 100);
  assert.equal(start.count, 100);
  assert.deepEqual(await say(commands, 'check'),
    { submitted: 100, executions: 100, jobs_executed: 100, unfinished: 0, kept: 0 });
});

test('a job that ran twice is told by the check', async () => {
  const commands = new Commands(new PlainPeer({ runsTwice: 'a-3' }));
  await say(commands, 'workers on');
  await say(commands, 'lives 2 5 a');
  const { executions, jobs_executed: jobs } = await say(commands, 'check');
  assert.deepEqual([executions, jobs], [6, 5]);
});

test('a check begins the counting anew', async () => {
  const commands = new Commands(new PlainPeer());
  await say(commands, 'workers on');
  await say(commands, 'lives 2 5 a');
  await say(commands, 'check');
  const { submitted, executions } = await say(commands, 'check');
  assert.deepEqual([submitted, executions], [0, 0]);
});

test('a backlog waits for the drain, which turns the workers on', async () => {
  const commands = new Commands(new PlainPeer());
  await say(commands, 'submit 4 50 a');
  assert.equal((await say(commands, 'check')).unfinished, 50);
  await say(commands, 'submit 4 10 b');
  assert.equal((await say(commands, 'drain')).jobs, 60);
  assert.equal((await say(commands, 'check')).executions, 60);
  await assert.rejects(say(commands, 'drain'), /on already/);
});

test('a paced job counts from the moment when it was due', async () => {
  const commands = new Commands(new PlainPeer({ stallsAt: 'a-30' }));
  await say(commands, 'workers on');
  const { jobs, submit, start } = await say(commands, 'paced 100 1 a');
  assert.deepEqual([jobs, submit.count, start.count], [100, 100, 100]);
  assert.ok(submit.p90_us > STALL_MILLIS * 100, `only the stalled one is slow: ${submit.p90_us}`);
});

test('a submit that fails is the answer, at once and paced, and the next goes on', async () => {
  for (const command of ['lives 4 20 a', 'paced 100 1 a']) {
    const commands = new Commands(new PlainPeer({ refuses: 'a-7' }));
    await say(commands, 'workers on');
    await assert.rejects(say(commands, command), /a-7 is refused/);
    assert.equal((await say(commands, 'lives 4 20 b')).jobs, 20);
  }
});

test('what is not a command is refused with its reason', async () => {
  const commands = new Commands(new PlainPeer());
  await assert.rejects(say(commands, 'nonsense'), /no such command: nonsense/);
  await assert.rejects(say(commands, 'submit 16'), /usage: submit CLIENTS JOBS PREFIX/);
  await assert.rejects(say(commands, 'submit 16 0 a'), /not a number/);
  await assert.rejects(say(commands, 'submit 16 1e3 a'), /not a number/);
  await assert.rejects(say(commands, 'submit 16 10 A_b'), /not a prefix/);
  await assert.rejects(say(commands, 'constructor'), /no such command/);
  await assert.rejects(say(commands, 'lives 1 1 a'), /workers are off/);
  assert.deepEqual(await say(commands, 'batch 10 10 a'), { unsupported: 'no such call' });
  assert.deepEqual(await say(commands, 'http one_way 1 1 a'), { unsupported: 'no such door' });
});
