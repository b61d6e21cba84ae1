/** Standings of competitions, held against a plain reckoning of the same. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { NO_ESTIMATES } from '../../src/analytics/index.js';
import { Keeper } from '../../src/analytics/keeper.js';
import { seededRandom, uniformBelow } from '../../src/cards/shuffle.js';
import { compareHands, DuplicateScores } from '../../src/competitions/results/duplicate.js';
import { freezeStandings, standingOf, standings } from '../../src/competitions/results/standings.js';
import { transaction, type Database } from '../../src/store/database.js';
import { decodeRecord, encodeRecord } from '../../src/table/record/record-codec.js';
import { addCompetition, addParticipants } from '../support/competition-rows.js';
import { freshPool, stopCluster } from '../support/database.js';
import { addAgents } from '../support/random-table.js';
import { statistics } from '../support/hand-statistics.js';
import { FILE_MS } from '../support/limits.js';
import { CHIPS, compared, near, openCompetition, profitsOf, sum } from '../support/scored-competition.js';
import { SEED } from '../support/seed.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);
t.comment(`SEED=${SEED}`);

await t.test('scores are what the hands say, beside what luck has not done', async (t) => {
  const { sql, poolId, agents, hands, play } = await openCompetition(t, { rebuy_score_penalty: 700 });
  t.same(await standings(sql, poolId).then(({ rows }) => rows.map(({ estimates }) => estimates)), [
    ...agents.map(() => NO_ESTIMATES),
  ]);
  await play(40);
  await new Keeper(sql).round(60_000);
  const [rebuyer] = agents;
  await sql`update entries set rebuys = 2 where pool_id = ${poolId} and agent_id = ${rebuyer!}`;

  const { rows, total, ranked } = await standings(sql, poolId);
  t.same([total, ranked], [8, 8]);
  for (const row of rows) {
    const profits = profitsOf(hands, row.agent_id);
    const rebuys = row.agent_id === rebuyer ? 2 : 0;
    t.match(row, {
      score: CHIPS + sum(profits) - 700 * rebuys,
      rebuys,
      rebuy_penalty: 700 * rebuys,
      state: 'enrolled',
      hands_played: profits.length,
      hands_won: profits.filter((profit) => profit > 0).length,
    });
    t.equal(row.chip_balance + row.chips_at_table - row.rebuy_penalty, row.score);
    const told = statistics(hands, row.agent_id);
    t.ok(near(row.estimates.bb_per_100, told.bb_per_100), 'bb/100');
    t.ok(near(row.estimates.bb_per_100_all_in_adjusted, told.bb_per_100_all_in_adjusted), 'all-in-adjusted');
    const [ours, theirs] = [row.estimates, told].map((each) => each.bb_per_100_all_in_adjusted_ci95 ?? [null, null]);
    t.ok(
      [0, 1].every((end) => near(ours![end]!, theirs![end]!)),
      'and its interval',
    );
    t.same(await standingOf(sql, poolId, row.agent_id), row);
  }
  t.equal(await standingOf(sql, poolId, randomUUID()), undefined);
});

interface Part {
  balance: number;
  inPlay: number;
  rebuys: number;
  hands: number;
  state: 'enrolled' | 'withdrawn' | 'removed' | 'disqualified';
}
const MINIMUM = 3;
const PENALTY = 2;

/** The order by the book: who comes before whom, and who has a rank. */
function byTheBook(parts: readonly Part[]) {
  const score = ({ balance, inPlay, rebuys }: Part) => balance + inPlay - PENALTY * rebuys;
  const group = ({ state, hands }: Part) => (state === 'disqualified' ? 2 : hands < MINIMUM ? 1 : 0);
  const listed = parts
    .map((part, n) => ({ ...part, n, score: score(part), group: group(part) }))
    .filter(({ state }) => state === 'enrolled' || state === 'disqualified');
  // If two are equal in all, the earlier acceptance has the lower number.
  listed.sort(
    (a, b) => a.group - b.group || b.score - a.score || b.hands - a.hands || a.rebuys - b.rebuys || a.n - b.n,
  );
  return listed.map(({ n, score, group }, place) => ({ n, score, rank: group === 0 ? place + 1 : null }));
}

