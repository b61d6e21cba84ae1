import { command, flag, Misuse, seed as seedOption, text, whole } from '../../../src/command/options.js';
import { Dice } from '../../sim/dice.js';
import { seconds } from '../figures.js';
import { program, scoped } from '../program.js';
import { troubleNodes, type Incident } from './campaign.js';
import { eventsOf, GROUPS, type Group, type NodesEvent } from './events.js';
import { describeIncident, recoveries } from './figures.js';
import { nodePlants, playScenario, proveNodePlant } from './plants.js';

/** The counts of a release, in place of missing ones. */
const FULL: Readonly<Record<Group, number>> = { kill: 60, freeze: 30, cut: 30, roll: 20, drain: 12, join: 8 };

const plantNames = nodePlants.map(({ name }) => name);

const { values } = command({
  name: 'npm run campaign -- chaos:nodes',
  purpose:
    'A cluster under load whose nodes are killed, stand still, are cut off from the database or from each other, are\n' +
    'restarted in turn, drain and join, while seasons and competitions end; each time all that anybody was sent is held\n' +
    'against the database. Exit code 1: something is wrong, printed with the seed; with --planted: it was not found.',
  takes: 'some 15 s an event, longer where --longest is; twice that on a slow machine',
  options: {
    kills: whole('kill -9 of a node, every third of them of the leader', 6),
    freezes: whole('nodes that stand still', 4),
    cuts: whole('times that a node, or all, lose the database or the internal network', 5),
    rolls: whole('restarts of all nodes in turn', 1),
    drains: whole('nodes that leave', 1),
    joins: whole('nodes that join', 1),
    full: flag('60 kills, 30 freezes, 30 cuts, 20 restarts of all, 12 drains and 8 joins instead'),
    minutes: whole('after which no event begins; 0: all events', 0),
    nodes: whole('nodes', 3, { least: 2, most: 9 }),
    guests: whole('bots, and a third as many in a competition', 18, { least: 4, most: 200 }),
    longest: whole('of what stands still or is cut; ms', 20_000, { least: 2000, most: 60_000 }),
    thinks: whole('that a bot thinks at most before it acts; ms', 0, { most: 5000 }),
    planted: text('looks whether this planted fault is found, in place of all else', 'NAME'),
    scenario: text('plays the scenario that finds this planted fault with the product', 'NAME'),
    seed: seedOption(),
  },
  check: ({ planted, scenario }) => {
    const unknown = [planted, scenario].find((name) => name !== undefined && !plantNames.includes(name));
    if (unknown !== undefined) throw new Misuse(`there is no planted fault ${unknown}: ${plantNames.join(', ')}`);
  },
  notes: `Planted faults: ${plantNames.join(', ')}.`,
});

const began = performance.now();
const say = (line: string) => console.log(`${seconds(performance.now() - began).padStart(10)}  ${line}`);

await program(() => {
  const { planted, scenario } = values;
  if (planted !== undefined) return plant(planted);
  return scenario === undefined ? campaign() : play(scenario);
});

async function play(name: string): Promise<boolean> {
  const findings = await scoped((t) => playScenario(t, name, values.seed));
  for (const finding of findings) console.log(`\nFOUND ${finding}`);
  say(findings.length === 0 ? 'all is well' : 'something is wrong');
  return findings.length === 0;
}

async function plant(name: string): Promise<boolean> {
  const { what, by, findings, isFound } = await scoped((t) => proveNodePlant(t, name, values.seed));
  say(`${what}: ${isFound ? 'found' : 'NOT FOUND'} by ${by}`);
  for (const finding of findings) console.log(`\nFOUND ${finding}`);
  return isFound;
}

async function campaign(): Promise<boolean> {
  const { full, minutes, nodes, guests, longest: longestMs, thinks: thinksMs, seed } = values;
  const asked = { kill: values.kills, freeze: values.freezes, cut: values.cuts, roll: values.rolls };
  const counts = full ? FULL : { ...asked, drain: values.drains, join: values.joins };
  const events = new Dice(seed).shuffled(GROUPS.flatMap((group) => eventsOf(group, counts[group])));
  const onIncident = (incident: Incident, n: number) => say(`${n}/${events.length} ${describeIncident(incident)}`);
  const { findings, truth, incidents, owners, returning } = await scoped((t) =>
    troubleNodes(t, {
      events: within(minutes, events),
      seed,
      nodes,
      guests,
      cupGuests: Math.ceil(guests / 3),
      longestMs,
      thinksMs,
      onIncident,
    }),
  );
  const voided = incidents.reduce((sum, incident) => sum + incident.voided, 0);
  console.log(
    `\nevents: ${GROUPS.map((group) => `${incidents.filter((of) => of.group === group).length} ${group}`).join(', ')}`,
  );
  console.log(`hands sent and found as sent: ${truth.hands}; void: ${voided}`);
  console.log(`hands stored by the shard that had their table, in its life: ${owners.hands}`);
  console.log(
    `sockets that closed: ${[...returning.codes].map(([code, times]) => `${times} with ${code}`).join(', ')}`,
  );
  for (const line of recoveries(incidents)) console.log(line);
  for (const finding of findings) console.log(`\nFOUND ${finding}`);
  const again = Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === false ? [] : [value === true ? `--${name}` : `--${name} ${value}`],
  );
  console.log(
    findings.length === 0
      ? `\nseed ${seed}: all is well`
      : `\nRepeat with: npm run campaign -- chaos:nodes ${again.join(' ')}`,
  );
  return findings.length === 0;
}

/** Those that begin in time; 0: all. */
function* within(minutes: number, events: readonly NodesEvent[]): Iterable<NodesEvent> {
  for (const event of events) {
    if (minutes > 0 && performance.now() - began > minutes * 60_000) return;
    yield event;
  }
}
