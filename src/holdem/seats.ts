/**
 * Seats as bit masks: bit s stands for seat s. Clockwise is the direction of rising seat numbers, wrapping round.
 */

/** The first seat of `mask` clockwise after `seat` (`seat` itself comes last); `mask` must not be empty. */
export function nextSeat(mask: number, seat: number): number {
  const beyond = mask & (-2 << seat);
  const from = beyond === 0 ? mask : beyond;
  return 31 - Math.clz32(from & -from);
}

/** True when at most one seat is in the mask. */
export function atMostOne(mask: number): boolean {
  return (mask & (mask - 1)) === 0;
}

/** The lowest seat of a non-empty mask. */
export function lowestSeat(mask: number): number {
  return 31 - Math.clz32(mask & -mask);
}

/** How many seats are in the mask. */
export function countSeats(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}
