/** Pairs are counted with analytics, each hand once for each of two; the operator is told who plays how against whom. */
import { randomUUID } from 'node:crypto';
import type { Static } from 'typebox';
import t, { type Test } from 'tap';
import { createAnalytics } from '../../src/analytics/index.js';
import { Keeper } from '../../src/analytics/keeper.js';
import { sharedSignals } from '../../src/analytics/pairs/signals.js';
import { seededRandom } from '../../src/cards/shuffle.js';
import { CELLS, unpackCells } from '../../src/collusion/cells.js';
import { addSums, noSums, PairReader, type PairSums } from '../../src/collusion/pair-hand.js';
import { cardNames } from '../../src/history/index.js';
import { Hand } from '../../src/holdem/hand.js';
import { HttpError } from '../../src/protocol/rest/errors.js';
import type { CollusionHands, OperatorCollusion } from '../../src/protocol/rest/operator/index.js';
import { commitHands } from '../../src/shard/commit/queries.js';
import type { Database } from '../../src/store/database.js';
import type { HandRecord } from '../../src/table/effects.js';
import { freshDatabase, openPool, silent, stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { openRandomTables } from '../support/random-table.js';
import { recordAnswer } from '../support/recorder.js';
import { SEED } from '../support/seed.js';
import { wildPlay } from '../support/wild-hands.js';
import { stopParts } from '../support/parts.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);
t.comment(`SEED=${SEED}`);

type Told = Static<typeof OperatorCollusion>;
type ToldHands = Static<typeof CollusionHands>;

/** Six agents at a table of a season, who play until so few are left. */
async function openTable(t: Test) {
  const address = await freshDatabase(t);
  const sql = openPool(t, address, 4);
  const { fence, poolId, randomTables } = await openRandomTables(sql, { players: 6, chips: 5000, seed: SEED });
  const table = randomTables[0]!;
  const hands: HandRecord[] = [];
  const decide = wildPlay(seededRandom(SEED));
  const play = async (count: number) => {
    for (let n = 0; n < count && table.seated.filter(({ stack }) => stack > 0).length > 1; n++) {
      const record = table.play(decide);
      await commitHands(sql, fence, [record]);
      hands.push(record);
    }
  };
  const agents = table.seated.map(({ agentId }) => agentId).sort();
  return { address, sql, poolId, hands, play, agents };
}

/** Asks as the operator, without a server; every answer is held against its schema. */
function asking<B = Told>(
  t: Test,
  { sql, address, season }: { sql: Database; address: { url: string }; season: string | null },
  id = 'listCollusion',
) {
  const analytics = createAnalytics({
    sql,
    address,
    log: silent,
    refreshMs: 0,
    season: () => (season === null ? null : { seasonId: season }),
  });
  t.teardown(() => stopParts(analytics));
  const route = analytics.routes.find(({ spec }) => spec.id === id)!;
  const { signal } = new AbortController();
  return async (query = ''): Promise<{ status: number; body: B }> => {
    const asked = { params: {}, query, body: '', agent: null, ip: '127.0.0.1', headers: {}, signal };
    const { status, body } = await route.run(asked).catch((error: unknown) => {
      if (error instanceof HttpError) return { status: error.status, body: JSON.stringify({ detail: error.detail }) };
      throw error;
    });
    recordAnswer(route.spec, status, JSON.parse(body));
    return { status, body: JSON.parse(body) as B };
  };
}

const sumOf = (counts: Iterable<number>) => [...counts].reduce((sum, count) => sum + count, 0);

await t.test(
  'each hand counts once for each two, whoever counts it; and who is counted anew begins anew',
  async (t) => {
    const { sql, poolId, hands, play, agents } = await openTable(t);
    const holds = async (what: string) => {
      const reader = new PairReader(new Hand());
      const expected = new Map<string, PairSums>();
      const add = (key: string, more: PairSums) => {
        const sums = expected.get(key) ?? noSums();
        expected.set(key, sums);
        addSums(sums, more);
      };
      for (const pair of hands.flatMap((hand) => reader.read(hand))) {
        add(`${pair.agentId} ${pair.otherId}`, pair);
        add(`${pair.agentId} ${pair.agentId}`, pair);
      }
      const rows = await sql<(Omit<PairSums, 'cells'> & { agentId: string; otherId: string; cells: Buffer })[]>`
      select agent_id as "agentId", other_id as "otherId", hands, duels, lost, flow, flow_squares as "flowSquares",
        stacks, cells from pair_play where pool_id = ${poolId}`;
      t.equal(rows.length, 36, `${what}: each against each, and each alone`);
      for (const { agentId, otherId, cells: bytes, ...row } of rows) {
        const { cells, ...sums } = expected.get(`${agentId} ${otherId}`)!;
        t.match(row, { hands: sums.hands, duels: sums.duels, lost: sums.lost, stacks: sums.stacks }, what);
        t.ok(Math.abs(row.flow - sums.flow) + Math.abs(row.flowSquares - sums.flowSquares) < 1e-6, what);
        const all = unpackCells(bytes);
        t.same(
          new Map([...all].filter(([cell]) => cell < CELLS)),
          new Map([...cells].sort(([a], [b]) => a - b)),
          `${what}: cells`,
        );
        if (agentId !== otherId) continue;
        const decisions = hands.flatMap(({ actions, players }) => {
          const seat = players.find((player) => player.agentId === agentId)?.seat;
          return actions.filter((action) => action.seat === seat && !action.timeout);
        });
        t.equal(sumOf([...all].flatMap(([cell, count]) => (cell < CELLS ? [] : [count]))), decisions.length, 'times');
      }
    };
    await play(20);
    const keepers = [new Keeper(sql), new Keeper(sql)];
    await Promise.all([keepers[0]!.round(Infinity), ...agents.map((id, i) => keepers[1]!.advance(poolId, id, 3 + i))]);
    await keepers[0]!.round(Infinity);
    await holds('two at once');
    await play(10);
    await keepers[1]!.round(Infinity);
    await holds('more hands');
    // A hand below the watermark that was never counted: the agent is counted anew.
    await sql`update analytics set hands = hands - 1 where agent_id = ${agents[0]!}`;
    for (let round = 0; round < 3; round++) await keepers[0]!.round(Infinity);
    await holds('anew');
  },
);

await t.test('the operator reads who plays how against whom, and what they share', async (t) => {
  const { address, sql, poolId, hands, play, agents } = await openTable(t);
  const ask = asking(t, { address, sql, season: poolId });
  const [ann, bob] = agents as [string, string];
  await sql`
    update agents set registered_ip = '203.0.113.7', email = name || '@' || case when agent_id = ${ann} or agent_id = ${bob}
      then 'bots.example' else 'gmail.com' end,
      wallet_address = case when agent_id = ${ann} or agent_id = ${bob} then '0xAB' else agent_id::text end`;
  await sql`update agents set banned_at = now() where agent_id = ${bob}`;
  await play(150);
  // The route counts for a second at most, which a busy machine may need for less.
  await new Keeper(sql).round(Infinity);
  const { body } = await ask('score=-100&limit=200');
  t.match(body, { pool_id: poolId, pairs_met: 15, pairs_judged: 15, matching: 15, honest_share: 0.05, offset: 0 });
  const [pair] = body.pairs.filter(({ first, second }) => first.agent_id === ann && second.agent_id === bob);
  t.match(pair, {
    second: { banned: true },
    shared: {
      same_mailbox: false,
      mail_domain: 'bots.example',
      same_address: true,
      same_network: true,
      same_wallet: true,
    },
  });
  const together = hands.filter(({ players }) =>
    [ann, bob].every((id) => players.some(({ agentId }) => agentId === id)),
  );
  t.equal(pair!.hands, together.length);
  const others = body.pairs.filter(({ first, second }) => first.agent_id !== ann && second.agent_id !== bob);
  t.ok(others.every(({ shared }) => shared.mail_domain === null && !shared.same_wallet));
  t.ok(body.pairs.every(({ false_alarm_rate: rate, score }) => rate === Math.min(1, 10 ** -score)));
  t.same(
    body.pairs.map(({ score }) => score),
    body.pairs.map(({ score }) => score).sort((a, b) => b - a),
    'the most suspicious first',
  );
  const stacks = sumOf(body.takers.map(({ stacks_taken: taken }) => taken));
  t.equal(stacks, hands.flatMap(({ players }) => players).filter(({ stackEnd }) => stackEnd === 0).length);
  t.ok(stacks > 0, 'somebody took a stack');

  const page = (await ask('score=-100&limit=4&offset=12')).body;
  t.same(page.pairs, body.pairs.slice(12, 16), 'page by page');
  t.same((await ask(`score=-100&hands=${together.length + 1000}`)).body.matching, 0);
  t.same((await ask(`pool_id=${randomUUID()}`)).body.pairs, [], 'a pool in which nobody played');
  const closed = asking(t, { address, sql, season: null });
  t.match(await closed(), { status: 404 });
  t.match(await closed(`score=-100&pool_id=${poolId}`), { status: 200, body: { matching: 15 } });
  for (const wrong of ['limit=201', 'pool_id=x', 'hands=-1', 'score=high'])
    t.equal((await ask(wrong)).status, 422, wrong);
});

await t.test('what owners share: public providers and other networks are none', (t) => {
  const agent = (email: string, registeredIp: string | null, wallets: string[] = []) => ({
    agentId: 'a',
    name: 'a',
    banned: false,
    email,
    registeredIp,
    wallets,
  });
  const none = { same_mailbox: false, mail_domain: null, same_address: false, same_network: false, same_wallet: false };
  const shared = (a: Parameters<typeof agent>, b: Parameters<typeof agent>) => sharedSignals(agent(...a), agent(...b));
  t.same(shared(['a@gmail.com', null], ['b@GMAIL.com', null]), none);
  t.match(shared(['a+1@x.org', null], ['A+2@x.org', null]), { same_mailbox: true, mail_domain: 'x.org' });
  t.match(shared(['a@x.org', '203.0.113.7'], ['b@y.org', '203.0.113.9']), { same_address: false, same_network: true });
  t.match(shared(['a@x.org', '203.0.113.7'], ['b@y.org', '203.0.114.7']), none);
  t.match(shared(['a@x.org', '127.0.7.1'], ['b@y.org', '127.0.7.20']), { same_address: false, same_network: true });
  t.match(shared(['a@x.org', '2001:db8:1:2::1'], ['b@y.org', '2001:db8:1:2:9::']), { same_address: true });
  t.match(shared(['a@x.org', '2001:db8:1:2::1'], ['b@y.org', '2001:db8:1:3::1']), {
    same_address: false,
    same_network: true,
  });
  t.match(shared(['a@x.org', '2001:db8:1::1'], ['b@y.org', '2001:db8:2::1']), none);
  t.match(shared(['a@x.org', null, ['0x1', '0x2']], ['b@y.org', null, ['0x2']]), { same_wallet: true });
  t.end();
});

await t.test('the hands of a pair are those that it played to the end alone, the largest exchange first', async (t) => {
  const { sql, address, poolId, hands, play, agents } = await openTable(t);
  await play(150);
  const ask = asking<ToldHands>(t, { sql, address, season: poolId }, 'listCollusionHands');
  const reader = new PairReader(new Hand());
  const alone = hands.flatMap((hand) => reader.read(hand)).find(({ duels }) => duels > 0)!;
  for (const [first, second] of [
    [alone.agentId, alone.otherId],
    [alone.otherId, alone.agentId],
    [agents[4]!, agents[2]!],
  ] as const) {
    const expected = hands.flatMap((hand) => {
      const towards = reader.read(hand);
      const lost = (one: string, other: string) =>
        towards.find(({ agentId, otherId }) => agentId === one && otherId === other)!;
      const both = [first, second].every((id) => hand.players.some(({ agentId }) => agentId === id));
      if (!both || lost(first, second).duels === 0) return [];
      return [{ hand, chips: lost(first, second).lost - lost(second, first).lost }];
    });
    const { status, body } = await ask(`first=${first}&second=${second.toUpperCase()}`);
    t.equal(status, 200);
    t.equal(body.duels, expected.length);
    const [row] = await sql`select name from agents where agent_id = ${second}`;
    t.equal(body.second_name, row!['name']);
    t.same(
      body.hands.map(({ hand_id, chips }) => [hand_id, chips]).sort(),
      expected.map(({ hand, chips }) => [hand.handId, chips]).sort(),
    );
    const sizes = body.hands.map(({ chips }) => Math.abs(chips));
    t.same(
      sizes,
      sizes.toSorted((a, b) => b - a),
    );
    for (const told of body.hands) {
      const { hand } = expected.find(({ hand: each }) => each.handId === told.hand_id)!;
      for (const [id, side] of [
        [first, told.first],
        [second, told.second],
      ] as const) {
        const player = hand.players.find(({ agentId }) => agentId === id)!;
        t.match(side, { seat: player.seat, profit: player.stackEnd - player.stackStart, shown: player.shown });
        t.same(side.hole_cards, cardNames(player.hole), 'folded cards, too');
      }
    }
    t.ok(body.hands.length > 0 || first === agents[4], 'the two were left alone');
  }
  const nobody = randomUUID();
  t.match(await ask(`first=${nobody}&second=${agents[0]!}`), { body: { looked_through: 0, duels: 0, hands: [] } });
  t.match(await asking(t, { sql, address, season: null }, 'listCollusionHands')(`first=${nobody}&second=${nobody}`), {
    status: 404,
  });
});
