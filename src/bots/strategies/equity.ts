import { DECK_SIZE, type Card } from '../../cards/card.js';
import { boardKey, evaluateWithBoard } from '../../cards/evaluator.js';
import type { RandomSource } from '../../cards/random.js';
import { uniformBelow } from '../../cards/shuffle.js';

const deck = new Uint8Array(DECK_SIZE);
const board = new Uint8Array(5);

/**
 * The share of the pot (0–1) that two hole cards win against so many random hands, by dealing the rest out `samples`
 * times. A tie counts as its share.
 */
export function equity(
  [hole0, hole1]: readonly [Card, Card],
  open: readonly Card[],
  opponents: number,
  samples: number,
  random: RandomSource,
): number {
  const left = unseen(hole0, hole1, open);
  board.set(open);
  const missing = board.length - open.length;
  let won = 0;
  for (let sample = 0; sample < samples; sample++) {
    draw(missing + 2 * opponents, left, random);
    for (let i = 0; i < missing; i++) board[open.length + i] = deck[i]!;
    won += share(hole0, hole1, missing, opponents);
  }
  return won / samples;
}

/** Puts the cards that may still come into `deck`; returns how many there are. */
function unseen(hole0: Card, hole1: Card, open: readonly Card[]): number {
  let count = 0;
  for (let card = 0; card < DECK_SIZE; card++) {
    if (card !== hole0 && card !== hole1 && !open.includes(card)) deck[count++] = card;
  }
  return count;
}

/** Draws `count` cards to the front of the deck. What order the deck was in does not matter. */
function draw(count: number, left: number, random: RandomSource): void {
  for (let i = 0; i < count; i++) {
    const chosen = i + uniformBelow(left - i, random);
    const card = deck[chosen]!;
    deck[chosen] = deck[i]!;
    deck[i] = card;
  }
}

/** What the hero wins of the pot on the full board against the hands that lie in the deck from `next` on. */
function share(hole0: Card, hole1: Card, next: number, opponents: number): number {
  const key = boardKey(board);
  const own = evaluateWithBoard(key, board, hole0, hole1);
  let sharers = 1;
  for (let i = 0; i < opponents; i++) {
    const other = evaluateWithBoard(key, board, deck[next + 2 * i]!, deck[next + 2 * i + 1]!);
    if (other > own) return 0;
    if (other === own) sharers++;
  }
  return 1 / sharers;
}
