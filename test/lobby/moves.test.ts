/**
 * What the lobby does with a table that moves, whatever becomes of its shards meanwhile: who wants to sit down there sits
 * down, what is said to it reaches the shard that has it, and it is asked for by one shard at a time.
 */
import t, { type Test } from 'tap';
import type { CarriedTable, TableOpening } from '../../src/table/api.js';
import { FILE_MS } from '../support/limits.js';
import { LobbyHouse, type Line } from '../support/lobby-house.js';
import type { ToyShard } from '../support/toy-shard.js';

t.setTimeout(FILE_MS);

/** Two players at a table of the giver, which goes to the taker when it is told to; who comes later is not answered yet. */
class Move {
  private constructor(
    readonly house: LobbyHouse,
    readonly table: string,
    readonly from: number,
    readonly ada: Line,
  ) {}

  static async open(): Promise<Move> {
    const house = new LobbyHouse({ shards: 2, moving: true });
    const [ada] = await house.join('ada', 'bob');
    await house.clock.advance(5_000);
    const table = house.tableOf('ada');
    const from = house.shards.findIndex((shard) => shard.tables.has(table));
    return new Move(house, table, from, ada!);
  }

  get to(): number {
    return 1 - this.from;
  }

  get giver(): ToyShard {
    return this.house.shards[this.from]!;
  }

  get taker(): ToyShard {
    return this.house.shards[this.to]!;
  }

  get opening(): TableOpening {
    const opening = this.giver.revive().find(({ tableId }) => tableId === this.table);
    if (opening === undefined) throw new Error('the giver has it no more');
    return { ...opening, carried: {} as CarriedTable };
  }

  begin(): boolean {
    return this.house.moves!.begin(this.table, this.to);
  }

  /** The taker is given the table, says nothing, and dies. */
  diesWithIt(): void {
    this.begin();
    this.rested();
    this.taker.silent = true;
    this.handedOver();
    this.taker.die();
    this.house.lobby.shards.shardDown(this.to);
  }

  rested(): void {
    this.house.lobby.shards.fromShard(this.from, { t: 'rested', table: this.table });
  }

  handedOver(): void {
    const { table, opening } = this;
    this.house.lobby.shards.fromShard(this.from, { t: 'handedOver', table, opening, refusedSits: [], epoch: 3 });
  }

  adopted(shard: number, ok = true): void {
    this.house.lobby.shards.fromShard(shard, { t: 'adopted', table: this.table, ok, has: ok });
  }

  /** Kinds of messages for the table that a shard has read. */
  read(shard: ToyShard, since = 0): string[] {
    return shard.received
      .slice(since)
      .filter((message) => ('table' in message ? message.table : '') === this.table || message.t === 'adopt')
      .map(({ t }) => t);
  }
}

const settle = ({ house }: Move) => house.clock.settle();

/** All routes that sessions have lead there. */
const isAt = (t: Test, { ada, house, table }: Move, shard: number) => {
  t.match(ada.route, { table, shard });
  t.match(house.lobby.views.counts(), { seated: 2 });
};

await t.test('what comes while it is handed over is read by the taker, after the table itself', async (t) => {
  const move = await Move.open();
  t.ok(move.begin());
  t.notOk(move.begin(), 'asked twice');
  t.equal(move.giver.last('rest')?.table, move.table);
  move.rested();
  const before = move.giver.received.length;
  move.ada.send({ type: 'resync_request', table_id: move.table, last_table_seq: 0 });
  await settle(move);
  t.same(move.read(move.giver, before), [], 'nothing is sent to who gives it away');
  move.taker.silent = true;
  move.handedOver();
  t.same(move.read(move.taker), ['adopt', 'resync']);
  t.same(move.taker.last('adopt')?.from, { shard: move.from, epoch: 3 });
  t.equal(move.taker.last('adopt')?.present, true);
  move.adopted(move.to);
  t.match(move.house.moves, { moved: 1, underWay: 0 });
  isAt(t, move, move.to);
  t.ok(move.house.moves!.begin(move.table, move.from), 'and back');
});

