import type { Clock, LobbyControl, Left, LobbyLog, Scope } from '../lobby/index.js';
import { utc } from '../protocol/common.js';
import { errorMessage, type ServerMessage, type ServerMessageOf } from '../protocol/server.js';
import { codeOf, isConnectionError, retrying, type Database } from '../store/database.js';
import type { RebuyPool, RebuyPools, RebuyStanding } from './pool.js';
import * as queries from './queries.js';
import type { RebuyState } from './queries.js';
import { granted, rebuyRefusalOf, secondsOf, wantsButMayNot, type RebuyResult } from './result.js';
import { RebuySchedule } from './schedule.js';
import { UNIQUE_VIOLATION } from '../store/sqlstate.js';

export interface RebuyOptions {
  sql: Database;
  /** This process among all on the database. */
  nodeId: string;
  pools: RebuyPools;
  scopeOf: (poolId: string) => Scope;
  lobby: Pick<LobbyControl, 'notify' | 'rebuyPending' | 'updateEntry'>;
  clock: Clock;
  log: LobbyLog;
}

/** How often a grant is tried while what forbids it changes under our eyes. */
const ATTEMPTS = 5;

const bustedWith = (...options: ServerMessageOf['busted']['options']): ServerMessage => ({ type: 'busted', options });

/** Every rebuy goes through here: by REST, over the socket, and by itself after a bust (protocol.md, "Rebuys"). */
export class Rebuys {
  readonly #schedule: RebuySchedule;
  /** Tables that wait for the rebuy of somebody who busted there, by entry. */
  readonly #awaitedAt = new Map<string, string>();
  /** Entries with a rebuy that is sent step by step: the schedule leaves them alone. */
  readonly #busy = new Set<string>();
  readonly #abort = new AbortController();
  /** We also grant the rebuys of agents that have no home. */
  #leads = false;

