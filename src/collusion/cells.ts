/**
 * Cells: what one player did when another stood against it, counted by situation. A situation is a place and what the
 * player held; a cell is a situation and what it did there. Cells are numbered so that counts are short lists.
 */

/** Before the flop, on it, on the turn, on the river. */
const STREETS = 4;
/** Two players left, or more. */
const COMPANIES = 2;
/** The price of a call: less than SMALL_BET of the pot or the first raise, or more, or all chips of one player. */
const PRICES = 3;
const STRENGTHS = 5;
/** Behind the other's cards as they stand, or not. */
const STANDINGS = 2;

export const Price = { small: 0, large: 1, allIn: 2 } as const;
export type Price = (typeof Price)[keyof typeof Price];

/** The kinds of action: a fold, a call (or a check), a raise (or a bet). */
export const Deed = { fold: 0, call: 1, raise: 2 } as const;
export type Deed = (typeof Deed)[keyof typeof Deed];
export const DEEDS = 3;

/** Bounds between the classes of a hand's strength. */
const STRENGTH_BOUNDS: readonly number[] = [0.3, 0.55, 0.75, 0.9];

export const strengthClass = (strength: number): number =>
  STRENGTH_BOUNDS.reduce((place, bound) => place + (strength >= bound ? 1 : 0), 0);

/** A decision against one other player. */
export interface Situation {
  street: number;
  /** More than the two may still win. */
  crowded: boolean;
  /** Null where checking was free; then nobody but the two is left. */
  price: Price | null;
  /** From 0, the weakest, to 4. */
  strength: number;
  /** The player's cards are at least as good as the other's. */
  ahead: boolean;
}

const PRICED = STREETS * COMPANIES * PRICES * STRENGTHS * STANDINGS;
const FREE = STREETS * STRENGTHS * STANDINGS;
export const SITUATIONS = PRICED + FREE;
export const CELLS = SITUATIONS * DEEDS;

export function situationNumber({ street, crowded, price, strength, ahead }: Situation): number {
  const held = strength * STANDINGS + Number(ahead);
  if (price === null) return PRICED + street * STRENGTHS * STANDINGS + held;
  return ((street * COMPANIES + Number(crowded)) * PRICES + price) * STRENGTHS * STANDINGS + held;
}

/** All situations by number. */
export const SITUATION_OF: readonly Situation[] = Array.from({ length: SITUATIONS }, (_, number) => {
  const held = number % (STRENGTHS * STANDINGS);
  const [strength, ahead] = [Math.floor(held / STANDINGS), held % STANDINGS === 1];
  const place = Math.floor(number / (STRENGTHS * STANDINGS));
  if (number >= PRICED)
    return { street: place - PRICED / (STRENGTHS * STANDINGS), crowded: false, price: null, strength, ahead };
  const price = (place % PRICES) as Price;
  const company = Math.floor(place / PRICES);
  return { street: Math.floor(company / COMPANIES), crowded: company % COMPANIES === 1, price, strength, ahead };
});

/** Behind the cells of situations stand those of decision times: half powers of two, in ms. */
export const TIME_CLASSES = 40;
export const timeCell = (ms: number): number =>
  CELLS + Math.min(TIME_CLASSES - 1, Math.floor(2 * Math.log2(1 + Math.max(0, ms))));

/** Counts by cell; cells without a count are missing. */
export type CellCounts = Map<number, number>;

export function addCount(counts: CellCounts, cell: number, more = 1): void {
  counts.set(cell, (counts.get(cell) ?? 0) + more);
}

/** Counts as bytes: per cell, in their order, the step from the cell before and the count, both as varints. */
export function packCells(counts: ReadonlyMap<number, number>): Buffer {
  const bytes: number[] = [];
  let before = -1;
  for (const [cell, count] of [...counts].sort(([a], [b]) => a - b)) {
    writeVarint(bytes, cell - before - 1);
    writeVarint(bytes, count);
    before = cell;
  }
  return Buffer.from(bytes);
}

/** Throws a RangeError where the bytes are no counts. */
export function unpackCells(bytes: Uint8Array): CellCounts {
  const counts: CellCounts = new Map();
  let at = 0;
  const next = (): number => {
    for (let [value, scale] = [0, 1]; ; scale *= 128) {
      const byte = bytes[at++];
      if (byte === undefined || scale > 2 ** 42) throw new RangeError('these bytes are no counts of cells');
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  for (let cell = -1; at < bytes.length;) {
    cell += next() + 1;
    counts.set(cell, next());
  }
  return counts;
}

function writeVarint(bytes: number[], value: number): void {
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  bytes.push(rest);
}
