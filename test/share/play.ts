import type { Entrance, SeasonScope } from '../../src/lobby/ports.js';
import type { ServerMessage } from '../../src/protocol/server.js';
import type { ShareDatabase } from './database.js';

/** The one pool of this world. */
export const POOL = '5ea50000-0000-4000-8000-000000000000';
const FIRST_BALANCE = 10_000;
const REBUY = 1500;

/** A season in which everybody plays: balances, busts and rebuys. */
export class SharePlay implements SeasonScope {
  constructor(
    private readonly rows: ShareDatabase,
    private readonly notify: (agentId: string, message: ServerMessage) => void,
  ) {}

  enter(agentId: string): Promise<Entrance> {
    const { balances } = this.rows;
    return this.rows.statement(() => {
      const chipBalance = balances.get(agentId) ?? FIRST_BALANCE;
      balances.set(agentId, chipBalance);
      return { kind: 'entered', entry: { poolId: POOL, chipBalance, autoRebuy: false, premium: false } };
    });
  }

  rebuy(agentId: string): Promise<ServerMessage> {
    const { balances } = this.rows;
    return this.rows.statement(() => {
      const balance = (balances.get(agentId) ?? 0) + REBUY;
      balances.set(agentId, balance);
      return { type: 'rebuy_confirmed', new_stack: 0, chip_balance: balance };
    });
  }

  setAutoRebuy(): Promise<ServerMessage[]> {
    return Promise.reject(new Error('nobody asks for it here'));
  }

  async busted({ agentId }: { agentId: string }): Promise<void> {
    await this.seatLost(agentId);
  }

  async seatLost(agentId: string): Promise<void> {
    await this.rows.statement(() => undefined);
    this.notify(agentId, { type: 'busted' } as ServerMessage);
  }

  shardRecovered(): void {
    // A bust is told by the rows of its stay alone here.
  }
}
