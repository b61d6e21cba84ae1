import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { WebSocket } from 'ws';
import { whole } from '../src/command/options.js';
import { bench } from './benches.js';
import { atMost, report, told } from './report.js';

/*
 * What a relay adds to the time from a message to its answer. Half of the bots are connected to their home, half to
 * another node, at the same time. Nodes are threads with sockets between them. A bot thinks before each message.
 */

const [HOME, EDGE] = ['a', 'b'].map((digit) => `${digit}0000000-0000-4000-8000-000000000000`) as [string, string];
const THINKS_MS = 100;
const WARM_UP_MS = 2_000;

const options = bench(
  'relay',
  {
    seconds: whole('measured', 20, { least: 1 }),
    bots: whole('connected to their home, and as many to the other node', 50, { least: 1 }),
  },
  ({ seconds }) => seconds + 4,
);

interface Ports {
  port: number;
  internal: number;
}

async function open(nodeId: string): Promise<{ worker: Worker; ports: Ports }> {
  const worker = new Worker(new URL('relay/node.js', import.meta.url), { workerData: { nodeId, home: HOME } });
  const [ports] = (await once(worker, 'message')) as [Ports];
  return { worker, ports };
}

const nodes = [await open(HOME), await open(EDGE)];
const list = [HOME, EDGE].map((nodeId, i) => ({ nodeId, address: `127.0.0.1:${nodes[i]!.ports.internal}` }));
for (const { worker } of nodes) {
  const ready = once(worker, 'message');
  worker.postMessage(list);
  await ready;
}

const start = performance.now();
const measures = () => performance.now() - start > WARM_UP_MS;
const isOver = () => performance.now() - start > WARM_UP_MS + 1000 * options.seconds;

/** Times from a message to its answer, in ms. */
async function play({ port }: Ports, n: number): Promise<number[]> {
  const times: number[] = [];
  const ws = new WebSocket(`ws://127.0.0.1:${port}/ws`, { headers: { authorization: `Bearer key-${n}` } });
  // `connected`
  await once(ws, 'message');
  while (!isOver()) {
    await sleep(2 * THINKS_MS * Math.random());
    const sent = performance.now();
    ws.send('{"type":"join_lobby"}');
    await once(ws, 'message');
    if (measures()) times.push(performance.now() - sent);
  }
  ws.terminate();
  return times;
}

const groups = nodes.map(({ ports }, node) =>
  Promise.all(Array.from({ length: options.bots }, (_, n) => play(ports, node * options.bots + n))),
);
const [local, relayed] = (await Promise.all(groups)).map((all) => all.flat().sort((a, b) => a - b)) as [
  number[],
  number[],
];
for (const { worker } of nodes) {
  const ended = once(worker, 'exit');
  worker.postMessage('stop');
  await ended;
}

const quantile = (times: number[], q: number) => times[Math.floor(q * times.length)]!;
const figures = [
  atMost('relayed − local, p50', quantile(relayed, 0.5) - quantile(local, 0.5), 'ms', 0.5),
  told('message to answer, local, p50', quantile(local, 0.5), 'ms'),
  told('message to answer, relayed, p50', quantile(relayed, 0.5), 'ms'),
  told('message to answer, local, p99', quantile(local, 0.99), 'ms'),
  told('message to answer, relayed, p99', quantile(relayed, 0.99), 'ms'),
  told('messages', local.length + relayed.length, ''),
];
process.exitCode = report('relay', figures) ? 0 : 1;
