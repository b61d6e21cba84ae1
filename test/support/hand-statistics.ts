import * as phe from 'phe';
import { RANKS, type Card } from '../../src/cards/card.js';
import { Rulebook } from '../../src/vectors/rulebook.js';
import { Act } from '../../src/holdem/types.js';
import type { HandRecord } from '../../src/table/effects.js';
import { anytimeInterval, stakedBy } from './anytime-interval.js';

/**
 * The statistics of protocol/rest/analytics.ts once more, written for reading: each figure is a question to a list of all hands.
 * Betting is played by the plain second rulebook, hands are judged by a foreign evaluator, pots are cut here.
 */

interface Deed {
  seat: number;
  street: number;
  word: 'fold' | 'check' | 'call' | 'raise';
  mayRaise: boolean;
}

/** A hand as one of its players would tell it. */
interface Tale {
  hand: HandRecord;
  seat: number;
  deeds: Deed[];
}

const seatsOf = ({ players, button }: HandRecord) =>
  players.map(({ seat }) => seat).sort((a, b) => ((a - button + 5) % 6) - ((b - button + 5) % 6));

function tell(hand: HandRecord): Deed[] {
  // From the left of the button; the button is the last.
  const order = seatsOf(hand);
  const at = (seat: number) => hand.players.find((player) => player.seat === seat)!;
  const book = new Rulebook({
    stacks: order.map((seat) => at(seat).stackStart),
    button: order.length - 1,
    shortBlindPrice: 'full',
    smallBlind: hand.smallBlind,
    bigBlind: hand.bigBlind,
    board: hand.board,
    holes: order.map((seat) => [...at(seat).hole]),
    returns: order.flatMap((seat, place) => (((hand.returns ?? 0) & (1 << seat)) === 0 ? [] : [place])),
  });
  return hand.actions.map(({ seat, act, amount, street }) => {
    const faced = book.decision()!;
    const place = order.indexOf(seat);
    const to = act === Act.raise ? amount! : act === Act.allIn ? faced.bets[place]! + amount! : 0;
    const raises = to > faced.bets[place]! + faced.toCall;
    book.play(act === Act.fold ? 'fold' : raises ? { to } : 'checkOrCall');
    const word = act === Act.fold ? 'fold' : raises ? 'raise' : faced.toCall > 0 ? 'call' : 'check';
    return { seat, street, word, mayRaise: faced.minTo !== null };
  });
}

const before = (deeds: Deed[], each: Deed) => deeds.slice(0, deeds.indexOf(each));
const after = (deeds: Deed[], each: Deed) => deeds.slice(deeds.indexOf(each) + 1);
const preflop = ({ deeds }: Tale) => deeds.filter(({ street }) => street === 0);
const own = ({ seat }: Tale, deeds: Deed[]) => deeds.filter((each) => each.seat === seat);
const raisesBefore = (deeds: Deed[], each: Deed) => before(deeds, each).filter(({ word }) => word === 'raise');
const player = ({ hand, seat }: Tale) => hand.players.find((each) => each.seat === seat)!;
const folded = ({ deeds }: Tale, seat: number) => deeds.some((each) => each.seat === seat && each.word === 'fold');
const live = (tale: Tale) => tale.hand.players.filter(({ seat }) => !folded(tale, seat));

const threeBetChance = (tale: Tale) =>
  own(tale, preflop(tale)).find((each) => raisesBefore(preflop(tale), each).length === 1 && each.mayRaise && raisesBefore(preflop(tale), each)[0]!.seat !== tale.seat); // prettier-ignore
const threeBetFaced = (tale: Tale) =>
  own(tale, preflop(tale)).find((each) => {
    const raises = raisesBefore(preflop(tale), each);
    return raises.length === 2 && raises[0]!.seat === tale.seat && raises[1]!.seat !== tale.seat;
  });
const flopOf = ({ deeds }: Tale) => deeds.filter(({ street }) => street === 1);
const cbetChance = (tale: Tale) => {
  const aggressor = preflop(tale).findLast(({ word }) => word === 'raise')?.seat;
  if (aggressor !== tale.seat) return undefined;
  return own(tale, flopOf(tale)).find((each) => each.mayRaise && raisesBefore(flopOf(tale), each).length === 0);
};
const cbet = (tale: Tale) => (cbetChance(tale)?.word === 'raise' ? cbetChance(tale) : undefined);
const cbetWon = (tale: Tale) => {
  const bet = cbet(tale);
  return bet !== undefined && live(tale).length === 1 && after(tale.deeds, bet).every(({ word }) => word === 'fold');
};
const sawFlop = (tale: Tale) =>
  tale.hand.boardCount > 0 && !own(tale, preflop(tale)).some(({ word }) => word === 'fold');
