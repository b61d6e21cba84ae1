/**
 * Tables that move from one shard's thread to another's between hands: bots play on, table_seq has no gap, hands and chips
 * are whole, and whoever dies on the way, one shard has the table.
 */
import t, { type Test } from 'tap';
import { takeTable } from '../../src/shard/commit/queries.js';
import type { SocketId } from '../../src/table/api.js';
import { stopCluster } from '../support/database.js';
import { DatabaseGate } from '../support/database-gate.js';
import { FAULTS } from '../support/faulty-shard.js';
import { FILE_MS } from '../support/limits.js';
import { entry, resultsOf, seqOf, sentHands } from '../support/shard-bots.js';
import { ShardHouse, type Bot, type Report } from '../support/shard-house.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

interface Game {
  table: string;
  bots: Bot[];
}

/** All that came from a shard so far. */
const told = (house: ShardHouse, kind: 'rested' | 'handedOver', table: string) =>
  house.reports.filter(({ message }) => message.t === kind && message.table === table).length;

/** Has the table handed over; it lies with nobody then. */
async function handedOver(house: ShardHouse, { table, bots }: Game): Promise<Report<'handedOver'>> {
  const from = bots[0]!.shard;
  const before = told(house, 'handedOver', table);
  for (;;) {
    const rested = told(house, 'rested', table);
    house.send(from, { t: 'rest', table });
    await house.until(() => told(house, 'rested', table) > rested);
    const reports = house.reports.length;
    house.send(from, { t: 'handOver', table });
    const answer = () =>
      house.reports
        .slice(reports)
        .map(({ message }) => message)
        .find((message) => (message.t === 'handedOver' || message.t === 'kept') && message.table === table);
    await house.until(() => answer() !== undefined);
    if (told(house, 'handedOver', table) > before) return answer() as Report<'handedOver'>;
  }
}

function adopt(house: ShardHouse, game: Game, given: Report<'handedOver'>, to: number, present = true): void {
  const { opening, refusedSits, epoch } = given;
  house.send(to, { t: 'adopt', opening, refusedSits, from: { shard: game.bots[0]!.shard, epoch }, present });
  for (const bot of game.bots) bot.shard = to;
}

async function shardOf(house: ShardHouse, table: string): Promise<number> {
  const [row] = await house.sql<{ shard: number }[]>`select shard_no as shard from tables where table_id = ${table}`;
  return row!.shard;
}

/** No number is missing or comes twice of what all saw alike, no hand is lost, no chip. */
async function isWhole(t: Test, house: ShardHouse, { table, bots }: Game): Promise<void> {
  const sent = sentHands(bots);
  const { hands } = await house.stored(table);
  t.same(
    sent.filter((hand) => !hands.includes(hand)),
    [],
    'what was sent is stored',
  );
  for (const { messages } of bots) {
    const numbers = messages.map(seqOf).filter((seq) => seq > 0);
    t.ok(
      numbers.every((seq, i) => i === 0 || seq > numbers[i - 1]!),
      'table_seq rises',
    );
  }
  // Nobody was there to read that the first player joined.
  const least = Math.max(...bots.map(({ messages }) => seqOf(messages.find(({ type }) => type === 'hand_start')!)));
  const all = new Set(bots.flatMap(({ messages }) => messages.map(seqOf)).filter((seq) => seq >= least));
  const most = Math.max(...all);
  t.equal(all.size, most - least + 1, 'everybody together read every number');
  t.equal(await house.surplus(), 0, 'no chip more or less');
}

const later = (house: ShardHouse, bots: readonly Bot[], hands: number) => {
  const until = resultsOf(bots) + hands;
  return house.until(() => resultsOf(bots) >= until);
};

await t.test('tables go from shard to shard while bots play, and nothing is missing', async (t) => {
  const house = await ShardHouse.open(t, { threads: 3, rules: { fairDeals: true } });
  const games: Game[] = await Promise.all([house.game(0, 2, 5000), house.game(1, 3, 5000), house.game(0, 4, 5000)]);
  const goRound = async (game: Game) => {
    for (let round = 0; round < 15; round++) {
      const given = await handedOver(house, game);
      const adopted = () =>
        house.reports.filter(({ message }) => message.t === 'adopted' && message.table === game.table);
      const before = adopted().length;
      adopt(house, game, given, (game.bots[0]!.shard + 1) % 3);
      await house.until(() => adopted().length > before);
      t.match(adopted().at(-1)!.message, { ok: true });
      await later(house, game.bots, 2);
    }
  };
  await Promise.all(games.map(goRound));
  await Promise.all(games.map(({ bots }) => later(house, bots, 10)));
  t.ok(await house.pool.drain(5000));
  for (const game of games) {
    await isWhole(t, house, game);
    const { hands } = await house.stored(game.table);
    t.same(sentHands(game.bots).sort(), hands.sort(), 'no hand is void');
    t.equal(await shardOf(house, game.table), game.bots[0]!.shard);
  }
});

