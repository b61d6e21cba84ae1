import { randomInt } from 'node:crypto';
import { FULL } from './limits.js';

/**
 * What chance begins with: the same in every run of the suite, so that it passes or fails for what was changed and not
 * by luck; another one each time with `SUITE=full` or SEED=random, as in the named commands, which are there to find
 * what nobody thought of. SEED=n repeats a run.
 */
export const SEED = seedFrom(process.env['SEED'] ?? (FULL ? 'random' : '20261122'));

function seedFrom(text: string): number {
  if (text === 'random') return randomInt(2 ** 31 - 1);
  const seed = Number(text);
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Error(`SEED=${text} is neither a whole number nor "random"`);
  return seed;
}
