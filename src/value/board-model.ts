import { MAX_SEATS } from '../holdem/types.js';
import type { BoardFacts, PairFacts } from './board-facts.js';
import { CLASSES } from './strength.js';
import type { ChanceEvent } from './events.js';

/** Terms of a pair: one for each two different classes. The lower class's view is the negative of the higher one's. */
const PAIR_TERMS = (CLASSES * (CLASSES - 1)) / 2;
/** Stacks behind by the pot, and numbers of live players (2, 3, more), that have a factor of their own. */
const SPR_LIMITS = [0.5, 2, 6];
const COUNTS = 3;
export const SHARE_TERMS = (SPR_LIMITS.length + 1) * COUNTS;
/** Pots that a pair may play for yet, as far as its stacks allow. */
const POTS = [1, 4];
/** Terms of one event, by two and by more live players. */
export const BOARD_TERMS = SHARE_TERMS + 2 * POTS.length * PAIR_TERMS;
/** Flop, turn and river. */
export const BOARD_EVENTS = 3;

/** Where the term of two different classes stands, the higher first. */
const pairTerm = (high: number, low: number) => (high * (high - 1)) / 2 + low;

/** Which terms an event has, and what each pair may play for. */
export interface EventTerms {
  /** The term of the payouts. */
  share: number;
  /** The first term of the pairs. */
  pairsFrom: number;
  /** Big blinds by pair × pots. */
  stakes: readonly number[];
}

export function eventTerms({ live, stack, pots: { totalPot } }: ChanceEvent, bigBlind: number): EventTerms {
  const stacks: number[] = [];
  for (let seat = 0; seat < MAX_SEATS; seat++) if ((live & (1 << seat)) !== 0) stacks.push(stack[seat]!);
  const second = [...stacks].sort((a, b) => b - a)[1]!;
  const spr = SPR_LIMITS.filter((limit) => second >= limit * totalPot).length;
  const stakes: number[] = [];
  for (let i = 0; i < stacks.length; i++) {
    for (let j = i + 1; j < stacks.length; j++) {
      const behind = Math.min(stacks[i]!, stacks[j]!);
      for (const pots of POTS) stakes.push(Math.min(pots * totalPot, behind) / bigBlind);
    }
  }
  return {
    share: COUNTS * spr + Math.min(COUNTS - 1, stacks.length - 2),
    pairsFrom: SHARE_TERMS + (stacks.length === 2 ? 0 : POTS.length * PAIR_TERMS),
    stakes,
  };
}

/** The values of the terms less their means, by live player: rows of the regression that finds the terms' factors. */
export function boardRows({ shift, pairs }: BoardFacts, terms: EventTerms, bigBlind: number): Float64Array[] {
  const rows = Array.from(shift, (chips) => {
    const row = new Float64Array(BOARD_TERMS);
    row[terms.share] = chips / bigBlind;
    return row;
  });
  (pairs ?? []).forEach(({ i, j, classes, counts, outcomes }, pair) => {
    for (let pots = 0; pots < POTS.length; pots++) {
      const stake = terms.stakes[pair * POTS.length + pots]!;
      const add = (a: number, b: number, share: number) => {
        if (a === b) return;
        const term = terms.pairsFrom + pots * PAIR_TERMS + (a > b ? pairTerm(a, b) : pairTerm(b, a));
        const value = (a > b ? stake : -stake) * share;
        rows[i]![term] = rows[i]![term]! + value;
        rows[j]![term] = rows[j]![term]! - value;
      };
      add(classes[0], classes[1], 1);
      counts.forEach((count, at) => {
        if (count !== 0) add(Math.floor(at / CLASSES), at % CLASSES, -count / outcomes);
      });
    }
  });
  return rows;
}

/** An event's luck in big blinds by live player, and the limits that it could not leave. */
export interface EventLuck {
  luck: Float64Array;
  low: Float64Array;
  high: Float64Array;
}

/** The worth of board cards, by the event: `factors[event]` has a number for each of BOARD_TERMS. */
export class BoardModel {
  constructor(private readonly factors: readonly ArrayLike<number>[]) {
    if (factors.length !== BOARD_EVENTS || factors.some((row) => row.length !== BOARD_TERMS)) {
      throw new RangeError('a table of the board has a wrong size');
    }
  }

