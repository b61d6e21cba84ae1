import { Cup } from '../../support/cup.js';
import { eventually } from '../../support/limits.js';
import type { Player } from '../../support/player.js';
import { addCrowdedNode } from './home-scenarios.js';
import { allIn, joinAt, nodeOf, openAt, openStage, pairAt, within, type Stage } from './stage.js';
import type { NodeProcess, NodesWorld } from './world.js';

/** Scenarios of pools, rules and adopted tables. Each resolves with what is wrong. */

/** A competition at the first node, with two players at the node `at`. */
async function cupAt(stage: Stage, world: NodesWorld, at: number, rules: Record<string, unknown> = {}) {
  world.entrance.only = world.nodes[0]!;
  const cup = await Cup.open(world.entrance, rules);
  await cup.step('start');
  const node = world.nodes[at]!;
  const players = [];
  for (const name of ['cup', 'cup']) {
    const account = await world.entrance.register(name);
    await cup.enroll(account);
    const player = await openAt(stage, node, account, { competitionId: cup.id });
    await player.next('connected');
    player.send({ type: 'join_lobby' });
    players.push(player);
  }
  await Promise.all(players.map((player) => player.next('hand_result')));
  return { cup, players };
}

/** A competition ends at one node, and the notice does not reach the node with its table. */
export async function losesNotice(stage: Stage): Promise<string[]> {
  const world = await openStage(stage, 2);
  const { cup, players } = await cupAt(stage, world, 1);
  for (const { internal } of world.nodes) await internal.cut();
  await cup.step('end');
  const closed = await within(stage.patienceMs, () => players.every((player) => player.all('table_closed').length > 0));
  for (const { internal } of world.nodes) await internal.mend();
  return closed ? [] : ['a competition has ended, and its table at another node plays on'];
}

/** A season winds down, and two agents join before their node has heard of it. */
export async function joinsInClosedPool(stage: Stage): Promise<string[]> {
  const world = await openStage(stage, 2, { LOBBY_GRACE_MS: 0 });
  const [, node] = world.nodes as [NodeProcess, NodeProcess];
  const sql = world.entrance.sql!;
  const players = [];
  for (const name of ['late', 'late']) {
    const player = await openAt(stage, node, await node.platform.register(name));
    await player.next('connected');
    players.push(player);
  }
  await sql`update pools set phase = 'winding_down' where pool_id = (select season_id from seasons where status = 'active')`;
  for (const player of players) player.send({ type: 'join_lobby' });
  const bought = async () => (await sql`select from chip_ledger where type = 'buy_in'`).length;
  const heard = () => node.platform.output.includes('season winds down');
  await within(stage.patienceMs, async () => (await bought()) > 0 || heard());
  const seats = await bought();
  return seats === 0 ? [] : [`${seats} seats were taken in a pool that is not open`];
}

const CUP_RULES = { small_blind: 50, big_blind: 100 };

/** A table of a competition is claimed by a node that has not met the competition. */
export async function claimsUnknownPool(stage: Stage): Promise<string[]> {
  const world = await openStage(stage, 2);
  const { cup, players } = await cupAt(stage, world, 0, CUP_RULES);
  const table = players[0]!.table!;
  const [dead, other] = world.nodes as [NodeProcess, NodeProcess];
  await dead.kill();
  await eventually('the table is claimed', async () => (await nodeOf(world, table)) === other, 20);
  const back = await openAt(stage, other, players[0]!.account, { competitionId: cup.id });
  await within(stage.patienceMs, () => back.isClosed || back.all('table_state').length > 0);
  const [state] = back.all('table_state');
  if (state?.big_blind === CUP_RULES.big_blind) return [];
  const found = state === undefined ? `not at all: ${back.describe()}` : `with the big blind ${state.big_blind}`;
  return [`the table of a competition with the big blind ${CUP_RULES.big_blind} is claimed ${found}`];
}

/** A player at a node that does not lead loses its stack, and is to be rebought. */
export async function bustsAtFollower(stage: Stage): Promise<string[]> {
  const world = await openStage(stage, 2, { STARTING_CHIPS: 1000, REBUY_CHIPS: 1000, BETWEEN_HANDS_MS: 0 });
  const [, follower] = world.nodes as [NodeProcess, NodeProcess];
  const players = [await joinAt(stage, follower, 'busts', allIn), await joinAt(stage, follower, 'busts', allIn)];
  for (const player of players) player.send({ type: 'set_auto_rebuy', enabled: true });
  const rebought = () => players.some((player) => player.all('rebuy_confirmed').length > 0);
  const refused = () => players.some((player) => player.all('busted').length > 0);
  await within(stage.patienceMs, () => rebought() || refused() || !follower.lives);
  if (rebought()) return [];
  return [`a bust at a node that does not lead is not settled (${follower.lives ? 'it lives' : 'it ended'})`];
}

/** Slow enough that a minute of hands costs little. */
const SLOW_MS = 2000;

/** The players of an adopted table come back at another node than the table's. */
export async function relayedAfterKill(stage: Stage): Promise<string[]> {
  const world = await openStage(stage, 3, { BETWEEN_HANDS_MS: SLOW_MS });
  const [dead, ...others] = world.nodes as [NodeProcess, ...NodeProcess[]];
  const players = await pairAt(stage, dead, 'relayed');
  // Players of a small pool stay: their next join would come back to its host. Nobody joins from now on.
  await addCrowdedNode(world.entrance.sql!);
  const table = players[0].table!;
  await dead.kill();
  const holder = await eventually('the table is claimed', async () => {
    const node = await nodeOf(world, table);
    return node === dead ? null : node;
  });
  const edge = others.find((node) => node !== holder)!;
  const back: Player[] = [];
  for (const { account } of players) back.push(await openAt(stage, edge, account));
  const isBack = await within(stage.patienceMs, () => back.every((player) => player.table === table));
  if (!isBack) return ['players of an adopted table read nothing of it'];
  const closed = await within(stage.patienceMs, () => back.every((player) => player.all('table_closed').length > 0));
  return closed ? [] : [`table ${table} was adopted, all of its players are relayed, and it does not close`];
}