await t.test('the order: score, more hands, fewer rebuys, the earlier acceptance', async (t) => {
  const sql = await freshPool(t);
  // Few values, so that there are ties of every kind.
  const few = (max: number) => fc.integer({ min: 0, max });
  const part: fc.Arbitrary<Part> = fc.record({
    balance: few(6),
    inPlay: few(2),
    rebuys: few(3),
    hands: fc.integer({ min: 1, max: 5 }),
    state: fc.constantFrom('enrolled', 'enrolled', 'enrolled', 'withdrawn', 'removed', 'disqualified'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 30 }), async (parts) => {
      const poolId = randomUUID();
      await sql`select create_pool(${poolId}, 'competition')`;
      const agents = await addAgents(sql, poolId, parts.length);
      await addCompetition(sql, agents[0]!, {
        poolId,
        state: 'active',
        minimum_hands: MINIMUM,
        rebuy_score_penalty: PENALTY,
      });
      await addParticipants(
        sql,
        poolId,
        parts.map(({ state }, n) => ({ agentId: agents[n]!, state })),
      );
      await enter(sql, poolId, agents, parts);
      const expected = byTheBook(parts);
      const shown = (rows: readonly { agent_id: string; score: number; rank: number | null }[]) =>
        rows.map(({ agent_id, score, rank }) => ({ n: agents.indexOf(agent_id), score, rank }));
      const all = await standings(sql, poolId);
      const paged = [];
      for (let offset = 0; offset < parts.length; offset += 7) {
        paged.push(...(await standings(sql, poolId, { limit: 7, offset })).rows);
      }
      const ranked = expected.filter(({ rank }) => rank !== null).length;
      const counted = all.total === expected.length && all.ranked === ranked;
      // Taken down, and read again when the chips say something else.
      await transaction(sql, (tx) => freezeStandings(tx, poolId));
      await sql`update competitions set state = 'results_pending' where competition_id = ${poolId}`;
      await sql`update entries set chip_balance = 0 where pool_id = ${poolId}`;
      const frozen = await standings(sql, poolId);
      const same = [all.rows, paged, frozen.rows].every(
        (rows) => JSON.stringify(shown(rows)) === JSON.stringify(expected),
      );
      if (!same || !counted)
        throw new Error(JSON.stringify({ expected, all: shown(all.rows), frozen: shown(frozen.rows) }));
    }),
    { numRuns: 20, seed: SEED },
  );
  t.pass();
});

/** Entries as in the middle of play, without the play. */
async function enter(sql: Database, poolId: string, agents: readonly string[], parts: readonly Part[]): Promise<void> {
  const tables = agents.map(() => randomUUID());
  await sql`
    insert into tables (table_id, pool_id, shard_no, seq_reserved)
    select id, ${poolId}, 0, 1 from unnest(${tables}::uuid[]) id`;
  await sql`
    update entries e set chip_balance = p.balance, chips_at_table = p.in_play, rebuys = p.rebuys, hands_played = p.hands,
      table_id = p.table_id, seat_no = 0, sitting = p.table_id
    from unnest(${agents as string[]}::uuid[], ${tables}::uuid[], ${parts.map(({ balance }) => balance)}::bigint[],
      ${parts.map(({ inPlay }) => inPlay)}::bigint[], ${parts.map(({ rebuys }) => rebuys)}::integer[],
      ${parts.map(({ hands }) => hands)}::integer[]) as p (agent_id, table_id, balance, in_play, rebuys, hands)
    where e.pool_id = ${poolId} and e.agent_id = p.agent_id`;
}

