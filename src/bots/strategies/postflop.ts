import type { Action, Hand } from '../../../sdk/typescript/src/hand.js';
import { parseCard } from '../../cards/card.js';
import { raiseTo } from './choices.js';
import { equity } from './equity.js';
import type { Dice } from './luck.js';
import type { TurnSituation } from './situation.js';
import type { Style } from './style.js';
import { MAX_SEATS } from '../../holdem/types.js';

/**
 * The ranges of players by their action before the flop: the share of the best starting hands that does so. Round
 * figures of what players at full tables do; 1: anything.
 */
const RANGE = { anything: 1, limp: 0.55, call: 0.3, open: 0.22, reraise: 0.09 } as const;

const seen = new Float32Array(MAX_SEATS);

/**
 * The ranges of the players that may still win besides the hero, seat by seat. `balance` (0–1) widens them: a player of
 * frequencies does not read others.
 */
function rangesOf({ history, players, seat: hero }: Hand, balance: number): number[] {
  readActions(history.preflop);
  const ranges: number[] = [];
  for (const { seat, inHand } of players) {
    if (seat !== hero && inHand) ranges.push(seen[seat]! + (RANGE.anything - seen[seat]!) * balance);
  }
  return ranges;
}

function readActions(preflop: Hand['history']['preflop']): void {
  seen.fill(RANGE.anything);
  let raises = 0;
  for (const { seat, action } of preflop) {
    if (action === 'raise' || action === 'all_in') seen[seat] = raises++ === 0 ? RANGE.open : RANGE.reraise;
    else if (action === 'call') seen[seat] = Math.min(seen[seat]!, raises === 0 ? RANGE.limp : RANGE.call);
  }
}

/** A player that keeps raising has a hand. From so many raises of a street on, only such a hand raises once more. */
const WAR = 3;
const WAR_EQUITY = 0.85;

/** Plays after the flop, by the share of the pot that the hand would win, compared with the price. */
export function playPostflop(hand: Hand, now: TurnSituation, style: Style, luck: Dice, samples: number): Action {
  const ranges = rangesOf(hand, style.balance);
  const board = hand.board.map(parseCard);
  if (now.toCall === 0) {
    const line = valueLine(now, style);
    const share = equity(now.hole, board, ranges, [line], samples, luck.source);
    return openStreet(hand, now, style, luck, share >= line);
  }
  const { raise, call } = answerLines(now, style);
  const share = equity(now.hole, board, ranges, [raise, call], samples, luck.source);
  return answerBet(hand, now, style, luck, share >= raise ? 'raise' : share >= call ? 'call' : 'fold');
}

/** The shares of the pot from which on a bet is raised, and called. */
function answerLines(now: TurnSituation, style: Style): { raise: number; call: number } {
  // A bettor holds more than the average of the hands that got here.
  const wary = 0.05 * Math.min(WAR, now.raises) * (1 - style.callDown);
  const raise = now.raises >= WAR ? WAR_EQUITY : valueLine(now, style) + 0.1 * (1 - style.aggression);
  return { raise: raise + wary, call: callLine(now, style) + wary };
}

function openStreet(hand: Hand, now: TurnSituation, style: Style, luck: Dice, hasValue: boolean): Action {
  const size = betSize(style, luck);
  if (hasValue) return raiseTo(hand, size * now.pot);
  return luck.chance(bluffRate(now, style, size)) ? raiseTo(hand, size * now.pot) : hand.fold();
}

/** `worth`: the action that the hand is good enough for. */
function answerBet(hand: Hand, now: TurnSituation, style: Style, luck: Dice, worth: 'raise' | 'call' | 'fold'): Action {
  const size = betSize(style, luck);
  const target = now.bet + now.toCall + size * (now.pot + now.toCall);
  if (worth === 'raise') return raiseTo(hand, target);
  if (now.raises < WAR && luck.chance(0.2 * bluffRate(now, style, size))) return raiseTo(hand, target);
  return worth === 'call' ? hand.call() : hand.fold();
}

/** The share from which on a hand bets for value: above the fair one, less far above for the aggressive. */
function valueLine({ opponents }: TurnSituation, style: Style): number {
  const fair = 1 / (opponents + 1);
  return fair + (1 - fair) * (0.55 - 0.4 * style.aggression);
}

/** As a fraction of the pot. */
const betSize = (style: Style, luck: Dice) => luck.about(0.4 + 0.45 * style.aggression);

/**
 * How often a hand without value bets. Balanced play bluffs by the price of the bet. A bet of b pots is bluffed b / (1
 * + 2b) of the time, shared out over the hands without value.
 */
function bluffRate(now: TurnSituation, style: Style, size: number): number {
  const free = style.bluff / now.opponents;
  const value = 1 - valueLine(now, style);
  const price = size / (1 + 2 * size);
  const balanced = (value * price) / (1 - price) / (1 - value) / now.opponents;
  return mix(free, balanced, style.balance);
}

/**
 * The share from which on a bet is called. By pot odds it is the price plus a margin. In balanced play just enough
 * hands call that a bluff of this size earns nothing. They are 1 / (1 + b) of the hands, with a random hand's share
 * spread evenly.
 */
function callLine({ pot, toCall, opponents }: TurnSituation, style: Style): number {
  const price = toCall / (pot + toCall);
  const own = price + 0.18 - 0.36 * style.callDown;
  const bet = toCall / Math.max(toCall, pot - toCall);
  const balanced = Math.max(price, (bet / (1 + bet)) ** opponents);
  return mix(own, balanced, style.balance);
}

const mix = (from: number, to: number, share: number) => from + (to - from) * share;
