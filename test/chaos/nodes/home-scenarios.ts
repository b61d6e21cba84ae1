import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../../src/store/database.js';
import { eventually } from '../../support/limits.js';
import { Owners } from './owners.js';
import { joinAt, nodeOf, openAt, openStage, pairAt, within, type Stage } from './stage.js';
import { elsewhere } from './stored.js';
import type { NodeProcess } from './world.js';

/** Scenarios of homes and joins. Each resolves with what is wrong. */

/** A seated agent comes back at another node. */
export async function comesBackElsewhere(stage: Stage): Promise<string[]> {
  const world = await openStage(stage, 2);
  const [at, other] = world.nodes as [NodeProcess, NodeProcess];
  const [player] = await pairAt(stage, at, 'returns');
  await player.drop();
  const back = await openAt(stage, other, player.account);
  await back.next('connected');
  const findings = (await elsewhere(world.entrance.sql!, player.account.agentId)).map(
    ({ agent, home, holder }) => `agent ${agent} has its home at ${home}, and its table is at node ${holder}`,
  );
  const seated = await within(stage.patienceMs, () => back.table === player.table && back.seat !== null);
  return seated ? findings : [...findings, `${player.name} read nothing of its seat at another node`];
}

/** An agent without a seat comes back after its home was killed. */
export async function comesBackAfterKill(stage: Stage): Promise<string[]> {
  const world = await openStage(stage, 2);
  const [other, home] = world.nodes as [NodeProcess, NodeProcess];
  const player = await openAt(stage, home, await home.platform.register('stranded'));
  await player.next('connected');
  const ended = await world.endedByOthers();
  await home.kill();
  await eventually('the killed node is ended', async () => (await world.endedByOthers()) > ended, 20);
  const back = await openAt(stage, other, player.account);
  const over = await within(stage.patienceMs, () => back.isClosed || back.all('connected').length > 0);
  if (back.all('connected').length > 0) return [];
  return [`${player.name} is let in nowhere: ${over ? `closed with ${(await back.closed).code}` : 'no answer'}`];
}

/** A third node, that only the database knows: it has so many players that no pool is small. */
export async function addCrowdedNode(sql: Database): Promise<void> {
  const id = '00000000-0000-4000-8000-00000000ffff';
  await sql`
    insert into nodes (node_id, name, address, lease_until, session_since)
    values (${id}, 'a crowded node', '127.0.0.1:9', now() + interval '1 day', '-infinity')`;
  await sql`
    insert into node_pools (node_id, pool_id, players) select ${id}, season_id, 1000 from seasons where status = 'active'`;
}

/** Moves of a join from home to home in a test that gathers nobody. */
const MOST_MOVES = 2;

/** An agent without company joins in a large pool, and another one is at the pool's host. */
export async function joinsInLargePool(stage: Stage): Promise<string[]> {
  const world = await openStage(stage, 1, {}, 1);
  const sql = world.entrance.sql!;
  await sql.unsafe(`
    create table home_moves (agent_id uuid not null);
    create function log_move() returns trigger language plpgsql as $$ begin
      if new.node_id <> old.node_id then insert into home_moves values (new.agent_id); end if;
      return null;
    end $$;
    create trigger log_move after update on homes for each row execute function log_move();`);
  const [first, second] = world.nodes as [NodeProcess, NodeProcess];
  await addCrowdedNode(sql);
  // A node knows the players of all nodes when it has started.
  await first.stop();
  await first.revive();
  await second.revive();
  await sql`
    insert into pool_hosts (pool_id, node_id)
    select season_id, ${(await second.id())!}::uuid from seasons where status = 'active'
    on conflict (pool_id) do update set node_id = excluded.node_id`;
  const players = [await joinAt(stage, second, 'hosted'), await joinAt(stage, first, 'lonely')];
  const seated = () => players.every(({ seat }) => seat !== null);
  const moves = async () => {
    const [row] = await sql<{ most: number }[]>`
      select coalesce(max(n), 0)::integer as most from (select count(*) as n from home_moves group by agent_id) m`;
    return row!.most;
  };
  await within(stage.patienceMs, async () => seated() || (await moves()) > MOST_MOVES);
  const most = await moves();
  return [
    ...(most > MOST_MOVES ? [`a join was sent from node to node ${most} times`] : []),
    ...(seated() ? [] : ['two agents with company were not seated']),
  ];
}

const OPENS_MS = 1000;

/** An agent opens a socket while its home frees its row. */
export async function opensWhileFreed(stage: Stage): Promise<string[]> {
  const world = await openStage(stage, 1);
  const [node] = world.nodes as [NodeProcess];
  const sql = world.entrance.sql!;
  const player = await openAt(stage, node, await node.platform.register('brief'));
  await player.next('connected');
  const { agentId } = player.account;
  let release!: () => void;
  const released = new Promise<void>((resolve) => (release = resolve));
  let held!: () => void;
  const isHeld = new Promise<void>((resolve) => (held = resolve));
  const holding = sql.begin(async (tx) => {
    await tx`select from homes where agent_id = ${agentId} for update`;
    held();
    await released;
  });
  const frees = async () => {
    const [row] = await sql<{ waits: boolean }[]>`
      select exists (select from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock' and query like 'delete from homes%') as waits`;
    return row!.waits;
  };
  await isHeld;
  await player.close();
  await eventually('the row is being freed', frees);
  const back = await openAt(stage, node, player.account);
  // The product lets it wait.
  await Promise.race([back.next('connected'), sleep(OPENS_MS)]);
  release();
  await holding;
  await eventually('the row is freed', async () => !(await frees()));
  await back.until('its session', () => back.all('connected')[0]);
  const rows = await sql`select from homes where agent_id = ${agentId}`;
  return rows.length === 1 ? [] : [`agent ${agentId} has a session, and no home`];
}

/** Each table of an ended node belongs to the node that claimed it, also when the ended node goes on. */
export async function goesOnAfterEnd(stage: Stage): Promise<string[]> {
  const world = await openStage(stage, 2, { ACTION_TIMEOUT_MS: 2000, DRAIN_MS: 10_000 });
  const owners = await Owners.install(world.entrance.sql!);
  const [frozen, other] = world.nodes as [NodeProcess, NodeProcess];
  const players = [await joinAt(stage, frozen, 'frozen', null), await joinAt(stage, frozen, 'frozen', null)];
  await eventually('a turn', () => players.some(({ turn }) => turn !== null));
  const table = players[0]!.table!;
  const sql = world.entrance.sql!;
  const [held] = await sql<{ holder: string }[]>`
    select s.holder from tables t join shards s using (shard_no) where t.table_id = ${table}`;
  frozen.freeze();
  await eventually('the table is claimed', async () => (await nodeOf(world, table)) === other, 20);
  const mark = frozen.platform.output.length;
  await frozen.internal.cut();
  // It hears of its end by the renewal of its lease alone, and that waits: its hand is over before.
  await sql.begin(async (tx) => {
    await tx`select from nodes where node_id = ${held!.holder} for update`;
    frozen.thaw();
    const over = () => players.some((player) => player.isClosed || player.all('hand_result').length > 0);
    await within(stage.patienceMs, over);
  });
  await frozen.platform.ended;
  const said = frozen.platform.output.slice(mark).split('\n');
  return [...(await owners.check()), ...said.filter((line) => line.includes('a hand is void'))];
}
