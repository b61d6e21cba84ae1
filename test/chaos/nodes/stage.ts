import { setTimeout as sleep } from 'node:timers/promises';
import type { Scope } from '../../support/database.js';
import type { Account, Env } from '../../support/platform.js';
import { Player } from '../../support/player.js';
import { NodesWorld, type NodeProcess } from './world.js';

/** The means of a scenario. */
export interface Stage {
  t: Scope;
  /** Another program than the product's. */
  main?: string;
  seed: number;
  /** For what must come; ms. */
  patienceMs: number;
}

/** Settings of a scenario: few nodes, and no hands for nothing. */
const CALM: Env = { BETWEEN_HANDS_MS: 300, REBUY_COOLDOWNS: 0, LOG_LEVEL: 'info' };

/** Nodes that serve, and so many more that are not started. The first one leads. */
export function openStage({ t, main, seed }: Stage, nodes: number, env: Env = {}, spare = 0): Promise<NodesWorld> {
  return NodesWorld.open(t, { nodes, spare, seed, env: { ...CALM, ...env }, ...(main !== undefined && { main }) });
}

/** Plays along for ever. */
export const callOn: Player['auto'] = ({ valid_actions: actions }) => ({
  action: actions.some(({ action }) => action === 'check') ? 'check' : 'call',
});

export const allIn: Player['auto'] = ({ valid_actions: actions }) => ({
  action: actions.some(({ action }) => action === 'all_in') ? 'all_in' : 'call',
});

/** A socket of an agent at one node. It ends when the scenario does. */
export async function openAt(
  { t }: Stage,
  { platform }: NodeProcess,
  account: Account,
  { auto = callOn, competitionId = null }: { auto?: Player['auto']; competitionId?: string | null } = {},
): Promise<Player> {
  const prepare = (player: Player) => {
    player.auto = auto;
    t.teardown(async () => player.ws.terminate());
  };
  return Player.open(platform, account, { competitionId, prepare });
}

/** A new agent that waits for a seat at one node. */
export async function joinAt(stage: Stage, node: NodeProcess, name: string, auto = callOn): Promise<Player> {
  const player = await openAt(stage, node, await node.platform.register(name), { auto });
  await player.next('connected');
  player.send({ type: 'join_lobby' });
  return player;
}

/** Two agents that play at one node. */
export async function pairAt(stage: Stage, node: NodeProcess, name: string): Promise<[Player, Player]> {
  const players = [await joinAt(stage, node, name), await joinAt(stage, node, name)] as [Player, Player];
  await Promise.all(players.map((player) => player.next('hand_result')));
  return players;
}

/** Whether it is so within the time, or at once. */
export async function within(ms: number, isSo: () => boolean | Promise<boolean>): Promise<boolean> {
  for (const deadline = performance.now() + ms; ; await sleep(20)) {
    if (await isSo()) return true;
    if (performance.now() > deadline) return false;
  }
}

/** The node that has the table; null while none does. */
export async function nodeOf(world: NodesWorld, table: string): Promise<NodeProcess | null> {
  const pid = (await world.tables()).get(table);
  return world.nodes.find((node) => node.pid === pid) ?? null;
}
