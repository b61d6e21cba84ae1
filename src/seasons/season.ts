import type { Clock, LobbyControl, LobbyLog } from '../lobby/index.js';
import type { Database } from '../store/database.js';
import type { PoolPhase } from '../store/pool-phase.js';
import * as queries from './queries.js';
import { windDownAt, type SeasonRules } from './rules.js';

/** The season being played; times in epoch ms. */
export interface ActiveSeason {
  seasonId: string;
  number: number;
  startsAt: number;
  endsAt: number;
}

export interface SeasonOptions {
  sql: Database;
  lobby: Pick<LobbyControl, 'windDown' | 'closePool' | 'broadcast' | 'seasonOpened'>;
  rules: SeasonRules;
  clock: Clock;
  log: LobbyLog;
}

/**
 * The season as this node knows it. It follows what is stored: the tables wind down, close and open again by the
 * phase of the season's pool. SeasonClock sets the phase.
 */
export class Season {
  #current: ActiveSeason | null = null;
  #phase: PoolPhase = 'open';
  /** Resolves once no table of the season is open at this node. */
  #closed: Promise<void> = Promise.resolve();
  #looking: Promise<void> = Promise.resolve();
  #stopped = false;
  /** Somebody asked for a season in vain. */
  #missed = false;
  readonly #onOpened: (() => void)[] = [];
  readonly #onMoved: (() => void)[] = [];

  constructor(private readonly options: SeasonOptions) {}

  /** Null before the first season is known. */
  get current(): ActiveSeason | null {
    return this.#current;
  }

  /** No new hands and no new players any more. */
  get windingDown(): boolean {
    const { rules, clock } = this.options;
    if (this.#phase !== 'open') return true;
    // The phase is stored a moment after the date.
    return this.#current !== null && clock.now() >= windDownAt(this.#current, rules);
  }

  /** Resolves once the tables that were told to close have closed. */
  get closed(): Promise<void> {
    return this.#closed;
  }

  /** Closes the tables of the season, also those that were opened again. */
  closeTables(): void {
    if (this.#current !== null) this.#closed = this.options.lobby.closePool(this.#current.seasonId, 'season_ended');
  }

  /** Called each time another season has begun. */
  onOpened(listener: () => void): void {
    this.#onOpened.push(listener);
  }

  /** Called each time the the end of the season has changed. */
  onMoved(listener: () => void): void {
    this.#onMoved.push(listener);
  }

  /** Looks whether another season than this one is active by now. */
  async hasChanged(seasonId: string | null): Promise<boolean> {
    await this.look();
    this.#missed ||= this.#current === null;
    return (this.#current?.seasonId ?? null) !== seasonId;
  }

  /** Reads what is stored, and goes by it. One look after the other. */
  look(): Promise<void> {
    const look = this.#looking.then(async () => {
      const row = await queries.selectActiveSeason(this.options.sql);
      if (row !== undefined && !this.#stopped) this.#obey(row);
    });
    this.#looking = look.catch(() => undefined);
    return look;
  }

  stop(): void {
    this.#stopped = true;
  }

  #obey(row: queries.ActiveSeasonRow): void {
    const { lobby, log } = this.options;
    const before = this.#current;
    const season = activeOf(row);
    this.#current = season;
    if (before !== null && before.seasonId !== season.seasonId) {
      log.info({ season_number: before.number, next_season_number: season.number }, 'season ended');
      this.#phase = 'open';
      lobby.broadcast({ type: 'season_ended', season_number: before.number, next_season_number: season.number });
      this.#opened();
    } else if (before === null && this.#missed) this.#opened();
    else if (before !== null && before.endsAt !== season.endsAt) {
      log.info({ season_number: season.number, end_date: row.end_date }, 'the end of the season has changed');
      for (const listener of this.#onMoved) listener();
    }
    if (queries.isLater(row.phase, this.#phase)) this.#enter(row.phase, season);
    // Some may have been opened again meanwhile, such as those of a node that has ended.
    else if (isClosing(this.#phase)) this.closeTables();
  }

  #opened(): void {
    for (const listener of this.#onOpened) listener();
    this.options.lobby.seasonOpened();
  }

  #enter(phase: PoolPhase, { seasonId, number }: ActiveSeason): void {
    const { lobby, log } = this.options;
    this.#phase = phase;
    if (phase === 'winding_down') {
      log.info({ season_number: number }, 'season winds down');
      lobby.windDown(seasonId);
    } else this.closeTables();
  }
}

const isClosing = (phase: PoolPhase) => phase === 'closing' || phase === 'closing_now';

const activeOf = ({ season_id, season_number, start_date, end_date }: queries.SeasonRow): ActiveSeason => ({
  seasonId: season_id,
  number: season_number,
  startsAt: start_date.getTime(),
  endsAt: end_date.getTime(),
});
