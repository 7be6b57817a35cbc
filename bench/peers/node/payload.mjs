// What every peer is given for a job: the same 500 bytes, but for the key.

import { createHash } from 'node:crypto';

const BYTES = 500;
const FILLING = 'the quick brown fox jumps over the lazy dog '.repeat(12);

export function keyOf(prefix, index) {
  return `${prefix}-${index}`;
}

/** Keys are of plain ASCII: a character is a byte. */
export function payload(key) {
  return job(key, FILLING.slice(0, BYTES - EMPTY - key.length));
}

function job(key, text) {
  return { key, page: 17, languages: ['eng', 'deu'], scale: 1.25, scan: true, text };
}

const EMPTY = JSON.stringify(job('', '')).length;

/** A UUID by name (version 5), for peers whose keys are UUIDs. */
export function uuidOf(key) {
  const bytes = createHash('sha1').update(NAMESPACE).update(key).digest().subarray(0, 16);
  bytes[6] = (bytes[6] & 0x0f) | 0x50;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)]
    .join('-');
}

/** RFC 9562's namespace of URLs. */
const NAMESPACE = Buffer.from('6ba7b8119dad11d180b400c04fd430c8', 'hex');
