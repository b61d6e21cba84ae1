import type { Action, Hand } from '../../../sdk/typescript/src/hand.js';
import { raiseTo } from './choices.js';
import type { Dice } from './luck.js';
import { percentileOf } from './starting-hands.js';
import type { TurnSituation } from './situation.js';
import type { Style } from './style.js';

/** Below this a call is so cheap that a wider range takes it, in big blinds. */
const CHEAP = 1;
/** Share of the stack from which on a call is a decision for everything. */
const DEAR = 0.3;

/** Before the flop: by the percentile of the two cards, by position, and by how often it was raised. */
export function playPreflop(hand: Hand, now: TurnSituation, style: Style, luck: Dice): Action {
  const percentile = percentileOf(now.hole);
  const width = widthOf(now);
  if (now.raises === 0) {
    if (percentile < style.pfr * width) return raiseTo(hand, openingRaise(now, style, luck));
    return percentile < style.vpip * width ? hand.call() : hand.fold();
  }
  if (now.raises === 1) {
    const bluffs = style.bluff * 0.15 * now.position;
    if (percentile < style.threeBet * width || luck.chance(bluffs)) return raiseTo(hand, reraise(now, luck));
    return percentile < callingWidth(now, style) * width ? hand.call() : hand.fold();
  }
  // Two raises and more: only the top of what it would raise again with goes on raising.
  if (percentile < style.threeBet * (0.3 + 0.4 * style.aggression)) return raiseTo(hand, reraise(now, luck));
  const goesOn = style.threeBet * (0.8 + 2 * style.callDown) + (now.ownRaises > 0 ? style.threeBet * 0.5 : 0);
  return percentile < goesOn ? hand.call() : hand.fold();
}

/** Fewer opponents and a later seat make more hands playable. */
const widthOf = ({ opponents, position }: TurnSituation) =>
  (0.7 + 0.6 * position) * (1 + 0.25 * Math.max(0, 4 - opponents));

const openingRaise = ({ bigBlind, limpers }: TurnSituation, style: Style, luck: Dice) =>
  bigBlind * (2.2 + style.aggression + limpers) * luck.about(1);

/** About three times what there is to call. */
const reraise = ({ bet, toCall }: TurnSituation, luck: Dice) => (bet + toCall) * 3 * luck.about(1);

/** The share of hands that call one raise: fewer when it is dear, more when it is next to nothing. */
function callingWidth({ toCall, bigBlind, stack }: TurnSituation, style: Style): number {
  const calls = style.vpip * (0.35 + 0.6 * style.callDown);
  if (toCall <= CHEAP * bigBlind) return Math.max(calls, style.vpip);
  return toCall > DEAR * stack ? Math.max(style.threeBet, calls * (0.15 + 0.35 * style.callDown)) : calls;
}
