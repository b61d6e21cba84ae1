import { retrying, type Database } from '../../../src/store/database.js';
import { eventually } from '../../support/limits.js';
import type { TestPlatform } from '../../support/platform.js';
import type { Crowd } from '../crowd.js';
import { BIG_BLIND } from '../seats.js';

/** A seat as it is stored, for as long as its player has it. */
interface Stay {
  sitting: string;
  agent: string;
  table: string;
  seat: number;
  chips: number;
}

/** That each player who has a seat comes back to it, or is cashed out. */
export class Stays {
  constructor(
    private readonly crowd: Crowd<TestPlatform>,
    private readonly sql: Database,
  ) {}

  stored(): Promise<Stay[]> {
    return retrying(
      () => this.sql<Stay[]>`
        select sitting, agent_id as agent, table_id as table, seat_no as seat, chips_at_table as chips
        from entries where table_id is not null`,
    );
  }

  /** Stays of before that are neither stored nor cashed out. */
  async lost(before: readonly Stay[]): Promise<string[]> {
    const gone = await retrying(
      () => this.sql<{ sitting: string }[]>`
        select sitting from unnest(${before.map(({ sitting }) => sitting)}::uuid[]) as b (sitting)
        where not exists (select from entries e where e.sitting = b.sitting)
          and not exists (select from chip_ledger l where l.sitting = b.sitting and l.type = 'cash_out')`,
    );
    const ids = new Set(gone.map(({ sitting }) => sitting));
    return before
      .filter(({ sitting }) => ids.has(sitting))
      .map((stay) => `the stay ${JSON.stringify(stay)} is not stored any more, and nothing was paid for it`);
  }

  /** Waits until each player of a stored seat has read of it over its present socket, or the stay has ended. */
  async unclaimed(): Promise<string[]> {
    const byAgent = new Map(this.crowd.guests.map((guest) => [guest.account.agentId, guest]));
    const isBack = ({ agent, table, seat }: Stay) => {
      const guest = byAgent.get(agent);
      return (
        guest !== undefined && !guest.player.isClosed && guest.player.table === table && guest.player.seat === seat
      );
    };
    let open = (await this.stored()).filter(({ chips }) => chips >= BIG_BLIND);
    const claimed = async () => {
      const now = new Set((await this.stored()).map(({ sitting }) => sitting));
      // Players that read nonsense play no more. The other checks report what they read.
      open = this.crowd.platform.faults.length > 0 ? [] : open.filter((stay) => now.has(stay.sitting) && !isBack(stay));
      return open.length === 0;
    };
    await eventually('all seats are reclaimed', claimed, 50).catch(() => undefined);
    return open.map((stay) => {
      const guest = byAgent.get(stay.agent);
      const of = guest === undefined ? 'a stranger' : `${guest.account.name}\n    ${guest.diary}`;
      return `the seat ${JSON.stringify(stay)} was not reclaimed by ${of}`;
    });
  }
}
