/** Duplicate decks: one series for all tables of a pool, the same deck again with the button moved on. */
import t from 'tap';
import { duplicateDeck, duplicateSlot } from '../src/cards/duplicate.js';

const SECRET = '7d0fd0e7c1f6a9be4f3b1f8b76b7b0d05f1d3c3a2a4e5b6c7d8e9fa0b1c2d3e4';

const deckOf = (handNumber: number, secret = SECRET) => {
  const deck = new Uint8Array(52);
  duplicateDeck(deck, secret, handNumber);
  return [...deck];
};
const ranks = (deck: number[]) => deck.map((card) => card >> 2);

void t.test('a hand number names a deck and the pass in which it is played', async (t) => {
  t.same(duplicateSlot(1), { deck: 0, pass: 0 });
  t.same(duplicateSlot(61), { deck: 60, pass: 0 });
  t.same(duplicateSlot(62), { deck: 0, pass: 1 }, 'the next pass begins with the first deck again');
  t.same(duplicateSlot(366), { deck: 60, pass: 5 });
  t.same(duplicateSlot(367), { deck: 61, pass: 6 }, 'after six passes come new decks');
});

void t.test('each deck comes once to every position, however many are dealt in', async (t) => {
  for (let seats = 2; seats <= 6; seats++) {
    for (let deck = 0; deck < 61; deck++) {
      const hands = Array.from({ length: seats }, (_, pass) => deck + 1 + 61 * pass);
      t.equal(new Set(hands.map((hand) => hand % seats)).size, seats, `deck ${deck} at a table of ${seats}`);
    }
  }
});

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
