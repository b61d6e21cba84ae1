/**
 * The lives of a node's process: whoever was ended by others goes on as another node in the same process, also one that led, and
 * leaves nothing of its life before behind (NODES.md, "Leases").
 */
import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { Crowd, LOAD } from '../../chaos/crowd.js';
import { Truth } from '../../chaos/truth.js';
import { DatabaseGate } from '../../support/database-gate.js';
import { freshDatabase, openPool, stopCluster } from '../../support/database.js';
import { eventually, FILE_MS } from '../../support/limits.js';
import { ForkedPlatform } from '../../support/forked-platform.js';
import { openRedis, redisUrl, withoutRedis } from '../../support/redis.js';
import { SEED } from '../../support/seed.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);
t.comment(`SEED=${SEED}`);
const skip = withoutRedis;
const ADMIN_KEY = 'an-admin-key-of-tests';
/** What a node says where its next life is not like the first; that the database is away, and shards are lost, it may. */
const SERIOUS = /the platform cannot go on|nhandled|MaxListeners|did not end within/;

/** Its id, and whether it leads. */
async function standing(node: ForkedPlatform): Promise<{ id: string; role: string }> {
  const ask = async () => {
    const answer = await fetch(`${node.url}/metrics`, { headers: { authorization: `Bearer ${ADMIN_KEY}` } });
    const body = await answer.text();
    // It was asked too often.
    return answer.status === 429 ? null : body;
  };
  const found = /^poker_node_info\{node="([^"]*)",role="(\w+)"\}/m.exec(await eventually('its metrics', ask, 500));
  return { id: found?.[1] ?? '', role: found?.[2] ?? '' };
}

/** From now on everybody whose socket is closed comes in again; `end` tells with which codes they were, by crowd. */
function staying(crowds: readonly Crowd[]) {
  const stop = new AbortController();
  const ended = new Promise<null>((resolve) => stop.signal.addEventListener('abort', () => resolve(null)));
  const codes = crowds.map(() => new Set<number>());
  const stays = crowds.flatMap((crowd, n) =>
    crowd.guests.map(async (guest) => {
      for (;;) {
        const code = await Promise.race([guest.gone(), ended]);
        if (code === null) return;
        codes[n]!.add(code);
        const comesIn = () => guest.connect().then(() => true, () => false); // prettier-ignore
        while (!stop.signal.aborted && !(await comesIn())) await sleep(100);
      }
    }),
  );
  return {
    end: async () => {
      stop.abort();
      await Promise.all(stays);
      return codes;
    },
  };
}

const leads = (node: ForkedPlatform) =>
  eventually('a node that leads', async () => (await standing(node)).role === 'leader', 200);

