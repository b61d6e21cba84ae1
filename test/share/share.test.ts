/** Players of several nodes meet at their own nodes, in virtual time; a fault of these rules shows in the figures. */
import t from 'tap';
import { FILE_MS } from '../support/limits.js';
import { measured } from './figures.js';
import { endBuilding, loadShare } from './load.js';
import { sharePlants } from './plants.js';
import { backAfterMs, runShare, type RunPlan } from './runs.js';

t.setTimeout(FILE_MS);
t.teardown(endBuilding);

const MINUTE = 60_000;
/** One world is short: bench:share holds the goal, and a fault comes to half of this. */
const MOST_LOCAL = 0.9;
const LARGE = { nodes: 3, bots: 36, seed: 1 };
/** One for each node. */
const SMALL = { nodes: 3, bots: 3, seed: 1 };
const PLAN: RunPlan = { settleMs: 3 * MINUTE, steadyMs: 1.5 * MINUTE, events: [] };

/** The first broken promise; null: all hold. */
async function broken(plant?: string): Promise<string | null> {
  const world = await loadShare(plant);
  const { local } = measured([(await runShare(world, LARGE, PLAN)).steady]);
  if (local < MOST_LOCAL) return `${local} of the pairs are local`;
  const { seated } = measured([(await runShare(world, SMALL, PLAN)).steady]);
  return seated < MOST_LOCAL ? `${seated} of the bots are seated` : null;
}

await t.test('players sit at their own nodes, and a few gather', async (t) => {
  t.equal(await broken(), null);
});

await t.test('they do so again within five minutes of a death', async (t) => {
  const plan: RunPlan = { settleMs: 1.5 * MINUTE, steadyMs: MINUTE / 2, events: ['kill'] };
  const run = await runShare(await loadShare(), LARGE, plan);
  t.ok(backAfterMs([run], 'kill', MOST_LOCAL) <= 5 * MINUTE);
  t.ok(measured([run.after.kill!.later]).local >= MOST_LOCAL);
});

await t.test('the same seed is the same world', async (t) => {
  const world = await loadShare();
  t.same(await runShare(world, SMALL, PLAN), await runShare(world, SMALL, PLAN));
});

await t.test('each planted fault shows', async (t) => {
  for (const { name, what, says } of sharePlants) t.match((await broken(name)) ?? 'nothing', says, what);
});
