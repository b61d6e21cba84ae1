import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Child } from '../host/child.js';
import { Histogram } from './histogram.js';
import type { Answer, Order } from './orders.js';
import type { Target } from './socket.js';
import type { TallyValues } from './tally.js';

/** Of the dice, unless another is wanted. */
const SEED = 20_190_711;
const PROCESS = fileURLToPath(new URL('process.js', import.meta.url));

export interface LoadOptions {
  target: Target;
  apiKeys: readonly string[];
  /** Players a table: those of one table are kept in one process. */
  players?: number;
  /** Processes that share the bots; one can play some 2,000 hands a second. */
  processes?: number;
  seed?: number;
  /** Hold one socket to the protocol before the measuring starts. */
  witness?: { hash: boolean } | null;
  /** Local addresses to connect from. */
  from?: readonly string[];
}

/** What all bots saw while they were measured. */
export interface Seen extends Omit<TallyValues, 'acks'> {
  acks: Histogram;
  /** Sockets still open at the end. */
  open: number;
  /** Frames that the witness checked before. */
  checked: number;
}

/** Bots in processes of their own, so that their CPU time is not the server's. */
export class Load {
  private constructor(private readonly children: readonly Child<Order, Answer>[]) {}

  /** Resolves when every bot is connected and greeted. */
  static async connect(options: LoadOptions): Promise<Load> {
    const { target, apiKeys, players = 1, processes = 1, seed = SEED, witness = null, from = [] } = options;
    const load = new Load(Array.from({ length: processes }, () => new Child<Order, Answer>('bots', PROCESS)));
    const share = Math.ceil(apiKeys.length / players / processes) * players;
    const connecting = load.children.map((child, i) => {
      const first = i * share;
      const keys = apiKeys.slice(first, first + share);
      const crowd = { target, apiKeys: keys, seed, first, from, witness: i === 0 ? witness : null };
      return child.ask({ order: 'connect', crowd });
    });
    await Promise.all(connecting);
    return load;
  }

  /** Seats every bot, then lets them all begin. */
  async play(): Promise<void> {
    for (const child of this.children) await child.ask({ order: 'sit' });
    await this.#all({ order: 'play' });
  }

  async pace(handsPerSecond: number): Promise<void> {
    await this.#all({ order: 'pace', handsPerSecond: handsPerSecond / this.children.length });
  }

  /** Hands played since it began to count. */
  async hands(): Promise<number> {
    const answers = await this.#all({ order: 'end' });
    return answers.map(seenOf).reduce(merge).hands;
  }

  /** Counts for so long; `around` is called just before and just after. */
  async measure(seconds: number, around: () => Promise<void>): Promise<Seen> {
    await around();
    await this.#all({ order: 'begin' });
    await sleep(seconds * 1000);
    const answers = await this.#all({ order: 'end' });
    await around();
    return answers.map(seenOf).reduce(merge);
  }

  async stop(): Promise<void> {
    await Promise.all(
      this.children.map(async (child) => {
        await child.ask({ order: 'leave' });
        await child.stop();
      }),
    );
  }

  #all(order: Order): Promise<Answer[]> {
    return Promise.all(this.children.map((child) => child.ask(order)));
  }
}

function seenOf({ tally, open, checked }: Answer): Seen {
  if (tally === null) throw new Error('the bots told nothing');
  return { ...tally, acks: new Histogram(tally.acks), open, checked };
}

function merge(a: Seen, b: Seen): Seen {
  const faults = { ...a.faults };
  for (const [what, count] of Object.entries(b.faults)) faults[what] = (faults[what] ?? 0) + count;
  return {
    hands: a.hands + b.hands,
    actions: a.actions + b.actions,
    frames: a.frames + b.frames,
    bytes: a.bytes + b.bytes,
    acks: a.acks.merge(b.acks),
    cpuMs: a.cpuMs + b.cpuMs,
    faults,
    open: a.open + b.open,
    checked: a.checked + b.checked,
  };
}
