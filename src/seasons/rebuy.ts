import type { Clock, Floor, Left, LobbyLog } from '../lobby/index.js';
import { utc } from '../protocol/common.js';
import { errorMessage, type ServerMessage } from '../protocol/server.js';
import { isConnectionError, retrying, type Database } from '../store/database.js';
import * as queries from './rebuy-queries.js';
import type { RebuyState } from './rebuy-queries.js';
import { RebuySchedule } from './rebuy-schedule.js';
import type { SeasonRules } from './rules.js';
import type { SeasonClock } from './season-clock.js';

export interface RebuyOptions {
  sql: Database;
  rules: SeasonRules;
  season: SeasonClock;
  floor: Pick<Floor, 'notify' | 'rebuyPending'>;
  clock: Clock;
  log: LobbyLog;
}

export type RebuyResult =
  | { kind: 'granted'; chipBalance: number; rebuys: number; premium: boolean }
  /** seated: at a table. has_chips: off the table, but not out of chips. */
  | { kind: 'no_active_season' | 'not_registered' | 'email_not_verified' | 'seated' | 'has_chips' }
  | { kind: 'cooldown'; availableAt: Date; seconds: number };

/** How often a grant is tried while what forbids it changes under our eyes. */
const ATTEMPTS = 5;

export const BUSTED: ServerMessage = { type: 'busted', options: ['rebuy', 'leave'] };

/** Every rebuy goes through here: by REST, over the socket, and by itself after a bust (RULINGS §6). */
export class Rebuys {
  readonly #schedule: RebuySchedule;
  /** Tables that wait for the rebuy of somebody who busted there. */
  readonly #awaitedAt = new Map<string, string>();
  /** Agents whose rebuy is being told to them step by step: the schedule leaves them alone. */
  readonly #busy = new Set<string>();
  readonly #abort = new AbortController();

  constructor(private readonly options: RebuyOptions) {
    const { clock, log } = options;
    this.#schedule = new RebuySchedule({ clock, log, run: () => this.#runDue(), next: () => this.#nextDue() });
    options.season.onOpened(() => {
      this.#awaitedAt.clear();
      this.#schedule.refresh();
    });
  }

  /**
   * Takes up what a crash left behind: schedules the rebuys of busts that nobody was told of, and starts the clock of
   * those scheduled before. At the start, and after a shard was recovered.
   */
  async recover(): Promise<void> {
    const poolId = this.#poolId();
    if (poolId !== null) await queries.scheduleRebuys(this.options.sql, poolId, this.options.rules);
    this.#schedule.refresh();
  }

  recoverSoon(): void {
    void retrying(() => this.recover(), { signal: this.#abort.signal }).catch((error: unknown) => {
      if (!this.#abort.signal.aborted) this.options.log.error({ err: error }, 'rebuys not recovered');
    });
  }

  stop(): void {
    this.#abort.abort();
    this.#schedule.stop();
  }

  /** Grants a rebuy now, or says why not. */
  async request(agentId: string): Promise<RebuyResult> {
    const poolId = this.#poolId();
    if (poolId === null) return { kind: 'no_active_season' };
    return this.#grant(poolId, agentId, false);
  }

  /** A player lost its stack at a table: rebuy, date, or `busted`. Resolves when that is told; never rejects. */
  async busted(left: Left): Promise<void> {
    const { agentId, poolId, table } = left;
    const tell = async () => {
      const { coming, messages } = await this.autoRebuy(poolId, agentId, table);
      for (const message of coming ? messages : [...messages, BUSTED]) this.options.floor.notify(agentId, message);
    };
    await this.#alone(agentId, () => retrying(tell, { signal: this.#abort.signal })).catch((error: unknown) => {
      if (this.#abort.signal.aborted) return;
      this.options.log.error({ agent_id: agentId, err: error }, 'bust not settled');
      this.options.floor.notify(agentId, BUSTED);
    });
  }

  /**
   * The automatic rebuy of an agent off the table, if it is due one: its date, and the rebuy itself where there is no
   * cooldown. `coming`: it has come or will; `messages` is what the agent is to be told.
   */
  async autoRebuy(
    poolId: string,
    agentId: string,
    table: string | null = null,
  ): Promise<{ coming: boolean; messages: ServerMessage[] }> {
    const { sql, rules } = this.options;
    await queries.scheduleRebuys(sql, poolId, rules, agentId);
    const state = await queries.selectRebuyState(sql, poolId, agentId, rules);
    if (state === undefined || state.rebuy_due_at === null) {
      return { coming: false, messages: wantsButMayNot(state) ? [errorMessage('email_not_verified')] : [] };
    }
    const seconds = secondsOf(state.wait_ms);
    const scheduled: ServerMessage = {
      type: 'auto_rebuy_scheduled',
      rebuy_at: utc(state.rebuy_due_at),
      cooldown_seconds: seconds,
    };
    if (seconds > 0) {
      if (table !== null) this.#await(agentId, table);
      this.#schedule.expect(state.wait_ms);
      return { coming: true, messages: [scheduled] };
    }
    const result = await this.#grant(poolId, agentId, true);
    if (result.kind !== 'granted') return { coming: false, messages: [] };
    return { coming: true, messages: [scheduled, confirmed(result.chipBalance)] };
  }

