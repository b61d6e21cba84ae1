/**
 * Tables on a node that does not lead: they outlive breaks of the links between the nodes, those who play there by sockets
 * of its own notice nothing of it, and when their node dies, freezes or stops they play on elsewhere: at most the hand in
 * play is void, and all seats are kept. What players read there is in the *-lent tests beside this one.
 */
import t, { type Test } from 'tap';
import { audit } from '../../../src/admin/audit/index.js';
import { stopCluster } from '../../support/database.js';
import { eventually, FILE_MS } from '../../support/limits.js';
import { ForkedPlatform } from '../../support/forked-platform.js';
import { withoutRedis } from '../../support/redis.js';
import { Player } from '../../support/player.js';
import { calling, passive, scenesOf, type Game } from '../../support/scene.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);
const skip = withoutRedis;

const ADMIN_KEY = 'an-admin-key-of-tests';
const SETTINGS = { BETWEEN_HANDS_MS: 200, ADMIN_KEY };

/** The leader has no shards, and the front all of them; a third node has those that the front loses. */
const { leader, front, gate } = skip === false ? await ForkedPlatform.startLent(t, SETTINGS) : ({} as never);
const third = skip === false ? await thirdNode() : ({} as never);

async function thirdNode(): Promise<ForkedPlatform> {
  const url = String(leader.env['DATABASE_URL']);
  return ForkedPlatform.prepare(t, { ...leader.env, NODE_SHARDS: 1, DRAIN_MS: 500 }, { url });
}

const shardOf = async (tableId: string): Promise<number> => {
  const [row] = await leader.sql!<{ shard_no: number }[]>`select shard_no from tables where table_id = ${tableId}`;
  return row!.shard_no;
};

const isStored = async (handId: string) => (await leader.sql!`select from hands where hand_id = ${handId}`).length > 0;

/** All that there are play. */
const whole = (count: number) => [
  new RegExp(`^poker_shards_borrowed ${count}$`, 'm'),
  /^poker_shards_borrowed_down 0$/m,
];

/** Resolves once all of these are on the node's /metrics. */
const tells = (node: ForkedPlatform, ...lines: readonly RegExp[]) =>
  eventually(`${lines.join()} on /metrics`, async () => {
    const text = await metricsOf(node);
    return lines.every((line) => line.test(text));
  });
const metricsOf = async (node: ForkedPlatform) => {
  const answer = await fetch(`${node.url}/metrics`, { headers: { authorization: `Bearer ${ADMIN_KEY}` } });
  return answer.text();
};

/** Everybody at the table is shown it as it was before the hand, on another shard; then the next hand is played. */
async function playsElsewhere(t: Test, game: Game, voided: string, from: number): Promise<void> {
  await eventually('the table elsewhere', async () => (await shardOf(game.tableId)) !== from);
  // That turn was of a hand that is void.
  for (const player of game.players) if (player.turn?.hand_id === voided) player.turn = null;
  const { hand_id } = await game.finish(calling);
  t.not(hand_id, voided);
  t.equal(await isStored(voided), false, 'the hand in play is void');
  for (const player of game.players) {
    t.equal(player.isClosed, false);
    t.type(player.seat, 'number', 'with its seat');
  }
  t.same((await audit(leader.sql!)).problems, []);
}

/** The third node has a shard, while the front has a fault; then the front has one again, and the third gives its back. */
async function withThird(run: () => Promise<void>): Promise<void> {
  await third.launch();
  await third.ready();
  await run();
  await front.ready();
  third.terminate();
  await third.ended;
  await tells(leader, ...whole(1));
}

