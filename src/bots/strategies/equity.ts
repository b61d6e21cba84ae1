import { DECK_SIZE, type Card } from '../../cards/card.js';
import { boardKey, evaluateWithBoard } from '../../cards/evaluator.js';
import type { RandomSource } from '../../cards/random.js';
import { uniformBelow } from '../../cards/shuffle.js';
import { MAX_SEATS } from '../../holdem/types.js';
import { BEST_HANDS, handsWithin } from './starting-hands.js';

const board = new Uint8Array(5);
/** How many starting hands each opponent may have. */
const counts = new Uint16Array(MAX_SEATS);

/** The sample in which a card was taken last, by card; those that are known are taken in every one. */
const taken = new Int32Array(DECK_SIZE);
const ALWAYS = 0x7fffffff;

/** So often a hand of a range is dealt anew that is not free; then any two cards, for ranges that are all taken. */
const TRIES = 40;

/** After so many samples each it is looked whether more are needed. */
const LOOK = 8;
/** A line is passed where the estimate is so many of its standard errors off. */
const ERRORS = 1.8;

/**
 * The share of the pot (0–1) that two hole cards win against hands of these ranges, by dealing the rest up to `samples`
 * times. A range is a share of the best starting hands; 1: any. A tie counts as its share.
 *
 * `lines` are what the share is held against; none: as exactly as it goes. Dealing stops once the side of each line is
 * plain: most hands are far from their price.
 */
export function equity(
  [hole0, hole1]: readonly [Card, Card],
  open: readonly Card[],
  ranges: readonly number[],
  lines: readonly number[],
  samples: number,
  random: RandomSource,
): number {
  taken.fill(0);
  taken[hole0] = taken[hole1] = ALWAYS;
  for (const card of open) taken[card] = ALWAYS;
  board.set(open);
  const opponents = ranges.length;
  for (let i = 0; i < opponents; i++) counts[i] = handsWithin(ranges[i]!);
  // All of it is known on the river; before, each sample has a board of its own.
  const known = open.length;
  let key = known === board.length ? boardKey(board) : 0;
  let own = known === board.length ? evaluateWithBoard(key, board, hole0, hole1) : 0;
  let won = 0;
  for (let sample = 1; sample <= samples; sample++) {
    if (known < board.length) {
      for (let i = known; i < board.length; i++) board[i] = drawCard(sample, random);
      key = boardKey(board);
      own = evaluateWithBoard(key, board, hole0, hole1);
    }
    won += share(key, own, opponents, sample, random);
    if (sample % LOOK === 0 && lines.length > 0 && isPlain(won, sample, lines)) return won / sample;
  }
  return won / samples;
}

/** Whether the estimate lies clearly on one side of each line. A win and a loss are added, so that none is certain too soon. */
function isPlain(won: number, samples: number, lines: readonly number[]): boolean {
  const estimate = (won + 1) / (samples + 2);
  const reach = ERRORS * Math.sqrt((estimate * (1 - estimate)) / (samples + 2));
  for (let i = 0; i < lines.length; i++) if (Math.abs(lines[i]! - estimate) < reach) return false;
  return true;
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

/** One of the best `count` starting hands that is free, as in BEST_HANDS: from their list, not found by chance. */
function drawHand(count: number, sample: number, random: RandomSource): number {
  for (let tries = 0; tries < TRIES; tries++) {
    const pair = BEST_HANDS[uniformBelow(count, random)]!;
    const first = pair >> 6;
    const second = pair & 63;
    if (taken[first]! >= sample || taken[second]! >= sample) continue;
    taken[first] = taken[second] = sample;
    return pair;
  }
  return (drawCard(sample, random) << 6) | drawCard(sample, random);
}

/** The hero's part of the pot on the full board against so many hands. They are dealt until one is better. */
function share(key: number, own: number, opponents: number, sample: number, random: RandomSource): number {
  let sharers = 1;
  for (let i = 0; i < opponents; i++) {
    const pair = drawHand(counts[i]!, sample, random);
    const other = evaluateWithBoard(key, board, pair >> 6, pair & 63);
    if (other > own) return 0;
    if (other === own) sharers++;
  }
  return 1 / sharers;
}
