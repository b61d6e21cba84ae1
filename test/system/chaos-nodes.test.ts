/**
 * Three nodes under load. Sent results stay true, and every seat survives any fault of a node or of its network
 * (reliability.md, "Several nodes"). SEED=n takes another run. `npm run campaign -- chaos:nodes` does more.
 */
import t from 'tap';
import { troubleNodes } from '../chaos/nodes/campaign.js';
import { EVENTS } from '../chaos/nodes/events.js';
import { describeIncident, recoveries } from '../chaos/nodes/figures.js';
import { nodePlants, proveNodePlant } from '../chaos/nodes/plants.js';
import { stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { SEED } from '../support/seed.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

t.comment(`SEED=${SEED}`);

await t.test('a kill, a cut network and a node that drains', async (t) => {
  const some = ['the leader is killed', 'a node is cut off from the other nodes', 'the operator drains a node'];
  const events = EVENTS.filter(({ what }) => some.includes(what));
  const bounds = { guests: 8, cupGuests: 3, longestMs: 3000, mostHands: 20, seasonEvery: 3 };
  const { findings, incidents, truth, owners } = await troubleNodes(t, { events, seed: SEED, ...bounds });
  t.same(findings, []);
  t.same(
    incidents.map(({ what }) => what),
    events.map(({ what }) => what),
  );
  t.ok(
    truth.hands > 0 && owners.hands >= truth.hands,
    `${truth.hands} hands sent and stored, ${truth.voided.size} void`,
  );
  for (const incident of incidents) t.comment(`figure: ${describeIncident(incident)}`);
  for (const line of recoveries(incidents)) t.comment(`figure: ${line}`);
});

for (const { name, what, by } of nodePlants.filter(({ name }) => name === 'home' || name === 'freed')) {
  await t.test(`${by}: finds that ${what}`, async (t) => {
    const { findings, isFound } = await proveNodePlant(t, name, SEED);
    t.ok(isFound, findings.join('\n'));
  });
}
