import { whole } from '../src/command/options.js';
import { measured } from '../test/share/figures.js';
import { endBuilding, loadShare } from '../test/share/load.js';
import { backAfterMs, EVENTS, runShare, type Run, type ShareEvent } from '../test/share/runs.js';
import type { ShareOptions } from '../test/share/world.js';
import { bench, Steps } from './benches.js';
import { atLeast, atMost, report, told, type Figure } from './report.js';

/*
 * The share of (player, table) pairs that are local, in virtual time: a pair is local where the player's socket is at the
 * table's node. Lobby, match-making and cluster are the product's (test/share/world.ts). Bots come, lose their sockets,
 * bust, change tables and go.
 */

const MINUTE = 60_000;
const GOAL = 0.95;
/** A join may wait so much longer than at one process, in seconds. */
const MORE_WAITING = 2;
const EVENT_NAMES: Readonly<Record<ShareEvent, string>> = {
  kill: 'a kill',
  rollingRestart: 'a rolling restart',
  coldStart: 'a cold start',
};

/** Nodes, and bots in all. Large populations are one world. */
const POPULATIONS = [
  { nodes: 3, bots: 36, worlds: 1 },
  { nodes: 3, bots: 120, worlds: 1 / 2 },
  { nodes: 10, bots: 600, worlds: 0 },
  { nodes: 100, bots: 1200, worlds: 0 },
];

const { seeds, minutes, most } = bench('share', {
  seeds: whole('worlds of the smallest population', 6, { least: 1 }),
  minutes: whole('measured before anything happens, in virtual time', 15, { least: 1 }),
  most: whole('bots of the largest population that is measured', 1200, { least: 36 }),
});
const populations = POPULATIONS.filter(({ bots }) => bots <= most);
const steps = new Steps(2 * populations.length + 2);
const world = await loadShare();
await endBuilding();

async function runs(options: Omit<ShareOptions, 'seed'>, count: number, events: readonly ShareEvent[]): Promise<Run[]> {
  const done: Run[] = [];
  for (let seed = 1; seed <= count; seed++) {
    done.push(
      await runShare(world, { ...options, seed }, { settleMs: 5 * MINUTE, steadyMs: minutes * MINUTE, events }),
    );
  }
  return done;
}

const steadyOf = (all: readonly Run[]) => measured(all.map(({ steady }) => steady));
const figures: Figure[] = [];

for (const { nodes, bots, worlds } of populations) {
  const count = Math.max(1, Math.round(worlds * seeds));
  const name = `${nodes} nodes, ${bots} bots`;
  steps.next(`${bots} bots at one process`);
  const one = steadyOf(await runs({ nodes: 1, bots }, count, []));
  steps.next(name);
  const all = await runs({ nodes, bots }, count, EVENTS);
  const steady = steadyOf(all);
  const waitS = one.waitMs.p95 / 1000;
  figures.push(
    atLeast(`${name}: local pairs`, steady.local, '', GOAL),
    told(`${name}: hands without a relayed player`, steady.localHands, ''),
    told(`${name}: players a table (one process: ${one.playersATable.toFixed(2)})`, steady.playersATable, ''),
    atMost(`${name}: p95 from a join to its seat`, steady.waitMs.p95 / 1000, 's', waitS + MORE_WAITING),
    ...EVENTS.flatMap((event) => [
      atMost(`${name}: local again after ${EVENT_NAMES[event]}`, backAfterMs(all, event, GOAL) / 1000, 's', 300),
      atLeast(
        `${name}: local pairs 5 to 10 minutes after ${EVENT_NAMES[event]}`,
        measured(all.map((run) => run.after[event]!.later)).local,
        '',
        GOAL,
      ),
    ]),
  );
}

for (const [what, more] of [
  ['a quarter of the bots take seconds to decide', { slow: 0.25 }],
  ['sockets open at any node', { balancer: 'any' }],
] as const) {
  steps.next(what);
  const steady = steadyOf(await runs({ nodes: 3, bots: 120, ...more }, Math.ceil(seeds / 2), []));
  figures.push(told(`3 nodes, 120 bots, ${what}: local pairs`, steady.local, ''));
}
process.exitCode = report('share', figures) ? 0 : 1;
