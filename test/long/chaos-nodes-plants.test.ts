/**
 * The planted faults of several nodes are found. The scenario of each finds nothing in the product (reliability.md,
 * "Several nodes").
 */
import t from 'tap';
import { nodePlants, playScenario, proveNodePlant } from '../chaos/nodes/plants.js';
import { stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { SEED } from '../support/seed.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

t.comment(`SEED=${SEED}`);

for (const { name, what, by } of nodePlants) {
  await t.test(`${by}: nothing is wrong`, async (t) => t.same(await playScenario(t, name, SEED), []));
  await t.test(`${by}: finds that ${what}`, async (t) => {
    const { findings, isFound } = await proveNodePlant(t, name, SEED);
    t.ok(isFound, findings.join('\n'));
  });
}