await t.test('who was there before the move has its seat, its replay and its repeated action after it', async (t) => {
  const house = await ShardHouse.open(t, { threads: 2 });
  const game = await house.game(0, 2, 5000);
  const [ada] = game.bots;
  await later(house, game.bots, 3);
  const given = await handedOver(house, game);
  const seq = ada!.messages.map(seqOf).findLast((number) => number > 0)!;
  adopt(house, game, given, 1);
  for (const bot of game.bots) bot.playing = false;
  const { agentId } = ada!.player;
  const socket: SocketId = ada!.socket;
  house.send(1, { t: 'resync', table: game.table, agentId, socket, lastTableSeq: 0 });
  await house.until(() => ada!.last('resync_response') !== undefined);
  const replay = ada!.last('resync_response')!;
  t.ok(replay.replayed_events.length > 10, 'it reads what was sent before the move');
  t.ok(replay.table_seq > seq && replay.table_seq < seq + 20, 'the numbers have no jump');
  const hand = replay.replayed_events.findLast((event) => event.type === 'player_action' && 'action_id' in event);
  t.ok(hand);
});

await t.test(
  "a table that was handed over is nobody's until it is taken, and what comes meanwhile waits",
  async (t) => {
    const gates: DatabaseGate[] = [];
    const house = await ShardHouse.open(t, {
      threads: 2,
      via: async (address) => {
        const gate = await DatabaseGate.open(t, address);
        gates.push(gate);
        return gate.address;
      },
    });
    const game = await house.game(0, 2, 5000);
    await later(house, game.bots, 2);
    const given = await handedOver(house, game);
    t.equal(await house.state(0, game.table), null, 'the giver has it no more');
    await gates[0]!.cut();
    adopt(house, game, given, 1);
    const [ada] = game.bots;
    const { agentId } = ada!.player;
    house.send(1, { t: 'leave', table: game.table, agentId, sitting: null, socket: ada!.socket });
    await house.report('database', ({ downSince }) => downSince !== null);
    t.equal(await shardOf(house, game.table), 0);
    await gates[0]!.mend();
    await house.report('left', (left) => left.agentId === agentId);
    t.equal(await shardOf(house, game.table), 1);
    t.equal(await house.surplus(), 0);
  },
);

await t.test(
  'an order to open the table that comes late, where it was once, does not keep it from coming back',
  async (t) => {
    const house = await ShardHouse.open(t, { threads: 2 });
    const game = await house.game(0, 2, 5000);
    await later(house, game.bots, 2);
    adopt(house, game, await handedOver(house, game), 1);
    await house.report('adopted', ({ ok }) => ok);
    await later(house, game.bots, 2);
    const given = await handedOver(house, game);
    const { carried, ...fresh } = given.opening;
    t.ok(carried);
    // In one post: the table is not refused yet when it is to be taken.
    house.send(0, { t: 'open', opening: { ...fresh, seqFloor: 0 }, restored: false });
    adopt(house, game, given, 0);
    const answers = () => house.reports.flatMap(({ message }) => (message.t === 'adopted' ? [message] : []));
    await house.until(() => answers().length === 2);
    if (!t.match(answers()[1], { ok: true }, 'the table is taken')) return;
    t.match(await house.report('opened', ({ ok }) => !ok), { table: game.table }, 'the order is refused');
    await later(house, game.bots, 5);
    t.ok(await house.pool.drain(5000));
    await isWhole(t, house, game);
  },
);

await t.test('the giver dies before the table is taken: it has it again, and nobody else gets it', async (t) => {
  const house = await ShardHouse.open(t, { threads: 2, entry });
  const game = await house.game(0, 2, 5000);
  const other = await house.game(0, 2, 5000);
  await later(house, game.bots, 2);
  const given = await handedOver(house, game);
  const lives = house.restored.length;
  house.inflict(other.bots[0]!, FAULTS.exit);
  await house.until(() => house.restored.length > lives);
  t.ok(
    house.restored.at(-1)!.tables.some(({ tableId }) => tableId === game.table),
    'the database says it is its own',
  );
  adopt(house, game, given, 1);
  t.match(await house.report('adopted'), { table: game.table, ok: false }, 'another life of the giver has it');
  t.equal(await shardOf(house, game.table), 0);
  for (const bot of [...game.bots, ...other.bots]) {
    bot.shard = 0;
    house.attach(bot);
  }
  await later(house, game.bots, 3);
  t.equal(await house.surplus(), 0);
});

