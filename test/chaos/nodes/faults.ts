import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Dice } from '../../sim/dice.js';
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

async function other(world: NodesWorld, dice: Dice): Promise<NodeProcess> {
  const leader = await world.leader();
  const others = world.nodes.filter((node) => node !== leader && node.lives);
  if (others.length === 0) throw new Error(`${leader.name} leads, and nobody else is there:\n${world.describe()}`);
  return dice.pick(others);
}

async function freeze(node: NodeProcess, ms: number): Promise<void> {
  node.platform.terminate('SIGSTOP');
  await sleep(ms);
  node.platform.terminate('SIGCONT');
}

/** From what nobody notices to the longest: most of them around a lease. */
const lengthOf = (dice: Dice, longestMs: number) => dice.int(2000, longestMs);

async function cutOff(gate: { cut(): Promise<void>; mend(): Promise<void> }, ms: number): Promise<void> {
  await gate.cut();
  await sleep(ms);
  await gate.mend();
}

export const FAULTS: readonly Fault[] = [
  {
    what: 'the leader is killed',
    ...{ group: 'kill', costs: 'hand' },
    happen: async (world) => void (await (await world.leader()).platform.kill()),
  },
  {
    what: 'another node is killed',
    ...{ group: 'kill', costs: 'hand' },
    happen: async (world, dice) => void (await (await other(world, dice)).platform.kill()),
  },
  {
    what: 'another node is killed, once more',
    ...{ group: 'kill', costs: 'hand' },
    happen: async (world, dice) => void (await (await other(world, dice)).platform.kill()),
  },
  {
    what: 'the leader stands still',
    ...{ group: 'freeze', costs: 'hand' },
    happen: async (world, dice, longest) => freeze(await world.leader(), lengthOf(dice, longest)),
  },
  {
    what: 'another node stands still',
    ...{ group: 'freeze', costs: 'hand' },
    happen: async (world, dice, longest) => freeze(await other(world, dice), lengthOf(dice, longest)),
  },
  {
    what: 'the leader is cut off from Redis',
    ...{ group: 'partition', costs: 'time' },
    happen: async (world, dice, longest) => cutOff((await world.leader()).redis, lengthOf(dice, longest)),
  },
  {
    what: 'another node is cut off from Redis',
    ...{ group: 'partition', costs: 'time' },
    happen: async (world, dice, longest) => cutOff((await other(world, dice)).redis, lengthOf(dice, longest)),
  },
  {
    what: 'the leader is cut off from the database',
    ...{ group: 'partition', costs: 'hand' },
    happen: async (world, dice, longest) => cutOff((await world.leader()).database, lengthOf(dice, longest)),
  },
  {
    what: 'another node is cut off from the database',
    ...{ group: 'partition', costs: 'hand' },
    happen: async (world, dice, longest) => cutOff((await other(world, dice)).database, lengthOf(dice, longest)),
  },
  {
    what: "a node's way to Redis is slow",
    ...{ group: 'partition', costs: 'time' },
    happen: async (world, dice, longest) => {
      const { redis } = dice.pick(world.nodes);
      redis.delay(dice.int(20, 300));
      await sleep(lengthOf(dice, longest));
      redis.delay(0);
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