  constructor(private readonly options: RebuyOptions) {
    const { sql, clock, log } = options;
    const next = () => queries.selectNextDue(sql, this.#poolIds(), this.#share());
    this.#schedule = new RebuySchedule({ clock, log, run: () => this.#runDue(), next });
  }

  /**
   * Recovers after a crash: schedules the rebuys of busts that were never sent, and starts the clocks of the scheduled
   * ones. At the start, and after a shard was recovered.
   */
  async recover(): Promise<void> {
    const { sql, pools } = this.options;
    for (const pool of pools.all()) await queries.scheduleRebuys(sql, pool);
    this.#schedule.refresh();
  }

  recoverSoon(): void {
    void retrying(() => this.recover(), { signal: this.#abort.signal }).catch((error: unknown) => {
      if (!this.#abort.signal.aborted) this.options.log.error({ err: error }, 'rebuys not recovered');
    });
  }

  /** There are other pools than before, or other agents at home here. */
  refresh(): void {
    this.#schedule.refresh();
  }

  /** This process leads from now on. */
  lead(): void {
    this.#leads = true;
    this.#schedule.refresh();
  }

  stop(): void {
    this.#abort.abort();
    this.#schedule.stop();
  }

  /** Grants a rebuy now, or says why not. With the id of one that was granted: says so again. */
  async request(poolId: string, agentId: string, requestId: string | null = null): Promise<RebuyResult> {
    const pool = this.options.pools.of(poolId);
    if (pool === undefined) return { kind: 'not_open' };
    if (requestId === null) return this.#grant(pool, agentId, { scheduled: false });
    const replay = await this.#replay(pool, agentId, requestId);
    if (replay !== null) return replay;
    try {
      return await this.#grant(pool, agentId, { scheduled: false, requestId });
    } catch (error) {
      // Another question with this id was quicker.
      if (codeOf(error) !== UNIQUE_VIOLATION) throw error;
      return (await this.#replay(pool, agentId, requestId)) ?? { kind: 'not_open' };
    }
  }

  /** A player lost its stack at a table: rebuy, date, or `busted`. Resolves when that is sent; never rejects. */
  busted({ agentId, poolId, table }: Left): Promise<void> {
    return this.#settleBust(poolId, agentId, table);
  }

  /** The same for an agent with a stay that ended unheard, if it was a bust. */
  async seatLost(poolId: string, agentId: string): Promise<void> {
    const state = await this.#stateOf(poolId, agentId);
    if (state?.out_of_chips === true && !state.seated) await this.#settleBust(poolId, agentId, null);
  }

  /** Whether a table of this node waits for the agent's rebuy. */
  awaits(agentId: string): boolean {
    return this.#awaitedAt.size > 0 && this.#poolIds().some((poolId) => this.#awaitedAt.has(entryOf(poolId, agentId)));
  }

  /** Never rejects. */
  async #stateOf(poolId: string, agentId: string): Promise<RebuyState | undefined> {
    const { sql, pools, log } = this.options;
    const pool = pools.of(poolId);
    if (pool === undefined) return undefined;
    return retrying(() => queries.selectRebuyState(sql, pool, agentId), this.#abort).catch((error: unknown) => {
      if (!this.#abort.signal.aborted) log.error({ agent_id: agentId, err: error }, 'rebuy not looked up');
      return undefined;
    });
  }

  async #settleBust(poolId: string, agentId: string, table: string | null): Promise<void> {
    const { lobby, log, scopeOf } = this.options;
    const scope = scopeOf(poolId);
    const settle = async () => {
      const { coming, messages } = await this.autoRebuy(poolId, agentId, table);
      const news = coming ? messages : [...messages, await this.#busted(poolId, agentId)];
      for (const message of news) lobby.notify(agentId, message, scope);
    };
    const settled = () => retrying(settle, { signal: this.#abort.signal });
    await this.#alone(entryOf(poolId, agentId), settled).catch((error: unknown) => {
      if (this.#abort.signal.aborted) return;
      log.error({ agent_id: agentId, err: error }, 'bust not settled');
      lobby.notify(agentId, bustedWith('leave'), scope);
    });
  }

  /**
   * The automatic rebuy of an agent off the table, if it is due one: its date, and the rebuy itself where there is no
   * cooldown. `coming`: it has come or will; `messages` is what the agent is to be sent.
   */
  async autoRebuy(
    poolId: string,
    agentId: string,
    table: string | null = null,
  ): Promise<{ coming: boolean; messages: ServerMessage[] }> {
    const { sql, pools } = this.options;
    const pool = pools.of(poolId);
    if (pool === undefined) return { coming: false, messages: [] };
    await queries.scheduleRebuys(sql, pool, agentId);
    const state = await queries.selectRebuyState(sql, pool, agentId);
    if (state === undefined || state.rebuy_due_at === null) {
      return { coming: false, messages: wantsButMayNot(state, pool) ? [errorMessage('email_not_verified')] : [] };
    }
    const seconds = secondsOf(state.wait_ms);
    const scheduled: ServerMessage = {
      type: 'auto_rebuy_scheduled',
      rebuy_at: utc(state.rebuy_due_at),
      cooldown_seconds: seconds,
    };
    if (seconds > 0) {
      if (table !== null) this.#await(entryOf(poolId, agentId), agentId, table);
      this.#schedule.expect(state.wait_ms);
      return { coming: true, messages: [scheduled] };
    }
    const result = await this.#grant(pool, agentId, { scheduled: true });
    if (result.kind !== 'granted') return { coming: false, messages: [] };
    return { coming: true, messages: [scheduled, result.message] };
  }

  /**
   * Sets the preference; resolves to what follows from it, for the agent's socket. Null without an entry. An unchanged
   * preference touches nothing (protocol.md, "Rebuys"), except a due rebuy without a date.
   */
  async setAuto(poolId: string, agentId: string, enabled: boolean): Promise<ServerMessage[] | null> {
    const { sql, lobby, pools, scopeOf } = this.options;
    const pool = pools.of(poolId);
    const state = pool && (await queries.selectRebuyState(sql, pool, agentId));
    if (state?.auto_rebuy === enabled) {
      const calledFor = enabled && state.out_of_chips && !state.seated;
      return calledFor ? (await this.autoRebuy(poolId, agentId)).messages : [];
    }
    const changed = await queries.updateAutoRebuy(sql, poolId, agentId, enabled);
    if (changed === undefined) return null;
    // At a table it means to leave with less than a big blind: not without a rebuy to come.
    const most = pool?.terms.most ?? Infinity;
    lobby.updateEntry(agentId, { autoRebuy: enabled && changed.rebuys < most }, scopeOf(poolId));
    if (enabled) return (await this.autoRebuy(poolId, agentId)).messages;
    if (!changed.cancelled) return [];
    this.#arrived(entryOf(poolId, agentId), agentId);
    return [await this.#busted(poolId, agentId)];
  }

  /** Offers a rebuy only to whom it would be granted, now or after its cooldown (protocol.md, "Rebuys"). */
  async #busted(poolId: string, agentId: string): Promise<ServerMessage> {
    const pool = this.options.pools.of(poolId);
    if (pool === undefined) return bustedWith('leave');
    const refusal = rebuyRefusalOf(await queries.selectRebuyState(this.options.sql, pool, agentId), pool);
    return refusal === null || refusal.kind === 'cooldown' ? bustedWith('rebuy', 'leave') : bustedWith('leave');
  }

  async #grant(
    pool: RebuyPool,
    agentId: string,
    how: { scheduled: boolean; requestId?: string },
  ): Promise<RebuyResult> {
    for (let attempt = 1; ; attempt++) {
      const standing = await this.#grantOnce(pool, agentId, how);
      if (standing !== undefined) {
        this.#arrived(entryOf(pool.poolId, agentId), agentId);
        return granted(pool, standing, { id: how.requestId ?? null, replayed: false });
      }
      const state = await queries.selectRebuyState(this.options.sql, pool, agentId);
      const refusal = rebuyRefusalOf(state, pool);
      if (refusal !== null) return refusal;
      // The obstacle was gone a moment later, or the pool is over.
      if (attempt === ATTEMPTS) return { kind: 'not_open' };
    }
  }

  /** A grant may be done though its answer is lost; then the count of rebuys tells, as soon as the database answers. */
  async #grantOnce(
    pool: RebuyPool,
    agentId: string,
    how: { scheduled: boolean; requestId?: string },
  ): Promise<RebuyStanding | undefined> {
    const { sql } = this.options;
    const grant = () => queries.grantRebuy(sql, pool, agentId, how);
    const state = () => queries.selectRebuyState(sql, pool, agentId);
    const before = await state();
    try {
      return await grant();
    } catch (error) {
      if (!isConnectionError(error)) throw error;
      const again = async () => {
        const now = await state();
        return now !== undefined && now.rebuys > (before?.rebuys ?? 0) ? now : grant();
      };
      return retrying(again, { signal: this.#abort.signal });
    }
  }

  async #replay(pool: RebuyPool, agentId: string, requestId: string): Promise<RebuyResult | null> {
    const { sql } = this.options;
    if (!(await queries.wasGranted(sql, pool.poolId, agentId, requestId))) return null;
    const state = await queries.selectRebuyState(sql, pool, agentId);
    return state === undefined ? null : granted(pool, state, { id: requestId, replayed: true });
  }

  /** Grants what is due; what is no longer called for lapses. */
  async #runDue(): Promise<void> {
    const { sql, lobby, pools, scopeOf } = this.options;
    for (const entry of this.#awaitedAt.keys())
      if (pools.of(poolOf(entry)) === undefined) this.#awaitedAt.delete(entry);
    for (const { pool_id: poolId, agent_id: agentId } of await queries.selectDue(sql, this.#poolIds(), this.#share())) {
      const entry = entryOf(poolId, agentId);
      const pool = pools.of(poolId);
      if (this.#busy.has(entry) || pool === undefined) continue;
      const result = await this.#grant(pool, agentId, { scheduled: true });
      if (result.kind === 'granted') {
        lobby.notify(agentId, result.message, scopeOf(poolId));
      } else {
        await queries.settleDue(sql, pool, agentId);
        if (result.kind !== 'cooldown') this.#arrived(entry, agentId);
      }
    }
  }

  #poolIds(): string[] {
    return this.options.pools.all().map(({ poolId }) => poolId);
  }

  #share(): queries.RebuyShare {
    return { nodeId: this.options.nodeId, leads: this.#leads };
  }

  async #alone(entry: string, work: () => Promise<void>): Promise<void> {
    this.#busy.add(entry);
    try {
      await work();
    } finally {
      this.#busy.delete(entry);
    }
  }

  #await(entry: string, agentId: string, table: string): void {
    this.#awaitedAt.set(entry, table);
    this.options.lobby.rebuyPending(table, agentId, true);
  }

  #arrived(entry: string, agentId: string): void {
    const table = this.#awaitedAt.get(entry);
    if (table === undefined) return;
    this.#awaitedAt.delete(entry);
    this.options.lobby.rebuyPending(table, agentId, false);
  }
}

/** Names an agent's part in a pool. */
const entryOf = (poolId: string, agentId: string) => `${poolId} ${agentId}`;
const poolOf = (entry: string) => entry.slice(0, entry.indexOf(' '));
