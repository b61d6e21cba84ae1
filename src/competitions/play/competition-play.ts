import type { Clock, CompetitionScopes, Entrance, LobbyControl, Left, LobbyLog, ScopePlay } from '../../lobby/index.js';
import { errorMessage, type ServerMessage } from '../../protocol/server.js';
import { rebuyAnswer, Rebuys } from '../../rebuys/index.js';
import type { Database } from '../../store/database.js';
import type { LivePools } from './live-pools.js';
import { selectPart, takesPart } from './queries.js';
import { competitionRebuys } from './rebuy-pool.js';
import type { LivePool } from '../record.js';
import { isOver } from '../states.js';

export interface CompetitionPlayOptions {
  sql: Database;
  nodeId: string;
  pools: LivePools;
  lobby: Pick<LobbyControl, 'notify' | 'rebuyPending' | 'updateEntry'>;
  clock: Clock;
  log: LobbyLog;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const OVER = 'This competition is over';
const NO_REBUYS = 'This competition has no rebuys';

/** Competitions as the lobby meets them: who may come, who may play, and the rebuys by each one's rules. */
export class CompetitionPlay implements CompetitionScopes {
  readonly rebuys: Rebuys;

  constructor(private readonly options: CompetitionPlayOptions) {
    const { sql, nodeId, pools, lobby, clock, log } = options;
    this.rebuys = new Rebuys({
      sql,
      nodeId,
      lobby,
      clock,
      log,
      pools: competitionRebuys(pools),
      scopeOf: (poolId) => poolId,
    });
  }

  /** Takes up what a crash left behind. Call it once the stored tables are open again. */
  start(): Promise<void> {
    return this.rebuys.recover();
  }

  stop(): void {
    this.rebuys.stop();
  }

  async admit(agentId: string, competitionId: string): Promise<'ok' | 'not_participant'> {
    const { sql, pools } = this.options;
    const takes = UUID.test(competitionId) && (await takesPart(sql, competitionId, agentId));
    if (!takes) return 'not_participant';
    // Another node may have made it a moment ago.
    const pool = pools.of(competitionId) ?? (await pools.refresh(competitionId));
    return pool === undefined ? 'not_participant' : 'ok';
  }

  shardRecovered(): void {
    this.rebuys.recoverSoon();
  }

  of(competitionId: string): ScopePlay {
    return {
      enter: (agentId) => this.#enter(competitionId, agentId),
      rebuy: (agentId, requestId) => this.#rebuy(competitionId, agentId, requestId),
      setAutoRebuy: (agentId, enabled) => this.#setAutoRebuy(competitionId, agentId, enabled),
      busted: (left: Left) => this.rebuys.busted(left),
      seatLost: (agentId) => this.rebuys.seatLost(competitionId, agentId),
    };
  }

  async #enter(competitionId: string, agentId: string): Promise<Entrance> {
    const { sql } = this.options;
    const part = await selectPart(sql, competitionId, agentId);
    // As it is now: it may have gone on while we looked.
    const pool = this.#playable(competitionId);
    if (pool === null) return { kind: 'refused', code: 'no_active_season', message: OVER };
    if (part === undefined) return { kind: 'refused', code: 'not_registered_for_season' };
    if (pool.state !== 'active') return { kind: 'not_open' };
    const { chip_balance: chipBalance, rebuys, display_name: displayName } = part;
    // A player without a rebuy left plays its last chips.
    const autoRebuy = part.auto_rebuy && rebuys < pool.max_rebuys;
    const entry = { poolId: competitionId, chipBalance, autoRebuy, premium: false };
    return { kind: 'entered', entry: displayName === null ? entry : { ...entry, displayName } };
  }

  async #rebuy(competitionId: string, agentId: string, requestId: string | null): Promise<ServerMessage> {
    const pool = this.#playable(competitionId);
    if (pool?.rebuys_enabled === false) return errorMessage('invalid_rebuy', NO_REBUYS);
    const result = await this.rebuys.request(competitionId, agentId, requestId);
    if (result.kind !== 'not_open') return rebuyAnswer(result);
    return errorMessage('no_active_season', pool === null ? OVER : 'This competition has not begun');
  }

  async #setAutoRebuy(competitionId: string, agentId: string, enabled: boolean): Promise<ServerMessage[]> {
    const pool = this.#playable(competitionId);
    if (pool === null) return [errorMessage('no_active_season', OVER)];
    if (enabled && !pool.rebuys_enabled) return [errorMessage('invalid_rebuy', NO_REBUYS)];
    const messages = await this.rebuys.setAuto(competitionId, agentId, enabled);
    if (messages === null) return [errorMessage('not_registered_for_season')];
    return [{ type: 'auto_rebuy_set', enabled }, ...messages];
  }

  /** Null once it is over. */
  #playable(competitionId: string): LivePool | null {
    const pool = this.options.pools.of(competitionId);
    return pool === undefined || isOver(pool.state) ? null : pool;
  }
}
