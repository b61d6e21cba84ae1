import { retrying, type Database } from '../../../src/store/database.js';
import { eventually } from '../../support/limits.js';
import type { Crowd } from '../crowd.js';
import type { Guest } from '../guest.js';
import { BIG_BLIND } from '../seats.js';

/** Where a guest sat, and how often it had got up, asked to, or came back for it, by then. */
interface SeatBefore {
  table: string;
  leaves: number;
  gotUp: number;
  untold: number;
}

/** That whoever sat sits there yet: looked at before something happens, and after it. */
export class KeptSeats {
  constructor(
    private readonly crowd: Crowd,
    private readonly sql: Database,
  ) {}

  /** By guest: its table, and how often it had asked to leave by then. */
  async taken(): Promise<Map<Guest, SeatBefore>> {
    const tables = await this.tables();
    return new Map(
      this.crowd.guests.flatMap((guest) => {
        const table = tables.get(guest.account.agentId);
        const { leaves, untold, sent } = guest;
        return table === undefined ? [] : [[guest, { table, leaves, untold, gotUp: sent.gotUp }] as const];
      }),
    );
  }

  /**
   * Who sat sits there yet, unless it got up, asked to leave, or lost its stack, be it unseen: a socket that is closed
   * costs no seat.
   */
  async lost(before: ReadonlyMap<Guest, SeatBefore>): Promise<string[]> {
    const now = await this.tables();
    const isGone = ([{ account, sent, leaves, untold }, seat]: [Guest, SeatBefore]) =>
      now.get(account.agentId) !== seat.table &&
      sent.gotUp === seat.gotUp &&
      leaves === seat.leaves &&
      untold === seat.untold;
    const paid = new Map<Guest, number | undefined>();
    for (const [guest] of [...before].filter(isGone)) {
      const [out] = await this.sql<{ amount: number }[]>`
        select amount from chip_ledger where agent_id = ${guest.account.agentId} and type = 'cash_out'
        order by entry_id desc limit 1`;
      if (out === undefined || out.amount >= BIG_BLIND) paid.set(guest, out?.amount);
    }
    const untold = () => [...before].filter((seat) => paid.has(seat[0]) && isGone(seat));
    // Of a table that closes all are told together, a while after the first of them was paid.
    await eventually('whoever got up is told', () => untold().length === 0, 50).catch(() => undefined);
    return untold().map(([guest, { table }]) => {
      const { account, diary } = guest;
      const where = now.get(account.agentId) ?? 'no table';
      const seat = `${account.name} sat at ${table}, never got up, was paid ${paid.get(guest)}, and sits at ${where}`;
      return `${seat}\n    ${diary}`;
    });
  }

  /** By agent: the table where it sits. */
  tables(): Promise<Map<string, string>> {
    return retrying(async () => {
      const rows = await this.sql<{ agent_id: string; table_id: string }[]>`
        select agent_id, table_id from entries where table_id is not null`;
      return new Map(rows.map(({ agent_id, table_id }) => [agent_id, table_id]));
    });
  }
}
