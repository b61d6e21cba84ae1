import { setTimeout as sleep } from 'node:timers/promises';
import { Load, mergeSeen } from '../../src/load/load.js';
import type { Steps } from '../benches.js';
import { BOTS } from '../host/servers.js';
import { BenchCluster } from './cluster.js';

/*
 * Messages to other nodes a hand, of bots that come to three nodes evenly and all at once. The first of them gather at
 * the pool's host. Then the bots of one node after the other leave and come again, as players do in time.
 */

const NODES = 3;
const THINK_MS = 50;
const RAMP_MS = 2000;
/** Bots that were bust a moment ago wait for a seat. */
const SEATED = 0.95;
const SEATING_MS = 60_000;
const LEAVE_MS = 10_000;

export interface MessagesOptions {
  bots: number;
  seconds: number;
}

export interface HandMessages {
  hands: number;
  /** The share of hands with all players connected to the table's node. */
  silentShare: number;
  /** To other nodes, of all kinds, a hand. */
  perHand: number;
}

export const STEPS_OF_MESSAGES = 2;

export async function playMessages(
  { bots, seconds }: MessagesOptions,
  steps: Steps,
): Promise<Record<'asTheyCame' | 'later', HandMessages>> {
  steps.next(`${bots} bots come to ${NODES} nodes`);
  const cluster = await BenchCluster.start(NODES, { THREADS: 1 });
  const loads: Load[] = [];
  try {
    const keys = await cluster.register(bots);
    const come = async (node: number) => {
      const { target } = cluster.nodes[node]!;
      const options = { target, apiKeys: keys[node]!, first: (node * bots) / NODES, script: BOTS };
      loads[node] = await Load.come(options, { rampMs: RAMP_MS, inOrder: false });
      await loads[node].think(THINK_MS);
    };
    await Promise.all(cluster.nodes.map((_, node) => come(node)));
    await allSeated(loads, bots);
    const asTheyCame = await handMessages(cluster, keys, seconds);
    steps.next('the bots of each node leave and come again');
    for (const node of cluster.nodes.keys()) {
      await loads[node]!.leave(LEAVE_MS);
      await come(node);
      await allSeated(loads, bots);
    }
    return { asTheyCame, later: await handMessages(cluster, keys, seconds) };
  } finally {
    await Promise.all(loads.map((load) => load.end()));
    await cluster.stop();
  }
}

async function allSeated(loads: readonly Load[], bots: number): Promise<void> {
  for (const until = performance.now() + SEATING_MS; ; await sleep(250)) {
    const { seated } = mergeSeen(await Promise.all(loads.map((load) => load.tell())));
    if (seated >= SEATED * bots) return;
    if (performance.now() > until) throw new Error(`${seated} of ${bots} bots have a seat`);
  }
}

async function handMessages(
  cluster: BenchCluster,
  keys: readonly (readonly string[])[],
  seconds: number,
): Promise<HandMessages> {
  const { sql } = cluster.database;
  const before = await cluster.figures();
  const [began] = await sql<{ at: Date }[]>`select now() as at`;
  await sleep(1000 * seconds);
  const after = await cluster.figures();
  // Bots have numbers in the order of the nodes that they connect to (registerBots).
  const names = keys.flat().map((_, i) => `bot_${i + 1}`);
  const edges = keys.flatMap((group, node) => group.map(() => after[node]!.nodeId));
  const [row] = await sql<{ hands: number; silent: number }[]>`
    with edges as (select * from unnest(${names}::text[], ${edges}::uuid[]) as e (name, node_id))
    select count(*)::integer as hands, (count(*) filter (where not exists (
      select from hand_players p join agents a on a.agent_id = p.agent_id join edges e on e.name = a.name
      where p.pool_id = h.pool_id and p.hand_id = h.hand_id and e.node_id <> s.holder)))::integer as silent
    from hands h join tables t on t.table_id = h.table_id join shards s on s.shard_no = t.shard_no
    where h.ended_at >= ${began!.at} and h.ended_at < ${began!.at}::timestamptz + ${seconds} * interval '1 second'`;
  const { hands, silent } = row!;
  if (hands === 0) throw new Error('no hand was finished while messages were counted');
  const sent = after.reduce((sum, { messages }, i) => sum + messages - before[i]!.messages, 0);
  return { hands, silentShare: silent / hands, perHand: sent / hands };
}
