import { randomUUID } from 'node:crypto';
import type { Clock, LobbyControl, LobbyLog } from '../lobby/index.js';
import { codeOf, retrying, type Database } from '../store/database.js';
import { Displaced, type Leadership } from '../store/node/leadership.js';
import * as queries from './queries.js';
import { windDownAt, type SeasonRules } from './rules.js';
import { beginFirst, rollOver, type Beginning } from './transition.js';
import { REQUIREMENT, UNIQUE_VIOLATION } from '../store/sqlstate.js';

/** The season being played; times in epoch ms. */
export interface ActiveSeason {
  seasonId: string;
  number: number;
  startsAt: number;
  endsAt: number;
}

export interface SeasonSchedulerOptions {
  sql: Database;
  leadership: Leadership;
  rules: SeasonRules;
  lobby: Pick<LobbyControl, 'windDown' | 'closePool' | 'broadcast' | 'seasonOpened'>;
  clock: Clock;
  log: LobbyLog;
}

const RETRY_MS = 5000;

/**
 * There is always one active season: created at the start where none is, wound down in its last minutes, ended at its
 * end date and followed at once by the next.
 */
export class SeasonScheduler {
  #current: ActiveSeason | null = null;
  #cancel: () => void = () => undefined;
  readonly #abort = new AbortController();
  #onOpened: (() => void)[] = [];
  #onMoved: (() => void)[] = [];
  #rolling = false;

  constructor(private readonly options: SeasonSchedulerOptions) {}

  /** Loads or creates the active season and starts the clock. Call it once tables have been reopened. */
  async start(): Promise<void> {
    this.#begin(await this.#ensureActive());
  }

  stop(): void {
    this.#abort.abort();
    this.#cancel();
  }

  /** Null only before `start`. */
  get current(): ActiveSeason | null {
    return this.#current;
  }

  /** No new hands and no new players any more. */
  get windingDown(): boolean {
    const season = this.#current;
    return season !== null && this.options.clock.now() >= windDownAt(season, this.options.rules);
  }

  /** Keeps to another end of the season, where an administrator gave it one. */
  async refresh(): Promise<void> {
    const season = this.#current;
    const row = await queries.selectActiveSeason(this.options.sql);
    if (season === null || season !== this.#current || row?.season_id !== season.seasonId) return;
    const endsAt = row.end_date.getTime();
    if (endsAt === season.endsAt || this.#rolling || this.#abort.signal.aborted) return;
    this.options.log.info({ season_number: season.number, end_date: row.end_date }, 'season has got another end');
    this.#begin({ ...season, endsAt });
    for (const listener of this.#onMoved) listener();
  }

  /** Called each time another season has begun. */
  onOpened(listener: () => void): void {
    this.#onOpened.push(listener);
  }

  /** Called each time the season has got another end. */
  onMoved(listener: () => void): void {
    this.#onMoved.push(listener);
  }

  #begin(season: ActiveSeason): void {
    this.#current = season;
    this.#at(windDownAt(season, this.options.rules), () => {
      this.#windDown(season);
    });
  }

  #windDown(season: ActiveSeason): void {
    this.options.log.info({ season_number: season.number }, 'season winds down');
    this.options.lobby.windDown(season.seasonId);
    this.#at(season.endsAt, () => void this.#roll(season));
  }

  /** From one season to the next: everybody off the tables, then the switch, then play goes on. */
  async #roll(season: ActiveSeason): Promise<void> {
    const { lobby, log } = this.options;
    this.#rolling = true;
    try {
      await lobby.closePool(season.seasonId, 'season_ended');
      const next = await this.#rollOver(season);
      if (this.#abort.signal.aborted) return;
      log.info({ season_number: season.number, next_season_number: next.number }, 'season ended');
      this.#rolling = false;
      this.#begin(next);
      lobby.broadcast({
        type: 'season_ended',
        season_number: season.number,
        next_season_number: next.number,
      });
      for (const listener of this.#onOpened) listener();
      lobby.seasonOpened();
    } catch (error) {
      if (this.#abort.signal.aborted || error instanceof Displaced) return;
      const seated = codeOf(error) === REQUIREMENT;
      log.error({ season_number: season.number, err: error }, seated ? 'season waits for seats' : 'season did not end');
      this.#at(this.options.clock.now() + RETRY_MS, () => void this.#roll(season));
    }
  }

  async #rollOver({ seasonId }: ActiveSeason): Promise<ActiveSeason> {
    const { sql, leadership, rules } = this.options;
    const { prizePoolCents, rebuyPenalty, prizes } = rules;
    const ending = { seasonId, prizePoolCents, rebuyPenalty, prizes };
    const next = randomUUID();
    return activeOf(await this.#retrying(() => rollOver(sql, leadership, ending, this.#next(next))));
  }

  /** A season from now on. */
  #next(seasonId: string): Beginning {
    const start = this.options.clock.now();
    return { seasonId, start: new Date(start), end: new Date(start + this.options.rules.lengthSeconds * 1000) };
  }

  /** An attempt whose answer was lost may have created it. */
  async #ensureActive(): Promise<ActiveSeason> {
    const { sql, leadership } = this.options;
    const row = await this.#retrying(async () => {
      const active = await queries.selectActiveSeason(sql);
      if (active !== undefined) return active;
      try {
        return await beginFirst(sql, leadership, this.#next(randomUUID()));
      } catch (error) {
        if (codeOf(error) !== UNIQUE_VIOLATION) throw error;
        return queries.selectActiveSeason(sql);
      }
    });
    if (row === undefined) throw new Error('a season was created and ended in the same moment');
    return activeOf(row);
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

const activeOf = ({ season_id, season_number, start_date, end_date }: queries.SeasonRow): ActiveSeason => ({
  seasonId: season_id,
  number: season_number,
  startsAt: start_date.getTime(),
  endsAt: end_date.getTime(),
});
