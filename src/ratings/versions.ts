import type { RatedTotals } from './model.js';

/** Versions of an agent's bot that count apart in a pool: the first ones. */
export const VERSIONS_APART = 50;

/** Rated hands of one version of an agent's bot: sums of its results, and of its flows by the other guest. */
export interface RatedHands {
  version: string;
  totals: RatedTotals;
  pairs: ReadonlyMap<string, { weight: number; flow: number }>;
}

/**
 * Hands of an agent by the versions that count apart. Hands of further versions count without a version, so that no
 * version has hands of another. `known` are the versions that the pool has of the agent. `''` is none of the versions.
 */
export function boundedVersions(versions: readonly RatedHands[], known: readonly string[]): readonly RatedHands[] {
  const apart = new Set(known);
  for (const { version } of versions) if (version !== '' && apart.size < VERSIONS_APART) apart.add(version);
  const further = versions.filter(({ version }) => !apart.has(version));
  if (further.every(({ version }) => version === '')) return versions;
  const without: RatedHands = {
    version: '',
    totals: {
      hands: further.reduce((sum, { totals }) => sum + totals.hands, 0),
      result: further.reduce((sum, { totals }) => sum + totals.result, 0),
      squares: further.reduce((sum, { totals }) => sum + totals.squares, 0),
    },
    pairs: sumOfPairs(further),
  };
  return [...versions.filter(({ version }) => apart.has(version)), without];
}

function sumOfPairs(all: readonly RatedHands[]): RatedHands['pairs'] {
  const sums = new Map<string, { weight: number; flow: number }>();
  for (const [otherId, { weight, flow }] of all.flatMap(({ pairs }) => [...pairs])) {
    const sum = sums.get(otherId) ?? { weight: 0, flow: 0 };
    sums.set(otherId, { weight: sum.weight + weight, flow: sum.flow + flow });
  }
  return sums;
}
