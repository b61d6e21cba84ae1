import type { Clock, LobbyLog } from '../../lobby/index.js';
import type { Announce } from '../../ops/notices.js';
import { recordAudit } from '../../store/audit-log.js';
import { codeOf, retrying, type Database, type Queryable } from '../../store/database.js';
import { Displaced, type Leadership } from '../../store/node/leadership.js';
import { untilEmpty } from '../../store/emptying.js';
import { setPhase } from '../../store/pool-phase.js';
import { REQUIREMENT } from '../../store/sqlstate.js';
import type { Director } from '../play/director.js';
import { dueStep, type Dates } from './due-steps.js';
import { hasPlayed, hurryEnd, lockSeen, selectDates, type DatedRow } from '../queries.js';
import { STEP_OPERATIONS, takeStep } from './steps.js';
import { isPlaying, next, type Step } from '../states.js';

export interface CompetitionSchedulerOptions {
  sql: Database;
  leadership: Leadership;
  director: Director;
  announce: Announce;
  clock: Clock;
  log: LobbyLog;
  /** Hands that any competition may store. */
  mostHands: number;
}

const RETRY_MS = 5000;
/**
 * How often hands are counted where their number ends play; and counting takes one part in so many of the time, at
 * most.
 */
const COUNT_MS = 1000;
const COUNT_REST = 20;

/**
 * The leader's clock of competitions: it takes the steps of dates, and ends the play of ending competitions. It keeps
 * nothing but a timer. Due steps stand in the database: after a restart, or with another leader, they go on. Each step
 * is taken once, by the holder of the record.
 */
export class CompetitionScheduler {
  #cancel: () => void = () => undefined;
  readonly #abort = new AbortController();
  #running: Promise<void> | null = null;
  #again = false;
  /** See `recheck`. */
  readonly #unsure = new Set<string>();
  /** The time that the timer is set to. */
  #wakeAt = Infinity;
  /** When hands are to be counted again, by competition. */
  readonly #countAt = new Map<string, number>();
  /** Competitions with closing tables. */
  readonly #closing = new Set<string>();
  #started = false;

  constructor(private readonly options: CompetitionSchedulerOptions) {}

  /** Call it once the stored tables are open again. Resolves when what was due meanwhile is done. */
  start(): Promise<void> {
    this.#started = true;
    return this.wake();
  }

  stop(): void {
    this.#abort.abort();
    this.#cancel();
  }

