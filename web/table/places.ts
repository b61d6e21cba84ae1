import type { Face } from './fit.js';
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

/** The places of a table of so many, clockwise, and where the blinds are told. */
interface Round {
  seats: readonly SeatPlace[];
  caption: Place;
}

export interface Layout {
  width: number;
  height: number;
  felt: { x: number; y: number; width: number; height: number; radius: number };
  /** By the number of places: fewer than six are spread evenly. */
  rounds: Readonly<Record<2 | 3 | 4 | 5 | 6, Round>>;
  plate: { width: number; height: number; avatar: number };
  seatCard: { width: number; height: number };
  boardCard: { width: number; height: number; gap: number };
  /** Middle of the board. */
  board: Place;
  pot: Place & { room: number };
  /** The fonts of texts that are measured. */
  faces: Readonly<Record<'name' | 'small' | 'stack' | 'said' | 'note' | 'bet' | 'pot', Face>>;
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

const [RIGHT_BELOW, LEFT_BELOW, LEFT, LEFT_ABOVE, RIGHT_ABOVE, RIGHT, BELOW, ABOVE] = [
  seat([682, 564], [650, 440], 'right', [556, 524]),
  seat([318, 564], [350, 440], 'left', [444, 524]),
  seat([103, 326], [244, 318], 'below', [222, 246]),
  seat([318, 98], [350, 184], 'left', [444, 122]),
  seat([682, 98], [650, 184], 'right', [556, 122]),
  seat([897, 326], [756, 318], 'below', [778, 246]),
  seat([500, 564], [590, 446], 'right', [378, 512]),
  seat([500, 98], [590, 180], 'right', [378, 140]),
];

const [BELOW_BOARD, ABOVE_BOARD]: [Place, Place] = [
  { x: 500, y: 486 },
  { x: 500, y: 206 },
];

export const LANDSCAPE: Layout = {
  width: 1000,
  height: 620,
  felt: { x: 70, y: 84, width: 860, height: 466, radius: 233 },
  rounds: {
    2: { seats: [BELOW, ABOVE], caption: ABOVE_BOARD },
    3: { seats: [BELOW, LEFT_ABOVE, RIGHT_ABOVE], caption: ABOVE_BOARD },
    4: { seats: [BELOW, LEFT, ABOVE, RIGHT], caption: ABOVE_BOARD },
    5: { seats: [BELOW, LEFT, LEFT_ABOVE, RIGHT_ABOVE, RIGHT], caption: ABOVE_BOARD },
    6: { seats: [RIGHT_BELOW, LEFT_BELOW, LEFT, LEFT_ABOVE, RIGHT_ABOVE, RIGHT], caption: BELOW_BOARD },
  },
  plate: { width: 196, height: 54, avatar: 36 },
  seatCard: { width: 50, height: 68 },
  boardCard: { width: 78, height: 108, gap: 9 },
  board: { x: 500, y: 284 },
  pot: { x: 500, y: 376, room: 440 },
  faces: {
    name: { size: 16, weight: 600 },
    small: { size: 14, weight: 600 },
    stack: { size: 17, weight: 400 },
    said: { size: 15, weight: 600 },
    note: { size: 13.5, weight: 400 },
    bet: { size: 19, weight: 600 },
    pot: { size: 22, weight: 600 },
  },
};

const [NEAR, LEFT_NEAR, LEFT_FAR, FAR, RIGHT_FAR, RIGHT_NEAR] = [
  seat([310, 836], [310, 672], 'below', [432, 786]),
  seat([107, 650], [262, 600], 'below', [228, 700]),
  seat([107, 322], [262, 300], 'below', [228, 236]),
  seat([310, 116], [310, 206], 'below', [432, 150]),
  seat([513, 322], [358, 300], 'below', [392, 236]),
  seat([513, 650], [358, 600], 'below', [392, 700]),
];

const BETWEEN: Place = { x: 310, y: 374 };

export const PORTRAIT: Layout = {
  width: 620,
  height: 900,
  felt: { x: 46, y: 98, width: 528, height: 706, radius: 264 },
  rounds: {
    2: { seats: [NEAR, FAR], caption: BETWEEN },
    3: { seats: [NEAR, LEFT_FAR, RIGHT_FAR], caption: BETWEEN },
    4: { seats: [RIGHT_NEAR, LEFT_NEAR, LEFT_FAR, RIGHT_FAR], caption: BETWEEN },
    5: { seats: [NEAR, LEFT_NEAR, LEFT_FAR, RIGHT_FAR, RIGHT_NEAR], caption: BETWEEN },
    6: { seats: [NEAR, LEFT_NEAR, LEFT_FAR, FAR, RIGHT_FAR, RIGHT_NEAR], caption: BETWEEN },
  },
  plate: { width: 202, height: 66, avatar: 40 },
  seatCard: { width: 56, height: 76 },
  boardCard: { width: 82, height: 114, gap: 8 },
  board: { x: 310, y: 446 },
  pot: { x: 310, y: 534, room: 264 },
  faces: {
    name: { size: 20, weight: 600 },
    small: { size: 17, weight: 600 },
    stack: { size: 20, weight: 400 },
    said: { size: 17, weight: 600 },
    note: { size: 17, weight: 400 },
    bet: { size: 23, weight: 600 },
    pot: { size: 27, weight: 600 },
  },
};

/** Where the seats of a view lie. Of two players the followed one sits near, whatever their seats are. */
export function placesOf(
  layout: Layout,
  seats: readonly SeatView[],
): { places: ReadonlyMap<number, SeatPlace>; caption: Place } {
  const { seats: places, caption } = layout.rounds[roundOf(seats.length)];
  const [first, second] = seats;
  const ordered = seats.length === 2 && second?.followed ? [second, first!] : seats;
  return { places: new Map(ordered.map(({ seat }, i) => [seat, places[i]!])), caption };
}

const roundOf = (seats: number) => Math.min(6, Math.max(2, seats)) as 2 | 3 | 4 | 5 | 6;
