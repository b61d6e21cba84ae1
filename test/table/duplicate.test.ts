/** Duplicate decks: one series for all tables of a pool, the same deck again with the button moved on. */
import t from 'tap';
import { duplicateDeck, duplicateSlot } from '../../src/cards/duplicate.js';
import { decodeRecord } from '../../src/table/record/record-codec.js';
import { stopCluster } from '../support/database.js';
import { FILE_MS, FULL } from '../support/limits.js';
import { ShardHouse } from '../support/shard-house.js';
import { TableDriver } from '../support/table-driver.js';
import type { HandRecord } from '../../src/table/effects.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const SECRET = '7d0fd0e7c1f6a9be4f3b1f8b76b7b0d05f1d3c3a2a4e5b6c7d8e9fa0b1c2d3e4';

const deckOf = (handNumber: number, secret = SECRET) => {
  const deck = new Uint8Array(52);
  duplicateDeck(deck, secret, handNumber);
  return [...deck];
};
const ranks = (deck: readonly number[]) => deck.map((card) => card >> 2);

void t.test('a hand number names a deck and the pass in which it is played', async (t) => {
  t.same(duplicateSlot(1), { deck: 0, pass: 0 });
  t.same(duplicateSlot(61), { deck: 60, pass: 0 });
  t.same(duplicateSlot(62), { deck: 0, pass: 1 }, 'the next pass begins with the first deck again');
  t.same(duplicateSlot(366), { deck: 60, pass: 5 });
  t.same(duplicateSlot(367), { deck: 61, pass: 6 }, 'after six passes come new decks');
});

/** The hands of a table of the pool at which everybody folds to the big blind, in order. */
function handsOf(seats: number, count: number): HandRecord[] {
  const names = ['ada', 'bob', 'cyd', 'dan', 'eve', 'fay'].slice(0, seats);
  const { driver } = TableDriver.ring(names.join(' '), { rules: { duplicate: { secret: SECRET }, betweenHandsMs: 0 } });
  for (let hand = 0; hand < count; hand++) {
    if (!driver.table.inHand) driver.deal();
    while (driver.table.inHand) driver.actor.act('fold');
    driver.sent.length = 0;
  }
  return driver.records;
}

/** The ranks of everybody's cards, from the left of the button on, as far as they were dealt. */
const ranksByPlace = ({ players, button }: HandRecord): number[][] =>
  [...players]
    .sort((a, b) => ((a.seat - button + 5) % 6) - ((b.seat - button + 5) % 6))
    .map(({ hole }) => ranks(hole).sort((a, b) => a - b));

for (const seats of FULL ? [2, 3, 4, 5, 6] : [2, 3, 6]) {
  await t.test(`at a table of ${seats} each deck comes once to every position`, async (t) => {
    const hands = handsOf(seats, 61 * seats);
    t.same(
      hands.map(({ handNumber }) => handNumber),
      hands.map((_, i) => i + 1),
    );
    for (let deck = 0; deck < 61; deck++) {
      const passes = hands.filter((_, i) => i % 61 === deck);
      t.equal(passes.length, seats);
      t.equal(new Set(passes.map(({ button }) => button)).size, seats, `deck ${deck}: everybody was the button`);
      const first = ranksByPlace(passes[0]!);
      for (const pass of passes) t.same(ranksByPlace(pass), first, 'behind it everybody held what another held before');
    }
  });
}

void t.test(
  'a deck has all 52 cards, and in every pass of its block the same ones but for the names of suits',
  async (t) => {
    const first = deckOf(5);
    t.same(
      [...first].sort((a, b) => a - b),
      Array.from({ length: 52 }, (_, card) => card),
    );
    const orders = new Set<string>();
    for (let pass = 0; pass < 6; pass++) {
      const again = deckOf(5 + 61 * pass);
      t.same(ranks(again), ranks(first), 'the same ranks in the same order');
      const renamed = new Map(first.map((card, i) => [card & 3, again[i]! & 3]));
      t.same(
        again.map((card) => card & 3),
        first.map((card) => renamed.get(card & 3)),
        'suits are renamed throughout',
      );
      orders.add([0, 1, 2, 3].map((suit) => renamed.get(suit)).join(''));
    }
    t.ok(orders.size > 1, `suits change from pass to pass: ${[...orders].join(' ')}`);
  },
);

