import { availableParallelism } from 'node:os';
import type { Drill } from '../host/run.js';
import type { Scenario } from '../host/scenario.js';
import { startCeiling, startNaive, startPlatform, type Settings } from '../host/servers.js';

export interface Times {
  seconds: number;
  warmUpSeconds: number;
}

const SIX = 6;
const COMPARED = 20;
const PACED_TABLES = 100;
/** The tables find their pace meanwhile. */
const PACED_WARM_UP = 8;

const drillOf = (times: Times, tables: number, players: number, more: Partial<Drill> = {}): Drill => ({
  tables,
  players,
  ...times,
  witness: { hash: true },
  shards: true,
  ...more,
});

const served = (name: string, drill: Drill, settings: Settings = {}): Scenario => ({
  name,
  start: () => startPlatform({ THREADS: 1, ...settings }),
  drill,
});

const naive = (name: string, drill: Drill): Scenario => ({
  name,
  start: startNaive,
  drill: { ...drill, shards: false },
});

/** The file of a script by its number of players. */
export type ScriptFile = (players: number) => string;

const ceiling = (name: string, drill: Drill, script: ScriptFile): Scenario => ({
  name,
  start: () => startCeiling(script(drill.players)),
  drill: { ...drill, shards: false, witness: null },
});

/** Full tables on the platform, the ordinary way, and by the sockets alone. */
export function fullTables(times: Times, script: ScriptFile): Scenario[] {
  const full = drillOf(times, COMPARED, SIX);
  return [served('20 tables', full), naive('naive, 20 tables', full), ceiling('ceiling, 20 tables', full, script)];
}

/** The same for two players at one table. */
export function headsUp(times: Times, script: ScriptFile): Scenario[] {
  const pair = drillOf(times, 1, 2);
  return [served('heads-up', pair), naive('naive, heads-up', pair), ceiling('ceiling, heads-up', pair, script)];
}

const tablesOf = (tables: number) => `${tables} ${tables === 1 ? 'table' : 'tables'}`;

export const ofTables = (times: Times, counts: readonly number[]): Scenario[] =>
  counts.map((tables) => served(tablesOf(tables), drillOf(times, tables, SIX)));

/** V8's helper threads compile for a minute (docs/explanation/performance.md): only then they show what they take in the long run. */
export const AFTER_A_MINUTE = `${tablesOf(COMPARED)}, after a minute`;
const A_MINUTE = { warmUpSeconds: 60, seconds: 20 };

/** As many tables as the paced ones, as fast as they can. */
export const UNPACED = tablesOf(PACED_TABLES);

/** At a pace, the platform and the sockets alone. */
export function paced(times: Times, script: ScriptFile, handsPerSecond: number): Scenario[] {
  const drill = drillOf({ ...times, warmUpSeconds: PACED_WARM_UP }, PACED_TABLES, SIX, { pace: handsPerSecond });
  return [served(`${UNPACED}, paced`, drill), ceiling(`ceiling, ${UNPACED}, paced`, drill, script)];
}

/** How it grows, and what the switches make of it. */
export function sweep(times: Times): Scenario[] {
  const threads = [];
  for (let n = 2; n <= Math.max(2, availableParallelism() / 2); n *= 2) {
    const drill = drillOf(times, COMPARED * n, SIX, { processes: Math.max(1, availableParallelism() >> 2) });
    threads.push(served(`${COMPARED * n} tables, ${n} shards`, drill, { THREADS: n }));
  }
  const unhashed = { witness: { hash: false } };
  return [
    ...ofTables(times, [1, 5, PACED_TABLES]),
    ...threads,
    served(AFTER_A_MINUTE, drillOf(A_MINUTE, COMPARED, SIX)),
    served('20 tables, no hash', drillOf(times, COMPARED, SIX, unhashed), { STATE_HASH: 'off' }),
    served('heads-up, no hash', drillOf(times, 1, 2, unhashed), { STATE_HASH: 'off' }),
  ];
}
