/** Faults are planted in the simulated platform, one at a time: each is found, with the seed that leads to it. */
import t from 'tap';
import { leasePlants } from '../../sim/lease-plants.js';
import { endBuilding, loadWorld } from '../../sim/load.js';
import { plants } from '../../sim/plants.js';
import { FILE_MS } from '../../support/limits.js';

t.setTimeout(FILE_MS);
t.teardown(endBuilding);

/** Every planted fault must be found in so many worlds. */
const MOST_SEEDS = 100;

async function firstFault(
  simulate: (seed: number) => Promise<unknown>,
  from = 1,
): Promise<{ seeds: number; message: string }> {
  for (let seed = from; seed < from + MOST_SEEDS; seed++) {
    try {
      await simulate(seed);
    } catch (error) {
      return { seeds: seed, message: (error as Error).message };
    }
  }
  return { seeds: MOST_SEEDS, message: 'nothing was found' };
}

for (const { name, what, says, rare } of plants) {
  await t.test(`planted: ${what}`, async (t) => {
    const { simulate } = await loadWorld(name);
    const found = await firstFault(simulate, rare);
    t.match(found.message, says, `found in world ${found.seeds}`);
    t.match(found.message, /^seed \d+ at /, 'with its seed');
  });
}

for (const { name, what, says, rare } of leasePlants) {
  await t.test(`planted: ${what}`, async (t) => {
    const { simulateLeases } = await loadWorld(name);
    const found = await firstFault(simulateLeases, rare);
    t.match(found.message, says, `found in world ${found.seeds}`);
    t.match(found.message, /^seed \d+ at /, 'with its seed');
  });
}

await t.test('a plant that is unknown is refused', async (t) => {
  await t.rejects(loadWorld('weeds'), /there is no plant weeds/);
});
