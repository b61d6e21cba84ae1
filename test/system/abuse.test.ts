/**
 * A small form of every case of `npm run campaign -- abuse` that attacks without a seat. The attacker gets the expected
 * answer, and two honest bots play on meanwhile and afterwards. The command alone measures the effect on the bots.
 */
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../../src/cards/shuffle.js';
import t, { type Test } from 'tap';
import type { AbuseCase } from '../abuse/case.js';
import { atTheDoors } from '../abuse/cases.js';
import { groundOf, startDefault } from '../abuse/ground.js';
import { Bot } from '../support/bot.js';
import { stopCluster } from '../support/database.js';
import type { ForkedPlatform } from '../support/forked-platform.js';
import { FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

/** The share of the full attack. */
const SCALE = 0.05;
const HANDS = 2;
/** The length of an attack that may stop honest bots: they play on after it. */
const LIMITED_MS = 3000;
/** Without a pause the bots would take a core away from the attack. */
const BETWEEN_HANDS_MS = 50;

/** Starts play. Returns a function that waits for further play. */
async function tableOf(platform: ForkedPlatform): Promise<() => Promise<void>> {
  const honest = [0, 1].map(async (n) => new Bot(platform, await platform.register('honest'), seededRandom(n)));
  const bots = await Promise.all(honest);
  for (const bot of bots) await bot.connect();
  return async () => {
    const waits = bots.map((bot) => {
      const goal = bot.results.size + HANDS;
      return bot.player.until('more hands', () => bot.results.size >= goal || undefined);
    });
    await Promise.all(waits);
    for (const { account, rejections } of bots) {
      if (rejections > 0) throw new Error(`${account.name} was rejected ${rejections} times`);
    }
  };
}

async function attackOn(t: Test, platform: ForkedPlatform, attack: AbuseCase, moreHands: () => Promise<void>) {
  const ground = groundOf(platform, SCALE);
  const end = new AbortController();
  setMaxListeners(0, end.signal);
  const attacking = attack.run(ground, end.signal);
  const bears = async () => {
    const limit = attack.knownLimit?.() ?? null;
    if (limit === null) return Promise.all([ground.met.all(attack.meets), moreHands()]);
    t.comment(limit);
    return sleep(LIMITED_MS);
  };
  try {
    await Promise.race([bears(), attacking]);
  } finally {
    // Also if play has stopped: the later attacks are judged by themselves.
    end.abort();
    await attacking;
  }
  t.ok(ground.met.has(attack.meets), `${attack.name}: the attacker met ${ground.met}`);
  await moreHands();
  t.same(platform.faults, [], 'the honest read nothing wrong');
}

await t.test('on one server, one after the other', async (t) => {
  const platform = await startDefault(t, { BETWEEN_HANDS_MS });
  const moreHands = await tableOf(platform);
  const alike = atTheDoors.filter(({ small }) => small === undefined);
  for (const attack of alike) await t.test(attack.what, (t) => attackOn(t, platform, attack, moreHands));
  await platform.stop();
});

for (const attack of atTheDoors.filter(({ small }) => small !== undefined)) {
  await t.test(`with lower limits: ${attack.what}`, async (t) => {
    const platform = await startDefault(t, { BETWEEN_HANDS_MS, ...attack.small });
    await attackOn(t, platform, attack, await tableOf(platform));
    await platform.stop();
  });
}
