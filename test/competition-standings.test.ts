import { randomInt, randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { Keeper } from '../src/analytics/keeper.js';
import { duplicateSlot } from '../src/cards/duplicate.js';
import { seededRandom, uniformBelow } from '../src/cards/shuffle.js';
import { compareHands, DuplicateScores } from '../src/competitions/duplicate.js';
import { invitePages, SCRIPT } from '../src/competitions/invite-page.js';
import { resultRoutes } from '../src/competitions/result-routes.js';
import { freezeStandings, standingOf, standings } from '../src/competitions/standings.js';
import type { Page } from '../src/gateway/router.js';
import { Detail, HttpError } from '../src/protocol/rest/errors.js';
import { exampleOf } from '../src/protocol/example.js';
import { previewInvite } from '../src/protocol/rest/competition-people.js';
import { commitHands } from '../src/shard/queries.js';
import { transaction, type Database } from '../src/store/database.js';
import type { HandRecord } from '../src/table/api.js';
import { decodeRecord, encodeRecord } from '../src/table/record-codec.js';
import { addCompetition, addParticipants } from './support/competition-rows.js';
import { freshPool, stopCluster } from './support/database.js';
import { addAgents, openFloors } from './support/floor.js';
import { statistics } from './support/hand-statistics.js';
import { TestPlatform, type Account } from './support/platform.js';
import { Player } from './support/player.js';
import { asker } from './support/rest.js';
import { calling } from './support/scene.js';
import { wildPlay } from './support/wild-hands.js';

/** Standings of competitions, held against a plain reckoning of the same. */

t.setTimeout(120_000);
t.teardown(stopCluster);
const SEED = Number(process.env['SEED'] ?? randomInt(1_000_000_000));
t.comment(`SEED=${SEED}`);

const CHIPS = 5000;

/** A competition with tables on which hands are played. */
async function openCompetition(t: Test, { tables = 2, players = 4, ...rules }: Rules = {}) {
  const sql = await freshPool(t);
  const { fence, poolId, floors } = await openFloors(sql, { tables, players, chips: CHIPS, seed: SEED });
  const agents = floors.flatMap(({ seated }) => seated.map(({ agentId }) => agentId));
  await addCompetition(sql, agents[0]!, { poolId, state: 'active', ...rules });
  await addParticipants(
    sql,
    poolId,
    agents.map((agentId) => ({ agentId })),
  );
  const hands: HandRecord[] = [];
  const play = async (count: number, calm = false) => {
    const decide = calm ? undefined : wildPlay(seededRandom(SEED + hands.length));
    for (const floor of floors) {
      for (let n = 0; n < count && floor.seated.filter(({ stack }) => stack > 0).length > 1; n++) {
        const record = floor.play(decide);
        await commitHands(sql, fence, [record]);
        hands.push(record);
      }
    }
  };
  return { sql, poolId, agents, floors, hands, play };
}
type Rules = { tables?: number; players?: number } & Parameters<typeof addCompetition>[2];

const profitsOf = (hands: readonly HandRecord[], agentId: string) =>
  hands.flatMap(({ players }) =>
    players.filter((player) => player.agentId === agentId).map(({ stackStart, stackEnd }) => stackEnd - stackStart),
  );
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const near = (a: number | null, b: number | null) => a === b || Math.abs(a! - b!) < 1e-6 * (1 + Math.abs(b!));

await t.test('scores are what the hands say, beside what luck has not done', async (t) => {
  const { sql, poolId, agents, hands, play } = await openCompetition(t, { rebuy_score_penalty: 700 });
  t.same(await standings(sql, poolId).then(({ rows }) => rows.map(({ bb_per_100, ci95 }) => [bb_per_100, ci95])), [
    ...agents.map(() => [null, null]),
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
      ...{ score: CHIPS + sum(profits) - 700 * rebuys, rebuys, rebuy_penalty: 700 * rebuys, state: 'enrolled' },
      ...{ hands_played: profits.length, hands_won: profits.filter((profit) => profit > 0).length },
    });
    t.equal(row.chip_balance + row.chips_at_table - row.rebuy_penalty, row.score);
    const told = statistics(hands, row.agent_id);
    t.ok(near(row.bb_per_100, told.bb_per_100), 'bb/100');
    t.ok(near(row.all_in_adj_bb_per_100, told.all_in_adj_bb_per_100), 'all-in-adjusted');
    const [ours, theirs] = [row.ci95, told.all_in_adj_bb_per_100_ci95].map((ends) => ends ?? [null, null]);
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
  // Of two that are equal in all the one that accepted earlier has the lower number.
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
    ...{ balance: few(6), inPlay: few(2), rebuys: few(3), hands: fc.integer({ min: 1, max: 5 }) },
    state: fc.constantFrom('enrolled', 'enrolled', 'enrolled', 'withdrawn', 'removed', 'disqualified'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 30 }), async (parts) => {
      const poolId = randomUUID();
      await sql`select create_pool(${poolId}, 'competition')`;
      const agents = await addAgents(sql, poolId, parts.length);
      await addCompetition(sql, agents[0]!, {
        ...{ poolId, state: 'active', minimum_hands: MINIMUM, rebuy_score_penalty: PENALTY },
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

/** What entries look like in the middle of play, without the play. */
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

/** By the book: for each deck, number of players and place behind the button the mean of all who had it. */
function compared(hands: readonly HandRecord[], agentId: string) {
  const held = hands.flatMap(({ handNumber, button, bigBlind, players }) => {
    const clockwise = [...players].sort((a, b) => ((a.seat - button + 5) % 6) - ((b.seat - button + 5) % 6));
    return clockwise.map(({ agentId, stackStart, stackEnd }, place) => ({
      ...{ agentId, won: (stackEnd - stackStart) / bigBlind },
      cell: `${duplicateSlot(handNumber).deck} ${players.length} ${place}`,
    }));
  });
  const cells = new Map<string, typeof held>();
  for (const each of held) cells.set(each.cell, [...(cells.get(each.cell) ?? []), each]);
  const differences = held.flatMap(({ agentId: whose, won, cell }) => {
    const same = cells.get(cell)!;
    if (whose !== agentId || same.every((other) => other.agentId === agentId)) return [];
    return [won - sum(same.map((each) => each.won)) / same.length];
  });
  const mean = sum(differences) / differences.length;
  const variance = sum(differences.map((difference) => (difference - mean) ** 2)) / (differences.length - 1);
  const half = 196 * Math.sqrt(variance / differences.length);
  return { hands: differences.length, bb_per_100: 100 * mean, ci95: [100 * mean - half, 100 * mean + half] };
}

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
    t.ok(near(score.bb_per_100, expected.bb_per_100), 'mean');
    t.ok(
      [0, 1].every((end) => near(score.ci95![end]!, expected.ci95[end]!)),
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
  t.same(once, scores);
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

interface Line {
  rank: number | null;
  agent_id: string;
  name: string;
  score: number;
  hands_played: number;
  hands_won: number;
  bb_per_100: number | null;
  duplicate: { hands: number; bb_per_100: number } | null;
}

/** A whole platform with somebody to organize, somebody to look on, and bots. */
async function openHouse(t: Test) {
  const platform = await TestPlatform.start(t, { ANALYTICS_REFRESH_MS: 20 });
  const [organizer, stranger, ...bots] = await Promise.all(
    ['organizer', 'stranger', 'ada', 'bob', 'cyd', 'dan'].map((name) => platform.register(name)),
  );
  const api = async (method: string, path: string, { key }: Account, body?: unknown, headers = {}) => {
    const answer = await platform.api(method, path, { key, headers, ...(body === undefined ? {} : { body }) });
    return { ...answer, body: answer.body as Record<string, unknown> };
  };
  return { platform, sql: platform.sql!, api, organizer: organizer!, stranger: stranger!, bots };
}
type House = Awaited<ReturnType<typeof openHouse>>;

/** What a spreadsheet would run; and a name with every sign that a file must keep apart. */
const NAMES: Record<string, string> = { a: '=HYPERLINK("evil")', b: '-2+3, "quoted"', c: '@sum(a1)' };

/** A competition that has begun, with all bots in it. */
async function openCup(t: Test, { api, organizer, bots }: House, rules: object) {
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  const { body } = await api('POST', '/api/competitions', organizer, {
    ...{ name: 'Cup', organization_name: 'Ada Ltd', description: 'For friends', reward_description: 'Fame' },
    ...{ enrollment_deadline: inMinutes(10), starts_at: inMinutes(20), ends_at: inMinutes(60), ...rules },
  });
  const [id, slug] = [body['competition_id'] as string, body['slug'] as string];
  const at = (path: string) => `/api/competitions/${id}/${path}`;
  const step = (path: string) => api('POST', at(path), organizer);
  await step('open-enrollment');
  const link = await api('POST', at('invite-links'), organizer, { max_uses: 10 });
  const invite = { 'x-competition-invite-token': link.body['token'] as string };
  for (const bot of bots) {
    const display_name = NAMES[bot.name[0]!] ?? null;
    t.match(await api('POST', '/api/competition-invites/accept', bot, { display_name }, invite), { status: 200 });
  }
  t.match(await api('GET', at('leaderboard'), bots[0]!), { status: 200, body: { total: 4 } });
  await step('start');
  return { id, slug, at, step, invite };
}
type Cup = Awaited<ReturnType<typeof openCup>>;

/** The bots play on, calling everything; resolves after so many hands to what ends it. */
async function play({ platform, sql, bots }: House, { id, step }: Cup, hands: number): Promise<() => Promise<void>> {
  const results = new Set<string>();
  const played = new EventEmitter();
  const players = await Promise.all(
    bots.map((bot) =>
      Player.open(platform, bot, {
        competitionId: id,
        prepare: (player) => {
          player.auto = calling;
          player.onFrame = (frame) => {
            if (['connected', 'table_closed'].includes(frame.type)) player.send({ type: 'join_lobby' });
            if (frame.type === 'hand_result') played.emit('hand', results.add(frame.hand_id!).size);
          };
        },
      }),
    ),
  );
  while (results.size < hands) await once(played, 'hand');
  return async () => {
    for (const player of players) player.onFrame = null;
    await step('end');
    const closed = () => sql`select from competitions where competition_id = ${id} and state = 'results_pending'`;
    while ((await closed()).length === 0) await sleep(20);
    for (const player of players) player.ws.close();
    await Promise.all(players.map((player) => player.closed));
  };
}

/** The records of a CSV file (RFC 4180) by the names in its first line. */
function readCsv(text: string): Record<string, string>[] {
  const [head, ...rows] = text
    .trimEnd()
    .split('\n')
    .map((row) =>
      [...row.matchAll(/(?:"((?:[^"]|"")*)"|([^,]*))(?:,|$)/g)].map(([, quoted, plain]) =>
        quoted === undefined ? plain! : quoted.replaceAll('""', '"'),
      ),
    );
  return rows.map((row) => Object.fromEntries(head!.map((name, n) => [name, row[n]!])));
}

/** All hands of a pool as they are stored. */
const storedHands = async (sql: Database, poolId: string) =>
  (await sql<{ record: Buffer }[]>`select record from hands where pool_id = ${poolId} order by hand_id`).map(
    ({ record }) => decodeRecord(record) as unknown as HandRecord,
  );

await t.test(
  'while cards fall each sees its own table, everybody all of them, and nobody cards that are not open',
  async (t) => {
    const house = await openHouse(t);
    const { api, sql, organizer, stranger, bots } = house;
    const cup = await openCup(t, house, { max_players: 6 });
    const { id, slug, at } = cup;
    const [ada] = bots as [Account];
    const end = await play(house, cup, 10);
    const live = await api('GET', `${at('participant-live')}?limit=2&offset=1`, ada);
    t.match(live, {
      status: 200,
      body: { playing: true, participation: 'enrolled', table: { type: 'table_state' }, limit: 2, offset: 1 },
    });
    const { table_id, hands } = live.body as { table_id: string; hands: { hand_id: string }[] };
    const own = await sql<{ hand_id: string }[]>`
    select hand_id from hand_players where pool_id = ${id} and agent_id = ${ada.agentId}`;
    t.ok(hands.length === 2 && hands.every((hand) => own.some(({ hand_id }) => hand_id === hand.hand_id)));
    const page = await api('GET', `/api/public/competitions/${slug}`, stranger);
    t.match(page, { status: 200, body: { name: 'Cup', status: 'active', rules: { max_players: 6 } } });
    t.match(page.body, { tables: [{ table_id, players: Number, state: { type: 'table_state', table_id } }] });
    t.match(page.body, { standings: { total: 4, ranked: 4, rows: [{ rank: 1, duplicate: null }] } });
    const secret = ['hero', 'deck_secret', 'email', id, ...bots.map(({ agentId }) => agentId)];
    t.notMatch(JSON.stringify(page.body), new RegExp(secret.join('|')));
    for (const path of ['results', 'results.csv']) {
      const detail = 'Cannot show results: the competition is active';
      t.match(await api('GET', at(path), ada), { status: 409, body: { detail } });
    }
    await end();
    const away = { playing: false, table_id: null, table: null, seat: null, stack: null, chips_at_table: 0 };
    t.match(await api('GET', at('participant-live'), ada), { body: away });
    t.match(await api('GET', at('participant-live'), organizer), {
      status: 404,
      body: { detail: 'Participant not found' },
    });

    await theEnd(t, house);
    t.same(house.platform.faults, []);
  },
);

/** A competition of duplicates, to the end. */
async function theEnd(t: Test, house: House): Promise<void> {
  const { platform, api, sql, organizer, stranger, bots } = house;
  // Two tables, so that each deck is played twice.
  const rules = { name: 'Duplicate Cup', duplicate: true, minimum_hands: 3, max_players: 2 };
  const cup = await openCup(t, house, rules);
  const { id, slug, at, step, invite } = cup;
  const [ada] = bots as [Account];
  const end = await play(house, cup, 40);
  const page = await api('GET', `/api/public/competitions/${slug}`, stranger);
  t.match(page.body, { tables: [{ state: null }, { state: null }] }, 'other tables have yet to play what these do');
  await end();

  const told = await storedHands(sql, id);
  const truth = bots.map(({ agentId }) => ({ agentId, profits: profitsOf(told, agentId) }));
  truth.sort((a, b) => sum(b.profits) - sum(a.profits) || b.profits.length - a.profits.length);
  // Bots that bust can play no more: who has too few hands is listed behind the others.
  const inOrder = [
    ...truth.filter(({ profits }) => profits.length >= 3),
    ...truth.filter(({ profits }) => profits.length < 3),
  ];
  const pending = await api('GET', at('results'), ada);
  t.match(pending.body, { final: false, status: 'results_pending', finalized_at: null, ended_at: String });
  const lines = pending.body['rows'] as Line[];
  t.same(lines.map(({ score }) => score), inOrder.map(({ profits }) => CHIPS + sum(profits))); // prettier-ignore
  for (const line of lines) {
    const { profits } = truth.find(({ agentId }) => agentId === line.agent_id)!;
    t.same([line.hands_played, line.hands_won], [profits.length, profits.filter((profit) => profit > 0).length]);
  }
  t.equal(sum(lines.map(({ score }) => score)), 4 * CHIPS, 'chips only change hands');

  for (const line of lines) {
    const expected = compared(told, line.agent_id);
    t.ok(expected.hands > 0 && line.duplicate?.hands === expected.hands);
    t.ok(near(line.duplicate!.bb_per_100, expected.bb_per_100), 'as all decks say');
  }

  await step('finalize');
  const final = await api('GET', `${at('results')}?limit=200`, organizer);
  t.match(final.body, { final: true, status: 'finalized', finalized_at: String });
  t.same((final.body['rows'] as Line[]).map(({ agent_id, rank, score }) => [agent_id, rank, score]), lines.map(({ agent_id, rank, score }) => [agent_id, rank, score])); // prettier-ignore
  t.same(
    (await api('GET', at('standings'), ada)).body['rows'],
    (await api('GET', at('leaderboard'), ada)).body['rows'],
  );

  const file = await platform.api('GET', at('results.csv'), { key: ada.key });
  t.match(file.headers.get('content-disposition'), `results-${slug}.csv`);
  const rows = readCsv(String(file.body));
  t.same(rows.map(({ agent_id, score }) => [agent_id, Number(score)]), lines.map(({ agent_id, score }) => [agent_id, score])); // prettier-ignore
  for (const { name } of rows) t.notMatch(name, /^[=+\-@\t\r]/, name);
  t.same(rows.map(({ name }) => name!.replace(/^'/, '')).sort(), lines.map(({ name }) => name).sort()); // prettier-ignore

  for (const path of ['leaderboard', 'standings', 'results', 'results.csv', 'participant-live']) {
    t.match(await api('GET', at(path), stranger), { status: 404, body: { detail: 'Competition not found' } }, path);
    t.match(await api('GET', `/api/competitions/cup/${path}`, stranger), { status: 400 }, path);
    if (path !== 'results.csv') t.match(await api('GET', `${at(path)}?limit=0`, ada), { status: 422 }, path);
  }
  const shownAtLast = { started_at: String, ended_at: String, finalized_at: String, starts_at: String };
  const over = await api('GET', `/api/public/competitions/${slug}?limit=9`, stranger);
  t.match(over.body, { status: 'finalized', organization_name: 'Ada Ltd', tables: [], ...shownAtLast });
  const preview = await api('GET', '/api/competition-invites/preview', stranger, undefined, invite);
  t.match(preview.body, { can_accept: false, competition: { competition_id: id, ...shownAtLast } });
  for (const unknown of ['no-such-cup', 'Ünknown', '%00', 'x'.repeat(300)]) {
    t.match(await api('GET', `/api/public/competitions/${unknown}`, stranger), { status: 404 }, unknown);
  }
  t.match(await api('GET', `/api/public/competitions/${slug}?limit=101`, stranger), { status: 422 });
  await sql`update competitions set state = 'draft' where competition_id = ${id}`;
  t.match(
    await api('GET', `/api/public/competitions/${slug}?limit=7`, stranger),
    { status: 404 },
    'drafts are nobody else’s',
  );
}

await t.test('a table that does not answer is told of where it is asked for, and left out of the page', async (t) => {
  const { sql, poolId, agents } = await openCompetition(t);
  const silence = async () => {
    throw new HttpError(503, Detail.noAnswer);
  };
  const table = { table_id: 'x', seats: 6, players: 2, small_blind: 10, big_blind: 20, hand_number: 7 };
  const listTables = (scope: string | null = null) => (scope === poolId ? [table] : []);
  const views = { listTables, tableState: silence, activeGame: silence };
  const ask = asker(resultRoutes({ sql, views, duplicates: new DuplicateScores(sql, 0) }));
  const params = { competition_id: poolId };
  t.match(await ask('getParticipantLive', { agentId: agents[0]!, params }), { status: 503 });
  const [{ slug }] = (await sql`select slug from competitions`) as unknown as [{ slug: string }];
  t.match(await ask('getPublicCompetition', { params: { competition_slug: slug } }), {
    status: 200,
    body: { tables: [{ ...table, state: null }], standings: { total: 8, rows: [{ duplicate: null }] } },
  });
});

await t.test('the page of an invitation shows what it is, and gives its token to nobody else', async (t) => {
  const page = invitePages['/invite']!({} as Parameters<Page>[0]) as { headers: Record<string, string>; body: string };
  t.match(page.headers['content-security-policy'], /default-src 'none'.*connect-src 'self'/);
  const shows = async (answer: { ok: boolean; status: number; body?: unknown }) => {
    const texts: Record<string, string> = {};
    const asked: unknown[][] = [];
    runInNewContext(SCRIPT, {
      document: { querySelector: (selector: string) => ({ set textContent(text: string) { texts[selector] = text; } }) }, // prettier-ignore
      location: { hash: '#token=abc', origin: 'https://poker.example' },
      fetch: async (...args: unknown[]) => {
        asked.push(args);
        if (answer.status === 0) throw new TypeError('fetch failed');
        return { ...answer, json: async () => answer.body };
      },
      Date,
    });
    await new Promise((resolve) => setImmediate(resolve));
    t.match(asked, [['/api/competition-invites/preview', { headers: { 'x-competition-invite-token': 'abc' } }]]);
    return texts;
  };
  const preview = exampleOf(previewInvite.answers[200]) as { competition: object };
  const shown = await shows({ ok: true, status: 200, body: preview });
  t.match(shown, { h1: 'Autumn cup', '#by': /bob_bot \(University of Poker\)/, '#when': /3 of 12 take part/ });
  t.match(shown.pre, 'X-Competition-Invite-Token: abc');
  const hostile = { ...preview, competition: { ...preview.competition, display_timezone: 'Nowhere/At all' } };
  t.match((await shows({ ok: true, status: 200, body: hostile }))['#when'], 'GMT');
  const used = { ...preview, status: 'used_up', can_accept: false };
  t.match(await shows({ ok: true, status: 200, body: used }), { '#how': 'This link has been used up.' });
  t.match(await shows({ ok: false, status: 404 }), { '#how': /does not exist/ });
  t.match(await shows({ ok: false, status: 429 }), { '#how': /Too many requests/ });
  t.match(await shows({ ok: false, status: 0 }), { '#how': /cannot be reached/ });
});