void t.test('other numbers, blocks and secrets give other decks', async (t) => {
  const all = [1, 2, 61, 367, 368].map((hand) => ranks(deckOf(hand)).join());
  all.push(ranks(deckOf(1, `${SECRET}0`)).join());
  t.equal(new Set(all).size, all.length);
});

/** The stored hands of a table in order: number, and the ranks of the five cards that lay ready for its board. */
async function playedAt(house: ShardHouse, table: string): Promise<{ number: number; board: string }[]> {
  const rows = await house.sql<
    { record: Buffer }[]
  >`select record from hands where table_id = ${table} order by hand_id`;
  return rows.map(({ record }) => {
    const { handNumber, board } = decodeRecord(record);
    return { number: handNumber, board: ranks(board).join() };
  });
}

await t.test('nobody meets a deck again, wherever it sits', async (t) => {
  const house = await ShardHouse.open(t, { rules: { duplicate: { secret: SECRET }, fairDeals: true } });
  const fast = await house.game(0, 3, 5000);
  const slow = await house.game(0, 1, 5000);
  const [spy, ...others] = fast.bots;
  const [waiting] = slow.bots;
  await house.until(() => spy!.results.length >= 8);

  await t.test('who leaves a fast table for a slower one does not know the boards there', async (t) => {
    house.send(0, { t: 'leave', table: fast.table, agentId: spy!.player.agentId, sitting: null, socket: spy!.socket });
    await house.report('left', ({ agentId }) => agentId === spy!.player.agentId);
    const mine = new Set(spy!.results.map((result) => result.hand_id));
    const [seen] = await house.sql<{ most: number }[]>`
      select max(hand_number) as most from hands where hand_id = any(${[...mine] as string[]})`;
    const known = (await playedAt(house, fast.table)).filter(({ number }) => number <= seen!.most);
    t.ok(known.length >= 8);

    // It may have lost some of its 5,000 by now.
    const moved = await house.seat(0, slow.table, spy!.player, 2000);
    await house.until(() => moved.results.length >= 5);
    const there = await playedAt(house, slow.table);
    t.ok(there[0]!.number > seen!.most, `it goes on at ${there[0]!.number} after ${seen!.most}`);
    const boards = new Set(known.map(({ board }) => board));
    t.same(there.filter(({ board }) => boards.has(board)), [], 'no board comes again'); // prettier-ignore
    t.ok(others.every(({ player }) => player !== moved.player) && waiting!.results.length >= 5);
  });

  await t.test('the deck of a hand that a crash may have cut short is dealt no more', async (t) => {
    await house.restart();
    const before = await playedAt(house, slow.table);
    const bots = [...house.bots.values()].filter(({ table }) => table === slow.table && house.bots.size > 0);
    for (const bot of bots) {
      bot.results.length = 0;
      house.attach(bot);
    }
    await house.until(() => bots.some(({ results }) => results.length >= 2));
    const after = (await playedAt(house, slow.table)).slice(before.length);
    t.ok(after[0]!.number >= before.at(-1)!.number + 2, `${after[0]!.number} after ${before.at(-1)!.number}`);
  });
});

void t.test('a deck that was announced is not dealt where somebody who may know it has sat down', (t) => {
  const names = 'ada bob';
  const { driver } = TableDriver.ring(names, { rules: { duplicate: { secret: SECRET }, fairDeals: true } });
  driver.deal();
  const spy = driver.join('spy', 2000, {}, 40);
  while (driver.table.inHand) driver.actor.act('fold');
  driver.deal();
  t.equal(spy.last('hand_start').hand_number, 41);
  while (driver.table.inHand) driver.actor.act('fold');
  t.match(driver.records.slice(-2), [{ handNumber: 1 }, { handNumber: 41, handBefore: 1 }]);
  t.equal(driver.records[0]!.handBefore, undefined);

  const late = driver.join('late');
  driver.deal();
  const watcher = driver.join('watcher');
  watcher.leave();
  t.match(driver.releases.at(-1), { agentId: watcher.agentId, decksSeen: 42 }, 'who only watches a hand sees its deck');
  late.leave();
  while (driver.table.inHand) driver.actor.act('fold');
  t.match(driver.releases.at(-1), { agentId: late.agentId, decksSeen: 42 });
  t.end();
});
