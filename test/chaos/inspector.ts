import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { ForkedPlatform } from '../support/forked-platform.js';
import type { Env } from '../support/platform.js';
import { PATIENCE_MS } from '../support/limits.js';

/** Opens a platform to the debugger's protocol, on a free port of the loopback. */
export const INSPECTED: Env = { NODE_OPTIONS: '--inspect=127.0.0.1:0' };

/**
 * The expressions by which a thread recognises its role. Its URL cannot tell, because all threads of piscina run one
 * module.
 */
const IS = {
  shard: `process.getBuiltinModule('node:worker_threads').workerData?.role === 'shard'`,
  front: `process.getBuiltinModule('node:worker_threads').workerData?.front !== undefined`,
} as const;
type Role = keyof typeof IS;

interface Incoming {
  id?: number;
  method?: string;
  params?: { sessionId: string; message?: string };
}

/** A thread's answer. */
interface Answer {
  id?: number;
  result?: { result?: { value?: unknown } };
}

/** The numbers of messages to a thread: the question what it is, and the script. */
const ASK = 1;
const RUN = 2;

/**
 * Runs a script in one of the `count` threads of a role, in a platform that was started INSPECTED. So a thread dies or
 * hangs without any hook in it. `pick` says which of so many. Resolves once the script was sent.
 */
export function runInThread(
  platform: ForkedPlatform,
  role: Role,
  count: number,
  pick: (threads: number) => number,
  expression: string,
): Promise<void> {
  return inThreads(platform, role, count, expression, (sessions) => [sessions[pick(sessions.length)]!]);
}

/** Runs a script in all threads of a role at once. */
export function runInAllThreads(
  platform: ForkedPlatform,
  role: Role,
  count: number,
  expression: string,
): Promise<void> {
  return inThreads(platform, role, count, expression, (sessions) => sessions);
}

async function inThreads(
  platform: ForkedPlatform,
  role: Role,
  count: number,
  expression: string,
  which: (sessions: readonly string[]) => readonly string[],
): Promise<void> {
  const url = [...platform.output.matchAll(/Debugger listening on (ws:\S+)/g)].at(-1)?.[1];
  if (url === undefined) throw new Error(`the platform offers no debugger:\n${platform.output.slice(-2000)}`);
  const inspector = await Inspector.open(url);
  try {
    const sessions = await inspector.threads(role, count);
    await Promise.all(which(sessions).map((session) => inspector.evaluate(session, RUN, expression)));
  } finally {
    await inspector.close();
  }
}

class Inspector {
  /** By session: whether the thread has the wanted role. */
  readonly #threads = new Map<string, boolean>();
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

  /** The sessions of the threads of a role, once `count` threads have answered. A hanging thread does not answer. */
  async threads(role: Role, count: number): Promise<string[]> {
    await this.call('NodeWorker.enable', { waitForDebuggerOnStart: false });
    for (const deadline = performance.now() + PATIENCE_MS; ; await sleep(10)) {
      const found = [...this.#threads].flatMap(([session, yes]) => (yes ? [session] : []));
      if (found.length >= count) return found;
      if (performance.now() > deadline) throw new Error(`only ${found.length} of ${count} ${role} threads are there`);
      // Repeated, because a thread that has just begun does not know its role yet.
      for (const [session, yes] of this.#threads) if (!yes) await this.evaluate(session, ASK, IS[role]);
    }
  }

  /** Resolves when the thread has the script. */
  evaluate(sessionId: string, id: number, expression: string): Promise<void> {
    const message = JSON.stringify({ id, method: 'Runtime.evaluate', params: { expression } });
    return this.call('NodeWorker.sendMessageToWorker', { sessionId, message });
  }

  /** Resolves with the answer of the call. */
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
    if (params === undefined) return;
    const { sessionId, message } = params;
    if (method === 'NodeWorker.attachedToWorker') this.#threads.set(sessionId, false);
    if (method === 'NodeWorker.detachedFromWorker') this.#threads.delete(sessionId);
    if (method === 'NodeWorker.receivedMessageFromWorker' && message !== undefined) {
      const { id, result } = JSON.parse(message) as Answer;
      if (id === ASK && result?.result?.value === true) this.#threads.set(sessionId, true);
    }
  }
}
