/**
 * What nodes say to each other while the Redis between them changes hands: a master that dies or is demoted, with three
 * Sentinels and in a Cluster of three masters, and a slot that moves. All links of all nodes break, and stand again at
 * the server that has the channels then, with no node begun anew. Over each link everything is read once and in order,
 * and what other masters carry goes on.
 */
import t, { type Test } from 'tap';
import { RedisCarrier } from '../../../src/nodes/redis-carrier.js';
import { BusNode, Chatter } from '../../support/bus-house.js';
import { silent, type Scope } from '../../support/database.js';
import { eventually, FILE_MS } from '../../support/limits.js';
import { openMasters, openSentinels, type Masters, type RedisServer } from '../../support/redis-failover.js';
import { withoutRedis } from '../../support/redis.js';

t.setTimeout(FILE_MS);
const skip = withoutRedis;

const INSTALLATION = 'agent-poker:test';

/** No link breaks by silence, and no way for want of an echo, however slow the machine is. */
const NEVER_MS = 60_000;
/** What a carrier says where the server ended its subscription. */
const MOVED = 'the channel has moved to another server';

class House {
  readonly chatter: Chatter;

  private constructor(
    readonly installation: string,
    readonly nodes: readonly BusNode[],
    /** Why carriers were without a way, since the last `trouble`. */
    readonly reasons: string[],
  ) {
    this.chatter = new Chatter(nodes);
  }

  static async open(t: Scope, address: string, { installation = INSTALLATION, count = 3, silentMs = NEVER_MS } = {}) {
    const reasons: string[] = [];
    const log = { ...silent, warn: ({ reason }: { reason: string }) => reasons.push(reason) } as never;
    const carrier = (id: string) => new RedisCarrier({ id, address, installation, log, silentMs });
    const nodes = Array.from({ length: count }, () => new BusNode(carrier, { silentMs }));
    t.teardown(async () => void (await Promise.all(nodes.map(({ bus }) => bus.close()))));
    const begun = Promise.all(nodes.map((node) => node.begin()));
    begun.catch(() => undefined);
    await eventually('ways to Redis', () => nodes.every(({ bus }) => bus.up));
    await begun;
    const house = new House(installation, nodes, reasons);
    for (const node of nodes) for (const other of house.others(node)) node.bus.peer(other.id);
    await house.stands();
    return house;
  }

  others(node: BusNode): BusNode[] {
    return this.nodes.filter((other) => other !== node);
  }

  /** Links of all to all. */
  stands(): Promise<unknown> {
    const up = (node: BusNode) => this.others(node).every(({ id }) => node.bus.peer(id).up);
    return eventually('links of all to all', () => this.nodes.every((node) => node.bus.up && up(node)));
  }

  get breaks(): number[] {
    return this.nodes.map(({ bus }) => Object.values(bus.counts.broken).reduce((sum, count) => sum + count));
  }

  /** All links break, since each node has lost its way; they stand again, and all is heard by all. */
  async trouble(t: Test, bring: () => Promise<unknown>): Promise<void> {
    this.reasons.length = 0;
    const from = this.nodes.map(({ heard }) => heard.length);
    await bring();
    const since = (n: number, other: BusNode) =>
      this.nodes[n]!.heard.slice(from[n]).filter((line) => line.startsWith(`${other.id} broken`));
    for (const [n, node] of this.nodes.entries()) {
      for (const other of this.others(node)) {
        await eventually('a link that broke', () => since(n, other).length > 0);
        t.equal(since(n, other)[0], `${other.id} broken carrier`);
      }
    }
    await this.stands();
    await this.chatter.hears();
    t.ok(this.reasons.length >= this.nodes.length, `each has lost its way: ${this.reasons.join('; ')}`);
  }

  /** They all listen there. */
  async isAt(t: Test, server: RedisServer): Promise<void> {
    const here = (await server.channels()).filter((channel) => channel.startsWith(`{${this.installation}}`));
    t.same(here.sort(), this.nodes.map(({ id }) => `{${this.installation}}:node:${id}`).sort());
  }

  /** Without a word of anybody, so that no answer tells it: links break all the same. */
  async quietly(bring: () => Promise<unknown>): Promise<void> {
    await this.chatter.end();
    const before = this.breaks;
    await bring();
    const broken = (count: number, n: number) => count >= before[n]! + this.nodes.length - 1;
    await eventually('links that broke', () => this.breaks.every(broken));
    this.chatter.begin();
  }
}

