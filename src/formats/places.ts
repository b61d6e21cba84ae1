import { MAX_SEATS } from '../holdem/types.js';

/**
 * Seats as a table of six has them. Those of a larger table close up and keep their order. Seats count from 0; an empty
 * seat with the button is one of them.
 */
export function seatsInTable(seats: readonly number[]): number[] {
  if (seats.every((seat) => seat >= 0 && seat < MAX_SEATS)) return [...seats];
  const order = [...new Set(seats)].sort((a, b) => a - b);
  return seats.map((seat) => order.indexOf(seat));
}

/** Seats from the left of the button, the button last. */
export function dealingOrder(seats: readonly number[], button: number): number[] {
  const turn = (seat: number) => (seat > button ? seat : seat + MAX_SEATS);
  return [...seats].sort((a, b) => turn(a) - turn(b));
}
