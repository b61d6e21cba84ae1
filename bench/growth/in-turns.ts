import { setTimeout as sleep } from 'node:timers/promises';
import type { Steps } from '../benches.js';
import { registerBots } from '../host/accounts.js';
import { cpuTimes } from '../host/cpu.js';
import { playSeated, seat, type Result } from '../host/run.js';
import { loadBefore, offPace, shortly, type Rounds, type Scenario } from '../host/scenario.js';
import type { Server } from '../host/servers.js';
import { number } from '../report.js';

/*
 * Few tables and thousands in turns. Both servers run all the while, and their tables stay seated: seating thousands
 * takes minutes and happens once. From the second round on nothing is young. But bots are connected only while it is
 * their turn, and come back to the seats that are held for them. Sockets that stayed would disturb who plays: 12,000 of
 * them are pinged 400 times a second, and as many pings answered. Bots that are halted at a pace count the halt as the
 * server's delay (src/load/schedule.ts), and would catch up as fast as they can.
 */

/** After sockets have closed, until nothing is done about them any more. */
const SETTLE_MS = 2000;

/** The steps that it takes. */
export const stepsOf = (sides: number, rounds: number): number => sides * (1 + rounds);

interface Seated {
  scenario: Scenario;
  server: Server;
  apiKeys: readonly string[];
}

/** Plays the scenarios in turns. Their servers hold seats for the whole time. */
export async function playInTurns(scenarios: readonly Scenario[], rounds: number, steps: Steps): Promise<Rounds> {
  const results = new Map<string, Result[]>(scenarios.map(({ name }) => [name, []]));
  const sides: Seated[] = [];
  try {
    for (const scenario of scenarios) {
      steps.next(`${scenario.name}: bots register and sit down`);
      const { drill, start } = scenario;
      const server = await start();
      const side: Seated = { scenario, server, apiKeys: [] };
      sides.push(side);
      side.apiKeys = await registerBots(server.url, drill.tables * drill.players);
      await (await seat(server, { ...drill, witness: null }, side.apiKeys)).stop();
    }
    for (let round = 1; round <= rounds; round++) {
      for (const side of sides) {
        const { name, drill } = side.scenario;
        steps.next(`round ${round}, ${name}`);
        await sleep(SETTLE_MS);
        const load = loadBefore();
        const others = restOf(sides, side);
        const result = await playSeated(side.server, await seat(side.server, drill, side.apiKeys), drill);
        results.get(name)!.push(result);
        const beside = `the other server meanwhile: ${number(others())} % of a core`;
        console.log(`  ${name}: ${shortly(result)}${offPace(result, drill)} (${load}; ${beside})`);
      }
    }
  } finally {
    for (const { server } of sides) await server.stop();
  }
  return results;
}

/** Tells what the servers of the other sides, with their databases, took since: % of a core. */
function restOf(sides: readonly Seated[], own: Seated): () => number {
  const read = () =>
    sides
      .filter((side) => side !== own)
      .map(({ server }) => cpuTimes(server.pid))
      .reduce((sum, { process, children }) => sum + process + children, 0);
  const [began, before] = [performance.now(), read()];
  return () => (100 * (read() - before)) / (performance.now() - began);
}
