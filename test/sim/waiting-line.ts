import type { WaitingPlayer } from '../../src/lobby/matching/plan.js';
import type { SimBot } from './bot.js';
import { ensure } from './broken.js';

/**
 * Whom match-making finds in line, in which order, over any change of the leader: nobody stands before somebody who was
 * told to be in line before the first had asked to.
 */
export function judgeLine(waiting: readonly WaitingPlayer[], bots: readonly SimBot[]): void {
  const line = [...waiting].sort((a, b) => a.arrival - b.arrival);
  const places = line.flatMap(({ agentId }) => bots.find(({ agent }) => agent.agentId === agentId) ?? []);
  for (const [i, bot] of places.entries()) {
    for (const later of places.slice(i + 1)) {
      const [asked, greeted] = [bot.askedToJoinAt, later.greetedAt];
      const overtakes = asked !== null && greeted !== null && greeted < asked;
      ensure(!overtakes, () => `${bot.agent.name} stands in line before ${later.agent.name}, which joined sooner`);
    }
  }
}
