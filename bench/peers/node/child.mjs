// Processes that belong to a peer: they end with it, however it ends.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { sleep } from './times.mjs';

const READY_MILLIS_MAX = 60_000;
const STOP_MILLIS_MAX = 8_000;
const SETPRIV = '/usr/bin/setpriv';

export class Child {
  #process;
  #name;

  /** Starts a program; its standard output and error go to our standard error. */
  constructor(name, program, args, env = {}) {
    this.#name = name;
    // The kernel ends it when we are killed, too. setpriv becomes the program: the id is its own.
    const guarded = existsSync(SETPRIV)
      ? [SETPRIV, ['--pdeathsig', 'KILL', program, ...args]]
      : [program, args];
    this.#process = spawn(...guarded, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 2, 2],
    });
    this.#process.on('error', () => {}); // told by `ready`, which finds it without an id
  }

  get pid() {
    return this.#process.pid;
  }

  get #ended() {
    const { pid, exitCode, signalCode } = this.#process;
    return pid === undefined || exitCode !== null || signalCode !== null;
  }

  /** Asks until the answer is yes. */
  async ready(question) {
    const until = Date.now() + READY_MILLIS_MAX;
    for (;;) {
      if (this.#ended) {
        throw new Error(`${this.#name} has ended before it was ready`);
      }
      const why =
        await question().then((yes) => (yes ? null : 'not yet'), (error) => error.message);
      if (why === null) {
        return;
      }
      if (Date.now() > until) {
        throw new Error(`${this.#name} was not ready in ${READY_MILLIS_MAX} ms: ${why}`);
      }
      await sleep(10);
    }
  }

  async stop() {
    if (this.#ended) {
      return;
    }
    const exit = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    const killer = setTimeout(() => this.#process.kill('SIGKILL'), STOP_MILLIS_MAX);
    await exit;
    clearTimeout(killer);
  }
}

/** Ports of the loopback address that were free a moment ago. */
export async function freePorts(count) {
  const servers = [];
  for (let i = 0; i < count; i++) {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    servers.push(server);
  }
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  return ports;
}

/** The first folder of the path that has the program; null: none. */
export function findProgram(name) {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/bin', '/usr/sbin'];
  const found = folders.filter(Boolean).map((folder) => `${folder}/${name}`).find(existsSync);
  return found ?? null;
}
