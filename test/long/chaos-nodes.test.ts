/** A longer campaign of nodes (reliability.md, "Several nodes"). */
import t from 'tap';
import { troubleNodes } from '../chaos/nodes/campaign.js';
import { eventsOf, GROUPS } from '../chaos/nodes/events.js';
import { describeIncident, recoveries } from '../chaos/nodes/figures.js';
import { Dice } from '../sim/dice.js';
import { stopCluster } from '../support/database.js';
import { FILE_MS, FULL } from '../support/limits.js';
import { SEED } from '../support/seed.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

t.comment(`SEED=${SEED}`);

const COUNTS = FULL
  ? { kill: 9, freeze: 6, cut: 12, roll: 2, drain: 3, join: 2 }
  : { kill: 2, freeze: 1, cut: 2, roll: 1, drain: 1, join: 1 };

await t.test('kills, freezes, cuts, restarts, drains and joins', async (t) => {
  const events = new Dice(SEED).shuffled(GROUPS.flatMap((group) => eventsOf(group, COUNTS[group])));
  const { findings, incidents, truth, owners } = await troubleNodes(t, { events, seed: SEED, longestMs: 20_000 });
  t.same(findings, []);
  t.equal(incidents.length, events.length);
  t.ok(
    truth.hands > 0 && owners.hands >= truth.hands,
    `${truth.hands} hands sent and stored, ${truth.voided.size} void`,
  );
  for (const incident of incidents) t.comment(`figure: ${describeIncident(incident)}`);
  for (const line of recoveries(incidents)) t.comment(`figure: ${line}`);
});
