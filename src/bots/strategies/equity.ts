import { DECK_SIZE, type Card } from '../../cards/card.js';
import { boardKey, evaluateWithBoard } from '../../cards/evaluator.js';
import type { RandomSource } from '../../cards/random.js';
import { uniformBelow } from '../../cards/shuffle.js';
import { percentileOfCards } from './starting-hands.js';

const deck = new Uint8Array(DECK_SIZE);
const board = new Uint8Array(5);

/** So often a hand outside of a range is dealt anew; then it stays, for ranges that the known cards leave empty. */
const TRIES = 40;

/**
 * The share of the pot (0–1) that two hole cards win against hands of these ranges (each a share of the best starting
 * hands; 1: any), by dealing the rest out `samples` times. A tie counts as its share.
 */
export function equity(
  [hole0, hole1]: readonly [Card, Card],
  open: readonly Card[],
  ranges: readonly number[],
  samples: number,
  random: RandomSource,
): number {
  const left = unseen(hole0, hole1, open);
  board.set(open);
  const missing = board.length - open.length;
  let won = 0;
  for (let sample = 0; sample < samples; sample++) {
    draw(0, missing, left, random);
    for (let i = 0; i < missing; i++) board[open.length + i] = deck[i]!;
    for (let i = 0; i < ranges.length; i++) drawHand(missing + 2 * i, ranges[i]!, left, random);
    won += share(hole0, hole1, missing, ranges.length);
  }
  return won / samples;
}

/** Draws two cards of a range to `at`. */
function drawHand(at: number, range: number, left: number, random: RandomSource): void {
  for (let tries = 0; tries < TRIES; tries++) {
    draw(at, 2, left, random);
    if (range >= 1 || percentileOfCards(deck[at]!, deck[at + 1]!) <= range) return;
  }
}

/** Puts the cards that may still come into `deck`; returns how many there are. */
function unseen(hole0: Card, hole1: Card, open: readonly Card[]): number {
  let count = 0;
  for (let card = 0; card < DECK_SIZE; card++) {
    if (card !== hole0 && card !== hole1 && !open.includes(card)) deck[count++] = card;
  }
  return count;
}

/** Draws `count` cards to `at`, from there and behind. What order the deck was in does not matter. */
function draw(at: number, count: number, left: number, random: RandomSource): void {
  for (let i = at; i < at + count; i++) {
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
