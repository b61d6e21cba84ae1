/**
 * Two processes on one database and one Redis: any bot on any node, and any node may die (NODES.md, "What breaks, and what it costs").
 * What players read there is in the *-nodes tests beside this one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { Crowd, LOAD } from '../../chaos/crowd.js';
import type { Guest } from '../../chaos/guest.js';
import { Truth } from '../../chaos/truth.js';
import { stopCluster } from '../../support/database.js';
import { eventually, FILE_MS } from '../../support/limits.js';
import { ForkedPlatform } from '../../support/forked-platform.js';
import { type Account } from '../../support/platform.js';
import { Player } from '../../support/player.js';
import { withoutRedis } from '../../support/redis.js';
import { adminJson } from '../../support/command.js';
import { calling, scenesOf } from '../../support/scene.js';
import { SEED } from '../../support/seed.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);
t.comment(`SEED=${SEED}`);
const skip = withoutRedis;
/** Tables do not wait long for those whose socket ended in the middle of a hand. */
const BUSY = { ...LOAD, ACTION_TIMEOUT_MS: 8000 };
const ADMIN_KEY = 'an-admin-key-of-tests';

const metricsOf = async (platform: ForkedPlatform) => {
  const answer = await fetch(`${platform.url}/metrics`, { headers: { authorization: `Bearer ${ADMIN_KEY}` } });
  return answer.text();
};
const roleOf = async (platform: ForkedPlatform) =>
  /^poker_node_info\{.*role="(\w+)"/m.exec(await metricsOf(platform))?.[1];

/** Half of the guests on either node; they meet at the same tables. */
async function crowdsOn(nodes: readonly ForkedPlatform[], size: number) {
  const crowds = nodes.map((node, n) => new Crowd(node, SEED + 1000 * n));
  for (const crowd of crowds) await crowd.gather(size);
  const truths = crowds.map((crowd) => new Truth(crowd, crowd.platform.sql!));
  return { crowds, truths };
}

/** From now on everybody whose socket is closed comes in again; `end` tells with which codes they were. */
function staying(crowds: readonly Crowd[]) {
  let over = false;
  let finish: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (finish = resolve));
  const guests = crowds.flatMap((crowd) => crowd.guests);
  const codes = guests.map(async (guest) => {
    const seen: number[] = [];
    while (!over) {
      const code = await Promise.race([guest.gone(), ended.then(() => null)]);
      if (code === null) break;
      seen.push(code);
      while (!over && !(await guest.connect().then(() => true, () => false))) await sleep(100); // prettier-ignore
    }
    return seen;
  });
  return {
    end: () => {
      over = true;
      finish();
      return Promise.all(codes);
    },
  };
}