const showdown = (tale: Tale) => live(tale).length > 1 && !folded(tale, tale.seat);
const profit = (tale: Tale) => player(tale).stackEnd - player(tale).stackStart;

const count = (tales: Tale[], is: (tale: Tale) => unknown) => tales.filter((tale) => Boolean(is(tale))).length;
const rate = (part: number, whole: number) => (whole === 0 ? 0 : part / whole);
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

function winrates(tales: Tale[]) {
  return {
    hand_count: tales.length,
    vpip: rate(
      count(tales, (tale) => own(tale, preflop(tale)).some(({ word }) => word === 'call' || word === 'raise')),
      tales.length,
    ),
    pfr: rate(
      count(tales, (tale) => own(tale, preflop(tale)).some(({ word }) => word === 'raise')),
      tales.length,
    ),
    win_rate: rate(
      count(tales, (tale) => profit(tale) > 0),
      tales.length,
    ),
    bb_per_100: per100(tales, profit),
  };
}

const per100 = (tales: Tale[], chips: (tale: Tale) => number) =>
  100 * rate(sum(tales.map((tale) => chips(tale) / tale.hand.bigBlind)), tales.length);

/** The interval of these tales' mean, where the stakes are those of `all`. */
function interval(tales: Tale[], chips: (tale: Tale) => number, all: Tale[] = tales): [number, number] | null {
  return anytimeInterval(
    tales.map((tale) => chips(tale) / tale.hand.bigBlind),
    all.map(({ hand, seat }) => {
      const stacks = (own: boolean) =>
        hand.players.filter((each) => (each.seat === seat) === own).map((each) => each.stackStart / hand.bigBlind);
      return stakedBy(stacks(true)[0]!, stacks(false));
    }),
  );
}

/** The numbers of GET /api/analytics for an agent over these hands, in order. */
export function statistics(hands: readonly HandRecord[], agentId: string) {
  const tales = hands.flatMap((hand) =>
    hand.players.filter((each) => each.agentId === agentId).map(({ seat }) => ({ hand, seat, deeds: tell(hand) })),
  );
  const late = tales.flatMap((tale) => own(tale, tale.deeds).filter(({ street }) => street > 0));
  const words = (word: string) => late.filter((each) => each.word === word).length;
  const { hand_count, ...total } = winrates(tales);
  const adjusted = (tale: Tale) => allInAdjusted(tale);
  const shown = tales.filter(showdown);
  return {
    total_hands: hand_count,
    ...total,
    aggression_factor: words('raise') / Math.max(1, words('call')),
    cbet_rate: rate(count(tales, cbet), count(tales, cbetChance)),
    cbet_success_rate: rate(count(tales, cbetWon), count(tales, cbet)),
    three_bet_pct: rate(
      count(tales, (tale) => threeBetChance(tale)?.word === 'raise'),
      count(tales, threeBetChance),
    ),
    fold_to_three_bet_pct: rate(
      count(tales, (tale) => threeBetFaced(tale)?.word === 'fold'),
      count(tales, threeBetFaced),
    ),
    wtsd: rate(shown.length, count(tales, sawFlop)),
    w_sd: rate(
      count(shown, (tale) => player(tale).payout > 0),
      shown.length,
    ),
    bb_per_100_ci95: interval(tales, profit),
    bb_per_100_all_in_adjusted: per100(tales, adjusted),
    bb_per_100_all_in_adjusted_ci95: interval(tales, adjusted),
    all_in_adj_bb_per_100: per100(tales, adjusted),
    all_in_adj_bb_per_100_ci95: interval(tales, adjusted),
    showdown_winnings: sum(shown.map(profit)),
    non_showdown_winnings: sum(tales.filter((tale) => !showdown(tale)).map(profit)),
    position_stats: ['UTG', 'MP', 'CO', 'BTN', 'SB', 'BB'].map((position) => {
      const there = tales.filter((tale) => positionOf(tale) === position);
      return { position, ...winrates(there), bb_per_100_ci95: interval(there, profit, tales) };
    }),
    starting_hands: Object.fromEntries(
      [...new Set(tales.map(labelOf))].map((label) => {
        const dealt = tales.filter((tale) => labelOf(tale) === label);
        const bb_per_100_ci95 = interval(dealt, profit, tales);
        return [label, { hand_count: dealt.length, bb_per_100: per100(dealt, profit), bb_per_100_ci95 }];
      }),
    ),
    profits: tales.map(profit),
  };
}