  /** The value of the event's outcome less the mean of all outcomes. Where betting is over, the payouts alone count. */
  luck(facts: BoardFacts, event: ChanceEvent, bigBlind: number): EventLuck {
    const { shift, low, high, pairs } = facts;
    const size = shift.length;
    const made = { luck: new Float64Array(size), low: new Float64Array(size), high: new Float64Array(size) };
    const factors = this.factors[event.street]!;
    const terms = pairs === null ? null : eventTerms(event, bigBlind);
    const share = terms === null ? 1 : factors[terms.share]!;
    for (let i = 0; i < size; i++) {
      made.luck[i] = (share * shift[i]!) / bigBlind;
      made.low[i] = (share * low[i]!) / bigBlind;
      made.high[i] = (share * high[i]!) / bigBlind;
    }
    if (pairs === null || terms === null) return made;
    pairs.forEach((pair, at) => {
      const values = this.#values(factors, terms, at);
      const { mean, least, most } = range(pair, values);
      const value = values[CLASSES * pair.classes[0] + pair.classes[1]]!;
      const { i, j } = pair;
      made.luck[i] = made.luck[i]! + (value - mean);
      made.luck[j] = made.luck[j]! - (value - mean);
      made.low[i] = made.low[i]! + (least - mean);
      made.high[i] = made.high[i]! + (most - mean);
      made.low[j] = made.low[j]! - (most - mean);
      made.high[j] = made.high[j]! - (least - mean);
    });
    return made;
  }

  /**
   * The expected part of live players in the pots and the bets to come, in big blinds, for one outcome of the cards. It
   * takes their payouts in chips and, after the flop, their classes of strength on the open board.
   */
  value(
    payouts: ArrayLike<number>,
    classes: ArrayLike<number> | null,
    event: ChanceEvent,
    bigBlind: number,
  ): Float64Array {
    const factors = this.factors[Math.max(0, event.street - 1)]!;
    const terms = eventTerms(event, bigBlind);
    const share = factors[terms.share]!;
    const size = payouts.length;
    // The pot's rest goes to all alike, so that the values sum to the pot.
    const rest = ((1 - share) * event.pots.totalPot) / size;
    const values = Float64Array.from({ length: size }, (_, i) => (share * payouts[i]! + rest) / bigBlind);
    if (classes === null) return values;
    let pair = 0;
    for (let i = 0; i < size; i++) {
      for (let j = i + 1; j < size; j++) {
        const [better, worse] = classes[i]! >= classes[j]! ? [i, j] : [j, i];
        if (classes[i] !== classes[j]) {
          const value = this.#value(factors, terms, pair, classes[better]!, classes[worse]!);
          values[better] = values[better]! + value;
          values[worse] = values[worse]! - value;
        }
        pair++;
      }
    }
    return values;
  }

  /** The big blinds that a pair's first player expects from the second, by 10 × own class + the other's. */
  #values(factors: ArrayLike<number>, terms: EventTerms, pair: number): Float64Array {
    const values = new Float64Array(CLASSES ** 2);
    for (let high = 1; high < CLASSES; high++) {
      for (let low = 0; low < high; low++) {
        const value = this.#value(factors, terms, pair, high, low);
        values[CLASSES * high + low] = value;
        values[CLASSES * low + high] = -value;
      }
    }
    return values;
  }

  /** The same of one class and a lower one. */
  #value(factors: ArrayLike<number>, { stakes, pairsFrom }: EventTerms, pair: number, high: number, low: number) {
    let value = 0;
    for (let pots = 0; pots < POTS.length; pots++) {
      value += stakes[pair * POTS.length + pots]! * factors[pairsFrom + pots * PAIR_TERMS + pairTerm(high, low)]!;
    }
    return value;
  }
}

/** The mean over the counted outcomes, and the limits: over those outcomes where they are all, else over all values. */
function range({ counts, outcomes, complete }: PairFacts, values: Float64Array) {
  let [sum, least, most] = [0, Infinity, -Infinity];
  for (let at = 0; at < values.length; at++) {
    const value = values[at]!;
    if (counts[at] !== 0) sum += counts[at]! * value;
    if (complete && counts[at] === 0) continue;
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return { mean: sum / outcomes, least, most };
}
