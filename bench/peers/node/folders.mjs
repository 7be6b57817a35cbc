// The folder that the bench gives a peer for its files, and deletes.

import { existsSync, mkdirSync } from 'node:fs';

/** A folder of that name in it, made if need be. */
export function ownFolder(folder, name) {
  if (!folder || !existsSync(folder)) {
    throw new Error('PEER_FOLDER names no folder that is there');
  }
  const own = `${folder}/${name}`;
  mkdirSync(own, { recursive: true });
  return own;
}
