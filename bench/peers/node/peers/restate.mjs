// Restate: one node of the server, and a service by its TypeScript SDK in a process of its own.
//
// Its server cannot be told to hold back what was sent. Workers that are off are a service whose
// handlers wait at their first line: the server keeps as many in flight as it is made to, and the
// rest is its backlog.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { Child, freePorts } from '../child.mjs';
import { ownFolder } from '../folders.mjs';
import { versionOf } from '../versions.mjs';

const PLATFORM = '@restatedev/restate-server-linux-x64';
const SERVER = fileURLToPath(
  new URL(`../node_modules/${PLATFORM}/bin/restate-server`, import.meta.url));
const SERVICE = fileURLToPath(new URL('restate-service.mjs', import.meta.url));
const PARTITIONS_DEFAULT = 24;
const PARTITIONS_MAX = 1000;
const KEY_HEADER = 'idempotency-key';

const UNFINISHED =
  "SELECT count(*) AS n FROM sys_invocation_status WHERE status <> 'completed'";
const KEPT = "SELECT count(*) AS n FROM sys_invocation_status WHERE status = 'completed'";

export async function open(variant, folder) {
  const partitions = Number(variant ?? PARTITIONS_DEFAULT);
  if (!Number.isInteger(partitions) || partitions < 1 || partitions > PARTITIONS_MAX) {
    throw new Error(`restate takes a number of partitions up to ${PARTITIONS_MAX}, not ${variant}`);
  }
  if (!existsSync(SERVER)) {
    throw new Error(`${PLATFORM} is not installed: npm has the server for a few platforms only`);
  }
  const base = ownFolder(folder, 'restate');
  const ports = await portsIn(base);
  const server = new Child('restate-server', SERVER, [], environment(base, ports, partitions));
  let service = null;
  try {
    service = await Service.start(ports.service);
    await server.ready(() => answers(ports.admin, '/health'));
    await server.ready(() => answers(ports.ingress, '/restate/health'));
    await server.ready(() => counts(ports));
    await register(ports);
    return new Restate(server, service, ports, partitions, variant === undefined);
  } catch (error) {
    await service?.stop();
    await server.stop();
    throw error;
  }
}

/** The same ports each time in the same folder: its metadata names them. */
async function portsIn(base) {
  const file = `${base}/ports.json`;
  if (existsSync(file)) {
    return JSON.parse(readFileSync(file, 'utf8'));
  }
  const [fabric, ingress, admin, service] = await freePorts(4);
  const ports = { fabric, ingress, admin, service };
  writeFileSync(file, JSON.stringify(ports));
  return ports;
}

function environment(base, ports, partitions) {
  return {
    RESTATE_BASE_DIR: base,
    RESTATE_NODE_NAME: 'bench',
    RESTATE_LISTEN_MODE: 'tcp',
    RESTATE_BIND_ADDRESS: `127.0.0.1:${ports.fabric}`,
    RESTATE_ADVERTISED_ADDRESS: `http://127.0.0.1:${ports.fabric}/`,
    RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ports.ingress}`,
    RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${ports.admin}`,
    RESTATE_DEFAULT_NUM_PARTITIONS: String(partitions),
    RESTATE_DISABLE_TELEMETRY: 'true',
    // Its question for a newer release, at each start, has no switch; it may fail in silence.
    RESTATE_LOG_FILTER: 'error,octocrab=off',
  };
}

/** Counting asks all partitions, and one that has not begun yet cannot answer. */
async function counts(ports) {
  return (await numberOf(ports, UNFINISHED)) >= 0;
}

async function register({ admin, service }) {
  const uri = `http://127.0.0.1:${service}/`;
  const { status, text } =
    await ask(admin, 'POST', '/deployments', JSON.stringify({ uri, force: true }));
  if (status >= 300) {
    throw new Error(`the service was not registered: ${status} ${text}`);
  }
}

async function answers(port, path) {
  return (await ask(port, 'GET', path)).status === 200;
}

const agent = new Agent({ keepAlive: true });

function ask(port, method, path, body = '', headers = {}) {
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        agent,
        headers: {
          accept: 'application/json',
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          ...headers,
        },
      },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (part) => (text += part));
        answer.on('end', () => resolve({ status: answer.statusCode, text }));
        answer.on('error', reject);
      });
    asked.on('error', reject);
    asked.end(body);
  });
}

