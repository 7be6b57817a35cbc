// The load generator wrk at a peer's own HTTP door: a new key a request.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findProgram } from './child.mjs';
import { payload } from './payload.mjs';

const SCRIPT = fileURLToPath(new URL('post.lua', import.meta.url));
const FIGURES = /^figures (\d+) (\d+) (\d+) (\d+) (\d+) (\d+) (\d+) (\d+)$/m;

/** A slow answer is an answer; only one that never comes is none. */
const TIMEOUT_SECONDS = 60;

/** The key of the sample body is replaced by each request's own, of the same length. */
const SAMPLE_INDEX = '000000000';

export async function post(url, keyHeader, connections, seconds, prefix) {
  const wrk = findProgram('wrk');
  if (wrk === null) {
    return { unsupported: 'wrk is missing (Debian: apt-get install wrk)' };
  }
  const sample = JSON.stringify(payload(`${prefix}-${SAMPLE_INDEX}`));
  const { stdout } = await promisify(execFile)(wrk, [
    '--threads', '1', '--connections', String(connections), '--duration', `${seconds}s`,
    '--timeout', `${TIMEOUT_SECONDS}s`, '--script', SCRIPT, url,
    '--', keyHeader, `${prefix}-`, sample,
  ]).catch((error) => {
    throw new Error(`wrk failed: ${error.stderr || error.code}`);
  });
  const found = FIGURES.exec(stdout);
  if (found === null) {
    throw new Error(`wrk gave no figures: ${stdout}`);
  }
  const [jobs, micros, errors, p50, p90, p99, p999, max] = found.slice(1).map(Number);
  return {
    jobs,
    nanos: micros * 1000,
    errors,
    submit: { count: jobs, p50_us: p50, p90_us: p90, p99_us: p99, p999_us: p999, max_us: max },
  };
}
