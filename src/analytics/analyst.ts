import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { POOL_OPTIONS } from '../ops/pool-options.js';
import { inTime, NoDatabaseAnswer } from '../store/bounded.js';
import type { DatabaseAddress } from '../store/database.js';
import type { KeeperRound } from './keeper.js';
import type { Met } from './meetings.js';
import type { Judgement } from './pairs/suspects.js';
import type { PoolRated } from '../ratings/index.js';
import { AWAY, type AnalyticsTask } from './task.js';
import { cpus } from 'node:os';

/** Cores that are left to play before counting takes anything: play comes in bursts, and an average hides them. */
const LEFT_TO_PLAY = 0.5;
/** The part of the next idle core that counting may take, and the part where no core is idle. */
const SHARE = 0.2;
const LEAST = 0.0025;
/** Whether cores are idle is looked at after each rest; and a round that was held up took longer than it worked. */
const LONGEST_REST_MS = 40_000;

/** How long counting rests after it worked for so many ms, with so many cores idle before. */
export function restAfter(workedMs: number, idleCores: number): number {
  const spare = Math.min(1, idleCores - LEFT_TO_PLAY);
  const share = Math.max(LEAST, SHARE * spare);
  return Math.min(LONGEST_REST_MS, workedMs * (1 / share - 1));
}

/**
 * How long after a round the next one begins. One that left hands and counted none has waited, for the thread to start or
 * for the database: it has no work to rest from.
 */
export function pauseAfter(
  round: { hands: number; behind: boolean; tookMs: number },
  idleCores: number,
  refreshMs: number,
): number {
  return round.behind && round.hands > 0 ? restAfter(round.tookMs, idleCores) : refreshMs;
}

/** Tells how many cores of the machine had nothing to do. */
export class IdleCores {
  #last = read();

  /** On average since the last call; 0 when no time is known to have passed. */
  since(): number {
    const now = read();
    const total = now.total - this.#last.total;
    const idle = now.idle - this.#last.idle;
    this.#last = now;
    return total > 0 ? (now.cores * idle) / total : 0;
  }
}

/** ms since the machine started, of all cores together. */
function read(): { cores: number; idle: number; total: number } {
  const cores = cpus();
  let idle = 0;
  let total = 0;
  for (const { times } of cores) {
    idle += times.idle;
    total += times.user + times.nice + times.sys + times.idle + times.irq;
  }
  return { cores: cores.length, idle, total };
}

export interface AnalystOptions {
  address: DatabaseAddress;
  /** ms between rounds of counting; 0: an agent's hands are counted when it asks, and only then. */
  refreshMs: number;
  log: { warn(detail: object, message: string): void };
}

const ENTRY = new URL('../../workers/analytics.js', import.meta.url);
/** The thread outlives its rests: to start it anew takes longer than a round, and a new one looks into all pools. */
const IDLE_MS = LONGEST_REST_MS + 20_000;
/** A round works for about so long, and rests where it left something (rest.ts): counting may lag, play may not. */
const ROUND_MS = 100;
/** Hands that an answer has counted before it is given, and how long it waits for that. */
const CATCH_UP_HANDS = 512;
const CATCH_UP_MS = 1000;
const MEETINGS_MS = 10_000;
/** A judgement of a pool may take so long, and stands so long: pages of a list are of one. */
const JUDGED_MS = 20_000;
const STANDS_MS = 30_000;
const RATED_MS = 20_000;

/** A finding with its time. */
export type Dated<T> = T & { at: Date };

/** Has hands counted: in rounds of its own accord, and at once for who asks. The work is done by one thread. */
export class Analyst {
  readonly #pool: Piscina;
  readonly #idle = new IdleCores();
  /** By pool; those that have had their time go with the next that is made. */
  readonly #judged = new Map<string, { judgement: Promise<Dated<Judgement>>; until: number }>();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  /** The last logged trouble: each is logged once. */
  #reported = '';

