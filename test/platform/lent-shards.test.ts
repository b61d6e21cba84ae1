/**
 * Tables on the node that does not lead: they outlive breaks of the link between the nodes, and when their node dies,
 * freezes or stops they play on elsewhere: at most the hand in play is void, and all seats are kept. What players read
 * there is in the *-lent tests beside this one.
 */
import t, { type Test } from 'tap';
import { audit } from '../../src/admin/audit/index.js';
import { stopCluster } from '../support/database.js';
import { eventually, FILE_MS } from '../support/limits.js';
import { TestPlatform } from '../support/platform.js';
import { withoutRedis } from '../support/redis.js';
import { calling, passive, Scene, scenesOf, type Game } from '../support/scene.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);
const skip = withoutRedis;

const ADMIN_KEY = 'an-admin-key-of-tests';

const { leader, front, gate } =
  skip === false ? await TestPlatform.startLent(t, { BETWEEN_HANDS_MS: 200, ADMIN_KEY }) : ({} as never);

const shardOf = async (tableId: string): Promise<number> => {
  const [row] = await leader.sql!<{ shard_no: number }[]>`select shard_no from tables where table_id = ${tableId}`;
  return row!.shard_no;
};

const isStored = async (handId: string) => (await leader.sql!`select from hands where hand_id = ${handId}`).length > 0;

/** All that the leader has borrowed plays. */
const WHOLE = [/^poker_shards_borrowed 1$/m, /^poker_shards_borrowed_down 0$/m];

/** The front's process serves again, and lends a shard. */
const lends = async (count: number) => {
  await front.ready();
  await leader.lentTo(count);
};

/** Resolves once all of these are on the node's /metrics. */
const tells = (node: TestPlatform, ...lines: readonly RegExp[]) =>
  eventually(`${lines.join()} on /metrics`, async () => {
    const text = await metricsOf(node);
    return lines.every((line) => line.test(text));
  });
const metricsOf = async (node: TestPlatform) => {
  const answer = await fetch(`${node.url}/metrics`, { headers: { authorization: `Bearer ${ADMIN_KEY}` } });
  return answer.text();
};

/** Everybody at the table is shown it as it was before the hand, on another shard; then the next hand is played. */
async function playsElsewhere(t: Test, game: Game, voided: string, shard: number): Promise<void> {
  await eventually('the table elsewhere', async () => (await shardOf(game.tableId)) === shard);
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

await t.test('shards of another node', { skip }, async (t) => {
  const scene = scenesOf(t, leader);
  let lent = 1;

  await scene('what it counts is on the metrics of its node', async (t, scene) => {
    const game = await scene.game(2);
    t.equal(await shardOf(game.tableId), 1);
    await game.finish(calling);
    await tells(
      front,
      /^poker_shard_hands_total\{shard="1"\} [1-9]/m,
      /^poker_shard_committed_hands_total\{shard="1"\} [1-9]/m,
      /^poker_commit_seconds_count\{shard="1"\} [1-9]/m,
      /^poker_action_seconds_count\{shard="1"\} [1-9]/m,
      /^poker_shard_tables\{shard="1"\} [1-9]/m,
      /^poker_event_loop_delay_seconds\{thread="shard-1",stat="p99"\} /m,
      ...[/^poker_shards_lent 1$/m, /^poker_shards_lent_paused 0$/m, /^poker_shards_lost_total 0$/m],
    );
    await tells(leader, /^poker_shard_tables\{shard="0"\} /m, ...WHOLE);
    t.notMatch(await metricsOf(leader), 'shard="1"', 'and not on those of the leader');
    t.notMatch(await metricsOf(front), 'poker_shards_borrowed');
  });

  await scene(
    'the link breaks in the middle of a hand: nothing is lost, and its node tells that clocks stand still',
    async (t, scene) => {
      const game = await scene.game(3);
      t.equal(await shardOf(game.tableId), 1, 'on the node that does not lead');
      const actor = await game.actor();
      const { hand_id } = actor.turn!;
      await gate.cut();
      actor.act('call');
      await tells(front, /^poker_shards_lent 1$/m, /^poker_shards_lent_paused 1$/m);
      await tells(leader, /^poker_shards_borrowed 1$/m, /^poker_shards_borrowed_down 1$/m);
      await gate.mend();
      const result = await game.finish(calling);
      t.equal(result.hand_id, hand_id, 'the hand goes on');
      t.ok(await isStored(hand_id));
      t.equal(await shardOf(game.tableId), 1);
      await front.ready();
      await tells(front, /^poker_shards_lent_paused 0$/m, /^poker_shards_lost_total 0$/m);
      await tells(leader, ...WHOLE);
    },
  );

  await scene('its node dies: the table plays on at the leader', async (t, scene) => {
    const game = await scene.game(3);
    const actor = await game.actor();
    const { hand_id } = actor.turn!;
    await front.kill();
    const killed = performance.now();
    await playsElsewhere(t, game, hand_id, 0);
    t.comment(`figure: ${Math.round(performance.now() - killed)} ms from the kill to the end of the next hand`);
    await front.launch();
    await lends(++lent);
  });

  await scene(
    'its node stands still for longer than a lease: what it writes late changes nothing',
    async (t, scene) => {
      const game = await scene.game(2);
      const actor = await game.actor();
      const { hand_id } = actor.turn!;
      front.terminate('SIGSTOP');
      actor.act('fold');
      await playsElsewhere(t, game, hand_id, 0);
      front.terminate('SIGCONT');
      await lends(++lent);
      await game.finish(passive);
      await tells(front, /^poker_shards_lent 1$/m, /^poker_shards_lost_total 1$/m);
      await tells(leader, ...WHOLE);
      t.same((await audit(leader.sql!)).problems, []);
    },
  );

  await scene('its node stops: the hand is finished, and no hand is void', async (t, scene) => {
    const game = await scene.game(2);
    const actor = await game.actor();
    const { hand_id } = actor.turn!;
    front.terminate();
    const result = await game.finish(calling);
    t.equal(result.hand_id, hand_id);
    t.ok(await isStored(hand_id));
    t.same(await front.ended, { code: 0, signal: null });
    await eventually('the table elsewhere', async () => (await shardOf(game.tableId)) === 0);
    await game.finish(calling);
    await front.launch();
    await lends(++lent);
  });

  await t.test('the leader stops: hands are finished there, too', async (t) => {
    const game = await new Scene(leader).game(2);
    t.equal(await shardOf(game.tableId), 1);
    const { hand_id } = (await game.actor()).turn!;
    leader.terminate();
    const result = await game.finish(calling);
    t.equal(result.hand_id, hand_id);
    t.same(await leader.ended, { code: 0, signal: null });
    t.ok(await isStored(hand_id));
    await front.ready();
    t.equal(await shardOf(game.tableId), 0, 'the next leader opens it itself');
  });
});