await t.test('the taker dies before it has it: who was on the way there sits down at the giver', async (t) => {
  const move = await Move.open();
  const { house, giver, taker } = move;
  move.begin();
  move.rested();
  const [cyd] = await house.join('cyd');
  await house.clock.advance(5_000);
  t.equal(giver.count('sit') + taker.count('sit'), 2, 'its seat is asked of nobody yet');
  taker.silent = true;
  move.handedOver();
  t.same(move.read(taker), ['adopt', 'sit']);
  taker.die();
  house.lobby.shards.shardDown(move.to);
  const before = [giver.received.length, taker.received.length] as const;
  move.ada.send({ type: 'resync_request', table_id: move.table, last_table_seq: 0 });
  taker.revive();
  house.lobby.shards.shardRestored(move.to, []);
  await house.clock.advance(5_000);
  t.same(move.read(taker, before[1]), [], 'it knows nothing of the table');
  const read = move.read(giver, before[0]);
  t.same(read.slice(0, 4), ['adopt', 'resync', 'attach', 'attach'], 'what came meanwhile waited');
  t.equal(giver.last('adopt')?.present, false);
  t.equal(house.tableOf('cyd'), move.table);
  t.match(cyd!.route, { table: move.table, shard: move.from });
  move.adopted(move.from);
  t.match(house.moves, { moved: 0, underWay: 0 });
});

await t.test('…also where the taker does not come back, and others have its tables', async (t) => {
  const move = await Move.open();
  const { house, giver, taker } = move;
  move.begin();
  move.rested();
  await settle(move);
  taker.silent = true;
  move.handedOver();
  taker.die();
  house.lobby.shards.shardDown(move.to);
  const before = giver.received.length;
  house.lobby.shards.shardDealtOut(move.to, []);
  await settle(move);
  t.same(move.read(giver, before).slice(0, 3), ['adopt', 'attach', 'attach']);
  t.equal(giver.last('adopt')?.present, false);
  move.adopted(move.from);
  t.match(house.moves, { moved: 0, underWay: 0 });
  isAt(t, move, move.from);
});

await t.test('…or, where it was stored as the taker’s, is opened by who has those', async (t) => {
  const move = await Move.open();
  const { house, giver, taker, opening } = move;
  move.begin();
  move.rested();
  await settle(move);
  taker.silent = true;
  move.handedOver();
  taker.die();
  house.lobby.shards.shardDown(move.to);
  const before = giver.received.length;
  house.lobby.shards.shardDealtOut(move.to, [{ opening, shard: move.from }]);
  await settle(move);
  t.same(move.read(giver, before), ['attach', 'attach'], 'it was told to open it before');
  t.match(house.moves, { moved: 0, underWay: 0 });
  isAt(t, move, move.from);
});

await t.test('the giver dies first, and the taker has its tables: it opens what it could not take', async (t) => {
  const move = await Move.open();
  const { house, taker, opening } = move;
  move.begin();
  move.rested();
  await settle(move);
  taker.silent = true;
  move.handedOver();
  house.lobby.shards.shardDown(move.from);
  house.lobby.shards.shardDealtOut(move.from, [{ opening, shard: move.to }]);
  await settle(move);
  t.notOk(house.moves!.begin(move.table, move.from), 'it is not there yet');
  const before = taker.received.length;
  move.adopted(move.to, false);
  await settle(move);
  const read = taker.received.slice(before);
  t.match(read, [{ t: 'open', opening: { tableId: move.table }, restored: true }, { t: 'attach' }, { t: 'attach' }]);
  t.match(house.moves, { moved: 0, underWay: 0 });
  isAt(t, move, move.to);
});

await t.test('the taker dies before it has it: a close that was lost with it is asked for again', async (t) => {
  const move = await Move.open();
  const { house, giver, taker } = move;
  move.begin();
  move.rested();
  taker.silent = true;
  move.handedOver();
  house.lobby.shards.closeTable(move.table);
  t.same(move.read(taker), ['adopt', 'close']);
  taker.die();
  house.lobby.shards.shardDown(move.to);
  taker.revive();
  house.lobby.shards.shardRestored(move.to, []);
  house.lobby.shards.closeTable(move.table);
  t.equal(giver.count('close'), 1, 'the operator asks until it is closed');
});

await t.test(
  'the taker dies after the table has closed there, and nobody heard of it: the table is gone',
  async (t) => {
    for (const has of [false, true]) {
      const move = await Move.open();
      const { house, taker } = move;
      move.diesWithIt();
      taker.revive();
      house.lobby.shards.shardRestored(move.to, []);
      t.match(house.lobby.views.counts(), { tables: 1, seated: 2 }, 'it may be that the taker never had it');
      const { from, table } = move;
      house.lobby.shards.fromShard(from, { t: 'adopted', table, ok: false, has });
      t.match(house.lobby.views.counts(), has ? { tables: 1, seated: 2 } : { tables: 0, seated: 0 });
      t.equal(house.moves!.underWay, 0);
    }
  },
);

