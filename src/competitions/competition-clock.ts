import type { Clock, Floor, LobbyLog } from '../lobby/index.js';
import { recordAudit } from '../store/audit-log.js';
import { codeOf, retrying, transaction, type Database } from '../store/database.js';
import { ENDED, type Director } from './director.js';
import { dueStep, type Dates } from './life.js';
import { lockSeen, selectDates } from './queries.js';
import { STEP_OPERATIONS, takeStep } from './steps.js';
import { next, type Step } from './states.js';

export interface CompetitionClockOptions {
  sql: Database;
  director: Director;
  floor: Pick<Floor, 'closePool'>;
  clock: Clock;
  log: LobbyLog;
}

/** Raised by require() in SQL: somebody is still seated. */
const REFUSED = 'AP001';
const RETRY_MS = 5000;

/**
 * Takes the steps that dates bring about, and closes the play of those that end. It keeps nothing but a timer: what is
 * due stands in the database, so that a restart or another process goes on where this one stopped, and each step is
 * taken once, by whoever holds the record.
 */
export class CompetitionClock {
  #cancel: () => void = () => undefined;
  readonly #abort = new AbortController();
  #running: Promise<void> | null = null;
  #again = false;
  /** See `recheck`. */
  readonly #unsure = new Set<string>();
  /** What the timer is set to. */
  #wakeAt = Infinity;
  /** Whose tables are being closed; void: hands in progress do not count. */
  readonly #closing = new Map<string, { voidHands: boolean; done: Promise<void> }>();

  constructor(private readonly options: CompetitionClockOptions) {}

  /** Call it once the stored tables are open again. Resolves when what was due meanwhile is done. */
  start(): Promise<void> {
    return this.wake();
  }

  stop(): void {
    this.#abort.abort();
    this.#cancel();
  }

  /** Dates or states have changed. Resolves when all that is due is done, but for tables that are still closing. */
  wake(): Promise<void> {
    this.#again = true;
    this.#running ??= this.#run();
    return this.#running;
  }

  /**
   * The tables may not know yet what became of it: the database went away when it was changed, which may have happened.
   * They are told as soon as it is back.
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
        if (this.#abort.signal.aborted) break;
        this.options.log.error({ err: error }, 'competitions: the clock stumbled');
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
    const alive = await this.#retrying(() => selectDates(sql));
    let nextAt = Infinity;
    for (const competition of alive) {
      const { competition_id: id } = competition;
      if (competition.state === 'ending') {
        nextAt = Math.min(nextAt, this.#close(id, competition));
        continue;
      }
      const due = dueStep(competition);
      if (due === null) continue;
      if (due.at > clock.now()) nextAt = Math.min(nextAt, due.at);
      else {
        await this.#take(id);
        this.#again = true;
      }
    }
    this.#at(nextAt);
  }

  /** Takes what is due by the record as it is now, which may be nothing any more. */
  async #take(competitionId: string): Promise<void> {
    const { sql, clock, director, log } = this.options;
    const step = await this.#retrying(() =>
      transaction(sql, async (tx): Promise<Step | null> => {
        const record = await lockSeen(tx, competitionId, null);
        const due = record && dueStep(record);
        if (!record || !due || due.at > clock.now()) return null;
        const detail = await takeStep(tx, record, due.step, new Date(clock.now()));
        const action = STEP_OPERATIONS[due.step];
        await recordAudit(tx, { actor: 'system', action, subject: competitionId, detail });
        return due.step;
      }),
    );
    if (step !== null) log.info({ competition_id: competitionId, step }, 'a competition went on by its dates');
    await this.#retrying(() => director.obey(competitionId));
  }

  /** Begins to close its tables, or hurries that at its end date. Returns when to look again. */
  #close(competitionId: string, { ends_at }: Dates): number {
    const { floor, clock } = this.options;
    const endsAt = ends_at.getTime();
    const voidHands = clock.now() >= endsAt;
    const closing = this.#closing.get(competitionId);
    if (closing === undefined) {
      const done = this.#closePlay(competitionId, voidHands).finally(() => this.#closing.delete(competitionId));
      this.#closing.set(competitionId, { voidHands, done });
    } else if (voidHands && !closing.voidHands) {
      closing.voidHands = true;
      void floor.closePool(competitionId, ENDED, true);
    }
    return voidHands ? Infinity : endsAt;
  }

  /** Everybody off the tables, then the standings. Never rejects. */
  async #closePlay(competitionId: string, voidHands: boolean): Promise<void> {
    const { sql, floor, clock, director, log } = this.options;
    try {
      await this.#retrying(() => director.obey(competitionId));
      await floor.closePool(competitionId, ENDED, voidHands);
      await this.#retrying(() =>
        transaction(sql, async (tx) => {
          const record = await lockSeen(tx, competitionId, null);
          // Another process, or an attempt that seemed to fail, was there before.
          if (record === undefined || next(record.state, 'close_play') === null) return;
          const detail = await takeStep(tx, record, 'close_play', new Date(clock.now()));
          const action = STEP_OPERATIONS.close_play;
          await recordAudit(tx, { actor: 'system', action, subject: competitionId, detail });
        }),
      );
      await this.#retrying(() => director.obey(competitionId));
      log.info({ competition_id: competitionId }, 'a competition has ended');
    } catch (error) {
      if (this.#abort.signal.aborted) return;
      const seated = codeOf(error) === REFUSED;
      log.error(
        { competition_id: competitionId, err: error },
        seated ? 'a competition waits for seats' : 'a competition did not end',
      );
      this.#retrySoon();
    }
  }

  #retrying<T>(action: () => Promise<T>): Promise<T> {
    return retrying(action, {
      signal: this.#abort.signal,
      onAway: (error) => this.options.log.warn({ err: error }, 'the database is away: competitions wait'),
    });
  }

  #retrySoon(): void {
    this.#at(Math.min(this.#wakeAt, this.options.clock.now() + RETRY_MS));
  }

  #at(time: number): void {
    const { clock } = this.options;
    this.#cancel();
    this.#wakeAt = time;
    if (this.#abort.signal.aborted || time === Infinity) return;
    this.#cancel = clock.after(Math.max(0, time - clock.now()), () => {
      this.#wakeAt = Infinity;
      void this.wake();
    });
  }
}