  constructor(private readonly options: AnalystOptions) {
    this.#pool = new Piscina({
      ...POOL_OPTIONS,
      filename: fileURLToPath(ENTRY),
      minThreads: 0,
      maxThreads: 1,
      concurrentTasksPerWorker: 4,
      idleTimeout: IDLE_MS,
      workerData: options.address,
    });
  }

  start(): void {
    if (this.options.refreshMs > 0) this.#later(this.options.refreshMs);
  }

  /** Counts what the agent has played lately: all of it, unless that is very much or takes long. */
  async catchUp(poolId: string, agentId: string): Promise<void> {
    const task: AnalyticsTask = { kind: 'advance', poolId, agentId, most: CATCH_UP_HANDS };
    const timer = new AbortController();
    // Late trouble is nobody's any more: the next who asks will meet it again.
    const work = this.#pool.run(task).catch((error: unknown) => {
      if (!timer.signal.aborted) throw error;
    });
    const late = sleep(CATCH_UP_MS, undefined, { signal: timer.signal, ref: false }).catch(() => undefined);
    try {
      await Promise.race([work, late]);
    } finally {
      timer.abort();
    }
  }

  /** The opponents of the agent in its newest hands, up to so many. Throws NoAnswer while the database is away. */
  async meetings(poolId: string, agentId: string, most: number): Promise<Met> {
    const task: AnalyticsTask = { kind: 'meetings', poolId, agentId, most };
    return this.#answer<Met>(task, MEETINGS_MS);
  }

  /** The pairs of a pool, judged now or a moment ago. Throws NoAnswer while the database is away. */
  async judge(poolId: string): Promise<Dated<Judgement>> {
    const now = performance.now();
    for (const [pool, { until }] of this.#judged) if (until <= now) this.#judged.delete(pool);
    const known = this.#judged.get(poolId);
    if (known !== undefined) return known.judgement;
    const judgement = this.#answer<Judgement>({ kind: 'judge', poolId }, JUDGED_MS).then((made) => {
      return { ...made, at: new Date() };
    });
    this.#judged.set(poolId, { judgement, until: now + STANDS_MS });
    // One that failed stands for nothing: the next who asks has it made anew.
    judgement.catch(() => this.#judged.delete(poolId));
    return judgement;
  }

  /** The ratings of a pool by what is counted of it. Throws NoAnswer while the database is away. */
  rate(poolId: string): Promise<PoolRated> {
    return this.#answer<PoolRated>({ kind: 'rate', poolId }, RATED_MS);
  }

  async #answer<T extends object>(task: AnalyticsTask, ms: number): Promise<T> {
    const answer = await inTime(this.#pool.run(task) as Promise<T | typeof AWAY>, ms);
    if (answer === AWAY) throw new NoDatabaseAnswer('the analytics thread does not reach the database');
    return answer;
  }

  /** Ends the thread; what was under way is counted next time. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#pool.destroy();
  }

  #later(ms: number): void {
    if (!this.#stopped) this.#timer = setTimeout(() => void this.#round(), ms).unref();
  }

  async #round(): Promise<void> {
    const start = performance.now();
    const task: AnalyticsTask = { kind: 'round', budgetMs: ROUND_MS };
    // The idle time while nothing was counted: counting does not give way to its own round.
    const idle = this.#idle.since();
    try {
      const { hands, behind, unreadable, reason } = (await this.#pool.run(task)) as KeeperRound;
      this.#report(unreadable === 0 ? '' : `${unreadable} agents have a hand that cannot be counted; ${reason}`);
      const tookMs = performance.now() - start;
      this.#later(pauseAfter({ hands, behind, tookMs }, idle, this.options.refreshMs));
    } catch (error) {
      this.#report(`hands are not counted: ${String(error)}`);
      this.#later(this.options.refreshMs);
    } finally {
      this.#idle.since();
    }
  }

  #report(trouble: string): void {
    if (trouble !== '' && trouble !== this.#reported && !this.#stopped) this.options.log.warn({ trouble }, 'analytics');
    this.#reported = trouble;
  }
}
