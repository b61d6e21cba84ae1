import type { Act } from '../holdem/types.js';
import type { ActionMixMessage } from '../protocol/client.js';
import { ACT_NUMBERS } from './frames/words.js';

/** An alternative of a mixed action. */
export interface MixedPart {
  act: Act;
  /** The raise-to total; null where the action is no raise. */
  amount: number | null;
  p: number;
}

/** A mixed action, and what was drawn of it (protocol.md, "Mixed actions"). */
export interface DrawnMix {
  parts: readonly MixedPart[];
  /** The number of the action in its hand, from 0: it names the draw. */
  number: number;
  /** The draw, from 0 up to 1. */
  u: number;
  /** The number of the part that was drawn. */
  part: number;
}

/** The probabilities of a mix sum to 1 but for so much. */
const SUM_ERROR = 1e-6;

/** The parts of a client's mix. Only a raise keeps its amount. */
export const partsOf = ({ mix }: ActionMixMessage): MixedPart[] =>
  mix.map(({ action, amount, p }) => ({
    act: ACT_NUMBERS[action],
    amount: action === 'raise' ? (amount ?? null) : null,
    p,
  }));

const sumOf = (parts: readonly Pick<MixedPart, 'p'>[]): number => parts.reduce((sum, { p }) => sum + p, 0);

export const sumsToOne = (parts: readonly MixedPart[]): boolean => Math.abs(sumOf(parts) - 1) <= SUM_ERROR;

/**
 * The number of the part that a draw gives: the first with `u` times the sum of all below the sum up to it. Sums are in
 * the order of the parts, so every reader gets the same doubles.
 */
export function partAt(parts: readonly Pick<MixedPart, 'p'>[], u: number): number {
  const bound = u * sumOf(parts);
  let sum = 0;
  const at = parts.findIndex(({ p }) => (sum += p) > bound);
  return at < 0 ? parts.length - 1 : at;
}

/** Whether two mixes say the same. */
export const sameParts = (some: readonly MixedPart[], others: readonly MixedPart[]): boolean =>
  some.length === others.length &&
  some.every(({ act, amount, p }, i) => act === others[i]!.act && amount === others[i]!.amount && p === others[i]!.p);
