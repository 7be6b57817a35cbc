// A peer behind the line protocol of the comparison bench: a command a line on standard input, an
// answer a line of JSON on standard output, everything else on standard error.

import { createInterface } from 'node:readline';
import { Commands } from './commands.mjs';

const PROTOCOL = 1;
const STOP_MILLIS_MAX = 10_000;

/** As a shell tells it: 128 and the number of SIGTERM. */
const EXIT_TERMINATED = 143;
const NODE_MAJOR = 22;
const PEERS = ['graphile-worker', 'pg-boss', 'bullmq', 'restate'];

// What a library logs must not be taken for an answer.
for (const level of ['log', 'info', 'debug', 'warn']) {
  console[level] = console.error;
}

/** Why a peer cannot be run; to be shown in the report. */
class Unavailable extends Error {}

async function open(name, variant) {
  if (!PEERS.includes(name)) {
    throw new Unavailable(`no such peer: ${name}; there are ${PEERS.join(', ')}`);
  }
  if (Number.parseInt(process.versions.node, 10) < NODE_MAJOR) {
    throw new Unavailable(`needs Node.js ${NODE_MAJOR}, and this is ${process.versions.node}`);
  }
  const { open: openPeer } = await import(`./peers/${name}.mjs`);
  return openPeer(variant, process.env.PEER_FOLDER);
}

function say(answer) {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

function oneSentence(error) {
  const text = error instanceof AggregateError && error.message === ''
    ? error.errors.map((each) => each.message).join(', ')
    : String(error.message ?? error);
  return text.replaceAll(/\s+/g, ' ').trim();
}

async function endNow(peer) {
  setTimeout(() => process.exit(EXIT_TERMINATED), STOP_MILLIS_MAX);
  try {
    await peer.close();
  } finally {
    process.exit(EXIT_TERMINATED);
  }
}

async function main([name, variant]) {
  let peer;
  try {
    peer = await open(name, variant);
  } catch (error) {
    console.error(error);
    say({ unavailable: oneSentence(error) });
    return;
  }
  const lines = createInterface({ input: process.stdin });
  // Also in the middle of a command: whoever asks for the end does not want to wait for that.
  process.once('SIGTERM', () => endNow(peer));
  say({
    ready: true,
    protocol: PROTOCOL,
    peer: name,
    runtime: `Node ${process.versions.node}`,
    ...peer.description,
  });
  const commands = new Commands(peer);
  for await (const line of lines) {
    const words = line.trim().split(/\s+/);
    if (words[0] !== '') {
      say(await commands.run(words).catch((error) => {
        console.error(error);
        return { error: oneSentence(error) };
      }));
    }
  }
  await commands.close();
}

// A library that still holds a timer or a line does not keep the process.
main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error) => {
    console.error(error);
    process.exit(1);
  });
