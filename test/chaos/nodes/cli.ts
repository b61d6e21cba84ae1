import { command, seed as seedOption, whole } from '../../../src/command/options.js';
import { seconds } from '../figures.js';
import { program, scoped } from '../program.js';
import { faultsOf, troubleNodes, type Incident } from './campaign.js';
import type { Fault } from './faults.js';
import { describeIncident, recoveries } from './figures.js';

const { values } = command({
  name: 'npm run chaos:nodes',
  purpose:
    'A cluster under load whose nodes are killed, stand still, are cut off from Redis and the database, and are restarted\n' +
    'one after the other; each time all that anybody was sent is held against the database. Exit code 1: something is\n' +
    'wrong, printed with the seed.',
  takes: 'some 15 s a fault, longer where --longest is; twice that on a slow machine',
  options: {
    kills: whole('kill -9 of a node, every third of them of the leader', 6),
    freezes: whole('nodes that stand still', 4),
    partitions: whole('nodes whose way to Redis or the database is cut, silent, or slow', 5),
    redis: whole('times that Redis is restarted, killed, flushed, or stands still', 4),
    rolls: whole('restarts of all nodes in turn', 1),
    nodes: whole('nodes', 3, { least: 2, most: 9 }),
    longest: whole('of what stands still or is cut off; ms', 20_000, { least: 2000, most: 60_000 }),
    thinks: whole('that a bot thinks at most before it acts; ms', 0, { most: 5000 }),
    seed: seedOption(),
  },
});

const began = performance.now();
const say = (line: string) => console.log(`${seconds(performance.now() - began).padStart(10)}  ${line}`);

await program(async () => {
  const { kills, freezes, partitions, redis, rolls, nodes, longest, thinks: thinksMs, seed } = values;
  const counts: readonly (readonly [Fault['group'], number])[] = [
    ['kill', kills],
    ['freeze', freezes],
    ['partition', partitions],
    ['redis', redis],
    ['roll', rolls],
  ];
  const faults = counts.flatMap(([group, count]) => faultsOf(group, count));
  const onIncident = (incident: Incident, n: number) => say(`${n}/${faults.length} ${describeIncident(incident)}`);
  const campaign = await scoped((t) =>
    troubleNodes(t, { faults, seed, nodes, longestMs: longest, thinksMs, onIncident }),
  );
  const { findings, truth, incidents } = campaign;
  const voided = incidents.reduce((sum, incident) => sum + incident.voided, 0);
  console.log(`\nhands sent and found as sent: ${truth.hands}; void: ${voided}`);
  console.log(`hands stored by the shard that had their table, in its life: ${campaign.owners.hands}`);
  for (const line of [...recoveries(incidents), ...campaign.acks.describe()]) console.log(line);
  for (const finding of findings) console.log(`\nFOUND ${finding}`);
  const again = Object.entries(values).map(([name, value]) => `--${name} ${value}`);
  console.log(
    findings.length === 0 ? `\nseed ${seed}: all is well` : `\nRepeat with: npm run chaos:nodes -- ${again.join(' ')}`,
  );
  return findings.length === 0;
});
