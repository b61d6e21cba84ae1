import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Dice } from '../../sim/dice.js';
import type { Gate } from '../../support/gate.js';
import { eventually } from '../../support/limits.js';
import type { NodeProcess, NodesWorld } from './world.js';

export const GROUPS = ['kill', 'freeze', 'partition', 'redis', 'roll'] as const;

/** What happens to a cluster. `costs` tells what it may cost: the hand in progress at each table of a node, or time alone. */
export interface Fault {
  what: string;
  group: (typeof GROUPS)[number];
  costs: 'hand' | 'time';
  /** Resolves when it is over: what was broken works again, what ended may not have been started again yet. */
  happen(world: NodesWorld, dice: Dice, longestMs: number): Promise<void>;
}

type Whom = (world: NodesWorld, dice: Dice) => Promise<NodeProcess>;

const theLeader: Whom = (world) => world.leader();

const another: Whom = async (world, dice) => {
  const leader = await world.leader();
  const others = world.nodes.filter((node) => node !== leader && node.lives);
  if (others.length === 0) throw new Error(`${leader.name} leads, and nobody else is there:\n${world.describe()}`);
  return dice.pick(others);
};

const anyone: Whom = async (world, dice) => dice.pick(world.nodes);

/** From what nobody notices to the longest: most of them around a lease. */
const lengthOf = (dice: Dice, longestMs: number) => dice.int(2000, longestMs);

function killing(what: string, whom: Whom): Fault {
  return {
    what,
    ...{ group: 'kill', costs: 'hand' },
    happen: async (world, dice) => void (await (await whom(world, dice)).platform.kill()),
  };
}

function freezing(what: string, whom: Whom): Fault {
  return {
    what,
    ...{ group: 'freeze', costs: 'hand' },
    happen: async (world, dice, longest) => {
      const { platform } = await whom(world, dice);
      platform.terminate('SIGSTOP');
      await sleep(lengthOf(dice, longest));
      platform.terminate('SIGCONT');
    },
  };
}

type Trouble = (gate: Gate, dice: Dice, ms: number) => Promise<void>;

const cut: Trouble = async (gate, _dice, ms) => {
  await gate.cut();
  await sleep(ms);
  await gate.mend();
};

/** As where packets are lost on the way: no connection is closed, new ones are not refused, and nothing comes. */
const silent: Trouble = async (gate, dice, ms) => {
  gate.freeze();
  await sleep(ms);
  // What was sent into the silence arrives late after all, or never.
  if (dice.chance(0.5)) gate.release();
  else gate.thaw();
};

/** Long beside what an answer takes, and short beside a lease. */
const slow: Trouble = async (gate, dice, ms) => {
  gate.delay(dice.int(20, 300));
  await sleep(ms);
  gate.delay(0);
};

/** A node's way to Redis or to the database is in trouble for a while. */
function parting(what: string, whom: Whom, to: 'redis' | 'database', trouble: Trouble): Fault {
  // Without the database a node ends when its lease does; whatever becomes of Redis, it waits. Nobody ends for being slow.
  const costs = to === 'database' && trouble !== slow ? 'hand' : 'time';
  return {
    what,
    ...{ group: 'partition', costs },
    happen: async (world, dice, longest) => {
      const node = await whom(world, dice);
      await trouble(node[to], dice, lengthOf(dice, longest));
    },
  };
}

/** In the order in which a campaign meets those of a group: the first five of each differ as much as they can. */
export const FAULTS: readonly Fault[] = [
  killing('the leader is killed', theLeader),
  killing('another node is killed', another),
  killing('another node is killed, once more', another),
  freezing('the leader stands still', theLeader),
  freezing('another node stands still', another),
  {
    // However short the others are: only so long is it fenced for sure as it wakes.
    what: 'a node stands still until others have ended it',
    ...{ group: 'freeze', costs: 'hand' },
    happen: async (world, dice) => {
      const { platform } = await anyone(world, dice);
      const before = await world.endedByOthers();
      platform.terminate('SIGSTOP');
      await eventually('a frozen node is ended', async () => (await world.endedByOthers()) > before, 50);
      // Its tables are on their way to others as it wakes, or play there.
      await sleep(dice.int(0, 1000));
      platform.terminate('SIGCONT');
    },
  },
  parting('the leader is cut off from Redis', theLeader, 'redis', cut),
  parting("the leader's way to the database is silent", theLeader, 'database', silent),
  parting("a node's way to the database is slow", anyone, 'database', slow),
  parting("another node's way to Redis is silent", another, 'redis', silent),
  parting('another node is cut off from the database', another, 'database', cut),
  parting('another node is cut off from Redis', another, 'redis', cut),
  parting("another node's way to the database is silent", another, 'database', silent),
  parting("a node's way to Redis is slow", anyone, 'redis', slow),
  parting("the leader's way to Redis is silent", theLeader, 'redis', silent),
  parting('the leader is cut off from the database', theLeader, 'database', cut),
  {
    what: 'Redis is restarted',
    ...{ group: 'redis', costs: 'time' },
    happen: async ({ redis }) => {
      await redis.stop();
      await redis.start();
    },
  },
  {
    what: 'Redis is killed, and started again',
    ...{ group: 'redis', costs: 'time' },
    happen: async ({ redis }, dice, longest) => {
      await redis.kill();
      await sleep(lengthOf(dice, longest));
      await redis.start();
    },
  },
  {
    what: 'Redis is flushed',
    ...{ group: 'redis', costs: 'time' },
    happen: async ({ redis }) => {
      const client = new Redis(redis.path);
      await client.flushall();
      await client.quit();
    },
  },
  {
    what: 'Redis stands still',
    ...{ group: 'redis', costs: 'time' },
    happen: async ({ redis }, dice, longest) => {
      redis.signal('SIGSTOP');
      await sleep(lengthOf(dice, longest));
      redis.signal('SIGCONT');
    },
  },
  {
    what: 'all nodes are restarted, one after the other',
    ...{ group: 'roll', costs: 'time' },
    happen: async (world) => {
      for (const node of world.nodes) {
        const ended = await world.endedByOthers();
        await node.platform.stop().catch(async (error: unknown) => {
          // One that was taken for dead just then ends as it can.
          if ((await world.endedByOthers()) === ended) throw error;
        });
        await node.revive();
      }
    },
  },
];