await t.test('the taker dies when it has it: what comes meanwhile waits for its next life', async (t) => {
  const move = await Move.open();
  const { house, taker } = move;
  const { opening } = move;
  move.diesWithIt();
  const before = taker.received.length;
  move.ada.send({ type: 'resync_request', table_id: move.table, last_table_seq: 0 });
  t.same(move.read(taker, before), []);
  taker.revive();
  house.lobby.shards.shardRestored(move.to, [opening]);
  t.same(move.read(taker, before), ['resync', 'attach', 'attach']);
  t.equal(house.moves!.underWay, 0);
  isAt(t, move, move.to);
});

await t.test('the giver dies: before it gave the table away it has it again, and after that it may have', async (t) => {
  const early = await Move.open();
  early.begin();
  early.rested();
  early.ada.send({ type: 'resync_request', table_id: early.table, last_table_seq: 0 });
  const { opening } = early;
  early.giver.die();
  early.house.lobby.shards.shardDown(early.from);
  t.equal(early.house.moves!.underWay, 0);
  t.equal(early.read(early.giver).at(-1), 'resync', 'its link keeps it');
  early.giver.revive();
  early.house.lobby.shards.shardRestored(early.from, [opening]);
  isAt(t, early, early.from);

  const late = await Move.open();
  late.begin();
  late.rested();
  late.taker.silent = true;
  late.handedOver();
  late.house.lobby.shards.shardDown(late.from);
  t.equal(late.house.moves!.underWay, 1, 'the taker may have been quicker');
  late.house.lobby.shards.shardRestored(late.from, [late.opening]);
  isAt(t, late, late.from);
  t.notOk(late.begin(), 'while the taker tries to take it, it could not take it once more');
  late.adopted(late.to, false);
  isAt(t, late, late.from);
  t.match(late.house.moves, { moved: 0, underWay: 0 });
  t.ok(late.begin());
  late.adopted(late.from, false);
  t.equal(late.house.moves!.underWay, 1, 'a late word of an earlier move');
});

await t.test('the taker hears first that the giver has another life', async (t) => {
  const move = await Move.open();
  move.begin();
  move.rested();
  move.taker.silent = true;
  move.handedOver();
  move.house.lobby.shards.shardDown(move.from);
  move.adopted(move.to, false);
  isAt(t, move, move.from);
  move.house.lobby.shards.shardRestored(move.from, [move.opening]);
  isAt(t, move, move.from);
});

await t.test('the taker dies before the table was given to it: the giver keeps it', async (t) => {
  const resting = await Move.open();
  resting.begin();
  resting.house.lobby.shards.shardDown(resting.to);
  t.equal(resting.giver.received.at(-1)?.t, 'playOn');
  resting.rested();
  t.equal(resting.giver.count('handOver'), 0, 'a late word of its rest');
  t.notOk(resting.begin(), 'nobody is there to take it');

  const holding = await Move.open();
  holding.begin();
  holding.rested();
  holding.house.lobby.shards.shardDown(holding.to);
  holding.handedOver();
  t.match(holding.giver.last('adopt'), { present: true });
  t.equal(holding.taker.count('adopt'), 0);
  holding.adopted(holding.from);
  t.match(holding.house.moves, { moved: 0, underWay: 0 }, 'this is no move');
  isAt(t, holding, holding.from);
});

await t.test('a table that is kept, or closes meanwhile, reads what waited', async (t) => {
  const kept = await Move.open();
  kept.begin();
  kept.rested();
  const [cyd] = await kept.house.join('cyd');
  await kept.house.clock.advance(5_000);
  kept.house.lobby.shards.fromShard(kept.from, { t: 'kept', table: kept.table });
  await kept.house.clock.settle();
  t.match(cyd!.route, { table: kept.table, shard: kept.from });
  t.ok(kept.begin(), 'another time');

  const closing = await Move.open();
  closing.begin();
  closing.rested();
  const before = closing.giver.received.length;
  closing.ada.send({ type: 'resync_request', table_id: closing.table, last_table_seq: 0 });
  closing.house.lobby.shards.fromShard(closing.from, { t: 'closed', table: closing.table });
  t.same(closing.read(closing.giver, before), ['resync']);
  closing.house.lobby.shards.fromShard(closing.from, { t: 'kept', table: closing.table });
  t.equal(closing.house.moves!.underWay, 0);
});

