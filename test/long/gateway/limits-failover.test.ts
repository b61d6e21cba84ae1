/**
 * Limits are counted in Redis while it fails over, with three Sentinels and in a Cluster of three masters. Processes
 * find the new master by themselves after the old one dies or stops answering. Earlier counts hold there.
 */
import t from 'tap';
import { createLimits, type Limiter, type Limits } from '../../../src/gateway/limits.js';
import { FakeLog } from '../../support/gateway.js';
import { eventually, FILE_MS } from '../../support/limits.js';
import { openMasters, openSentinels } from '../../support/redis-failover.js';
import { withoutRedis } from '../../support/redis.js';
import type { Scope } from '../../support/database.js';

t.setTimeout(FILE_MS);
const skip = withoutRedis;

/** As many as it can be asked for while it looks for the new master. */
const KEYS = 1000;

/** A process with limits in Redis. */
async function processAt(t: Scope, address: string): Promise<{ limits: Limits; limiter: Limiter }> {
  const limits = createLimits(address, 'a', new FakeLog());
  t.teardown(() => limits.close());
  await eventually('limits in Redis', () => limits.healthy);
  return { limits, limiter: limits.limiter('shared', 1, 3_600_000) };
}

/** Keys of one slot. One process has used up the limit of each. */
class Taken {
  #asked = 0;

  static async by({ limiter }: { limiter: Limiter }): Promise<Taken> {
    for (let n = 0; n < KEYS; n++) if ((await limiter.take(keyOf(n))) !== 0) throw new Error(`${n} was taken before`);
    return new Taken();
  }

  /** Resolves once another process is refused one: were it counted in its own memory it would be free. */
  async isKnownTo({ limiter }: { limiter: Limiter }): Promise<void> {
    await eventually('what was counted', async () => (await limiter.take(keyOf(this.#asked++))) > 0, 100);
    if (this.#asked > KEYS) throw new Error('more keys were asked for than were taken');
  }
}

const TAG = '{somebody}';
const keyOf = (n: number) => `${TAG}${n}`;

await t.test('Sentinels', { skip }, async (t) => {
  const redis = await openSentinels(t);
  const [here, there] = [await processAt(t, redis.address), await processAt(t, redis.address)];
  const taken = await Taken.by(there);
  await taken.isKnownTo(here);
  const master = await redis.master();
  for (const server of redis.servers) if (server !== master) await server.follows(master);

  await t.test('the master freezes, as where its host is gone', async (t) => {
    master.process.kill('SIGSTOP');
    await taken.isKnownTo(here);
    t.not(await redis.master(), master);
    t.ok(here.limits.healthy);
  });

  await t.test('a Sentinel that freezes is not waited for', async (t) => {
    redis.sentinels[0]!.kill('SIGSTOP');
    await taken.isKnownTo(await processAt(t, redis.address));
  });
});

await t.test('a Cluster', { skip }, async (t) => {
  const redis = await openMasters(t, TAG);
  const [here, there] = [await processAt(t, redis.address), await processAt(t, redis.address)];
  const slot = await redis.slotOf(TAG);
  const master = await redis.ownerOf(slot);
  const taken = await Taken.by(there);
  await redis.replica.follows(master);
  await taken.isKnownTo(here);

  await t.test('a master dies', async (t) => {
    await master.kill();
    await taken.isKnownTo(here);
    t.equal(await redis.ownerOf(slot), redis.replica);
    await master.again();
    await master.follows(redis.replica);
  });

  await t.test('a master freezes', async () => {
    redis.replica.process.kill('SIGSTOP');
    await taken.isKnownTo(here);
  });
});
