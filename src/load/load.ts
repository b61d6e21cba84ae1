import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Child } from '../command/child.js';
import { Histogram } from './histogram.js';
import type { OrderAnswer, Coming, CrowdOptions, LoadOrder } from './orders.js';
import type { Target } from './socket.js';
import { addTotals, addTroubles, type Counts, type TallyValues } from './tally.js';

/** The seed of the dice, unless another is given. */
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
  /** So many of a hundred bots read lean frames; none by default. */
  leanPercent?: number;
  /** Local addresses to connect from. */
  from?: readonly string[];
  /** Number of the first bot. */
  first?: number;
  /** The script of a process of bots, where it is not the ordinary one. */
  script?: string;
}

/** The measured view of all bots. */
export interface Seen extends Omit<TallyValues, 'latencies' | 'uncorrected'> {
  /** ms from when an action was due to its action_ack. */
  latencies: Histogram;
  /** The same from when it was sent; null where nothing was due at a time. */
  uncorrected: Histogram | null;
  /** Bots that were connected at the end, and that had a seat. */
  up: number;
  seated: number;
  /** Frames that the witness checked before. */
  checked: number;
}

/** Bots in processes of their own, so that their CPU time is not the server's. */
export class Load {
  private constructor(private readonly children: readonly Child<LoadOrder, OrderAnswer>[]) {}

  /** Resolves when every bot is connected and greeted; those of a table come one after the other. */
  static async connect(options: LoadOptions): Promise<Load> {
    return Load.#launch(options, options.players ?? null, (crowd) => ({ order: 'connect', crowd }));
  }

  /** Resolves when the bots are on their way: they connect, join and play by and by, at whatever tables. */
  static async come(options: LoadOptions, coming: Coming): Promise<Load> {
    return Load.#launch(options, null, (crowd) => ({ order: 'come', crowd, coming }));
  }

  static async #launch(
    options: LoadOptions,
    tableOf: number | null,
    orderOf: (crowd: CrowdOptions) => LoadOrder,
  ): Promise<Load> {
    const { target, apiKeys, players = 1, processes = 1, seed = SEED, witness = null, from = [] } = options;
    const { first: firstOfAll = 0, script = PROCESS, leanPercent = 0 } = options;
    const load = new Load(Array.from({ length: processes }, () => new Child<LoadOrder, OrderAnswer>('bots', script)));
    const share = Math.ceil(apiKeys.length / players / processes) * players;
    const starting = load.children.map((child, i) => {
      const keys = apiKeys.slice(i * share, (i + 1) * share);
      const first = firstOfAll + i * share;
      return child.ask(
        orderOf({ target, apiKeys: keys, seed, first, tableOf, from, leanPercent, witness: i === 0 ? witness : null }),
      );
    });
    await Promise.all(starting);
    return load;
  }

  /** Seats every bot, or the `next` so many of each process; nobody answers a turn yet. */
  async seat(next?: number): Promise<void> {
    for (const child of this.children) await child.ask({ order: 'sit', ...(next !== undefined && { next }) });
  }

  /** From now on all answer. */
  async start(): Promise<void> {
    await this.#all({ order: 'play' });
  }

  /** Nobody answers until the next start. */
  async halt(): Promise<void> {
    await this.#all({ order: 'halt' });
  }

  /** Seats every bot, then lets them all begin. */
  async play(): Promise<void> {
    await this.seat();
    await this.start();
  }

  async pace(handsPerSecond: number): Promise<void> {
    await this.#all({ order: 'pace', handsPerSecond: handsPerSecond / this.children.length });
  }

  async think(ms: number): Promise<void> {
    await this.#all({ order: 'think', ms });
  }

  /** Counts from zero. */
  async begin(): Promise<void> {
    await this.#all({ order: 'begin' });
  }

  async tell(): Promise<Seen> {
    return mergeSeen((await this.#all({ order: 'tell' })).map(seenOf));
  }

  /** Hands played since it began to count. */
  async hands(): Promise<number> {
    return (await this.tell()).hands;
  }

  /** Counts for so long; `around` is called just before and just after. */
  async measure(seconds: number, around: () => Promise<void>): Promise<Seen> {
    await around();
    await this.begin();
    await sleep(seconds * 1000);
    const seen = await this.tell();
    await around();
    return seen;
  }

  /** Gives all seats up, waits so long for hands that are played, and ends. The counts up to the end. */
  async leave(patienceMs: number): Promise<Seen> {
    const answers = await this.#all({ order: 'leave', patienceMs });
    await this.end();
    return mergeSeen(answers.map(seenOf));
  }

  /** Ends the processes, whatever they do. */
  async end(): Promise<void> {
    await Promise.all(this.children.map((child) => child.stop()));
  }

  async stop(): Promise<void> {
    await Promise.all(
      this.children.map(async (child) => {
        await child.ask({ order: 'close' });
        await child.stop();
      }),
    );
  }

  #all(order: LoadOrder): Promise<OrderAnswer[]> {
    return Promise.all(this.children.map((child) => child.ask(order)));
  }
}

/** The views of several, as one. */
export const mergeSeen = (seen: readonly Seen[]): Seen => seen.reduce(merge);

function seenOf({ tally, up, seated, checked }: OrderAnswer): Seen {
  if (tally === null) throw new Error('the bots told nothing');
  const { uncorrected } = tally;
  return {
    ...tally,
    latencies: new Histogram(tally.latencies),
    uncorrected: uncorrected === null ? null : new Histogram(uncorrected),
    up,
    seated,
    checked,
  };
}

function merge(a: Seen, b: Seen): Seen {
  return {
    ...addTotals(a, b),
    ...addTroubles(a, b),
    whole: addTotals(a.whole, b.whole),
    latencies: a.latencies.merge(b.latencies),
    uncorrected: b.uncorrected === null ? a.uncorrected : (a.uncorrected?.merge(b.uncorrected) ?? b.uncorrected),
    cpuMs: a.cpuMs + b.cpuMs,
    reconnects: a.reconnects + b.reconnects,
    unanswered: a.unanswered + b.unanswered,
    up: a.up + b.up,
    seated: a.seated + b.seated,
    checked: a.checked + b.checked,
  };
}

/** Events that are no ordinary play, with their counts. */
export function faultsOf({ rejections, errors, closes, refusals, faults, unanswered }: Seen): Counts {
  const named = (kind: string, counts: Counts) =>
    Object.entries(counts).map(([name, count]) => [`${kind} ${name}`, count] as const);
  return Object.fromEntries([
    ...named('action rejected:', rejections),
    ...named('error', errors),
    ...named('socket closed with', closes),
    ...named('socket refused:', refusals),
    ...named('fault:', faults),
    ...(unanswered === 0 ? [] : [['action without an answer', unanswered] as const]),
  ]);
}

/** Throws where anything went wrong: figures of such a run are worth nothing. */
export function refuseFaults(seen: Seen): void {
  const faults = Object.entries(faultsOf(seen));
  if (faults.length > 0) throw new Error(`in play: ${faults.map(([what, n]) => `${n} × ${what}`).join('\n')}`);
}
