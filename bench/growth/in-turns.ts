import { setTimeout as sleep } from 'node:timers/promises';
import type { Steps } from '../benches.js';
import { registerBots } from '../host/accounts.js';
import { cpuTimes } from '../host/cpu.js';
import { playSeated, seat, type Result } from '../host/run.js';
import { loadBefore, offPace, shortly, type Rounds, type Scenario } from '../host/scenario.js';
import type { Server } from '../host/servers.js';
import { number } from '../report.js';

/*
 * Few tables and thousands in turns. Both servers run all the while, and their tables stay as they were seated: to seat
 * thousands takes minutes and is paid for once, and from the second round on nothing is young. But bots are connected
 * only while it is their turn, and come back to the seats that are held for them. Sockets that stayed would disturb who
 * plays: 12,000 of them are pinged 400 times a second, and as many pings answered. And bots that are halted at a pace take
 * all the time they were halted for a delay of the server's (src/load/schedule.ts): they would make up for it as fast as
 * they can.
 */

/** After sockets have closed, until nothing is done about them any more. */
const SETTLE_MS = 2000;

/** What it takes of `steps`. */
export const stepsOf = (sides: number, rounds: number): number => sides * (1 + rounds);

interface Seated {
  scenario: Scenario;
  server: Server;
  apiKeys: readonly string[];
}

/** Plays the scenarios in turns, whose servers hold seats for as long as all of it takes. */
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