await t.test('shards of another node', { skip }, async (t) => {
  const scene = scenesOf(t, leader);
  const there = scenesOf(t, front);

  await scene('what it counts is on the metrics of its node', async (t, scene) => {
    const game = await scene.game(2);
    const shard = await shardOf(game.tableId);
    await game.finish(calling);
    await tells(
      front,
      ...[
        `poker_shard_hands_total{shard="${shard}"} [1-9]`,
        `poker_shard_committed_hands_total{shard="${shard}"} [1-9]`,
        `poker_commit_seconds_count{shard="${shard}"} [1-9]`,
        `poker_action_seconds_count{shard="${shard}"} [1-9]`,
        `poker_shard_tables{shard="${shard}"} [1-9]`,
        `poker_event_loop_delay_seconds{thread="shard-${shard}",stat="p99"} `,
      ].map((line) => new RegExp(`^${line}`, 'm')),
      ...[/^poker_shards_lent 1$/m, /^poker_shards_lent_paused 0$/m, /^poker_shards_lost_total 0$/m],
    );
    await tells(leader, /^poker_shards_lent 0$/m, ...whole(1));
    t.notMatch(await metricsOf(leader), `shard="${shard}"`, 'and not on those of the leader');
    t.notMatch(await metricsOf(front), 'poker_shards_borrowed');
  });

  await there('its node is cut off: who plays there by sockets of its own plays on', async (t, scene) => {
    const game = await scene.game(3);
    await game.finish(calling);
    await gate.cut();
    await tells(front, /^poker_shards_lent_paused 1$/m);
    for (let hands = 0; hands < 3; hands++) {
      const { hand_id } = await game.finish(calling);
      t.ok(await isStored(hand_id));
    }
    await gate.mend();
    await front.ready();
    await tells(front, /^poker_shards_lent_paused 0$/m, /^poker_shards_lost_total 0$/m);
    await game.finish(calling);
    for (const player of game.players) t.equal(player.isClosed, false);
    await tells(leader, ...whole(1));
  });

  await scene('…who plays there by another node waits, comes back, and goes on with the hand', async (t, scene) => {
    const game = await scene.game(3);
    const shard = await shardOf(game.tableId);
    const { hand_id } = (await game.actor()).turn!;
    await gate.cut();
    await tells(front, /^poker_shards_lent_paused 1$/m);
    await tells(leader, /^poker_shards_borrowed_down 1$/m);
    await gate.mend();
    for (const [seat, player] of game.players.entries()) {
      t.match(await player.closed, { code: 1013 }, 'it may lack something');
      const again = await Player.open(leader, player.account);
      scene.players.push(again);
      game.players[seat] = again;
      await again.next('table_state');
    }
    const result = await game.finish(calling);
    t.equal(result.hand_id, hand_id, 'the hand goes on');
    t.ok(await isStored(hand_id));
    t.equal(await shardOf(game.tableId), shard);
    await front.ready();
    await tells(front, /^poker_shards_lent_paused 0$/m, /^poker_shards_lost_total 0$/m);
    await tells(leader, ...whole(1));
  });

  await scene('its node dies: the table plays on elsewhere', async (t, scene) => {
    const game = await scene.game(3);
    const shard = await shardOf(game.tableId);
    const { hand_id } = (await game.actor()).turn!;
    await withThird(async () => {
      await front.kill();
      const killed = performance.now();
      await playsElsewhere(t, game, hand_id, shard);
      t.comment(`figure: ${Math.round(performance.now() - killed)} ms from the kill to the end of the next hand`);
      await front.launch();
    });
  });

  await scene(
    'its node stands still for longer than a lease: what it says and writes late changes nothing',
    async (t, scene) => {
      const game = await scene.game(2);
      const shard = await shardOf(game.tableId);
      const actor = await game.actor();
      const { hand_id } = actor.turn!;
      await withThird(async () => {
        front.terminate('SIGSTOP');
        actor.act('fold');
        await playsElsewhere(t, game, hand_id, shard);
        front.terminate('SIGCONT');
        await eventually('a new life', async () => /^poker_shards_lost_total 1$/m.test(await metricsOf(front)));
        await game.finish(passive);
      });
      await tells(front, /^poker_shards_lent 1$/m);
      t.same((await audit(leader.sql!)).problems, []);
    },
  );

  await scene('its node stops: the hand is finished, and no hand is void', async (t, scene) => {
    const game = await scene.game(2);
    const shard = await shardOf(game.tableId);
    const { hand_id } = (await game.actor()).turn!;
    await withThird(async () => {
      front.terminate();
      const result = await game.finish(calling);
      t.equal(result.hand_id, hand_id);
      t.ok(await isStored(hand_id));
      t.same(await front.ended, { code: 0, signal: null });
      await eventually('the table elsewhere', async () => (await shardOf(game.tableId)) !== shard);
      await game.finish(calling);
      await front.launch();
    });
  });

  await there('the leader stops: another leads, and nobody at the table notices', async (t, scene) => {
    const game = await scene.game(2);
    const shard = await shardOf(game.tableId);
    const { hand_id } = (await game.actor()).turn!;
    leader.terminate();
    t.same(await leader.ended, { code: 0, signal: null });
    const result = await game.finish(calling);
    t.equal(result.hand_id, hand_id);
    t.ok(await isStored(hand_id));
    await front.ready();
    await game.finish(calling);
    t.equal(await shardOf(game.tableId), shard, 'on the same shard');
    for (const player of game.players) t.equal(player.isClosed, false);
  });
});