  /** Dates or states have changed. Resolves when all that is due is done, but for tables that are still closing. */
  async wake(): Promise<void> {
    if (!this.#started) return;
    this.#again = true;
    this.#running ??= this.#run();
    return this.#running;
  }

  /**
   * The tables may not know yet what became of it: the database went away when it was changed, which may have happened.
   * They hear of it as soon as it is back.
   */
  recheck(competitionId: string): void {
    this.#unsure.add(competitionId);
    void this.wake();
  }

  async #run(): Promise<void> {
    while (this.#again && !this.#abort.signal.aborted) {
      this.#again = false;
      try {
        await this.#look();
      } catch (error) {
        if (this.#abort.signal.aborted || error instanceof Displaced) break;
        this.options.log.error({ err: error }, 'the clock of competitions failed once');
        this.#retrySoon();
      }
    }
    // In the same turn as the last look at #again: no call to wake is lost between the two.
    this.#running = null;
  }

  /** Takes every step that is due and sets the timer for the next. */
  async #look(): Promise<void> {
    const { sql, clock, director } = this.options;
    for (const id of this.#unsure) {
      await this.#retrying(() => director.obey(id));
      this.#unsure.delete(id);
    }
    // A step cannot be taken back.
    if (!clock.certain) return this.#at(clock.now());
    const alive = await this.#retrying(() => selectDates(sql));
    let nextAt = Infinity;
    for (const competition of alive) {
      const { competition_id: id } = competition;
      if (competition.state === 'ending') {
        nextAt = Math.min(nextAt, await this.#close(id, competition));
        continue;
      }
      const due = await this.#retrying(() => this.#dueNow(competition));
      if (due === null) continue;
      // Hands are counted while it plays, by looking.
      const counts = competition.state === 'active';
      if (due.at > clock.now()) nextAt = Math.min(nextAt, due.at, counts ? this.#countAt.get(id)! : Infinity);
      else {
        await this.#take(id);
        this.#again = true;
      }
    }
    this.#at(nextAt);
  }

  /** The same, but that hands are not counted again at once, however often something wakes us. */
  async #dueNow(competition: DatedRow) {
    const { competition_id: id, state } = competition;
    const { sql, clock } = this.options;
    if (!isPlaying(state)) return dueStep(competition);
    if (clock.now() < (this.#countAt.get(id) ?? 0)) return dueStep(competition);
    const start = performance.now();
    const due = await this.#due(sql, competition);
    this.#countAt.set(id, clock.now() + Math.max(COUNT_MS, COUNT_REST * (performance.now() - start)));
    return due;
  }

  /** By its dates and, where those are limited, its hands. */
  async #due(sql: Queryable, competition: DatedRow) {
    const { competition_id: id, state, hand_limit } = competition;
    const most = Math.min(hand_limit ?? Infinity, this.options.mostHands);
    const played_out = isPlaying(state) && (await hasPlayed(sql, id, most));
    return dueStep({ ...competition, played_out });
  }

  /** Takes what is due by the record as it is now, which may be nothing any more. */
  async #take(competitionId: string): Promise<void> {
    const { sql, leadership, clock, log } = this.options;
    const step = await this.#retrying(() =>
      leadership.transaction(sql, async (tx): Promise<Step | null> => {
        const record = await lockSeen(tx, competitionId, null);
        const due = record && (await this.#due(tx, record));
        if (!record || !due || due.at > clock.now()) return null;
        const detail = await takeStep(tx, record, due.step, new Date(clock.now()));
        if (due.step === 'end' && record.ends_at.getTime() <= clock.now())
          await setPhase(tx, competitionId, 'closing_now');
        const action = STEP_OPERATIONS[due.step];
        await recordAudit(tx, { actor: 'system', action, subject: competitionId, detail });
        return due.step;
      }),
    );
    if (step !== null) log.info({ competition_id: competitionId, step }, 'a competition changed its state at its date');
    await this.#changed(competitionId);
  }

  /** Has its tables closed on all nodes, and hurries that at its end date. Returns when to look again. */
  async #close(competitionId: string, { ends_at }: Dates): Promise<number> {
    const { sql, leadership, clock } = this.options;
    const endsAt = ends_at.getTime();
    const isLate = clock.now() >= endsAt;
    const hurried = isLate && (await this.#retrying(() => hurryEnd(sql, leadership, competitionId)));
    if (hurried) await this.#changed(competitionId);
    if (!this.#closing.has(competitionId)) {
      this.#closing.add(competitionId);
      void this.#closePlay(competitionId).finally(() => this.#closing.delete(competitionId));
    }
    return isLate ? Infinity : endsAt;
  }

  /** Everybody off the tables, then the standings. Never rejects. */
  async #closePlay(competitionId: string): Promise<void> {
    const { sql, leadership, clock, director, log } = this.options;
    this.#countAt.delete(competitionId);
    try {
      await this.#retrying(() => director.obey(competitionId));
      await director.closed(competitionId);
      await untilEmpty({
        sql,
        clock,
        poolId: competitionId,
        signal: this.#abort.signal,
        again: () => this.#retrying(() => director.obey(competitionId)),
        late: (left) => log.warn({ competition_id: competitionId, ...left }, 'a competition waits for seats'),
      });
      await this.#retrying(() =>
        leadership.transaction(sql, async (tx) => {
          const record = await lockSeen(tx, competitionId, null);
          // Another process, or an attempt that seemed to fail, was there before.
          if (record === undefined || next(record.state, 'close_play') === null) return;
          const detail = await takeStep(tx, record, 'close_play', new Date(clock.now()));
          const action = STEP_OPERATIONS.close_play;
          await recordAudit(tx, { actor: 'system', action, subject: competitionId, detail });
        }),
      );
      await this.#changed(competitionId);
      log.info({ competition_id: competitionId }, 'a competition has ended');
    } catch (error) {
      if (this.#abort.signal.aborted || error instanceof Displaced) return;
      // Somebody is still seated.
      const seated = codeOf(error) === REQUIREMENT;
      log.error(
        { competition_id: competitionId, err: error },
        seated ? 'a competition waits for seats' : 'a competition did not end',
      );
      this.#retrySoon();
    }
  }

  /** The nodes go by what was committed: this one now, the others at the same time. */
  async #changed(competitionId: string): Promise<void> {
    const { director, announce } = this.options;
    void announce({ kind: 'competition_changed', competitionId });
    await this.#retrying(() => director.obey(competitionId));
  }

  /** Rejects once this was stopped, whatever came of the action: who was stopped meanwhile does nothing any more. */
  async #retrying<T>(action: () => Promise<T>): Promise<T> {
    const { signal } = this.#abort;
    signal.throwIfAborted();
    const result = await retrying(action, {
      signal,
      onAway: (error) => this.options.log.warn({ err: error }, 'the database is away: competitions wait'),
    });
    signal.throwIfAborted();
    return result;
  }

  #retrySoon(): void {
    this.#at(Math.min(this.#wakeAt, this.options.clock.now() + RETRY_MS));
  }

  #at(time: number): void {
    const { clock } = this.options;
    this.#cancel();
    this.#wakeAt = time;
    if (this.#abort.signal.aborted || time === Infinity) return;
    this.#cancel = clock.at(time, () => {
      this.#wakeAt = Infinity;
      void this.wake();
    });
  }
}
