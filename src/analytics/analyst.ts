import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { KeptAnswers } from '../ops/kept-answers.js';
import { POOL_OPTIONS } from '../ops/pool-options.js';
import { inTime, NoDatabaseAnswer } from '../store/bounded.js';
import type { DatabaseAddress } from '../store/database.js';
import type { KeeperRound } from './keeper.js';
import type { Met } from './meetings.js';
import type { Judgement } from './pairs/suspects.js';
import type { HeadToHead, VersusAsked } from './versus.js';
import type { PoolRated } from '../ratings/index.js';
import { AWAY, type AnalyticsTask } from './task.js';
import { cpus } from 'node:os';

/** The idle cores that counting leaves to play. Play comes in bursts, which an average hides. */
const LEFT_TO_PLAY = 0.5;
/** The part of the next idle core that counting may take, also if no core is idle. */
const SHARE = 0.2;
const LEAST = 0.0025;
/** The longest rest. Idle cores are measured after each rest, and a delayed round takes longer than its work. */
const LONGEST_REST_MS = 40_000;

/** How long counting rests after `workedMs` of work, with `idleCores` idle cores before. */
export function restAfter(workedMs: number, idleCores: number): number {
  const spare = Math.min(1, idleCores - LEFT_TO_PLAY);
  const share = Math.max(LEAST, SHARE * spare);
  return Math.min(LONGEST_REST_MS, workedMs * (1 / share - 1));
}

/**
 * The pause after a round. A round that left hands and counted none has only waited for the thread or the database, so
 * it needs no rest.
 */
export function pauseAfter(
  round: { hands: number; behind: boolean; tookMs: number },
  idleCores: number,
  refreshMs: number,
): number {
  return round.behind && round.hands > 0 ? restAfter(round.tookMs, idleCores) : refreshMs;
}

/** Measures the idle cores of the machine. */
export class IdleCores {
  #last = read();

  /** The average since the last call; 0 if no time has passed. */
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
  /** The ms between rounds of counting. 0: an agent's hands are counted only when it asks. */
  refreshMs: number;
  log: { warn(detail: object, message: string): void };
}

const ENTRY = new URL('../../workers/analytics.js', import.meta.url);
/** The thread outlives its rests. A new start takes longer than a round, and a new thread reads all pools. */
const IDLE_MS = LONGEST_REST_MS + 20_000;
/** The work of a round in ms. A round that left hands is followed by a rest: counting may lag, play may not. */
const ROUND_MS = 100;
/** The most hands that are counted before an answer, and the longest wait for them. */
const CATCH_UP_HANDS = 512;
const CATCH_UP_MS = 1000;
const MEETINGS_MS = 10_000;
/** The longest time of a judgement of a pool, and how long it is reused: all pages of a list come from one. */
const JUDGED_MS = 20_000;
const STANDS_MS = 30_000;
/** Judgements, and pairs of agents, that are kept at most. */
const KEPT = 1000;
const RATED_MS = 20_000;
const VERSUS_MS = 10_000;
/** How long an answer about two agents is reused. */
const VERSUS_STANDS_MS = 5000;

/** A finding with its time. */
export type Dated<T> = T & { at: Date };

/** Counts hands, in rounds and at once on request. One thread does the work. */
export class Analyst {
  readonly #pool: Piscina;
  readonly #idle = new IdleCores();
  /** Judgements by pool. */
  readonly #judged = new KeptAnswers<Dated<Judgement>>(STANDS_MS, KEPT);
  /** By pool and agents. */
  readonly #versus = new KeptAnswers<HeadToHead>(VERSUS_STANDS_MS, KEPT);
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  /** The last logged fault: each is logged once. */
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

  /** Counts the agent's latest hands: all, unless they are too many or take too long. */
  async catchUp(poolId: string, agentId: string): Promise<void> {
    const task: AnalyticsTask = { kind: 'advance', poolId, agentId, most: CATCH_UP_HANDS };
    const timer = new AbortController();
    // A late fault is dropped: the next request meets it again.
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
    return this.#judged.of(poolId, async () => {
      const made = await this.#answer<Judgement>({ kind: 'judge', poolId }, JUDGED_MS);
      return { ...made, at: new Date() };
    });
  }

  /** Two agents against each other, now or a moment ago. Throws NoAnswer while the database is away. */
  versus(asked: VersusAsked): Promise<HeadToHead> {
    const { poolId, agents } = asked;
    const ask = () => this.#answer<HeadToHead>({ kind: 'versus', ...asked }, VERSUS_MS);
    return this.#versus.of([poolId, ...agents].join(), ask);
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

  /** Ends the thread. Unfinished work is counted next time. */
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
    // The idle time without counting, so that counting does not make way for its own round.
    const idle = this.#idle.since();
    try {
      const { hands, behind, unreadable, reason } = (await this.#pool.run(task)) as KeeperRound;
      this.#report(unreadable === 0 ? '' : `${unreadable} agents have a hand that cannot be counted: ${reason}`);
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
