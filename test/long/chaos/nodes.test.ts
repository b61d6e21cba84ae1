/**
 * A cluster under load whose nodes are killed, stand still, are cut off and restarted: what was sent stays true, at most
 * the hands in progress of a node that ends are lost, and every seat is there again (RELIABILITY.md, "Several nodes").
 * SEED=n is another run; `npm run chaos:nodes` does more of it. Times are printed, not asserted.
 */
import t from 'tap';
import { faultsOf, troubleNodes } from '../../chaos/nodes/campaign.js';
import { GROUPS } from '../../chaos/nodes/faults.js';
import { describeIncident } from '../../chaos/nodes/figures.js';
import { plantedMain, plantNamed } from '../../chaos/planted.js';
import { stopCluster } from '../../support/database.js';
import { FILE_MS, FULL } from '../../support/limits.js';
import { withoutRedis } from '../../support/redis.js';
import { SEED } from '../../support/seed.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);
t.comment(`SEED=${SEED}`);
const skip = withoutRedis;

await t.test('a planted fault is found: a table that is opened again counts from the start', { skip }, async (t) => {
  const main = await plantedMain(t, {
    ...plantNamed('again'),
    file: 'src/shard/main/lending.ts',
    find: 'return { opening: { ...table, rules:',
    replace: 'return { opening: { ...table, seqFloor: 0, rules:',
  });
  // Tables enough that either node has some.
  const faults = faultsOf('kill', 2);
  const { findings } = await troubleNodes(t, { faults, seed: SEED, nodes: 2, guests: 14, longestMs: 2000, main });
  t.match(findings.join('\n'), /table_seq/);
});

await t.test('whatever happens to nodes, chips, hands and seats are there', { skip }, async (t) => {
  const faults = GROUPS.flatMap((group) => faultsOf(group, 5));
  const load = FULL
    ? { longestMs: 20_000, mostHands: 100, thinksMs: 0 }
    : { longestMs: 4000, mostHands: 25, thinksMs: 100 };
  const { findings, incidents, truth } = await troubleNodes(t, { faults, seed: SEED, ...load });
  t.same(findings, []);
  t.equal(incidents.length, faults.length, `${truth.hands} hands sent and stored`);
  for (const incident of incidents) t.comment(`figure: ${describeIncident(incident)}`);
});
