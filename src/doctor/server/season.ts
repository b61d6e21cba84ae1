import { randomUUID } from 'node:crypto';
import { rebuyAnswer } from '../../rebuys/index.js';
import type { Entrance, Left, LobbyControl, SeasonScope } from '../../lobby/ports.js';
import { utc } from '../../protocol/common.js';
import type { ServerMessage, ServerMessageOf } from '../../protocol/server.js';

/** Chips of a rebuy, and the least to sit down with (protocol.md, "Rebuys"). */
const REBUY_CHIPS = 1500;

export interface PrivateSeasonSettings {
  /** Chips that the bot has on entry. */
  balance: number;
  /** The least buy-in. */
  minimum: number;
}

/** A season in memory: one bot's entry, its rebuys, and what a case makes of them. */
export class MemorySeason implements SeasonScope {
  poolId: string = randomUUID();
  number = 1;
  autoRebuy = false;
  /** What `enter` answers in place of the entry. */
  entrance: Exclude<Entrance, { kind: 'entered' }> | null = null;
  /** No rebuy is granted before so many ms have passed since the bust. */
  cooldownMs = 0;
  /** Epoch ms of the last bust. */
  #bustedAt = 0;
  /** Nobody's e-mail address is verified. */
  unverified = false;
  rebuys = 0;

  constructor(
    private readonly settings: PrivateSeasonSettings,
    private readonly balances: Map<string, number>,
    private readonly control: () => LobbyControl,
  ) {}

  /** Epoch ms from which on a rebuy is granted. */
  get #rebuyAt(): number {
    return this.#bustedAt + this.cooldownMs;
  }

  enter(agentId: string): Promise<Entrance> {
    if (this.entrance !== null) return Promise.resolve(this.entrance);
    const chipBalance = this.balances.get(agentId) ?? this.settings.balance;
    this.balances.set(agentId, chipBalance);
    const entry = { poolId: this.poolId, chipBalance, autoRebuy: this.autoRebuy, premium: false };
    return Promise.resolve({ kind: 'entered', entry });
  }

  rebuy(agentId: string): Promise<ServerMessage> {
    const chips = this.balances.get(agentId) ?? 0;
    const seconds = Math.ceil((this.#rebuyAt - Date.now()) / 1000);
    if (this.unverified) return Promise.resolve(rebuyAnswer({ kind: 'email_not_verified' }));
    if (chips >= this.settings.minimum) return Promise.resolve(rebuyAnswer({ kind: 'has_chips', chips }));
    if (seconds > 0)
      return Promise.resolve(rebuyAnswer({ kind: 'cooldown', seconds, availableAt: new Date(this.#rebuyAt) }));
    return Promise.resolve(this.#grant(agentId));
  }

  setAutoRebuy(_agentId: string, enabled: boolean): Promise<ServerMessage[]> {
    this.autoRebuy = enabled;
    return Promise.resolve([{ type: 'auto_rebuy_set', enabled }]);
  }

  async busted({ agentId, balance }: Left): Promise<void> {
    this.#bustedAt = Date.now();
    const control = this.control();
    const out = balance < this.settings.minimum;
    if (!this.autoRebuy || !out || this.unverified) {
      control.notify(agentId, { type: 'busted', options: out ? ['rebuy', 'leave'] : ['leave'] });
      return;
    }
    const waitMs = this.cooldownMs;
    const rebuy_at = utc(new Date(Date.now() + waitMs));
    const cooldown_seconds = Math.ceil(waitMs / 1000);
    control.notify(agentId, { type: 'auto_rebuy_scheduled', rebuy_at, cooldown_seconds });
    setTimeout(() => control.notify(agentId, this.#grant(agentId)), waitMs);
  }

  /** The season ends and the next one begins: tables close, everybody reads season_ended. */
  async end(): Promise<void> {
    const control = this.control();
    const over = this.poolId;
    this.entrance = { kind: 'not_open' };
    await control.closePool(over, 'season_ended', true);
    this.poolId = randomUUID();
    this.balances.clear();
    control.broadcast({ type: 'season_ended', season_number: this.number, next_season_number: ++this.number });
    this.entrance = null;
    control.seasonOpened();
  }

  shardRecovered(): void {
    // Nothing is lost here.
  }

  seatLost(): Promise<void> {
    return Promise.resolve();
  }

  #grant(agentId: string): ServerMessageOf['rebuy_confirmed'] {
    const chip_balance = (this.balances.get(agentId) ?? 0) + REBUY_CHIPS;
    this.balances.set(agentId, chip_balance);
    this.rebuys++;
    return { type: 'rebuy_confirmed', new_stack: 0, chip_balance };
  }
}