await t.test('whoever was ended goes on as another node, in the same process', { skip }, async (t) => {
  const database = await freshDatabase(t);
  const sql = openPool(t, database);
  const REDIS_URL = await redisUrl(t, await openRedis(t));
  const env = { ...LOAD, REDIS_URL, ADMIN_KEY, ACTION_TIMEOUT_MS: 8000, HOUSE_BOTS: 2, WS_CONNECTS_PER_MINUTE: 10_000 };
  const gates: DatabaseGate[] = [];
  const nodes: ForkedPlatform[] = [];
  const crowds: Crowd[] = [];
  for (const n of [0, 1]) {
    const gate = await DatabaseGate.open(t, database);
    const node = await ForkedPlatform.prepare(t, env, database, gate.address);
    await node.launch();
    await node.ready();
    gates.push(gate);
    nodes.push(node);
    crowds.push(new Crowd(node, SEED + 1000 * n));
  }
  for (const [n, crowd] of crowds.entries()) {
    // Names are another at each node.
    for (let skipped = 0; skipped < n * 10; skipped++) await crowd.platform.register('nobody');
    await crowd.gather(6);
  }
  const truths = crowds.map((crowd) => new Truth(crowd, sql));

  /** What a process has open, and the most sessions that two nodes need, of which one leads. */
  const countOf = (what: string) => readdirSync(`/proc/${nodes[1]!.pid}/${what}`).length;
  const MOST: Readonly<Record<string, number>> = { node: 2, background: 4, admission: 2, front: 8 };
  const tooMany = async () => {
    const rows = await sql<{ name: string; count: number }[]>`
      select substr(application_name, 13) as name, count(*) from pg_stat_activity
      where application_name like 'agent-poker %' and datname = current_database() group by 1`;
    return rows.filter(({ name, count }) => count > (MOST[name] ?? Infinity));
  };
  const memoryOf = async (node: ForkedPlatform) => {
    const answer = await fetch(`${node.url}/metrics`, { headers: { authorization: `Bearer ${ADMIN_KEY}` } });
    return Math.round(Number(/^nodejs_heap_size_used_bytes (\S+)/m.exec(await answer.text())?.[1]) / 1e6);
  };

  /** The node is ended by the other in the middle of play, and comes back as another; who was connected there, too. */
  const displaced = async (t: Test, which: number, leading: boolean, trouble: () => Promise<void>) => {
    const node = nodes[which]!;
    const other = nodes[1 - which]!;
    const { pid } = node;
    const before = await standing(node);
    t.equal(before.role, leading ? 'leader' : 'front');
    await Promise.all(crowds.map((crowd) => crowd.moreHands(20)));
    const stay = staying(crowds);
    await trouble();
    const since = performance.now();
    const after = await eventually(
      'another node',
      async () => {
        const now = await standing(node);
        return now.id !== '' && now.id !== before.id ? now : null;
      },
      200,
    );
    await node.ready();
    t.comment(`ready again ${Math.round(performance.now() - since)} ms after the end of the trouble`);
    t.equal(node.pid, pid, 'the same process');
    t.equal(after.role, 'front');
    t.equal((await standing(other)).role, 'leader');
    await Promise.all(crowds.map((crowd) => crowd.moreHands(20)));
    const codes = await stay.end();
    t.ok(codes[which]!.has(1012), 'its sockets were closed');
    t.same(
      codes.flatMap((seen) => [...seen]).filter((code) => code !== 1012 && code !== 1013),
      [],
    );
    for (const truth of truths) {
      const counts = [...(await truth.cutOff()).values()].map(({ length }) => length);
      t.same(counts.filter((count) => count > 1), [], `${counts.length} tables with a void hand`); // prettier-ignore
      t.same(await truth.check({ records: true }), [], `all that was sent is stored (SEED=${SEED})`);
    }
    t.notMatch(node.output, SERIOUS);
  };
  const frozen = (which: number, other: number) => async () => {
    process.kill(nodes[which]!.pid, 'SIGSTOP');
    await leads(nodes[other]!);
    process.kill(nodes[which]!.pid, 'SIGCONT');
  };
  const cutOff = (which: number, other: number) => async () => {
    await gates[which]!.cut();
    await eventually('a node that is not ready', async () => (await nodes[which]!.api('GET', '/health/ready')).status === 503, 50); // prettier-ignore
    await leads(nodes[other]!);
    await gates[which]!.mend();
  };

  await t.test('a leader that was frozen for longer than its lease', (t) => displaced(t, 0, true, frozen(0, 1)));
  await t.test('a leader that was cut off from the database', (t) => displaced(t, 1, true, cutOff(1, 0)));
  const threads = countOf('task');
  const files = countOf('fd');
  const memory = await memoryOf(nodes[1]!);

  await t.test('again and again, with nothing of the lives before', async (t) => {
    for (const trouble of [cutOff, frozen]) {
      await displaced(t, 0, true, trouble(0, 1));
      await displaced(t, 1, true, trouble(1, 0));
    }
    // A second later than it says goodbye a thread may be there yet, and no longer than a statement under way takes. One
    // more is not of two lives: that which counts hands may not have begun at the first count.
    const fewer = eventually(
      'no more threads than after its first displacement',
      () => countOf('task') <= threads + 1,
      500,
    );
    await fewer.catch(async (error: unknown) => {
      const { role } = await standing(nodes[1]!);
      t.fail(`${(error as Error).message}: ${countOf('task')} of a ${role} for ${threads}`);
    });
    // One life of a leader has a dozen connections more; those of clients come and go.
    await eventually('as many open files', () => countOf('fd') < files + 8, 500);
    await eventually('as few sessions', async () => (await tooMany()).length === 0, 500);
    t.comment(`threads ${threads} and ${countOf('task')}, files ${files} and ${countOf('fd')}`);
    t.comment(`heap after one displacement ${memory} MB, after three ${await memoryOf(nodes[1]!)} MB`);
  });

  await t.test(
    'one that does not lead, and is alone without the database: others have its tables meanwhile',
    async (t) => {
      const [leader, front] = nodes as [ForkedPlatform, ForkedPlatform];
      const trouble = async () => {
        await gates[1]!.cut();
        await eventually('a node that is not ready', async () => (await front.api('GET', '/health/ready')).status === 503, 50); // prettier-ignore
        t.match(await front.api('GET', '/health/live'), { status: 200 });
        await leader.wrote('a node does not renew its lease: it has ended');
        await crowds[0]!.moreHands(20);
        await front.wrote('the database is away: the next node waits');
        t.match(await front.api('GET', '/health'), { status: 200, body: { status: 'degraded', services: { database: 'unavailable' } } }); // prettier-ignore
        await gates[1]!.mend();
      };
      await displaced(t, 1, false, trouble);
    },
  );
  t.same(crowds.flatMap((crowd) => crowd.faults()), []); // prettier-ignore
});
