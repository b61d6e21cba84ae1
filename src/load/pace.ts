import { between, Schedule, type TurnSeen } from './schedule.js';

/** How often the schedule is reckoned anew, until it is settled. */
const STEP_MS = 500;
/** The longest mean pause; a crowd that has to be slower than that has too many tables. */
const LONGEST_MS = 30_000;
/** Decisions of a hand, until enough hands were played to know, and for how many hands that guess counts. */
const GUESS = { decisions: 12, hands: 1 };
/** How much of what was counted a step before still counts: tables that fill up have longer hands. */
const MEMORY = 0.95;

/** Pauses between hands that are remembered. */
const SAMPLES = 201;

/** The play so far. */
export interface Played {
  /** Hands, with the share of others in them taken off. */
  hands: number;
  /** Decisions in them. */
  decided: number;
}

/**
 * The time of answers: none before `start`, nor between `halt` and the next one. Then they come at once, or after a
 * time of thought, or by a schedule. The schedule asks for so many hands a second. Each table's next action is due a
 * while after its last one was due, whatever the server took meanwhile. A bot that is asked too late for it answers at
 * once. So a stalled server is asked for all actions that it has missed, and each action counts from its due time.
 */
export class LoadPace {
  #thinkMs = 0;
  /** The mean pause of the schedule; null without one. */
  #gapMs: number | null = null;
  #betweenMs = 0;
  #timer: NodeJS.Timeout | null = null;
  #settled = false;
  /** Answers that wait for the start; null after it. */
  #held: (() => void)[] | null = [];
  readonly #tables = new Map<string, Schedule>();
  readonly #between: number[] = [];

  /** Until now nobody has answered, at all or since it was halted. */
  start(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const answer of held) answer();
  }

  /** Nobody answers until it is started again. */
  halt(): void {
    this.#held ??= [];
  }

  /** Bots think for `ms`, spread evenly up to twice as long. */
  think(ms: number): void {
    this.#thinkMs = ms;
  }

  /** So many hands a second of these bots; `played` tells what was played so far. */
  hold(handsPerSecond: number, played: () => Played): void {
    this.end();
    let [hands, decided] = [0, 0];
    let last: Played = { hands: 0, decided: 0 };
    const step = () => {
      const { hands: handsNow, decided: decidedNow } = played();
      hands = MEMORY * hands + handsNow - last.hands;
      decided = MEMORY * decided + decidedNow - last.decided;
      last = { hands: handsNow, decided: decidedNow };
      const decisions = (decided + GUESS.decisions * GUESS.hands) / (hands + GUESS.hands);
      const handMs = (1000 * this.#ownTables()) / handsPerSecond;
      if (!this.#settled) this.#betweenMs = median(this.#between);
      this.#gapMs = Math.min(LONGEST_MS, Math.max(0, (handMs - this.#betweenMs) / decisions));
    };
    step();
    this.#timer = setInterval(step, STEP_MS);
  }

  /** From now on the schedule goes by nothing that depends on how fast the server is. */
  settle(): void {
    this.#settled = true;
  }

  /** The schedule is not reckoned any more. */
  end(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** The schedule of a table; bots of the same table share one. */
  table(key: string): Schedule {
    const known = this.#tables.get(key);
    if (known !== undefined) return known;
    const table = new Schedule(() => this.#tables.delete(key));
    this.#tables.set(key, table);
    return table;
  }

  /** Whether actions are due at times of a schedule. */
  get isScheduled(): boolean {
    return this.#gapMs !== null;
  }

  /** Calls `answer` when it is time, without a schedule. */
  turn(answer: () => void): void {
    if (this.#held !== null) this.#held.push(() => this.turn(answer));
    else if (this.#thinkMs === 0) answer();
    else setTimeout(answer, Math.random() * 2 * this.#thinkMs);
  }

  /**
   * Calls `answer` by the schedule. It passes the due time if this time is over, else 0: a late timer of ours is not
   * the server's fault.
   */
  scheduled(table: Schedule, turn: TurnSeen, answer: (dueAt: number) => void): void {
    if (this.#held !== null) return void this.#held.push(() => this.scheduled(table, turn, answer));
    const now = performance.now();
    // Never so short that the server could not but be late, nor all alike, so that tables do not march in step.
    const gapMs = (this.#gapMs ?? 0) * between(0.5, 1.5);
    const dueAt = table.due(turn, { now, gapMs, betweenMs: this.#betweenMs });
    if (table.pauseMs !== null) this.#notePause(table.pauseMs);
    if (dueAt <= now) answer(dueAt);
    else setTimeout(() => answer(0), dueAt - now);
  }

  #notePause(ms: number): void {
    if (this.#settled) return;
    this.#between.push(ms);
    if (this.#between.length > SAMPLES) this.#between.shift();
  }

  /** Tables that would have as many seats taken as our bots have. */
  #ownTables(): number {
    let sum = 0;
    for (const table of this.#tables.values()) sum += table.share;
    return sum;
  }
}

function median(values: readonly number[]): number {
  return values.length === 0 ? 0 : [...values].sort((a, b) => a - b)[values.length >> 1]!;
}
