import { setTimeout as sleep } from 'node:timers/promises';
import { askToDrain } from '../../../src/admin/commands/nodes.js';
import { transaction } from '../../../src/store/database.js';
import type { Dice } from '../../sim/dice.js';
import type { Gate } from '../../support/gate.js';
import { eventually } from '../../support/limits.js';
import type { NodeProcess, NodesWorld } from './world.js';

export const GROUPS = ['kill', 'freeze', 'cut', 'roll', 'drain', 'join'] as const;
export type Group = (typeof GROUPS)[number];

/** What happens to a cluster, and the price: the hand in progress at each table of a node, or time alone. */
export interface NodesEvent {
  what: string;
  group: Group;
  costs: 'hand' | 'time';
  /** Resolves when it is over: what was cut leads on, and what ended is not started again yet. */
  happen(world: NodesWorld, dice: Dice, longestMs: number): Promise<void>;
}

type Pick = (world: NodesWorld, dice: Dice) => Promise<NodeProcess>;

const living = ({ nodes }: NodesWorld) => nodes.filter(({ lives, isAway }) => lives && !isAway);
const theLeader: Pick = (world) => world.leader();
const anyone: Pick = async (world, dice) => dice.pick(living(world));
const another: Pick = async (world, dice) => {
  for (;;) {
    const leader = await world.leader();
    const others = living(world).filter((node) => node !== leader);
    if (others.length > 0) return dice.pick(others);
    // The only other one has just ended: on a slow machine nodes take each other for dead.
    await world.whole();
  }
};

const SHORTEST_MS = 2000;
const lengthOf = (dice: Dice, longestMs: number) => dice.int(Math.min(SHORTEST_MS, longestMs), longestMs);

const killing = (what: string, pick: Pick): NodesEvent => ({
  what,
  group: 'kill',
  costs: 'hand',
  happen: async (world, dice) => (await pick(world, dice)).kill(),
});

const freezing = (what: string, pick: Pick): NodesEvent => ({
  what,
  group: 'freeze',
  costs: 'hand',
  happen: async (world, dice, longest) => {
    const node = await pick(world, dice);
    node.freeze();
    await sleep(lengthOf(dice, longest));
    node.thaw();
  },
});

/** Breaks gates for a while. */
type Trouble = (gates: readonly Gate[], dice: Dice, ms: number) => Promise<void>;

const cut: Trouble = async (gates, _dice, ms) => {
  await Promise.all(gates.map((gate) => gate.cut()));
  await sleep(ms);
  await Promise.all(gates.map((gate) => gate.mend()));
};

/** Packets are lost: no connection closes, none is refused, and nothing comes. */
const silent: Trouble = async (gates, dice, ms) => {
  for (const gate of gates) gate.freeze();
  await sleep(ms);
  // What was sent into the silence comes late, or never.
  const late = dice.chance(0.5);
  for (const gate of gates)
    if (late) gate.release();
    else gate.thaw();
};

/** Long beside an answer, short beside a lease. */
const slow: Trouble = async (gates, dice, ms) => {
  for (const gate of gates) gate.delay(dice.int(20, 300));
  await sleep(ms);
  for (const gate of gates) gate.delay(0);
};

const databaseOf = (what: string, pick: Pick, trouble: Trouble): NodesEvent => ({
  // Without the database others end a node once its lease is over. A slow database ends no node.
  what,
  group: 'cut',
  costs: trouble === slow ? 'time' : 'hand',
  happen: async (world, dice, longest) => {
    const node = await pick(world, dice);
    await trouble([node.database], dice, lengthOf(dice, longest));
  },
});

const databaseOfAll = (what: string, trouble: Trouble): NodesEvent => ({
  what,
  group: 'cut',
  costs: 'hand',
  happen: async (world, dice, longest) => {
    const gates = world.nodes.map(({ database }) => database);
    await trouble(gates, dice, lengthOf(dice, longest));
  },
});

