// PostgreSQL as libpq's environment variables name it; our own questions have a line of their own.

import pg from 'pg';

export function pool(max) {
  if (!process.env.PGHOST) {
    throw new Error('PGHOST names no PostgreSQL');
  }
  const made = new pg.Pool({ max, idleTimeoutMillis: 0 });
  const tell = (error) => console.error(error);
  made.on('error', tell);
  made.on('connect', (client) => client.on('error', tell));
  return made;
}

/** The only number that a query gives. */
export async function numberOf(pgPool, text, values = []) {
  const { rows } = await pgPool.query({ text, values, rowMode: 'array' });
  return Number(rows[0][0]);
}
