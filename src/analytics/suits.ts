import type { Card, Hole } from '../cards/card.js';

/** Every way to name the four suits anew. */
const NAMINGS: readonly (readonly number[])[] = permutations([0, 1, 2, 3]);

function permutations(items: readonly number[]): number[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item) => permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]));
}

/** Hands in the one form that all share which differ by the names of the suits and their order only. */
export interface Canonical {
  name: string;
  hands: Hole[];
  /** Where each of them stood among those that were given. */
  from: number[];
}

export function canonical(holes: readonly Hole[]): Canonical {
  let best: { name: string; parts: Part[] } | undefined;
  for (const naming of NAMINGS) {
    const parts = holes.map((hole, from) => renamed(hole, naming, from)).sort((a, b) => a.code - b.code);
    const name = parts.map(({ code }) => String.fromCharCode(code)).join('');
    if (best === undefined || name < best.name) best = { name, parts };
  }
  const { name, parts } = best!;
  return { name, hands: parts.map(({ hole }) => hole), from: parts.map(({ from }) => from) };
}

interface Part {
  hole: Hole;
  code: number;
  from: number;
}

function renamed([a, b]: Hole, naming: readonly number[], from: number): Part {
  const rename = (card: Card) => (card & ~3) | naming[card & 3]!;
  const [x, y] = [rename(a), rename(b)];
  const hole: Hole = x > y ? [x, y] : [y, x];
  return { hole, code: hole[0] * 64 + hole[1], from };
}