await t.test('Sentinels', { skip }, async (t) => {
  const redis = await openSentinels(t);
  const house = await House.open(t, redis.address);
  house.chatter.begin();

  await t.test('the master dies, and they name another', async (t) => {
    const master = await redis.master();
    await house.isAt(t, master);
    await house.trouble(t, () => master.kill());
    const next = await redis.master();
    t.not(next, master);
    await house.isAt(t, next);
    await master.again('--replicaof', '127.0.0.1', String(next.port));
    await master.follows(next);
  });

  await t.test('the master is demoted, and closes its clients', async (t) => {
    const master = await redis.master();
    await house.trouble(t, () => redis.failover());
    t.equal(await master.info('role'), 'slave');
    await house.isAt(t, await redis.master());
  });

  await t.test('one that freezes is not waited for', async (t) => {
    redis.sentinels[0]!.kill('SIGSTOP');
    const quick = await House.open(t, redis.address, { installation: 'agent-poker:quick', silentMs: 5000 });
    await quick.isAt(t, await redis.master());
    redis.sentinels[0]!.kill('SIGCONT');
  });

  await house.chatter.end();
  t.same(house.chatter.faults(), []);
});

await t.test('a Cluster', { skip }, async (t) => {
  const redis = await openMasters(t, `{${INSTALLATION}}`);
  const others = await namesElsewhere(redis);
  const houses = [await House.open(t, redis.address)];
  for (const installation of others) houses.push(await House.open(t, redis.address, { installation, count: 2 }));
  for (const { chatter } of houses) chatter.begin();
  const house = houses[0]!;
  const slot = await redis.slotOf(`{${INSTALLATION}}`);
  /** What the masters of other installations carried has gone on. */
  const spared = async (t: Test, bring: () => Promise<void>) => {
    const before = houses.slice(1).map(({ breaks }) => breaks);
    await bring();
    for (const { chatter } of houses.slice(1)) await chatter.hears();
    t.same(houses.slice(1).map(({ breaks }) => breaks), before, 'no link of the others broke'); // prettier-ignore
  };

  await t.test('each installation at a master of its own, whichever server was asked', async (t) => {
    for (const { chatter } of houses) await chatter.hears();
    const at = new Set<RedisServer>();
    for (const each of houses) {
      const owner = await redis.ownerOf(await redis.slotOf(`{${each.installation}}`));
      await each.isAt(t, owner);
      at.add(owner);
    }
    t.equal(at.size, 3);
  });

  const first = await redis.ownerOf(slot);
  const second = redis.servers.find((server) => server !== first && server !== redis.replica)!;
  await t.test('a master dies, and its replica is elected', (t) =>
    spared(t, async () => {
      await house.trouble(t, () => first.kill());
      t.equal(await redis.ownerOf(slot), redis.replica);
      await house.isAt(t, redis.replica);
    }),
  );

  await t.test('a master gives way to its replica: its subscribers are told', (t) =>
    spared(t, async () => {
      await first.again();
      await first.follows(redis.replica);
      await house.trouble(t, () => house.quietly(() => redis.promote(first)));
      t.ok(house.reasons.includes(MOVED), house.reasons.join('; '));
      t.equal(await redis.ownerOf(slot), first);
      await house.isAt(t, first);
    }),
  );

  await t.test('a slot moves: subscribers are told', (t) =>
    spared(t, async () => {
      await house.trouble(t, () => house.quietly(() => redis.move(slot, second)));
      t.ok(house.reasons.includes(MOVED), house.reasons.join('; '));
      await house.isAt(t, second);
    }),
  );

  await t.test('a slot moves while all speak', (t) =>
    spared(t, async () => {
      for (const server of [first, second, first]) {
        await house.trouble(t, () => redis.move(slot, server));
        await house.isAt(t, server);
      }
    }),
  );

  for (const each of houses) {
    await each.chatter.end();
    t.same(each.chatter.faults(), []);
  }
});

/** Installations whose channels are with the two masters that those of the first are not with. */
async function namesElsewhere(redis: Masters): Promise<string[]> {
  const taken = new Set([await redis.ownerOf(await redis.slotOf(`{${INSTALLATION}}`))]);
  const names: string[] = [];
  for (let n = 0; names.length < 2; n++) {
    const owner = await redis.ownerOf(await redis.slotOf(`{agent-poker:${n}}`));
    if (!taken.has(owner)) names.push(`agent-poker:${n}`);
    taken.add(owner);
  }
  return names;
}
