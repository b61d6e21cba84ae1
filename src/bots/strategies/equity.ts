import { DECK_SIZE, type Card } from '../../cards/card.js';
import { boardKey, evaluateWithBoard } from '../../cards/evaluator.js';
import type { RandomSource } from '../../cards/random.js';
import { uniformBelow } from '../../cards/shuffle.js';
import { MAX_SEATS } from '../../holdem/types.js';
import { BEST_HANDS, handsWithin } from './starting-hands.js';

const board = new Uint8Array(5);
/** Opponents' cards, two each. */
const hands = new Uint8Array(2 * MAX_SEATS);

/** The sample in which a card was taken last, by card; those that are known are taken in every one. */
const taken = new Int32Array(DECK_SIZE);
const ALWAYS = 0x7fffffff;

/** So often a hand of a range is dealt anew that is not free; then any two cards, for ranges that are all taken. */
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
  taken.fill(0);
  taken[hole0] = taken[hole1] = ALWAYS;
  for (const card of open) taken[card] = ALWAYS;
  board.set(open);
  const counts = ranges.map(handsWithin);
  let won = 0;
  for (let sample = 1; sample <= samples; sample++) {
    for (let i = open.length; i < board.length; i++) board[i] = drawCard(sample, random);
    for (let i = 0; i < counts.length; i++) drawHand(2 * i, counts[i]!, sample, random);
    won += share(hole0, hole1, counts.length);
  }
  return won / samples;
}

/** A card that is free in this sample, and now taken. */
function drawCard(sample: number, random: RandomSource): Card {
  for (;;) {
    const card = uniformBelow(DECK_SIZE, random);
    if (taken[card]! < sample) {
      taken[card] = sample;
      return card;
    }
  }
}

/** Puts one of the best `count` starting hands that is free to `at`: drawn from their list, not found by chance. */
function drawHand(at: number, count: number, sample: number, random: RandomSource): void {
  for (let tries = 0; tries < TRIES; tries++) {
    const pair = BEST_HANDS[uniformBelow(count, random)]!;
    const [first, second] = [pair >> 6, pair & 63];
    if (taken[first]! >= sample || taken[second]! >= sample) continue;
    taken[first] = taken[second] = sample;
    hands[at] = first;
    hands[at + 1] = second;
    return;
  }
  hands[at] = drawCard(sample, random);
  hands[at + 1] = drawCard(sample, random);
}

/** What the hero wins of the pot on the full board against so many hands. */
function share(hole0: Card, hole1: Card, opponents: number): number {
  const key = boardKey(board);
  const own = evaluateWithBoard(key, board, hole0, hole1);
  let sharers = 1;
  for (let i = 0; i < opponents; i++) {
    const other = evaluateWithBoard(key, board, hands[2 * i]!, hands[2 * i + 1]!);
    if (other > own) return 0;
    if (other === own) sharers++;
  }
  return 1 / sharers;
}
