import { randomUUID } from 'node:crypto';
import type { Clock, LobbyLog } from '../lobby/index.js';
import { codeOf, retrying, type Database } from '../store/database.js';
import { Displaced, type Leadership } from '../store/node/leadership.js';
import type { PoolPhase } from '../store/pool-phase.js';
import { REQUIREMENT, UNIQUE_VIOLATION } from '../store/sqlstate.js';
import * as queries from './queries.js';
import { windDownAt, type SeasonRules } from './rules.js';
import type { ActiveSeason, Season } from './season.js';
import { beginFirst, rollOver, type Beginning } from './transition.js';

export interface SeasonClockOptions {
  sql: Database;
  leadership: Leadership;
  rules: SeasonRules;
  season: Season;
  clock: Clock;
  log: LobbyLog;
}

const RETRY_MS = 5000;

/**
 * The leader's clock of the seasons. One season is active at any time: it is created where there is none, winds down in
 * its last minutes, ends at its date and is followed at once by the next. The clock stores that; Season carries it out.
 */
export class SeasonClock {
  #cancel: () => void = () => undefined;
  readonly #abort = new AbortController();
  #rolling = false;

  constructor(private readonly options: SeasonClockOptions) {
    const plan = () => this.#plan();
    options.season.onOpened(plan);
    options.season.onMoved(plan);
  }

  /** Loads or creates the active season and starts the clock. Call it once tables have been reopened. */
  async start(): Promise<void> {
    await this.#retrying(() => this.#ensureActive());
    await this.#retrying(() => this.options.season.look());
    this.#plan();
  }

  stop(): void {
    this.#abort.abort();
    this.#cancel();
  }

  #plan(): void {
    const season = this.options.season.current;
    if (season === null || this.#rolling) return;
    this.#at(windDownAt(season, this.options.rules), () => void this.#windDown(season));
  }

  async #windDown(season: ActiveSeason): Promise<void> {
    // The end does not wait for this.
    this.#at(season.endsAt, () => void this.#roll(season));
    await this.#enter(season, 'winding_down').catch((error: unknown) => this.#failed(season, error));
  }

  /** From one season to the next: everybody off the tables, then the switch, then play goes on. */
  async #roll(season: ActiveSeason): Promise<void> {
    this.#rolling = true;
    try {
      await this.#enter(season, 'closing_now');
      await this.options.season.closed;
      await this.#rollOver(season);
      this.#rolling = false;
      await this.#retrying(() => this.options.season.look());
    } catch (error) {
      if (!this.#failed(season, error)) return;
      this.options.season.closeTables();
      this.#at(this.options.clock.now() + RETRY_MS, () => void this.#roll(season));
    }
  }

  /** Stores the phase, and has it carried out here. */
  async #enter({ seasonId }: ActiveSeason, phase: PoolPhase): Promise<void> {
    const { sql, leadership, season } = this.options;
    await this.#retrying(() => queries.setSeasonPhase(sql, leadership, seasonId, phase));
    await this.#retrying(() => season.look());
  }

  /** False where nothing is to be tried again. */
  #failed({ number }: ActiveSeason, error: unknown): boolean {
    if (this.#abort.signal.aborted || error instanceof Displaced) return false;
    const seated = codeOf(error) === REQUIREMENT;
    this.options.log.error(
      { season_number: number, err: error },
      seated ? 'season waits for seats' : 'season did not end',
    );
    return true;
  }

  async #rollOver({ seasonId }: ActiveSeason): Promise<void> {
    const { sql, leadership, rules } = this.options;
    const { prizePoolCents, rebuyPenalty, prizes } = rules;
    const ending = { seasonId, prizePoolCents, rebuyPenalty, prizes };
    const next = randomUUID();
    await this.#retrying(() => rollOver(sql, leadership, ending, this.#next(next)));
  }

  /** A season from now on. */
  #next(seasonId: string): Beginning {
    const start = this.options.clock.now();
    return { seasonId, start: new Date(start), end: new Date(start + this.options.rules.lengthSeconds * 1000) };
  }

  /** An attempt without an answer may have created the season. */
  async #ensureActive(): Promise<void> {
    const { sql, leadership } = this.options;
    if ((await queries.selectActiveSeason(sql)) !== undefined) return;
    try {
      await beginFirst(sql, leadership, this.#next(randomUUID()));
    } catch (error) {
      if (codeOf(error) !== UNIQUE_VIOLATION) throw error;
    }
  }

  #retrying<T>(action: () => Promise<T>): Promise<T> {
    const { log } = this.options;
    return retrying(action, {
      signal: this.#abort.signal,
      onAway: (error) => {
        log.warn({ err: error }, 'the database is away: the season waits');
      },
    });
  }

  #at(time: number, run: () => void): void {
    const { clock } = this.options;
    this.#cancel();
    if (this.#abort.signal.aborted) return;
    this.#cancel = clock.at(time, run);
  }
}
