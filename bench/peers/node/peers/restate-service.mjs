// The service that Restate calls: a handler that does nothing but tell that it was started.

import { createServer } from 'node:http2';
import { createEndpointHandler, service } from '@restatedev/restate-sdk';
import { now } from '../times.mjs';

/** Starts are told in bundles, since a message a job would cost as much as the job. */
const TELL_MILLIS = 2;

let gate = null;
let open = () => {};
let told = [];
let timer = null;

function shutGate() {
  gate ??= new Promise((resolve) => {
    open = () => {
      gate = null;
      resolve();
    };
  });
}

function tell() {
  clearTimeout(timer);
  timer = null;
  if (told.length > 0) {
    process.send(told);
    told = [];
  }
}

function started(key) {
  told.push([key, now()]);
  timer ??= setTimeout(tell, TELL_MILLIS);
}

const bench = service({
  name: 'bench',
  handlers: {
    run: async (context, { key }) => {
      while (gate !== null) {
        await gate;
      }
      started(key);
      return { ok: true };
    },
  },
});

process.on('disconnect', () => process.exit(0));
process.on('message', (message) => {
  if (message === 'open') {
    open();
  } else if (message === 'shut') {
    shutGate();
  }
  tell();
  process.send('done');
});

shutGate();
const logger = ({ level }, message, ...more) => {
  if (level === 'error') {
    console.error(message, ...more);
  }
};
const server = createServer(createEndpointHandler({ services: [bench], logger }));
server.listen(Number(process.argv[2]), '127.0.0.1', () => process.send('listening'));
