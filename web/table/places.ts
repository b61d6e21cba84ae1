import type { SeatView } from './view.js';

/** Where things lie on the felt, in units of the picture, for the wide and the upright form. */

export interface Place {
  x: number;
  y: number;
}

export interface SeatPlace {
  /** Middle of the plate. */
  plate: Place;
  /** Middle of the chips before it. */
  bet: Place;
  /** Which side of the chips their figure stands. */
  figure: 'left' | 'right' | 'below';
  button: Place;
}

export interface Layout {
  width: number;
  height: number;
  felt: { x: number; y: number; width: number; height: number; radius: number };
  /** By seat, clockwise. */
  seats: readonly SeatPlace[];
  /** The two places heads-up: near and far. */
  headsUp: { seats: readonly [SeatPlace, SeatPlace]; caption: Place };
  plate: { width: number; height: number };
  seatCard: { width: number; height: number };
  boardCard: { width: number; height: number; gap: number };
  /** Middle of the board. */
  board: Place;
  pot: Place;
  caption: Place;
}

const seat = (
  [plateX, plateY]: [number, number],
  [betX, betY]: [number, number],
  figure: SeatPlace['figure'],
  [buttonX, buttonY]: [number, number],
): SeatPlace => ({
  plate: { x: plateX, y: plateY },
  bet: { x: betX, y: betY },
  figure,
  button: { x: buttonX, y: buttonY },
});

export const LANDSCAPE: Layout = {
  width: 1000,
  height: 620,
  felt: { x: 70, y: 84, width: 860, height: 466, radius: 233 },
  seats: [
    seat([676, 556], [640, 444], 'right', [560, 524]),
    seat([324, 556], [360, 444], 'left', [440, 524]),
    seat([98, 318], [228, 318], 'below', [206, 246]),
    seat([324, 94], [360, 178], 'left', [440, 118]),
    seat([676, 94], [640, 178], 'right', [560, 118]),
    seat([902, 318], [772, 318], 'below', [794, 246]),
  ],
  headsUp: {
    seats: [seat([500, 556], [590, 456], 'right', [392, 512]), seat([500, 94], [590, 170], 'right', [392, 136])],
    caption: { x: 500, y: 204 },
  },
  plate: { width: 176, height: 54 },
  seatCard: { width: 54, height: 74 },
  boardCard: { width: 78, height: 108, gap: 9 },
  board: { x: 500, y: 282 },
  pot: { x: 500, y: 374 },
  caption: { x: 500, y: 486 },
};

const NEAR = seat([310, 830], [310, 690], 'below', [430, 786]);
const FAR = seat([310, 106], [310, 190], 'below', [430, 136]);

export const PORTRAIT: Layout = {
  width: 620,
  height: 900,
  felt: { x: 46, y: 98, width: 528, height: 706, radius: 264 },
  seats: [
    NEAR,
    seat([104, 650], [242, 612], 'below', [216, 700]),
    seat([104, 322], [242, 300], 'below', [216, 240]),
    FAR,
    seat([516, 322], [378, 300], 'below', [404, 240]),
    seat([516, 650], [378, 612], 'below', [404, 700]),
  ],
  headsUp: { seats: [NEAR, FAR], caption: { x: 310, y: 372 } },
  plate: { width: 186, height: 64 },
  seatCard: { width: 58, height: 78 },
  boardCard: { width: 82, height: 114, gap: 8 },
  board: { x: 310, y: 444 },
  pot: { x: 310, y: 540 },
  caption: { x: 310, y: 372 },
};

/** Where each seat of a view lies. Two players sit opposite each other, whatever their seats are. */
export function placesOf(layout: Layout, seats: readonly SeatView[]): ReadonlyMap<number, SeatPlace> {
  const [first, second] = seats;
  if (first === undefined || second === undefined || seats.length > 2) {
    return new Map(layout.seats.map((place, seat) => [seat, place]));
  }
  const [near, far] = second.followed ? [second, first] : [first, second];
  return new Map([
    [near.seat, layout.headsUp.seats[0]],
    [far.seat, layout.headsUp.seats[1]],
  ]);
}
