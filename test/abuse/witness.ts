import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import '../../src/arena/end-with-parent.js';
import { Histogram } from '../../src/load/histogram.js';

/** A process of agents that play nothing and ask, one question after the other, how long an answer takes. */

export type WitnessOrder =
  { order: 'connect'; url: string; wsUrl: string; apiKeys: readonly string[] } | { order: 'begin' } | { order: 'end' };

export interface WitnessAnswer {
  /** Encoded Histograms, ms. */
  pings: string;
  requests: string;
  faults: Record<string, number>;
}

const PING_EVERY_MS = 20;
/** All keys together; one has 60 a minute. */
const REQUEST_EVERY_MS = 150;

const pings = new Histogram();
const requests = new Histogram();
const faults: Record<string, number> = {};
const fault = (what: string) => (faults[what] = 1 + (faults[what] ?? 0));

async function ping(ws: WebSocket): Promise<void> {
  for (;;) {
    const asked = performance.now();
    const pong = once(ws, 'pong');
    ws.ping();
    await pong;
    pings.add(performance.now() - asked);
    await sleep(PING_EVERY_MS);
  }
}

async function request(url: string, apiKeys: readonly string[]): Promise<void> {
  for (let n = 0; ; n++) {
    const asked = performance.now();
    const headers = { authorization: `Bearer ${apiKeys[n % apiKeys.length]!}` };
    const status = await fetch(`${url}/api/me`, { headers }).then(
      async (answer) => {
        await answer.arrayBuffer();
        return answer.status;
      },
      (error: Error) => error.message,
    );
    if (status !== 200) fault(`GET /api/me: ${status}`);
    requests.add(performance.now() - asked);
    await sleep(REQUEST_EVERY_MS);
  }
}

async function connect({ url, wsUrl, apiKeys }: Extract<WitnessOrder, { order: 'connect' }>): Promise<void> {
  const ws = new WebSocket(wsUrl, { headers: { authorization: `Bearer ${apiKeys[0]!}` } });
  await once(ws, 'message');
  ws.on('close', (code) => fault(`the witness's socket was closed with ${code}`));
  void ping(ws);
  void request(url, apiKeys);
}

async function carryOut(order: WitnessOrder): Promise<void> {
  if (order.order === 'connect') await connect(order);
  if (order.order !== 'begin') return;
  pings.clear();
  requests.clear();
}

process.on('message', (order: WitnessOrder) => {
  void carryOut(order).then(() => process.send?.({ pings: pings.encoded, requests: requests.encoded, faults }));
});
