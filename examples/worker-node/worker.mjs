#!/usr/bin/env node
// A pull worker: fetches jobs from Onejob and draws bar charts with ImageMagick. Node 18 or newer,
// without packages. The input is {"values": [3, 1, 4], "color": "#3366cc"}, the result a PNG of
// 320 x 200 in base 64. See README.md beside this file.

import { spawn } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";

const WIDTH = 320;
const HEIGHT = 200;

const { values: options } = parseArgs({
  options: {
    url: { type: "string", default: "http://127.0.0.1:8080" },
    kind: { type: "string", multiple: true },
    name: { type: "string", default: `${hostname()}-${process.pid}` },
    convert: { type: "string", default: "convert" }, // ImageMagick's program
  },
});
const key = process.env.ONEJOB_KEY;
if (!key || !options.kind) {
  console.error("usage: ONEJOB_KEY=… worker.mjs --kind KIND [--url URL] [--name NAME]");
  process.exit(2);
}

/** This worker no longer speaks for the attempt. */
class LeaseLost extends Error {}

/** Every call of a worker may be sent again as it is, so it is, until it is answered. */
async function post(path, body) {
  for (let pause = 100; ; pause = Math.min(2 * pause, 5000)) {
    let trouble;
    try {
      const answer = await fetch(new URL(path, options.url), {
        method: "POST",
        headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(60_000),
      });
      const text = await answer.text();
      if (answer.ok) return JSON.parse(text);
      trouble = `${answer.status} ${text}`;
      if (answer.status === 409) throw new LeaseLost(text);
      if (answer.status < 500) throw new RangeError(`${path}: ${trouble}`);
    } catch (e) {
      if (e instanceof LeaseLost || e instanceof RangeError) throw e;
      trouble = String(e.cause ?? e); // no answer: whether it was heard is not known
    }
    console.error(`${path}: ${trouble}; again`);
    await sleep(pause);
  }
}

const say = (attempt, word, members = {}) =>
  post(`/v1/attempts/${attempt.id}/${word}`, { lease_token: attempt.lease_token, ...members });

/** Keeps the lease by a timer of its own until `done` is aborted; aborts `stop` when told to. */
async function beat(attempt, stop, done) {
  let pause = attempt.lease_seconds / 3;
  while (!done.aborted) {
    try {
      await sleep(pause * 1000, undefined, { signal: done });
    } catch {
      return;
    }
    try {
      const lease = await say(attempt, "heartbeat");
      if (lease.stop) stop.abort();
      pause = Math.max(0.1, Math.min(pause, lease.lease_seconds / 3));
    } catch (e) {
      if (!done.aborted) console.error(`${attempt.id}: the lease is lost: ${e.message}`);
      stop.abort(); // without a lease nobody may go on
      return;
    }
  }
}

/** ImageMagick's arguments; nothing of the input gets there but numbers and a checked color. */
function drawing(job) {
  const { values, color = "#3366cc" } = job ?? {};
  if (!Array.isArray(values) || values.length < 1 || values.length > 50) {
    throw new TypeError("values: 1 to 50 numbers");
  }
  if (!values.every((v) => typeof v === "number" && v >= 0 && v <= 1e6)) {
    throw new TypeError("values: numbers from 0 to 1000000");
  }
  if (typeof color !== "string" || !/^#[0-9a-fA-F]{6}$/.test(color)) {
    throw new TypeError("color: such as #3366cc");
  }
  const step = WIDTH / values.length;
  const top = Math.max(...values) || 1;
  const boxes = values.flatMap((value, i) => {
    const left = i * step + 1;
    const right = Math.max(left, (i + 1) * step - 2);
    const upper = HEIGHT - 1 - (value / top) * (HEIGHT - 10);
    const corner = `${left.toFixed(1)},${upper.toFixed(1)}`;
    return ["-draw", `rectangle ${corner} ${right.toFixed(1)},${HEIGHT - 1}`];
  });
  return ["-size", `${WIDTH}x${HEIGHT}`, "xc:white", "-fill", color, ...boxes, "png:-"];
}

/** Runs the program; killed when told to stop. */
function run(command, stop) {
  return new Promise((resolve) => {
    const program = spawn(options.convert, command, { stdio: ["ignore", "pipe", "pipe"] });
    const image = [];
    let errors = "";
    const kill = () => program.kill("SIGKILL");
    stop.addEventListener("abort", kill);
    program.stdout.on("data", (bytes) => image.push(bytes));
    program.stderr.on("data", (text) => (errors = (errors + text).slice(-500)));
    const over = (code) => {
      stop.removeEventListener("abort", kill);
      resolve({ code, image: Buffer.concat(image), errors });
    };
    program.on("error", (e) => ((errors = e.message), over(-1)));
    program.on("close", over);
    if (stop.aborted) kill();
  });
}

/** The last word about the attempt. */
async function work(job, stop) {
  let command;
  try {
    command = drawing(job);
  } catch (e) {
    return { outcome: "refused", code: "input-unusable", message: e.message };
  }
  const { code, image, errors } = await run(command, stop);
  if (stop.aborted) return { outcome: "cancelled" };
  if (code !== 0) {
    const message = errors || `exit code ${code}`;
    return { outcome: "failed", code: "convert-failed", message };
  }
  const sha256 = createHash("sha256").update(image).digest("hex");
  const picture = { media_type: "image/png", sha256, base64: image.toString("base64") };
  return { outcome: "succeeded", result: picture };
}

/** One attempt from its beginning to the last word. */
async function attend(attempt) {
  const stop = new AbortController();
  const done = new AbortController();
  const beating = beat(attempt, stop, done.signal);
  try {
    const lease = await say(attempt, "accepted"); // before anything is done
    if (lease.stop) stop.abort();
    const word = stop.signal.aborted
      ? { outcome: "cancelled" }
      : await work(attempt.input, stop.signal);
    const settled = await say(attempt, "settle", word);
    console.log(`${attempt.id} ${settled.state}`);
  } catch (e) {
    if (!(e instanceof LeaseLost)) throw e;
    console.error(`${attempt.id}: ${e.message}`);
  } finally {
    done.abort();
    await beating;
  }
}

let leaving = false;
process.on("SIGTERM", () => (leaving = true));
let request = randomUUID();
while (!leaving) {
  const claim = { kinds: options.kind, request_id: request, worker: options.name, wait: 10 };
  const { attempts } = await post("/v1/attempts/claim", claim);
  for (const attempt of attempts) await attend(attempt);
  // A claim that got nothing goes on under its id: no try of it can be lost.
  if (attempts.length > 0) request = randomUUID();
}
