import { Histogram } from './histogram.js';

/** How often each of some names came up. */
export type Counts = Readonly<Record<string, number>>;

/** The work of one process's bots in a stretch of time. */
export interface LoadTotals {
  /** Hands that were dealt to these bots. A hand with other players counts by the share of these. */
  hands: number;
  actions: number;
  /** Actions that were acknowledged. */
  acks: number;
  frames: number;
  /** Received, frame headers included. */
  bytes: number;
}

/** Troubles since the process began, by name. */
export interface Troubles {
  /** `action_rejected` by code. */
  rejections: Counts;
  /** `error` by code, but for those that are a part of play. */
  errors: Counts;
  /** Sockets that the server ended, by close code. */
  closes: Counts;
  /** Sockets that were not opened, by status or error. */
  refusals: Counts;
  /** Frames that this protocol does not have. */
  faults: Counts;
}

/** The report of a process of bots, as plain values. */
export interface TallyValues extends LoadTotals, Troubles {
  /** Since the process began. */
  whole: LoadTotals;
  /** Encoded Histogram: ms from when an action was due to its action_ack. */
  latencies: string;
  /** The same from when it was sent; null where nothing was due at a time. */
  uncorrected: string | null;
  /** CPU time of the bots' process. */
  cpuMs: number;
  reconnects: number;
  /** Actions with a lost socket before their acknowledgement. */
  unanswered: number;
}

const NONE: LoadTotals = { hands: 0, actions: 0, acks: 0, frames: 0, bytes: 0 };
export const TROUBLES = [
  'rejections',
  'errors',
  'closes',
  'refusals',
  'faults',
] as const satisfies readonly (keyof Troubles)[];
/** No table has more seats than this. */
const MOST_PLAYERS = 10;

/** Counts for all bots of a process. */
export class LoadTally {
  actions = 0;
  acks = 0;
  frames = 0;
  bytes = 0;
  reconnects = 0;
  unanswered = 0;
  /** Decisions of ours in hands that are over. */
  decided = 0;
  readonly #latencies = new Histogram();
  #uncorrected: Histogram | null = null;
  /** Finished hands, by number of players: one for each player of ours. */
  readonly #dealt = new Float64Array(MOST_PLAYERS + 1);
  readonly #troubles: Record<keyof Troubles, Map<string, number>> = {
    rejections: new Map(),
    errors: new Map(),
    closes: new Map(),
    refusals: new Map(),
    faults: new Map(),
  };
  #mark: LoadTotals = NONE;
  #cpu = process.cpuUsage();

  /** From now on actions are due at times of their own: how long they took since they were sent is counted apart. */
  countUncorrected(): void {
    this.#uncorrected = new Histogram();
  }

  /** A hand is over that was dealt to `players`, this bot among them, who decided so often in it. */
  handOver(players: number, decisions: number): void {
    this.#dealt[Math.min(players, MOST_PLAYERS)]!++;
    this.decided += decisions;
  }

  /** `dueMs`: since the action was due; `sentMs`: since it was sent. */
  acknowledged(dueMs: number, sentMs: number): void {
    this.acks++;
    this.#latencies.add(dueMs);
    this.#uncorrected?.add(sentMs);
  }

  /** Never forgotten. */
  note(kind: keyof Troubles, name: string): void {
    const counts = this.#troubles[kind];
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }

  get hasRefusals(): boolean {
    return this.#troubles.refusals.size > 0;
  }

  /** Hands since the process began: each player of ours brings its share of one. */
  get hands(): number {
    return this.#dealt.reduce((sum, count, players) => (players === 0 ? sum : sum + count / players), 0);
  }

  /** Counts from zero; what `whole` tells goes on. */
  begin(): void {
    this.#mark = this.#totals;
    this.#latencies.clear();
    this.#uncorrected?.clear();
    this.#cpu = process.cpuUsage();
  }

  get values(): TallyValues {
    const { reconnects, unanswered } = this;
    const whole = this.#totals;
    const { user, system } = process.cpuUsage(this.#cpu);
    return {
      ...totalsSince(this.#mark, whole),
      whole,
      reconnects,
      unanswered,
      latencies: this.#latencies.encoded,
      uncorrected: this.#uncorrected?.encoded ?? null,
      cpuMs: (user + system) / 1000,
      ...(Object.fromEntries(
        TROUBLES.map((kind) => [kind, Object.fromEntries(this.#troubles[kind])]),
      ) as unknown as Troubles),
    };
  }

  get #totals(): LoadTotals {
    const { hands, actions, acks, frames, bytes } = this;
    return { hands, actions, acks, frames, bytes };
  }
}

const totalsSince = (mark: LoadTotals, now: LoadTotals): LoadTotals => ({
  hands: now.hands - mark.hands,
  actions: now.actions - mark.actions,
  acks: now.acks - mark.acks,
  frames: now.frames - mark.frames,
  bytes: now.bytes - mark.bytes,
});

/** How often each name came up in both. */
export function addCounts(a: Counts, b: Counts): Counts {
  const sum: Record<string, number> = { ...a };
  for (const [name, count] of Object.entries(b)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}

export const addTotals = (a: LoadTotals, b: LoadTotals): LoadTotals => ({
  hands: a.hands + b.hands,
  actions: a.actions + b.actions,
  acks: a.acks + b.acks,
  frames: a.frames + b.frames,
  bytes: a.bytes + b.bytes,
});

export const addTroubles = (a: Troubles, b: Troubles): Troubles =>
  Object.fromEntries(TROUBLES.map((kind) => [kind, addCounts(a[kind], b[kind])])) as unknown as Troubles;

export const sumOf = (counts: Counts): number => Object.values(counts).reduce((sum, count) => sum + count, 0);