await t.test('who is disqualified before the end is final has no rank, and the others move up', async (t) => {
  const { sql, poolId, play } = await openCompetition(t, { tables: 1 });
  await play(10);
  const freeze = () => transaction(sql, (tx) => freezeStandings(tx, poolId));
  await freeze();
  await sql`update competitions set state = 'results_pending' where competition_id = ${poolId}`;
  const before = (await standings(sql, poolId)).rows.map(({ agent_id }) => agent_id);
  const disqualify = (agentId: string) =>
    sql`update competition_participants set state = 'disqualified' where agent_id = ${agentId}`;
  await disqualify(before[0]!);
  await freeze();
  const { rows, total, ranked } = await standings(sql, poolId);
  t.same([total, ranked], [4, 3]);
  t.same(
    rows.map(({ agent_id, rank, state }) => [before.indexOf(agent_id), rank, state]),
    [
      [1, 1, 'enrolled'],
      [2, 2, 'enrolled'],
      [3, 3, 'enrolled'],
      [0, null, 'disqualified'],
    ],
  );
});

await t.test('duplicate scores compare the same cards in the same place', async (t) => {
  const { sql, poolId, agents, hands, play } = await openCompetition(t, { tables: 3, players: 5, duplicate: true });
  t.same(await compareHands(sql, poolId, 20), new Map());
  // Beyond a pass, so that decks come again.
  await play(80, true);
  const scores = await compareHands(sql, poolId, 20);
  for (const agentId of agents) {
    const expected = compared(hands, agentId);
    const score = scores.get(agentId)!;
    t.equal(score.hands, expected.hands);
    t.ok(near(score.bb_per_100_duplicate, expected.bb_per_100), 'mean');
    t.ok(
      [0, 1].every((end) => near(score.bb_per_100_duplicate_ci95![end]!, expected.ci95[end]!)),
      'interval',
    );
  }
  t.ok(
    hands.some(({ handNumber }) => handNumber > 61),
    'decks came again',
  );

  const record = { competition_id: poolId, big_blind: 20, duplicate: true, state: 'active' } as const;
  const kept = new DuplicateScores(sql, 60_000);
  const [once, again] = await Promise.all([kept.of(record), kept.of(record)]);
  t.equal(once, again, 'those who ask at once wait for the same');
  t.equal(await kept.of(record), once, 'and it does for a while');
  t.equal(once.size, scores.size);
  for (const [agentId, score] of once) {
    const { hands: counted, bb_per_100_duplicate: mean } = scores.get(agentId)!;
    t.equal(score.hands, counted);
    // Sums of the same hands in another order differ by a rounding.
    t.ok(near(score.bb_per_100_duplicate, mean), 'the same score');
  }
  t.equal((await kept.of({ ...record, duplicate: false })).size, 0);
});

await t.test('the database finds the button in a record where the codec puts it', async (t) => {
  const sql = await freshPool(t);
  const { hands, play } = await openCompetition(t, { tables: 1, players: 6 });
  await play(3);
  const random = seededRandom(SEED);
  for (const handNumber of [1, 127, 128, 16_383, 16_384, 2_097_152, 2 ** 31 - 1]) {
    const button = uniformBelow(6, random);
    const record = encodeRecord({ ...hands[0]!, handNumber, button });
    t.equal(decodeRecord(record).button, button);
    t.same([...(await sql`select record_button(${record}) as button`)], [{ button }]);
  }
  const deal = { secret: 'ab'.repeat(32), nonces: [], undealt: null };
  const committed = encodeRecord({ ...hands[0]!, button: 4, deal });
  t.not(committed[0], encodeRecord(hands[0]!)[0], 'another version');
  t.same([...(await sql`select record_button(${committed}) as button`)], [{ button: 4 }]);
  await t.rejects(sql`select record_button(${Buffer.from([9, ...Buffer.alloc(60)])})`, /unknown version 9/);
});
