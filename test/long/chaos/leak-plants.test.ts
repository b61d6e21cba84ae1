/** Leaks of cards that are planted in the platform are found, each. */
import t from 'tap';
import { watchCards } from '../../chaos/leaks.js';
import { plantedMain, plantNamed, wideSights } from '../../chaos/planted.js';
import { stopCluster } from '../../support/database.js';
import { FILE_MS } from '../../support/limits.js';
import { SEED } from '../../support/seed.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

/** Faults of frames, and what tells of each. */
const LEAKS = [
  [plantNamed('leak'), /as its own \(hero\)/],
  [plantNamed('muck'), /hand_result shows/],
  [plantNamed('river'), /table_state holds/],
] as const;

// A card that an answer has given out is no news in a proof: that fault is looked for alone.
const answers = wideSights.map((plant) => [plant, plant.says] as const);
for (const [where, planted] of [
  ['frames', LEAKS],
  ['answers', answers.filter(([{ name }]) => name !== 'witness')],
  ['proofs', answers.filter(([{ name }]) => name === 'witness')],
] as const) {
  await t.test(`planted together in ${where}, each is found`, async (t) => {
    const main = await plantedMain(t, ...planted.map(([plant]) => plant));
    const { leaks } = await watchCards(t, { hands: 50, seed: SEED, main });
    for (const [{ what }, says] of planted) {
      const found = leaks.find((leak) => says.test(leak));
      t.ok(found !== undefined, found ?? `not found (SEED=${SEED}): ${what}; ${leaks[0] ?? 'no leak at all'}`);
    }
  });
}
