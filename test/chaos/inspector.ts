import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { Env, TestPlatform } from '../support/platform.js';

/** Lets a platform be looked into from outside, by the debugger's protocol on a free port of the loopback. */
export const INSPECTED: Env = { NODE_OPTIONS: '--inspect=127.0.0.1:0' };

/** A thread, as the protocol tells of it. */
interface Thread {
  sessionId: string;
  workerInfo: { url: string };
}

interface Incoming {
  id?: number;
  method?: string;
  params?: Thread;
}

/** How long to wait to be told of all threads, in ms. */
const PATIENCE_MS = 10_000;
/** The module that piscina's threads run. */
const SHARD_THREAD = '/piscina/';

/**
 * Runs a script in one of the `threads` shard threads of a platform that was started INSPECTED: that is how a thread is
 * made to die or to hang without any hook in it. `pick` says which of so many. Resolves once the script was sent.
 */
export async function runInShard(
  platform: TestPlatform,
  threads: number,
  pick: (threads: number) => number,
  expression: string,
): Promise<void> {
  const url = [...platform.output.matchAll(/Debugger listening on (ws:\S+)/g)].at(-1)?.[1];
  if (url === undefined) throw new Error(`the platform offers no debugger:\n${platform.output.slice(-2000)}`);
  const inspector = await Inspector.open(url);
  try {
    const sessions = await inspector.shardThreads(threads);
    const message = JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } });
    await inspector.call('NodeWorker.sendMessageToWorker', { sessionId: sessions[pick(sessions.length)]!, message });
  } finally {
    await inspector.close();
  }
}

class Inspector {
  readonly #threads: Thread[] = [];
  readonly #waiting = new Map<number, () => void>();
  #calls = 0;

  private constructor(private readonly ws: WebSocket) {
    ws.on('message', (data: Buffer) => this.#hear(JSON.parse(data.toString()) as Incoming));
  }

  static async open(url: string): Promise<Inspector> {
    const ws = new WebSocket(url);
    await once(ws, 'open');
    return new Inspector(ws);
  }

  /** The sessions of the shard threads there are, once they are so many. */
  async shardThreads(count: number): Promise<string[]> {
    await this.call('NodeWorker.enable', { waitForDebuggerOnStart: false });
    for (const deadline = performance.now() + PATIENCE_MS; ; await sleep(10)) {
      const found = this.#threads.filter(({ workerInfo }) => workerInfo.url.includes(SHARD_THREAD));
      if (found.length >= count) return found.map(({ sessionId }) => sessionId);
      if (performance.now() > deadline) throw new Error(`only ${found.length} of ${count} shard threads are there`);
    }
  }

  /** Resolves when the call was answered. */
  call(method: string, params: object): Promise<void> {
    const id = ++this.#calls;
    this.ws.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  async close(): Promise<void> {
    this.ws.close();
    await once(this.ws, 'close');
  }

  #hear({ id, method, params }: Incoming): void {
    if (id !== undefined) this.#waiting.get(id)?.();
    if (method === 'NodeWorker.attachedToWorker' && params !== undefined) this.#threads.push(params);
  }
}
