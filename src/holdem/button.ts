import { atMostOne, lowestSeat, nextSeat } from './seats.js';

/** The last hand's facts for the button rule. −1 without a last hand. */
export interface ButtonInput {
  previousButton: number;
  previousBigBlind: number;
  /** Seats dealt into the next hand; at least two. */
  dealt: number;
  /** As in HandSetup; `standard` when absent. */
  headsUpBlinds?: 'standard' | 'ring';
}

/**
 * The button of the next hand. It moves clockwise to the next seat dealt in; the first hand's button is the lowest
 * seat. Heads-up it stands so that the seat which posted the last big blind does not post it again. Throws a RangeError
 * when fewer than two seats are dealt in.
 */
export function nextButton(input: ButtonInput): number {
  const { previousButton, previousBigBlind, dealt } = input;
  if (atMostOne(dealt)) throw new RangeError(`fewer than two seats to deal to: ${dealt}`);
  const moved = previousButton < 0 ? lowestSeat(dealt) : nextSeat(dealt, previousButton);
  const other = nextSeat(dealt, moved);
  const headsUp = nextSeat(dealt, other) === moved;
  if (!headsUp) return moved;
  const bigBlind = input.headsUpBlinds === 'ring' ? moved : other;
  return bigBlind === previousBigBlind ? other : moved;
}