/** The process of the service; it tells of each start, and waits at a gate that we open. */
class Service {
  #process;
  #ledger = null;
  #answered = null;
  #gone;

  static async start(port) {
    const child = fork(SERVICE, [String(port)], { stdio: ['ignore', 2, 2, 'ipc'] });
    const service = new Service(child);
    await service.#unlessGone(once(child, 'message'));
    child.on('message', (message) => service.#heard(message));
    return service;
  }

  constructor(process) {
    this.#process = process;
    this.#process.on('error', (error) => console.error(error));
    this.#gone = once(this.#process, 'exit').then(() => {
      throw new Error('the service has ended');
    });
    this.#gone.catch(() => {}); // as it should at the end, when nobody waits for it
  }

  get pid() {
    return this.#process.pid;
  }

  open(ledger) {
    this.#ledger = ledger;
    return this.#say('open');
  }

  /** Ends when the starts of all that passed the gate have been told. */
  shut() {
    return this.#say('shut');
  }

  /** Ends when all starts until now have been told. */
  tell() {
    return this.#say('tell');
  }

  async #say(word) {
    if (!this.#process.connected) {
      throw new Error('the service has ended');
    }
    const answered = new Promise((resolve) => (this.#answered = resolve));
    this.#process.send(word);
    await this.#unlessGone(answered);
  }

  #unlessGone(promise) {
    return Promise.race([promise, this.#gone]);
  }

  async stop() {
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      const exit = once(this.#process, 'exit');
      this.#process.kill('SIGKILL');
      await exit;
    }
  }

  #heard(message) {
    if (message === 'done') {
      this.#answered();
      return;
    }
    for (const [key, moment] of message) {
      this.#ledger.executing(key, moment);
    }
  }
}

class Restate {
  #server;
  #service;
  #ports;

  submitMany = null;

  constructor(server, service, ports, partitions, byDefault) {
    this.#server = server;
    this.#service = service;
    this.#ports = ports;
    const door = `http://127.0.0.1:${ports.ingress}/bench/run`;
    this.description = {
      variant: `${partitions} partitions${byDefault ? ' (default)' : ''}`,
      version: versionOf('@restatedev/restate-server'),
      settings:
        `one node, ${partitions} partitions, all else as it comes (log server flushes its log), `
        + `TypeScript SDK ${versionOf('@restatedev/restate-sdk')} in a process of its own, `
        + 'idempotency-key header, one-way sends over HTTP/1.1 kept alive; '
        + 'workers off: handlers wait at their first line',
      store: 'own',
      keeps: 'journal and result for a day (idempotency retention)',
      does_not: ['keys per owner', 'input comparison', 'attempts as rows', 'doubt'],
      batch: false,
      processes: [
        { role: 'peer', pid: process.pid },
        { role: 'restate-server', pid: server.pid },
        { role: 'service', pid: service.pid },
      ],
      http: { one_way: `${door}/send`, request_response: door, key_header: KEY_HEADER },
    };
  }

  async submit(key, payload) {
    const { status, text } = await ask(
      this.#ports.ingress, 'POST', '/bench/run/send', JSON.stringify(payload),
      { [KEY_HEADER]: key });
    if (status !== 202) {
      throw new Error(`${key} was not accepted: ${status} ${text}`);
    }
  }

  workersOn(ledger) {
    return this.#service.open(ledger);
  }

  workersOff() {
    return this.#service.shut();
  }

  async anyUnfinished() {
    return (await this.unfinished()) > 0;
  }

  /** What the server calls finished has also been counted here when this ends. */
  async unfinished() {
    const unfinished = await numberOf(this.#ports, UNFINISHED);
    await this.#service.tell();
    return unfinished;
  }

  kept() {
    return numberOf(this.#ports, KEPT);
  }

  async close() {
    agent.destroy();
    await this.#service.stop();
    await this.#server.stop();
  }

}

/** The only number that a query of the server's tables gives, as `n`. */
async function numberOf({ admin }, query) {
  const { status, text } = await ask(admin, 'POST', '/query', JSON.stringify({ query }));
  if (status !== 200) {
    throw new Error(`the server did not count: ${status} ${text}`);
  }
  return Number(JSON.parse(text).rows[0].n);
}