await t.test('any bot on any node', { skip }, async (t) => {
  const { leader, front } = await ForkedPlatform.startTwo(t, {
    BETWEEN_HANDS_MS: 100,
    ADMIN_KEY,
    WS_CONNECTS_PER_MINUTE: 50,
  });
  t.equal(await roleOf(leader), 'leader');
  t.equal(await roleOf(front), 'front');
  t.match(await front.health(), { status: 'ok' }, 'what the leader answers');
  const scene = scenesOf(t, leader);

  await scene('a socket on another node takes over, there and back, in the middle of a hand', async (t, scene) => {
    const game = await scene.game(2);
    for (const node of [front, leader]) {
      const old = await game.actor();
      const { account, seat } = old;
      const fresh = await Player.open(node, account);
      scene.players.push(fresh);
      t.match(await old.closed, { code: 4002 });
      const read = old.frames.length;
      t.match(await fresh.next('table_state'), { table_id: game.tableId, hero: { seat } });
      game.players[game.players.indexOf(old)] = fresh;
      const actor = await game.actor();
      await actor.play(actor.turn!.valid_actions.some(({ action }) => action === 'check') ? 'check' : 'call');
      await fresh.next('player_action');
      t.equal(old.frames.length, read, 'nothing more on the old one');
    }
    await game.finish(calling);
    t.same(front.faults, []);
  });

  /** An agent of each node loses its right by what `end` asks of the other node, or of the database. */
  const expelled = async (t: Test, how: string, end: (account: Account, there: ForkedPlatform) => Promise<void>) => {
    for (const [here, there] of [
      [leader, front],
      [front, leader],
    ] as const) {
      const account = await here.register('ada');
      const player = await Player.open(here, account);
      const closed = player.closed.then(({ code }) => ({ code, at: performance.now() }));
      await player.next('connected');
      const asked = performance.now();
      await end(account, there);
      const done = performance.now();
      const { code, at } = await closed;
      t.equal(code, 4001);
      const [soon, late] = [Math.round(at - done), Math.round(at - asked)];
      const when = `${Math.abs(soon)} ms ${soon < 0 ? 'before' : 'after'} it was done, ${late} ms after it was asked for`;
      t.comment(`figure: ${how}: a socket of ${here === leader ? 'the leader' : 'another node'} ended ${when}`);
    }
  };

  await t.test('a key that is replaced ends the socket on the other node', (t) =>
    expelled(t, 'a new key by REST', async ({ key }, there) => {
      const { status } = await there.api('POST', '/api/me/regenerate-key', { key });
      t.equal(status, 200);
    }),
  );

  await t.test('a ban ends the socket wherever it is', (t) =>
    expelled(t, 'a ban by REST', async ({ agentId }, there) => {
      const headers = { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' };
      const path = `/api/admin/agents/${agentId}/ban`;
      const body = JSON.stringify({ reason: 'a test' });
      const { status } = await fetch(there.url + path, { method: 'POST', headers, body });
      t.equal(status, 200);
    }),
  );

  await t.test('so does what the operator does by a command, of which no node knows before', async (t) => {
    const url = leader.env['DATABASE_URL'] as string;
    for (const [how, ...words] of [
      ['a ban by npm run admin', 'ban', '--reason', 'a test'],
      ['a new key by npm run admin', 'reset-key'],
    ] as const) {
      await expelled(t, how, async ({ name }) => {
        t.match(await adminJson(url, ...words, name), { code: 0, data: { changed: true } });
      });
    }
  });

  await t.test('both count what their bus carries', async (t) => {
    for (const node of [leader, front]) {
      const text = await metricsOf(node);
      for (const name of ['poker_bus_posts_total', 'poker_bus_bytes_total']) {
        for (const direction of ['sent', 'read']) {
          t.match(text, new RegExp(`^${name}\\{direction="${direction}"\\} [1-9]`, 'm'));
        }
      }
      t.match(text, /^poker_bus_breaks_total\{reason="gap"\} 0$/m);
      t.match(text, /^poker_bus_dropped_total\{reason="unreadable"\} 0$/m);
    }
  });

  await t.test('sockets of an address are counted over both nodes, by the address that the proxy saw', async (t) => {
    const headers = { 'x-forwarded-for': '192.0.2.7' };
    const account = await front.register('bob');
    let opened = 0;
    const refused = await eventually('a refusal', async () => {
      const node = opened % 2 === 0 ? leader : front;
      try {
        const { ws } = await Player.open(node, account, { headers });
        opened++;
        ws.close();
        return null;
      } catch (error) {
        return (error as Error).message;
      }
    });
    t.match(refused, /429/);
    t.equal(opened, 50);
    await t.rejects(Player.open(leader, account, { headers }), { message: /429/ });
    await t.rejects(Player.open(front, account, { headers }), { message: /429/ });
    await Player.open(front, account, { headers: { 'x-forwarded-for': '192.0.2.8' } });
  });
});

await t.test('Redis dies: nothing is void, and all go on with it', { skip }, async (t) => {
  const { leader, front, redis } = await ForkedPlatform.startTwo(t, BUSY);
  const { crowds, truths } = await crowdsOn([leader, front], 6);
  await Promise.all(crowds.map((crowd) => crowd.moreHands(40)));
  redis.process.kill('SIGKILL');
  for (const node of [leader, front]) {
    await eventually('a node that is not ready', async () => (await node.api('GET', '/health/ready')).status === 503);
    t.match(await node.api('GET', '/health/live'), { status: 200 });
  }
  t.match(await front.api('GET', '/api/season'), { status: 503 }, 'what the leader would answer');
  t.match(await leader.api('GET', '/api/season/current'), { status: 200 }, 'who leads answers by itself');
  const stay = staying(crowds);

  await redis.again();
  await Promise.all([leader, front].map((node) => node.ready()));
  await Promise.all(crowds.map((crowd) => crowd.moreHands(40)));
  const codes = new Set((await stay.end()).flat());
  t.same([...codes].filter((code) => code !== 1013), [], 'who lacks frames comes back, and resyncs'); // prettier-ignore
  for (const truth of truths) t.same([...(await truth.cutOff()).values()], [], `no hand is void (SEED=${SEED})`);
  for (const node of [leader, front]) node.terminate();
  for (const node of [leader, front]) t.same(await node.ended, { code: 0, signal: null });
  await Promise.all(crowds.map((crowd) => crowd.closed()));
  for (const truth of truths) {
    t.same([...(await truth.settle()).values()], [], 'nor one of those that were in play at the end');
    t.same(await truth.check({ records: true }), [], `every chip is there (SEED=${SEED})`);
  }
  t.same(crowds.flatMap((crowd) => crowd.faults()), []); // prettier-ignore
});

await t.test('a node dies, whichever: all seats are reclaimed, every chip is there', { skip }, async (t) => {
  const { leader, front } = await ForkedPlatform.startTwo(t, { ...BUSY, ADMIN_KEY });
  const { crowds, truths } = await crowdsOn([leader, front], 6);
  /** `most`: hands of a table that may be void since the last check. */
  const check = async (t: Test, most = 1) => {
    for (const truth of truths) {
      const counts = [...(await truth.cutOff()).values()].map(({ length }) => length);
      t.same(counts.filter((count) => count > most), [], `${counts.length} tables with a void hand`); // prettier-ignore
      t.same(await truth.check({ records: true }), [], `all that was sent is stored (SEED=${SEED})`);
    }
    t.same(crowds.flatMap((crowd) => crowd.faults()), []); // prettier-ignore
  };
  const leads = async (node: ForkedPlatform) => {
    await eventually('a node that leads', async () => (await roleOf(node)) === 'leader');
    await node.ready();
  };
  /** Whose node lives plays on over the same sockets, whoever leads. */
  const goesOn = async (t: Test, crowd: Crowd, players: readonly Player[]) => {
    await crowd.moreHands(20);
    // But of who lost its stack, or left, in the hand right before, of which the word was lost with its table's node.
    const stays = ({ player }: Guest, n: number) => player === players[n] && !player.isClosed;
    const ended = crowd.guests.filter((guest, n) => !stays(guest, n) && players[n]?.wasUntold !== true);
    t.same(ended.map(({ account, diary }) => `${account.name}: ${diary.toString()}`), [], 'no socket was closed'); // prettier-ignore
  };
  const playersOf = (crowd: Crowd) => crowd.guests.map(({ player }) => player);

  await t.test('kill -9 of the node that leads: the other one leads, and its sockets stay open', async (t) => {
    await Promise.all(crowds.map((crowd) => crowd.moreHands(40)));
    const players = playersOf(crowds[1]!);
    const killed = performance.now();
    await leader.kill();
    t.same(new Set(await crowds[0]!.closed()), new Set([1006]));
    await leads(front);
    t.comment(`the other node leads after ${Math.round(performance.now() - killed)} ms`);
    await goesOn(t, crowds[1]!, players);
    await leader.launch();
    await leader.ready();
    t.equal(await roleOf(leader), 'front', 'the one that comes back follows');
    await crowds[0]!.connect();
    await Promise.all(crowds.map((crowd) => crowd.moreHands(40)));
    await check(t);
  });

  await t.test('kill -9 of the other: its sockets come back anywhere, the others stay', async (t) => {
    const players = playersOf(crowds[1]!);
    await leader.kill();
    await crowds[0]!.closed();
    await goesOn(t, crowds[1]!, players);
    await leader.launch();
    await leader.ready();
    await crowds[0]!.connect();
    await Promise.all(crowds.map((crowd) => crowd.moreHands(20)));
    await check(t);
  });

  await t.test('SIGTERM of the node that leads: its hands are finished, the other one leads', async (t) => {
    const players = playersOf(crowds[0]!);
    front.terminate();
    t.same(await front.ended, { code: 0, signal: null });
    t.same(new Set(await crowds[1]!.closed()), new Set([1012]));
    await leads(leader);
    await goesOn(t, crowds[0]!, players);
    await front.launch();
    await front.ready();
    await crowds[1]!.connect();
    await Promise.all(crowds.map((crowd) => crowd.moreHands(20)));
    await check(t, 0);
  });

  await t.test('a node that froze for longer than a lease closes its sockets and goes on', async (t) => {
    const { pid } = front;
    process.kill(pid, 'SIGSTOP');
    await sleep(8000);
    process.kill(pid, 'SIGCONT');
    const codes = new Set(await crowds[1]!.closed());
    t.ok(
      [...codes].every((code) => code === 1012 || code === 1013),
      `closed with ${[...codes].join()}`,
    );
    await front.ready();
    await crowds[1]!.connect();
    await Promise.all(crowds.map((crowd) => crowd.moreHands(20)));
    await check(t);
  });

  await t.test(
    'nodes that the operator drains leave as after SIGTERM: one that holds sockets, then the leader',
    async (t) => {
      const admin = (...words: string[]) => adminJson(leader.env['DATABASE_URL'] as string, ...words);
      const drained = async (leads: boolean) => {
        const { nodes } = (await admin('nodes', 'list')).data as { nodes: { node_id: string; leads: boolean }[] };
        const [node, another] = nodes.filter((each) => each.leads === leads);
        t.equal(another, undefined);
        t.match(await admin('drain', node!.node_id.slice(0, 8)), { code: 0, data: { changed: true } });
      };
      t.match(await admin('drain', 'no-such-node'), { code: 1, data: { error: 'there is no node no-such-node' } });
      await drained(false);
      const players = playersOf(crowds[0]!);
      t.same(await front.ended, { code: 0, signal: null });
      t.same(new Set(await crowds[1]!.closed()), new Set([1012]));
      await goesOn(t, crowds[0]!, players);
      await front.launch();
      await front.ready();
      await crowds[1]!.connect();
      await Promise.all(crowds.map((crowd) => crowd.moreHands(20)));

      await drained(true);
      const others = playersOf(crowds[1]!);
      t.same(await leader.ended, { code: 0, signal: null });
      t.same(new Set(await crowds[0]!.closed()), new Set([1012]));
      await leads(front);
      await goesOn(t, crowds[1]!, others);
      await leader.launch();
      await leader.ready();
      await crowds[0]!.connect();
      await Promise.all(crowds.map((crowd) => crowd.moreHands(20)));
      await check(t, 0);
    },
  );
});
