import type { WaitingPlayer } from '../../src/lobby/matching/plan.js';
import type { SimBot } from './bot.js';
import { ensure } from './broken.js';

/**
 * The order of match-making's line, over any change of the leader. A player that was told to be in line stands before
 * every player that asked later.
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
