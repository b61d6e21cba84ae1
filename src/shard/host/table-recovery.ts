import { assert } from '../../ops/assert.js';
import { SEQ_STEP } from '../../table/numbering.js';
import type { TableSlot } from './table-slot.js';
import { adoptTable, cashOut, closeTable, storedTables, type StoredTable } from '../commit/queries.js';
import type { ShardBase, HostedTables } from './context.js';

/** A table with so many void hands in a minute is broken: it closes. Yet more, and it is given up from outside. */
const WINDOW_MS = 60_000;
const CLOSE_AFTER = 3;
const GIVE_UP_AFTER = 6;

/**
 * Recovery of a single table. After an exception or a refused commit its hand is void, and the table opens again from
 * its last committed state, as after a crash. Its neighbours notice nothing.
 */
export class TableRecovery {
  constructor(
    private readonly base: ShardBase,
    private readonly context: HostedTables,
  ) {}

  /** The table is out of play already; it comes back when its operations under way are done. */
  reopen(slot: TableSlot, error: Error): void {
    const now = this.base.clock();
    slot.voidedAt = [...slot.voidedAt.filter((at) => at > now - WINDOW_MS), now];
    const times = slot.voidedAt.length;
    if (times > CLOSE_AFTER) slot.orderClose('table_error');
    this.base.posts.send({
      t: 'log',
      level: 'error',
      message: 'a hand is void: the table is opened again from its last committed state',
      detail: { table: slot.id, times, error: error.message, stack: error.stack },
    });
    if (slot.state.is === 'reopening') return;
    slot.state = { is: 'reopening' };
    slot.ops.push(() => this.#again(slot, times > GIVE_UP_AFTER));
  }

  async #again(slot: TableSlot, giveUp: boolean): Promise<void> {
    const { durable, fence } = this.base;
    // The closing of its row was under way when its hand became void.
    if (slot.state.is === 'closed') return;
    assert(slot.state.is === 'reopening', 'a table that is opened again is out of play', slot.state.is);
    const [stored] = await durable.run('load table', (sql) => storedTables(sql, { ids: [slot.id] }));
    if (stored === undefined) return this.context.closed(slot);
    assert(stored.seqFloor >= slot.opening.seqFloor, 'the stored bound of table_seq rises', stored.seqFloor);
    assert(stored.handNumber >= slot.opening.handNumber, 'the numbers of hands rise', stored.handNumber);
    if (giveUp) return this.#giveUp(slot, stored);
    await durable.run('adopt table', (sql) => adoptTable(sql, fence, slot.id, stored.seqFloor + SEQ_STEP));
    this.context.install(slot, { ...stored, rules: slot.opening.rules });
  }

  /** Not even closing works inside the table: its players get their chips back without it. */
  async #giveUp(slot: TableSlot, { poolId, sittings, handNumber }: StoredTable): Promise<void> {
    const { durable, fence } = this.base;
    // The hand that is void was seen too; decks that are drawn anew are no matter.
    const decksSeen = slot.opening.rules.duplicate === null ? 0 : handNumber + 1;
    for (const { sitting, seat, stack, player } of sittings) {
      const { agentId } = player;
      const stay = { poolId, agentId, sitting, stack, decksSeen };
      const balance = await durable.run('cash-out', (sql) => cashOut(sql, fence, stay));
      assert(balance >= stack, 'a balance holds the stack that was cashed out', balance);
      this.base.posts.send({
        t: 'left',
        table: slot.id,
        poolId,
        agentId,
        seat,
        reason: 'closed',
        absent: false,
        untold: true,
        stack,
        balance,
      });
    }
    await durable.run('close table', (sql) => closeTable(sql, fence, slot.id));
    this.base.posts.log('error', 'a broken table was closed, its players cashed out', { table: slot.id });
    this.context.closed(slot);
  }
}
