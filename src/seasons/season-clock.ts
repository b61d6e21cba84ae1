import { randomUUID } from 'node:crypto';
import type { Clock, LobbyLog } from '../lobby/index.js';
import type { Announce } from '../ops/notices.js';
import { codeOf, retrying, type Database } from '../store/database.js';
import { Displaced, type Leadership } from '../store/node/leadership.js';
import { untilEmpty } from '../store/emptying.js';
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
  announce: Announce;
}

const RETRY_MS = 5000;

/**
 * The leader's clock of the seasons. One season is active at any time. It is created if there is none, winds down in
 * its last minutes, and ends at its date. The next one follows at once. The clock stores that; the Season of each node
 * carries it out.
 */
export class SeasonClock {
  #cancel: () => void = () => undefined;
  readonly #abort = new AbortController();
  #started = false;
  #rolling = false;

  constructor(private readonly options: SeasonClockOptions) {
    const plan = () => this.#plan();
    options.season.onOpened(plan);
    options.season.onMoved(plan);
  }

  /** Loads or creates the active season and starts the clock. Call it once tables have been reopened. */
  async start(): Promise<void> {
    const { season } = this.options;
    await this.#retrying(() => season.look());
    if (season.current === null) {
      await this.#retrying(() => this.#begin());
      await this.#look();
    }
    this.#started = true;
    this.#plan();
  }

  stop(): void {
    this.#abort.abort();
    this.#cancel();
  }

  #plan(): void {
    const season = this.options.season.current;
    if (season === null || this.#rolling || !this.#started) return;
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
      await this.#emptied(season);
      await this.#rollOver(season);
      this.#rolling = false;
      await this.#look();
    } catch (error) {
      if (!this.#failed(season, error)) return;
      this.options.season.closeTables();
      this.#at(this.options.clock.now() + RETRY_MS, () => void this.#roll(season));
    }
  }

  /** Resolves once no node has a table of the season. */
  async #emptied({ seasonId, number }: ActiveSeason): Promise<void> {
    const { sql, clock, log, season } = this.options;
    await season.closed;
    await untilEmpty({
      sql,
      clock,
      poolId: seasonId,
      signal: this.#abort.signal,
      again: () => season.closeTables(),
      late: (left) => log.warn({ season_number: number, ...left }, 'season waits for seats'),
    });
  }

  /** Stores the phase, and has it carried out on all nodes. */
  async #enter({ seasonId }: ActiveSeason, phase: PoolPhase): Promise<void> {
    const { sql, leadership } = this.options;
    await this.#retrying(() => queries.setSeasonPhase(sql, leadership, seasonId, phase));
    await this.#look();
  }

  /** Goes by what was just stored; the other nodes do so at the same time. */
  async #look(): Promise<void> {
    const { season, announce } = this.options;
    void announce({ kind: 'season_changed' });
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
  async #begin(): Promise<void> {
    const { sql, leadership } = this.options;
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
