import type { Entrance, Floor, Left, SeasonDesk } from '../lobby/index.js';
import { ERROR_MESSAGES } from '../protocol/codes.js';
import { utc } from '../protocol/common.js';
import { errorMessage, type ServerMessage } from '../protocol/server.js';
import type { Database } from '../store/database.js';
import type { Entries } from './entries.js';
import { updateAutoRebuy, type EntryRow } from './entry-queries.js';
import { BUSTED, confirmed, type RebuyResult, type Rebuys } from './rebuy.js';
import type { SeasonClock } from './season-clock.js';

export interface DeskOptions {
  sql: Database;
  season: SeasonClock;
  entries: Entries;
  rebuys: Rebuys;
  floor: Pick<Floor, 'notify' | 'updateEntry'>;
}

/** The seasons as the lobby meets them: entries and rebuys, with the messages they answer. */
export class Desk implements SeasonDesk {
  constructor(private readonly options: DeskOptions) {}

  enter(agentId: string): Promise<Entrance> {
    return this.options.entries.enter(agentId);
  }

  busted(left: Left): Promise<void> {
    return this.options.rebuys.busted(left);
  }

  shardRecovered(): void {
    this.options.rebuys.recoverSoon();
  }

  async rebuy(agentId: string): Promise<ServerMessage> {
    return rebuyMessage(await this.options.rebuys.request(agentId));
  }

  async setAutoRebuy(agentId: string, enabled: boolean): Promise<ServerMessage[]> {
    const result = await this.changeAutoRebuy(agentId, enabled);
    if (typeof result === 'string') return [errorMessage(result)];
    return [{ type: 'auto_rebuy_set', enabled }, ...result.messages];
  }

  /** Sets the preference for both doors; `messages` follow from it and are for the agent's socket. */
  async changeAutoRebuy(
    agentId: string,
    enabled: boolean,
  ): Promise<{ entry: EntryRow; messages: ServerMessage[] } | 'no_active_season' | 'not_registered_for_season'> {
    const { sql, season, rebuys, floor } = this.options;
    const poolId = season.current?.seasonId;
    if (poolId === undefined) return 'no_active_season';
    const entry = await updateAutoRebuy(sql, poolId, agentId, enabled);
    if (entry === undefined) return 'not_registered_for_season';
    floor.updateEntry(agentId, { autoRebuy: enabled });
    if (!enabled && entry.cancelled) {
      rebuys.cancelled(agentId);
      return { entry, messages: [BUSTED] };
    }
    return { entry, messages: enabled ? (await rebuys.autoRebuy(poolId, agentId)).messages : [] };
  }
}

function rebuyMessage(result: RebuyResult): ServerMessage {
  switch (result.kind) {
    case 'granted':
      return confirmed(result.chipBalance);
    case 'cooldown':
      return {
        type: 'error',
        code: 'rebuy_cooldown',
        message: ERROR_MESSAGES.rebuy_cooldown,
        cooldown_seconds: result.seconds,
        rebuy_at: utc(result.availableAt),
      };
    case 'no_active_season':
    case 'email_not_verified':
      return errorMessage(result.kind);
    case 'not_registered':
      return errorMessage('not_registered_for_season');
    case 'seated':
      return errorMessage('invalid_rebuy');
    case 'has_chips':
      return errorMessage('not_at_table');
  }
}
