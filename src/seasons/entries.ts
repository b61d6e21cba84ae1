import type { Entrance } from '../lobby/index.js';
import type { Database } from '../store/database.js';
import * as queries from './entry-queries.js';
import type { EntryRow } from './entry-queries.js';
import type { SeasonRules } from './rules.js';
import type { Season } from './season.js';

/** Agents' parts in the current season. */
export class Entries {
  constructor(
    private readonly sql: Database,
    private readonly season: Season,
    private readonly rules: SeasonRules,
  ) {}

  /** For join_lobby: the agent's entry, made with the starting chips where there is none yet. */
  async enter(agentId: string): Promise<Entrance> {
    const known = this.season.current?.seasonId ?? null;
    const entrance = await this.#enter(agentId);
    // Another node may have begun the next season, which a look tells.
    const isRefused = entrance.kind === 'refused' && (await this.season.hasChanged(known));
    return isRefused ? this.#enter(agentId) : entrance;
  }

  async #enter(agentId: string): Promise<Entrance> {
    const season = this.season.current;
    if (season === null) return { kind: 'refused', code: 'no_active_season' };
    if (this.season.windingDown) return { kind: 'not_open' };
    const row =
      (await queries.selectEntry(this.sql, season.seasonId, agentId)) ??
      (await this.#register(season.seasonId, agentId)) ??
      // Another request registered it in this moment.
      (await queries.selectEntry(this.sql, season.seasonId, agentId));
    // The season we looked at ended meanwhile, or nothing would have kept us from registering.
    if (row === undefined || this.season.current?.seasonId !== season.seasonId) {
      return { kind: 'refused', code: 'season_error' };
    }
    const { pool_id: poolId, chip_balance: chipBalance, auto_rebuy: autoRebuy, premium } = row;
    return { kind: 'entered', entry: { poolId, chipBalance, autoRebuy, premium } };
  }

  /** Registers; or says that the agent is registered already, or that no season is active. */
  async register(agentId: string): Promise<EntryRow | 'already_registered' | 'no_active_season'> {
    const known = this.season.current?.seasonId ?? null;
    const entry = await this.#registerNow(agentId);
    const isRefused = entry === 'no_active_season' && (await this.season.hasChanged(known));
    return isRefused ? this.#registerNow(agentId) : entry;
  }

  async #registerNow(agentId: string): Promise<EntryRow | 'already_registered' | 'no_active_season'> {
    const season = this.season.current;
    if (season === null) return 'no_active_season';
    const row = await this.#register(season.seasonId, agentId);
    if (row !== undefined) return row;
    const existing = await queries.selectEntry(this.sql, season.seasonId, agentId);
    return existing === undefined ? 'no_active_season' : 'already_registered';
  }

  #register(seasonId: string, agentId: string): Promise<EntryRow | undefined> {
    return queries.insertSeasonEntry(this.sql, seasonId, agentId, this.rules.startingChips);
  }
}
