import { createHash } from 'node:crypto';
import { audit } from '../../src/admin/audit/index.js';
import type { Database } from '../../src/store/database.js';
import { decodeRecord } from '../../src/table/record/record-codec.js';
import { ACTION_NAMES, STREET_NAMES } from '../../src/table/frames/words.js';
import type { HandResult } from '../support/bot.js';
import type { TestPlatform } from '../support/platform.js';
import type { Crowd } from './crowd.js';

/**
 * Holds a crowd's frames against the database, over all lives of its platform. Every sent frame is stored as it was
 * sent, void hands stay void, and every chip is accounted for. Findings are texts; none is well.
 */
export class Truth {
  /** Table by hand, of hands that began and were cut off. */
  readonly voided = new Map<string, string>();
  /** A digest of the record of every hand that was found stored as it was sent. */
  readonly #stored = new Map<string, string>();

  constructor(
    private readonly crowd: Crowd<TestPlatform>,
    private readonly sql: Database,
  ) {}

  /** Hands that were sent and found stored. */
  get hands(): number {
    return this.#stored.size;
  }

  /**
   * May be called at any time, beside play as well. `records` also replays every stored hand by the rules, which takes
   * a while when there are many.
   */
  async check({ records }: { records: boolean }): Promise<string[]> {
    const { problems } = await audit(this.sql, { records });
    return [
      ...problems,
      ...this.crowd.faults(),
      ...(await this.#sentIsStored()),
      ...(await this.#countsAreStored()),
      ...(await this.#voidIsVoid()),
    ];
  }

  /** Every hand ever sent is stored yet, as it was then. */
  async checkAll(): Promise<string[]> {
    const findings = await this.check({ records: true });
    const ids = [...this.#stored.keys()];
    for (let from = 0; from < ids.length; from += 1000) {
      const some = ids.slice(from, from + 1000);
      const records = await this.#records(some);
      for (const id of some) {
        const record = records.get(id);
        if (record === undefined || digest(record) !== this.#stored.get(id))
          findings.push(`hand ${id} is not what it was`);
      }
    }
    return findings;
  }

  /**
   * The process (or shard) that ran them is gone: hands that began and are not stored are void from now on. Resolves to
   * their number by table; more than one at a table is a finding of its own.
   */
  async settle(): Promise<Map<string, number>> {
    const begun = new Map<string, string>();
    for (const { open, tableOf } of this.crowd.guests) {
      for (const hand of open) begun.set(hand, tableOf.get(hand)!);
      open.clear();
      tableOf.clear();
    }
    const finished = await this.#records([...begun.keys()]);
    const byTable = new Map<string, number>();
    for (const [hand, table] of begun) {
      if (finished.has(hand)) continue;
      this.voided.set(hand, table);
      byTable.set(table, 1 + (byTable.get(table) ?? 0));
    }
    return byTable;
  }

  /**
   * Hands that players saw begin and that will never be stored. Their tables have begun later hands (ids of hands are
   * in the order of time), or have closed. By table, the first begun first. Each is found once.
   */
  async cutOff(): Promise<Map<string, string[]>> {
    const { guests } = this.crowd;
    const newest = new Map<string, string>();
    for (const { tableOf } of guests) {
      for (const [hand, table] of tableOf) if (hand > (newest.get(table) ?? '')) newest.set(table, hand);
    }
    const open = new Map(guests.flatMap(({ open, tableOf }) => [...open].map((hand) => [hand, tableOf.get(hand)!])));
    const closed = await this.#closed([...new Set(open.values())]);
    const past = [...open].filter(([hand, table]) => hand < newest.get(table)! || closed.has(table));
    const ids = past.map(([hand]) => hand);
    const stored = await this.#records(ids);
    const byTable = new Map<string, string[]>();
    for (const [hand, table] of past.toSorted()) {
      if (stored.has(hand)) continue;
      this.voided.set(hand, table);
      byTable.set(table, [...(byTable.get(table) ?? []), hand]);
    }
    for (const guest of guests) for (const hand of ids) guest.open.delete(hand);
    return byTable;
  }

  async #closed(tables: string[]): Promise<Set<string>> {
    const rows = await this.sql<{ table_id: string }[]>`
      select table_id from tables where table_id = any (${tables}) and status = 'closed'`;
    return new Set(rows.map(({ table_id }) => table_id));
  }

  async #sentIsStored(): Promise<string[]> {
    const sent = this.crowd.guests.map((guest) => ({ guest, results: [...guest.results.values()] }));
    const ids = [...new Set(sent.flatMap(({ results }) => results.map(({ hand_id }) => hand_id)))];
    const records = await this.#records(ids);
    const expected = new Map([...records].map(([id, record]) => [id, asSent(record)]));
    const findings: string[] = [];
    for (const { guest, results } of sent) {
      for (const result of results) {
        const id = result.hand_id;
        const stored = expected.get(id);
        if (stored === undefined) findings.push(`hand ${id} was sent to ${guest.account.name} and is not stored`);
        else if (stored !== essence(result)) findings.push(`hand ${id}: sent ${essence(result)}, stored ${stored}`);
        guest.results.delete(id);
      }
    }
    for (const [id, record] of records) this.#stored.set(id, digest(record));
    return findings;
  }

  /** Seats taken and given up, and rebuys: each that was sent is in the ledger. */
  async #countsAreStored(): Promise<string[]> {
    // Taken first: what is sent while the answer is on its way need not be in it.
    const sent = this.crowd.guests.map(({ account, sent }) => ({ ...account, ...sent }));
    const rows = await this.sql<{ agent: string; bought: number; cashed: number; rebuys: number }[]>`
      select agent_id as agent, count(*) filter (where type = 'buy_in') as bought,
        count(*) filter (where type = 'cash_out') as cashed, count(*) filter (where type = 'rebuy') as rebuys
      from chip_ledger group by agent_id`;
    const byAgent = new Map(rows.map((row) => [row.agent, row]));
    return sent.flatMap(({ name, agentId, satDown, gotUp, rebuys }) => {
      const row = byAgent.get(agentId);
      const lost = [
        satDown > (row?.bought ?? 0) ? `${satDown} buy-ins, stored are ${row?.bought}` : null,
        gotUp > (row?.cashed ?? 0) ? `${gotUp} cash-outs, stored are ${row?.cashed}` : null,
        rebuys > (row?.rebuys ?? 0) ? `${rebuys} rebuys, stored are ${row?.rebuys}` : null,
      ];
      return lost.flatMap((what) => (what === null ? [] : [`${name} was sent ${what}`]));
    });
  }

  async #voidIsVoid(): Promise<string[]> {
    const risen = await this.#records([...this.voided.keys()]);
    const sent = [...this.voided.keys()].filter((id) => this.crowd.sent.has(id));
    return [
      ...[...risen.keys()].map((id) => `hand ${id} was cut off, and is stored now`),
      ...sent.map((id) => `hand ${id} was cut off, and its result was sent`),
    ];
  }

  async #records(ids: string[]): Promise<Map<string, Buffer>> {
    const rows = await this.sql<
      { hand_id: string; record: Buffer }[]
    >`select hand_id, record from hands where hand_id = any (${ids})`;
    return new Map(rows.map(({ hand_id, record }) => [hand_id, record]));
  }
}

const digest = (record: Buffer) => createHash('sha256').update(record).digest('base64');

/** The facts of a result that its stored record has, as one text. */
function essence({ total_pot, final_stacks, payouts, actions }: HandResult): string {
  const bySeat = [...payouts].sort((a, b) => a.seat - b.seat);
  return JSON.stringify({ total_pot, final_stacks, payouts: bySeat, actions });
}

function asSent(record: Buffer): string {
  const { players, actions, totalPot } = decodeRecord(record);
  return JSON.stringify({
    total_pot: totalPot,
    final_stacks: Object.fromEntries(players.map(({ seat, stackEnd }) => [String(seat), stackEnd])),
    payouts: players.filter(({ payout }) => payout > 0).map(({ seat, payout }) => ({ seat, amount: payout })),
    actions: actions.map(({ seat, act, amount, street }) => ({
      seat,
      action: ACTION_NAMES[act],
      amount,
      street: STREET_NAMES[street],
    })),
  });
}