await t.test('the giver dies after the table is taken: it does not get it back', async (t) => {
  const house = await ShardHouse.open(t, { threads: 2, entry });
  const game = await house.game(0, 2, 5000);
  const other = await house.game(0, 2, 5000);
  await later(house, game.bots, 2);
  adopt(house, game, await handedOver(house, game), 1);
  t.match(await house.report('adopted'), { ok: true });
  const lives = house.restored.length;
  house.inflict(other.bots[0]!, FAULTS.exit);
  await house.until(() => house.restored.length > lives);
  t.same(
    house.restored.at(-1)!.tables.map(({ tableId }) => tableId),
    [other.table],
  );
  await later(house, game.bots, 5);
  await isWhole(t, house, game);
});

await t.test('the taker dies before it took the table: the giver takes it back', async (t) => {
  const house = await ShardHouse.open(t, { threads: 2, entry });
  const game = await house.game(0, 2, 5000);
  const other = await house.game(1, 2, 5000);
  await later(house, game.bots, 2);
  const given = await handedOver(house, game);
  const lives = house.restored.length;
  house.inflict(other.bots[0]!, FAULTS.exit);
  await house.until(() => house.restored.length > lives);
  t.same(
    house.restored.at(-1)!.tables.map(({ tableId }) => tableId),
    [other.table],
  );
  adopt(house, game, given, 0, false);
  t.match(await house.report('adopted'), { ok: true });
  for (const bot of game.bots) house.attach(bot);
  await later(house, game.bots, 5);
  t.equal(await house.surplus(), 0);
  t.equal(await shardOf(house, game.table), 0);
});

await t.test('the statement needs both epochs, and may be asked again', async (t) => {
  const house = await ShardHouse.open(t, { threads: 2 });
  const game = await house.game(0, 2, 5000);
  const given = await handedOver(house, game);
  const epochs = await house.sql<{ epoch: number }[]>`select epoch from shards order by shard_no`;
  const [giver, taker] = epochs.map(({ epoch }, shard) => ({ shard, epoch }));
  const take = (to = taker!, from = giver!) => takeTable(house.sql, to, game.table, from);
  t.equal(given.epoch, giver!.epoch);
  await t.rejects(take(taker, { shard: 0, epoch: giver!.epoch - 1 }), { message: 'table' });
  await t.rejects(take({ shard: 1, epoch: taker!.epoch - 1 }), { name: 'Fenced' });
  t.equal(await shardOf(house, game.table), 0);
  await take();
  await house.sql`update shards set epoch = epoch + 1 where shard_no = 0`;
  await take();
  t.equal(await shardOf(house, game.table), 1, 'asked again, though the giver has another life by now');
  await t.rejects(take(giver, giver), { name: 'Fenced' });
});

await t.test('a table that somebody leaves in between is kept, and plays on', async (t) => {
  const house = await ShardHouse.open(t, { threads: 2 });
  const game = await house.game(0, 3, 5000);
  await later(house, game.bots, 1);
  house.send(0, { t: 'rest', table: game.table });
  await house.report('rested');
  const leaver = game.bots.pop()!;
  const { agentId } = leaver.player;
  house.send(0, { t: 'leave', table: game.table, agentId, sitting: null, socket: leaver.socket });
  house.send(0, { t: 'handOver', table: game.table });
  await house.report('kept');
  await house.report('left', (left) => left.agentId === agentId);
  await later(house, game.bots, 3);
  house.send(0, { t: 'handOver', table: 'no such table' });
  t.ok(await house.report('kept', ({ table }) => table === 'no such table'));
});

await t.test('a table of a shard that ends deals on where it goes, unless its season ends as well', async (t) => {
  const house = await ShardHouse.open(t, { threads: 2 });
  const [game, closing] = await Promise.all([house.game(0, 2, 5000), house.game(0, 2, 5000)]);
  await later(house, game.bots, 1);
  house.send(0, { t: 'windDown', table: closing.table });
  t.ok(await house.pool.drain(5000));
  t.match((await handedOver(house, game)).opening.carried, { draining: false });
  t.match((await handedOver(house, closing)).opening.carried, { draining: true });
});
