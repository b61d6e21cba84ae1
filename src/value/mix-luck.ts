import { DECK_SIZE, type Card } from '../cards/card.js';
import { MAX_SEATS } from '../holdem/types.js';
import type { BoardHand } from './board-facts.js';
import type { BoardModel, EventLuck } from './board-model.js';
import { completeBoards, sampleBoards } from './boards.js';
import { OPEN_CARDS, type MixEvent } from './events.js';
import { Payouts } from './payouts.js';
import { strengthClasses } from './strength.js';

const classes = new Int32Array(MAX_SEATS);

/**
 * The luck of each player of a hand in the draw of a mixed action, and its limits. The luck is the value of the hand
 * after the drawn part, less the mean value after all parts by their probabilities. The value knows all hole cards, the
 * open board and the chips after the part. It knows nothing of the draw and of the cards to come, so the term has the
 * mean 0.
 *
 * A player's value is its part of the pots by the board model less the chips it has put in. An uncalled bet counts as
 * taken back. So the values of all players sum to 0, whatever the part. Before the flop the boards are those that the
 * flop is measured by.
 */
export function mixLuck(hand: BoardHand, mix: MixEvent, model: BoardModel, bigBlind: number): EventLuck {
  const size = hand.holes.length;
  const made = { luck: new Float64Array(size), low: new Float64Array(size), high: new Float64Array(size) };
  const values = valuesAfter(hand, mix, model, bigBlind);
  const all = mix.parts.reduce((sum, { p }) => sum + p, 0);
  for (let i = 0; i < size; i++) {
    let [sum, least, most] = [0, Infinity, -Infinity];
    mix.parts.forEach(({ p }, part) => {
      const value = values[part]![i]!;
      sum += p * value;
      least = Math.min(least, value);
      most = Math.max(most, value);
    });
    const mean = sum / all;
    made.luck[i] = values[mix.drawn]![i]! - mean;
    made.low[i] = least - mean;
    made.high[i] = most - mean;
  }
  return made;
}

/** By part and player: what the player may expect of the whole hand, in big blinds. */
function valuesAfter(
  { handId, button, board, holes }: BoardHand,
  { parts }: MixEvent,
  model: BoardModel,
  bigBlind: number,
): Float64Array[] {
  const { street } = parts[0]!.left;
  const open = OPEN_CARDS[street];
  const cards = new Uint8Array(5);
  for (let i = 0; i < open; i++) cards[i] = board[i]!;
  const gone = new Set<Card>(cards.subarray(0, open));
  for (const { hole } of holes) hole.forEach((card) => gone.add(card));
  const rest = Array.from({ length: DECK_SIZE }, (_, card) => card).filter((card) => !gone.has(card));
  const hands = holes.map(({ hole }) => hole);
  if (open > 0) strengthClasses(classes, cards, open, hands, rest);
  const counted = parts.map(({ left }) => {
    const live = holes.flatMap(({ seat }, i) => ((left.live & (1 << seat)) !== 0 ? [i] : []));
    const seats = live.map((i) => holes[i]!.seat);
    return {
      left,
      live,
      payouts: new Payouts(
        left,
        seats,
        live.map((i) => hands[i]!),
        button,
      ),
    };
  });
  const add = (dealt: Uint8Array) => counted.forEach(({ payouts }) => payouts.add(dealt));
  if (open === 0) sampleBoards(handId, rest, add);
  else completeBoards(cards, open, rest, add);
  return counted.map(({ left, live, payouts }) => {
    const paid = new Float64Array(live.length);
    const boards = payouts.take(paid);
    for (let i = 0; i < paid.length; i++) paid[i] = paid[i]! / boards;
    const own = open > 0 ? live.map((i) => classes[i]!) : null;
    const of = left.closed ? paid.map((chips) => chips / bigBlind) : model.value(paid, own, left, bigBlind);
    const values = Float64Array.from(holes, ({ seat }) => -left.pots.contributed[seat]! / bigBlind);
    live.forEach((i, n) => (values[i] = values[i]! + of[n]!));
    return values;
  });
}