function positionOf({ hand, seat }: Tale): string {
  const order = seatsOf(hand);
  if (order.length === 2) return seat === hand.bigBlindSeat ? 'BB' : 'BTN';
  return { 3: ['SB', 'BB', 'BTN'], 4: ['SB', 'BB', 'CO', 'BTN'], 5: ['SB', 'BB', 'MP', 'CO', 'BTN'] }[order.length]?.[order.indexOf(seat)]
    ?? ['SB', 'BB', 'UTG', 'MP', 'CO', 'BTN'][order.indexOf(seat)]!; // prettier-ignore
}

function labelOf(tale: Tale): string {
  const [high, low] = [...player(tale).hole].sort((a, b) => b - a) as [Card, Card];
  const ranks = RANKS[high >> 2]! + RANKS[low >> 2]!;
  return ranks[0] === ranks[1] ? ranks : ranks + ((high & 3) === (low & 3) ? 's' : 'o');
}

/** Whether betting ended before the river with two players or more, so that cards decided. */
export function isAllIn(hand: HandRecord): boolean {
  return lastStreet(hand) < 3 && live({ hand, seat: -1, deeds: tell(hand) }).length > 1;
}

export const lastStreet = (hand: HandRecord) => hand.actions.at(-1)?.street ?? 0;

/** The mean profit over all boards that could come. */
function allInAdjusted(tale: Tale): number {
  const { hand } = tale;
  if (lastStreet(hand) === 3 || live(tale).length < 2 || folded(tale, tale.seat)) return profit(tale);
  const known = means.get(hand) ?? meanPayouts(hand, live(tale));
  means.set(hand, known);
  return known.get(tale.seat)! - player(tale).contributed;
}
const means = new Map<HandRecord, Map<number, number>>();

type Player = HandRecord['players'][number];

function meanPayouts(hand: HandRecord, rivals: Player[]): Map<number, number> {
  const open = hand.board.slice(0, [0, 3, 4][lastStreet(hand)]!);
  const dead = new Set([...open, ...rivals.flatMap(({ hole }) => hole)]);
  const rest = Array.from({ length: 52 }, (_, card) => card).filter((card) => !dead.has(card));
  const totals = new Map(rivals.map(({ seat }) => [seat, 0]));
  const known = new Map<string, Map<number, number>>();
  let boards = 0;
  for (const drawn of choices(rest, 5 - open.length)) {
    boards++;
    // The suits of phe are the other way round; its lower value is the better hand.
    const board = [...open, ...drawn].map((card) => card ^ 3);
    const strength = rivals.map(({ hole }) => phe.evaluateCardCodes([...board, hole[0] ^ 3, hole[1] ^ 3]));
    const order = strength.map((mine) => strength.filter((other) => other < mine).length);
    const name = order.join();
    if (!known.has(name)) known.set(name, payouts(hand, new Map(rivals.map(({ seat }, i) => [seat, order[i]!]))));
    for (const [seat, paid] of known.get(name)!) totals.set(seat, totals.get(seat)! + paid);
  }
  return new Map([...totals].map(([seat, total]) => [seat, total / boards]));
}

function* choices(cards: number[], count: number, from = 0): Generator<number[]> {
  if (count === 0) yield [];
  else for (let i = from; i < cards.length; i++) for (const more of choices(cards, count - 1, i + 1)) yield [cards[i]!, ...more]; // prettier-ignore
}

/** Who gets what when the live seats stand in this order, 0 the best: layer by layer, odd chips left of the button. */
function payouts(hand: HandRecord, order: ReadonlyMap<number, number>): Map<number, number> {
  const levels = [...new Set([...order.keys()].map((seat) => contributed(hand, seat)))].sort((a, b) => a - b);
  const pots: { amount: number; winners: number[] }[] = [];
  for (const [i, level] of levels.entries()) {
    const below = levels[i - 1] ?? 0;
    const top = i === levels.length - 1 ? Infinity : level;
    const amount = sum(hand.players.map(({ seat }) => Math.max(0, Math.min(contributed(hand, seat), top) - below)));
    const rivals = [...order.keys()].filter((seat) => contributed(hand, seat) >= level);
    const best = Math.min(...rivals.map((seat) => order.get(seat)!));
    const winners = rivals.filter((seat) => order.get(seat) === best);
    const last = pots.at(-1);
    if (last !== undefined && last.winners.join() === winners.join()) last.amount += amount;
    else pots.push({ amount, winners });
  }
  const paid = new Map([...order.keys()].map((seat) => [seat, 0]));
  for (const { amount, winners } of pots) {
    const clockwise = seatsOf(hand).filter((seat) => winners.includes(seat));
    for (const [i, seat] of clockwise.entries()) {
      const odd = i < amount % winners.length ? 1 : 0;
      paid.set(seat, paid.get(seat)! + Math.floor(amount / winners.length) + odd);
    }
  }
  return paid;
}

const contributed = ({ players }: HandRecord, seat: number) => players.find((each) => each.seat === seat)!.contributed;
