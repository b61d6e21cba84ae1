/** Simulated links between nodes, posts, and platforms of three nodes whose leader dies. SEED=n takes other worlds. */
import t from 'tap';
import { endBuilding, loadWorld } from '../../sim/load.js';
import { FILE_MS, inSuite } from '../../support/limits.js';
import { SEED } from '../../support/seed.js';

t.setTimeout(FILE_MS);
t.teardown(endBuilding);

const first = process.env['SEED'] === undefined ? 1 : SEED;
const world = await loadWorld();

const NODES = inSuite(300);

await t.test(
  `${NODES} worlds of nodes: nothing is missing from the middle, nothing read twice, and links heal`,
  async (t) => {
    const total = { read: 0, said: 0, healed: 0, broken: 0, lost: 0 };
    for (let seed = first; seed < first + NODES; seed++) {
      const result = await world.simulateNodes(seed);
      for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += result[key];
    }
    t.comment(JSON.stringify(total));
    t.ok(
      total.read > 500 * NODES && total.said > 500 * NODES && total.broken > 10 * NODES && total.lost > NODES / 2,
      'chance led everywhere',
    );
    t.same(await world.simulateNodes(first), await world.simulateNodes(first), 'the same seed is the same run');
  },
);

const LEADERS = inSuite(40);

await t.test(`${LEADERS} platforms of three nodes keep every invariant, though the leader dies`, async (t) => {
  const total = { hands: 0, frames: 0, moves: 0, lostShards: 0, crashes: 0, restarts: 0, claims: 0 };
  for (let seed = first; seed < first + LEADERS; seed++) {
    const result = await world.simulateLeaders(seed);
    for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += result[key];
  }
  t.comment(JSON.stringify(total));
  t.ok(total.hands > LEADERS && total.lostShards > LEADERS, `${total.hands} hands, ${total.lostShards} lost shards`);
  t.ok(total.claims > LEADERS, `${total.claims} times a node took the lead`);
});