await t.test('as a trial all tables move in turn, four at once; else those of a full shard do', async (t) => {
  const house = new LobbyHouse({ shards: 2, moving: true });
  for (let n = 0; n < 48; n++) await house.connect(`b${n}`).then((line) => line.join());
  await house.clock.advance(10_000);
  const open = house.shards.flatMap((shard) => [...shard.tables.keys()]);
  t.ok(open.length >= 8, `${open.length} tables`);
  const keep = () => {
    for (const [n, shard] of house.shards.entries()) {
      for (const table of open) if (shard.tables.has(table)) house.lobby.shards.fromShard(n, { t: 'kept', table });
    }
  };
  house.moves!.start('constantly');
  await house.clock.advance(60);
  t.equal(house.moves!.underWay, 4);
  for (let round = 0; round < open.length; round++) {
    keep();
    await house.clock.advance(50);
  }
  const asked = house.shards.flatMap(({ received }) => received.flatMap((m) => (m.t === 'rest' ? [m.table] : [])));
  t.same([...new Set(asked)].sort(), open.sort(), 'each was asked');
  keep();
  house.moves!.stop();
  await house.clock.advance(1_000);
  t.equal(house.moves!.underWay, 0, 'no more after the stop');
  house.moves!.start('on');
  await house.clock.advance(5_000);
  t.equal(house.moves!.underWay, 0, 'shards that are equally full are left alone');

  const asks = house.shards[0]!.count('rest');
  for (const table of house.shards[1]!.tables.keys()) {
    t.ok(house.moves!.begin(table, 0));
    const opening = house.shards[1]!.revive().find(({ tableId }) => tableId === table)!;
    house.lobby.shards.fromShard(1, { t: 'rested', table });
    house.lobby.shards.fromShard(1, { t: 'handedOver', table, opening, refusedSits: [], epoch: 3 });
    house.lobby.shards.fromShard(0, { t: 'adopted', table, ok: true, has: true });
  }
  await house.clock.advance(1_000);
  t.equal(house.shards[0]!.count('rest'), asks + 4, 'all are on one shard now: four are to go back');
  house.moves!.stop();
});

await t.test('a shard that is to be empty is told so once, however often it is asked for', async (t) => {
  const move = await Move.open();
  const { house, from } = move;
  const moves = house.moves!;
  const asked = () => house.shards[from]!.count('rest');
  const before = house.clock.pending;
  const empty: string[] = [];
  moves.vacate(from, () => empty.push('early'));
  moves.vacate(from, () => empty.push('late'));
  t.equal(house.clock.pending, before + 1, 'one round at a time looks after it');
  t.equal(asked(), 1);
  move.rested();
  move.handedOver();
  move.adopted(move.to);
  await house.clock.advance(100);
  isAt(t, move, move.to);
  t.same(empty, ['late']);
  t.equal(house.clock.pending, before, 'and none once it is empty');
});

await t.test('of a table that a lobby before had begun to move it is told where it is', async (t) => {
  await t.test('once that is known', async (t) => {
    const move = await Move.open();
    const told: number[] = [];
    move.house.begin();
    move.house.moves!.whereIs(move.table, (shard) => told.push(shard));
    await move.house.report();
    t.same(told, []);
    move.house.resume();
    await move.house.settle();
    t.same(told, [move.from]);
  });

  await t.test('also by a shard that reports late; of one that is not there any more any shard tells', async (t) => {
    const move = await Move.open();
    const told: [string, number][] = [];
    move.house.begin();
    for (const table of [move.table, 'gone']) move.house.moves!.whereIs(table, (shard) => told.push([table, shard]));
    await move.house.report([move.taker]);
    move.house.resume();
    await move.house.settle();
    await move.house.clock.advance(2000);
    t.same(told, []);
    await move.house.report([move.giver]);
    await move.house.clock.advance(1000);
    t.same(told, [[move.table, move.from]]);
    await move.house.clock.advance(3000);
    t.match(told, [[move.table, move.from], ['gone']]);
  });

  await t.test('but not while it moves', async (t) => {
    const move = await Move.open();
    t.ok(move.begin());
    move.rested();
    move.house.moves!.whereIs(move.table, () => t.fail('it is held for now'));
    await move.house.clock.settle();
  });
});
