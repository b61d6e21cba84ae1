import type { Entrance, Left, SeasonScope } from '../lobby/index.js';
import { errorMessage, type ServerMessage } from '../protocol/server.js';
import { rebuyAnswer, type RebuyResult, type Rebuys } from '../rebuys/index.js';
import type { Database } from '../store/database.js';
import type { Entries } from './entries.js';
import { selectEntry, type EntryRow } from './entry-queries.js';
import type { Season } from './season.js';

export interface SeasonPlayOptions {
  sql: Database;
  season: Season;
  entries: Entries;
  rebuys: Rebuys;
}

/** The seasons as the lobby meets them: entries and rebuys, with the messages they answer. */
export class SeasonPlay implements SeasonScope {
  constructor(private readonly options: SeasonPlayOptions) {}

  enter(agentId: string): Promise<Entrance> {
    return this.options.entries.enter(agentId);
  }

  busted(left: Left): Promise<void> {
    return this.options.rebuys.busted(left);
  }

  async seatLost(agentId: string): Promise<void> {
    const { season, rebuys } = this.options;
    if (season.current !== null) await rebuys.seatLost(season.current.seasonId, agentId);
  }

  shardRecovered(): void {
    this.options.rebuys.recoverSoon();
  }

  /** Ids of requests are for competitions: here the cooldown keeps a repetition from harm. */
  async rebuy(agentId: string): Promise<ServerMessage> {
    return rebuyAnswer(await this.request(agentId));
  }

  /** A rebuy in the active season, which another node may have begun a moment ago. */
  async request(agentId: string): Promise<RebuyResult> {
    const { season } = this.options;
    const seasonId = season.current?.seasonId ?? null;
    const result = await this.#requestIn(seasonId, agentId);
    if (result.kind !== 'not_open' || !(await season.hasChanged(seasonId))) return result;
    return this.#requestIn(season.current?.seasonId ?? null, agentId);
  }

  async #requestIn(seasonId: string | null, agentId: string): Promise<RebuyResult> {
    return seasonId === null ? { kind: 'not_open' } : this.options.rebuys.request(seasonId, agentId);
  }

  async setAutoRebuy(agentId: string, enabled: boolean): Promise<ServerMessage[]> {
    const result = await this.changeAutoRebuy(agentId, enabled);
    if (typeof result === 'string') return [errorMessage(result)];
    return [{ type: 'auto_rebuy_set', enabled }, ...result.messages];
  }

  /**
   * Sets the preference, asked for by REST or over the socket; `messages` follow from it and are for the agent's
   * socket.
   */
  async changeAutoRebuy(
    agentId: string,
    enabled: boolean,
  ): Promise<{ entry: EntryRow; messages: ServerMessage[] } | 'no_active_season' | 'not_registered_for_season'> {
    const { sql, season, rebuys } = this.options;
    if (season.current === null) await season.look();
    const poolId = season.current?.seasonId;
    if (poolId === undefined) return 'no_active_season';
    const messages = await rebuys.setAuto(poolId, agentId, enabled);
    const entry = messages === null ? undefined : await selectEntry(sql, poolId, agentId);
    if (messages === null || entry === undefined) return 'not_registered_for_season';
    return { entry, messages };
  }
}
