/**
 * A process that is stopped and goes on (SIGSTOP). Bots that answer in time lose no turn and no seat by it. A silent
 * player is timed out when its clock and the credited time are over. sim.test.ts simulates many standstills.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { seededRandom } from '../../src/cards/shuffle.js';
import type { ServerMessageOf } from '../../src/protocol/server.js';
import { Bot } from '../support/bot.js';
import { stopCluster } from '../support/database.js';
import { ForkedPlatform } from '../support/forked-platform.js';
import { FILE_MS } from '../support/limits.js';
import { SEED } from '../support/seed.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const CLOCK_MS = 2_000;
const STOPS_MS = [150, 700, 2_500, 400, 5_000, 1_200];
/** The answering bots think for less than this. */
const THINKS_MS = 700;

await t.test('a stopped process costs nobody a turn who answers in time', async (t) => {
  const platform = await ForkedPlatform.start(t, { ACTION_TIMEOUT_MS: CLOCK_MS, BETWEEN_HANDS_MS: 0, HOUSE_BOTS: 0 });
  const bots = await Promise.all([0, 1, 2].map(async (n) => new Bot(platform, await platform.register('timely'), seededRandom(SEED + n)))); // prettier-ignore
  const timeouts: ServerMessageOf['player_action'][] = [];
  let left = 0;
  for (const bot of bots) {
    bot.thinksMs = THINKS_MS;
    bot.onFrame = (frame) => {
      if (frame.type === 'player_action' && frame.reason === 'timeout') timeouts.push(frame);
      if (frame.type === 'player_left' && frame.reason === 'disconnected') left++;
    };
    await bot.connect();
  }
  const moreHands = async (hands: number) => {
    const goal = bots[0]!.results.size + hands;
    await bots[0]!.player.until('more hands', () => bots[0]!.results.size >= goal || undefined);
  };
  await moreHands(1);
  for (const ms of STOPS_MS) {
    process.kill(platform.pid, 'SIGSTOP');
    await sleep(ms);
    process.kill(platform.pid, 'SIGCONT');
    await moreHands(1);
  }
  t.same(timeouts, []);
  t.equal(left, 0);

  // From now on one bot is silent, and its clock runs into a standstill.
  const [silent, witness] = bots as [Bot, Bot, Bot];
  // A turn that is open already may be answered by now, and old frames are dropped. So the test waits for the next
  // turn.
  let asked = false;
  silent.player.auto = () => {
    asked = true;
    return null;
  };
  await silent.player.until('its turn', () => asked || undefined);
  process.kill(platform.pid, 'SIGSTOP');
  await sleep(CLOCK_MS);
  process.kill(platform.pid, 'SIGCONT');
  const timedOut = await witness.player.until('its timeout', () => timeouts.find(({ name }) => name === silent.account.name)); // prettier-ignore
  const { sent_at, deadline_at, used_ms, server_lag_ms } = timedOut;
  t.ok(server_lag_ms! > 0, `${server_lag_ms} ms were the server's, ${used_ms} the player's`);
  const clock = Date.parse(deadline_at!) - Date.parse(sent_at!) - server_lag_ms!;
  t.ok(Math.abs(clock - CLOCK_MS) <= 2, 'what the server lost was added to the clock');
  await platform.stop();
});
