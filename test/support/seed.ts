import { randomInt } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FULL } from './limits.js';

/**
 * The seed of all chance. It is the same in every run of the suite, so that a change and not luck decides.
 * `SUITE=full`, SEED=random and the named commands take another seed each time, to find new cases. SEED=n repeats a
 * run.
 */
export const SEED = seedFrom(process.env['SEED'] ?? (FULL ? 'random' : '20261122'));

function seedFrom(text: string): number {
  if (text === 'random') return randomInt(2 ** 31 - 1);
  const seed = Number(text);
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Error(`SEED=${text} is neither a whole number nor "random"`);
  return seed;
}

/** Seeds of failed worlds, by campaign. The system tier always runs them. */
const KEPT = fileURLToPath(new URL('../../../test/system/kept-seeds.json', import.meta.url));
const readKept = () => JSON.parse(readFileSync(KEPT, 'utf8')) as Record<string, number[]>;

export const keptSeeds = (campaign: string): readonly number[] => readKept()[campaign] ?? [];

/** Simulates the world of a seed. A failed seed is kept. */
export async function simulated<T>(campaign: string, simulate: (seed: number) => Promise<T>, seed: number): Promise<T> {
  try {
    return await simulate(seed);
  } catch (error) {
    const kept = readKept();
    const seeds = new Set([...(kept[campaign] ?? []), seed]);
    writeFileSync(KEPT, `${JSON.stringify({ ...kept, [campaign]: [...seeds].sort((a, b) => a - b) }, null, 2)}\n`);
    throw error;
  }
}
