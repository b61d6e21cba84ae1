import { NO_SOCKET, type CarriedTable, type SocketId } from '../../table/api.js';
import { takeTable, WriteRefused } from '../commit/queries.js';
import type { FromShard, ToShard } from '../messages.js';
import type { ShardBase, Tables } from './context.js';
import { TableSlot } from './table-slot.js';

type Adopt = Extract<ToShard, { t: 'adopt' }>;

/**
 * Tables that move from shard to shard, between hands. The giver lets a table rest, and gives it away when nothing of it
 * is under way and nobody sends it anything any more; it writes nothing of it after that. The taker stores that it is its
 * own by one statement, which needs the giver's epoch too. So whoever dies, the database says whose the table is.
 */
export class HandOvers {
  constructor(
    private readonly base: ShardBase,
    private readonly host: Tables & { forget(slot: TableSlot): void; add(slot: TableSlot): void },
  ) {}

  /** No hand begins after the present one. Answer: rested, once nothing is under way. */
  rest(slot: TableSlot): void {
    slot.resting = true;
    this.host.call(slot, (table, now) => table.rest(now));
  }

  playOn(slot: TableSlot): void {
    slot.resting = false;
    this.host.call(slot, (table, now) => table.unrest(now));
  }

  /** After each call of a table that shall rest: once it is still, and its statements are done, that is said. */
  look(slot: TableSlot): void {
    if (slot.asleep || slot.table?.still !== true) return;
    slot.asleep = true;
    slot.ops.push(async () => {
      slot.asleep = false;
      if (!slot.resting || slot.table?.still !== true || slot.sits.size > 0) return Promise.resolve();
      this.#say({ t: 'rested', table: slot.id });
      return Promise.resolve();
    });
  }

  /** Everything for the table that was sent here has been read. */
  handOver(slot: TableSlot): void {
    const { base, host } = this;
    if (!slot.resting || slot.table?.still !== true || !slot.ops.idle || slot.sits.size > 0) {
      this.playOn(slot);
      base.posts.send({ t: 'kept', table: slot.id });
      return;
    }
    const opening = slot.table.pack(base.clock());
    // That this shard is about to end is no matter where it goes.
    if (opening.carried !== undefined) opening.carried.draining = slot.windingDown;
    host.forget(slot);
    const refusedSits = [...slot.refusedSits];
    base.posts.send({ t: 'handedOver', table: slot.id, opening, refusedSits, epoch: base.fence.epoch });
  }

  /** Answer: adopted. */
  adopt({ opening: { carried, ...opening }, from, refusedSits, present }: Adopt): void {
    const { base, host } = this;
    const known = host.tables.get(opening.tableId);
    // A late order to open the table, which has been here before and moved on, is refused by what is stored.
    const has = known !== undefined && (known.opened || !known.fresh);
    if (has || carried === undefined) return this.#say({ t: 'adopted', table: opening.tableId, ok: false, has });
    const slot = new TableSlot(opening, (error) => host.crash(error));
    const goesOn = present ? carried : deserted(carried, opening.rules.disconnectHoldMs);
    slot.take(goesOn, refusedSits);
    host.add(slot);
    slot.ops.push(async () => {
      try {
        await base.durable.run('take table', (sql) => takeTable(sql, base.fence, opening.tableId, from));
      } catch (error) {
        if (!(error instanceof WriteRefused)) throw error;
        host.giveBack(slot);
        return this.#say({ t: 'adopted', table: slot.id, ok: false, has: false });
      }
      slot.opened = true;
      base.posts.send({ t: 'adopted', table: slot.id, ok: true, has: true });
      host.install(slot, { ...opening, carried: goesOn });
    });
  }

  #say(message: FromShard): void {
    this.base.posts.send(message);
    this.base.posts.rest();
  }
}

/** Nobody is known to be there, as after a crash: whoever is attaches again. */
const deserted = (carried: CarriedTable, heldMs: number): CarriedTable => ({
  ...carried,
  watches: [],
  seats: carried.seats.map((seat) => ({
    ...seat,
    socket: NO_SOCKET satisfies SocketId,
    heldMs: seat.heldMs ?? heldMs,
  })),
});
