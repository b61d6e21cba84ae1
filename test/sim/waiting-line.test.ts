/** The order of the waiting players, as the simulation judges it. */
import t from 'tap';
import type { WaitingPlayer } from '../../src/lobby/matching/plan.js';
import type { SimBot } from './bot.js';
import { judgeLine } from './waiting-line.js';

const bot = (name: string, askedToJoinAt: number | null, greetedAt: number | null) =>
  ({ agent: { agentId: name, name }, askedToJoinAt, greetedAt }) as SimBot;
const waits = (agentId: string, arrival: number) => ({ agentId, arrival }) as WaitingPlayer;

await t.test('nobody stands before who was in line sooner', async (t) => {
  const bots = [bot('ada', 10, 20), bot('bob', 30, 40)];
  judgeLine([waits('bob', 2), waits('ada', 1)], bots);
  t.throws(() => judgeLine([waits('ada', 2), waits('bob', 1)], bots), /bob stands in line before ada/);
});

await t.test('who asked before the other was told may be either', async () => {
  judgeLine([waits('ada', 2), waits('bob', 1)], [bot('ada', 10, 20), bot('bob', 15, 40)]);
  judgeLine([waits('ada', 2), waits('bob', 1)], [bot('ada', 10, null), bot('bob', 15, 40)]);
  judgeLine([waits('ada', 2), waits('bob', 1)], [bot('ada', 10, 20)]);
});