  /** The scheduled rebuy was called off: the table need not wait for it. */
  cancelled(agentId: string): void {
    this.#arrived(agentId);
  }

  async #grant(poolId: string, agentId: string, scheduled: boolean): Promise<RebuyResult> {
    const { sql, rules } = this.options;
    for (let attempt = 1; ; attempt++) {
      const granted = await this.#grantOnce(poolId, agentId, scheduled);
      if (granted !== undefined) {
        this.#arrived(agentId);
        const { chip_balance: chipBalance, rebuys, premium } = granted;
        return { kind: 'granted', chipBalance, rebuys, premium };
      }
      const state = await queries.selectRebuyState(sql, poolId, agentId, rules);
      const refusal = this.#refusal(state);
      if (refusal !== null) return refusal;
      // What forbade it was gone a moment later, or the season is over.
      if (attempt === ATTEMPTS) return { kind: 'no_active_season' };
    }
  }

  /** A grant may be done though its answer is lost; then the count of rebuys tells, as soon as the database answers. */
  async #grantOnce(poolId: string, agentId: string, scheduled: boolean): Promise<queries.Granted | undefined> {
    const { sql, rules } = this.options;
    const grant = () => queries.grantRebuy(sql, poolId, agentId, rules, { scheduled });
    const state = () => queries.selectRebuyState(sql, poolId, agentId, rules);
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

  #refusal(state: RebuyState | undefined): RebuyResult | null {
    if (state === undefined) return { kind: 'not_registered' };
    if (state.seated) return { kind: 'seated' };
    if (!state.out_of_chips) return { kind: 'has_chips' };
    if (!state.email_verified) return { kind: 'email_not_verified' };
    if (state.wait_ms <= 0) return null;
    return { kind: 'cooldown', availableAt: state.available_at, seconds: secondsOf(state.wait_ms) };
  }

  /** Grants what is due; what is no longer called for lapses. */
  async #runDue(): Promise<void> {
    const poolId = this.#poolId();
    if (poolId === null) return;
    const { sql, rules, floor } = this.options;
    for (const { agent_id: agentId } of await queries.selectDue(sql, poolId)) {
      if (this.#busy.has(agentId)) continue;
      const result = await this.#grant(poolId, agentId, true);
      if (result.kind === 'granted') {
        floor.notify(agentId, confirmed(result.chipBalance));
      } else {
        await queries.settleDue(sql, poolId, agentId, rules);
        if (result.kind !== 'cooldown') this.#arrived(agentId);
      }
    }
  }

  async #nextDue(): Promise<number | null> {
    const poolId = this.#poolId();
    return poolId === null ? null : queries.selectNextDue(this.options.sql, poolId);
  }

  async #alone(agentId: string, work: () => Promise<void>): Promise<void> {
    this.#busy.add(agentId);
    try {
      await work();
    } finally {
      this.#busy.delete(agentId);
    }
  }

  #await(agentId: string, table: string): void {
    this.#awaitedAt.set(agentId, table);
    this.options.floor.rebuyPending(table, agentId, true);
  }

  #arrived(agentId: string): void {
    const table = this.#awaitedAt.get(agentId);
    if (table === undefined) return;
    this.#awaitedAt.delete(agentId);
    this.options.floor.rebuyPending(table, agentId, false);
  }

  #poolId(): string | null {
    return this.options.season.current?.seasonId ?? null;
  }
}

/** Only the unverified e-mail address keeps this agent from its automatic rebuy. */
const wantsButMayNot = (state: RebuyState | undefined) =>
  state !== undefined && state.auto_rebuy && state.out_of_chips && !state.seated && !state.email_verified;

/** A begun second counts. */
const secondsOf = (ms: number) => Math.max(0, Math.ceil(ms / 1000));

export function confirmed(chipBalance: number): ServerMessage {
  return { type: 'rebuy_confirmed', new_stack: 0, chip_balance: chipBalance };
}
