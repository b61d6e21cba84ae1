import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { WebSocket } from 'ws';

/*
 * Times from a message to its answer. Half of the bots are connected to their home, half to another node, at the same
 * time. Nodes are threads with sockets between them. A bot thinks before each message.
 */

const [HOME, EDGE] = ['a', 'b'].map((digit) => `${digit}0000000-0000-4000-8000-000000000000`) as [string, string];
const THINKS_MS = 100;
const WARM_UP_MS = 2_000;

interface Ports {
  port: number;
  internal: number;
}

/** Times in ms. */
export interface AckTimes {
  local: number[];
  relayed: number[];
}

/** `bots` are connected to their home, and as many to the other node. */
export async function measureAcks({ seconds, bots }: { seconds: number; bots: number }): Promise<AckTimes> {
  const nodes = [await openNode(HOME), await openNode(EDGE)];
  const list = [HOME, EDGE].map((nodeId, i) => ({ nodeId, address: `127.0.0.1:${nodes[i]!.ports.internal}` }));
  for (const { worker } of nodes) {
    const ready = once(worker, 'message');
    worker.postMessage(list);
    await ready;
  }
  const from = performance.now() + WARM_UP_MS;
  const span = { from, until: from + 1000 * seconds };
  const groups = nodes.map(({ ports }, node) =>
    Promise.all(Array.from({ length: bots }, (_, n) => play(ports, node * bots + n, span))),
  );
  const [local, relayed] = (await Promise.all(groups)).map((all) => all.flat()) as [number[], number[]];
  for (const { worker } of nodes) {
    const ended = once(worker, 'exit');
    worker.postMessage('stop');
    await ended;
  }
  return { local, relayed };
}

async function openNode(nodeId: string): Promise<{ worker: Worker; ports: Ports }> {
  const worker = new Worker(new URL('node.js', import.meta.url), { workerData: { nodeId, home: HOME } });
  const [ports] = (await once(worker, 'message')) as [Ports];
  return { worker, ports };
}

async function play({ port }: Ports, n: number, { from, until }: { from: number; until: number }): Promise<number[]> {
  const times: number[] = [];
  const ws = new WebSocket(`ws://127.0.0.1:${port}/ws`, { headers: { authorization: `Bearer key-${n}` } });
  // `connected`
  await once(ws, 'message');
  while (performance.now() < until) {
    await sleep(2 * THINKS_MS * Math.random());
    const sent = performance.now();
    ws.send('{"type":"join_lobby"}');
    await once(ws, 'message');
    if (sent >= from) times.push(performance.now() - sent);
  }
  ws.terminate();
  return times;
}