/** One node and the others do not reach each other over the internal network. */
const internalOf = (what: string, pick: Pick, trouble: Trouble): NodesEvent => ({
  what,
  group: 'cut',
  costs: 'time',
  happen: async (world, dice, longest) => {
    const node = await pick(world, dice);
    const id = await node.id();
    const others = world.nodes.filter((other) => other !== node);
    for (const { internal } of others) internal.refuse(id === null ? [] : [id]);
    await trouble([node.internal], dice, lengthOf(dice, longest));
    for (const { internal } of others) internal.refuse([]);
  },
});

const internalOfAll = (what: string, trouble: Trouble): NodesEvent => ({
  what,
  group: 'cut',
  costs: 'time',
  happen: async (world, dice, longest) => {
    const gates = world.nodes.map(({ internal }) => internal);
    await trouble(gates, dice, lengthOf(dice, longest));
  },
});

/** A node that leaves stays away until it joins again. Two nodes stay at least. */
const draining = (
  what: string,
  pick: Pick,
  ask: (node: NodeProcess, world: NodesWorld) => Promise<void>,
): NodesEvent => ({
  what,
  group: 'drain',
  costs: 'time',
  happen: async (world, dice) => {
    if (living(world).length < 3) await joining(world, dice);
    const node = await pick(world, dice);
    await ask(node, world);
  },
});

const asOperator = async (node: NodeProcess, { entrance: { sql } }: NodesWorld) => {
  const id = await node.id();
  if (id === null) throw new Error(`${node.name} has no life`);
  await node.leaves(() => transaction(sql!, (tx) => askToDrain(tx, id)));
};

async function joining({ nodes }: NodesWorld, dice: Dice): Promise<void> {
  const away = nodes.filter(({ isAway }) => isAway);
  if (away.length === 0) return;
  await dice.pick(away).revive();
}

/** In the order in which a campaign meets those of a group. */
export const EVENTS: readonly NodesEvent[] = [
  killing('the leader is killed', theLeader),
  killing('another node is killed', another),
  killing('any node is killed', anyone),
  freezing('the leader stands still', theLeader),
  freezing('another node stands still', another),
  {
    what: 'a node stands still until others have ended it',
    group: 'freeze',
    costs: 'hand',
    happen: async (world, dice) => {
      const node = await anyone(world, dice);
      const before = await world.endedByOthers();
      node.freeze();
      await eventually('a frozen node is ended', async () => (await world.endedByOthers()) > before, 50);
      // Others claim its tables, or play them already, when it goes on.
      await sleep(dice.int(0, 1000));
      node.thaw();
    },
  },
  databaseOf('another node is cut off from the database', another, cut),
  internalOf('a node is cut off from the other nodes', anyone, cut),
  databaseOf('the way of the leader to the database is silent', theLeader, silent),
  internalOfAll('the internal network is cut', cut),
  databaseOfAll('the database is away', cut),
  internalOf('the internal network of a node is silent', anyone, silent),
  databaseOf('the way of a node to the database is slow', anyone, slow),
  databaseOf('the leader is cut off from the database', theLeader, cut),
  databaseOfAll('the database is silent', silent),
  internalOfAll('the internal network is silent', silent),
  internalOf('the internal network of the leader is slow', theLeader, slow),
  databaseOf('the way of another node to the database is silent', another, silent),
  {
    what: 'all nodes are restarted, one after the other',
    group: 'roll',
    costs: 'time',
    happen: async (world) => {
      for (const node of living(world)) {
        await node.stop();
        await node.revive();
      }
    },
  },
  draining('another node drains', another, (node) => node.stop()),
  draining('the operator drains the leader', theLeader, asOperator),
  draining('the operator drains a node', anyone, asOperator),
  {
    what: 'a node joins',
    group: 'join',
    costs: 'time',
    happen: async (world, dice) => {
      if (world.nodes.every(({ isAway }) => !isAway)) await (await another(world, dice)).stop();
      await joining(world, dice);
    },
  },
];

/** So many events of a group, each kind in its turn. */
export function eventsOf(group: Group, count: number): NodesEvent[] {
  const kinds = EVENTS.filter((event) => event.group === group);
  return Array.from({ length: count }, (_, n) => kinds[n % kinds.length]!);
}
