/**
 * The public list of competitions: its entries, orders, search and podiums. A draft and a cancelled competition never
 * stand in it. And the hands of a competition for its spectators.
 */
import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { resultRoutes } from '../../src/competitions/results/routes.js';
import { DuplicateScores } from '../../src/competitions/results/duplicate.js';
import { COMPETITION_STATES } from '../../src/competitions/states.js';
import { publicRoutes } from '../../src/public/index.js';
import { connect, type Database } from '../../src/store/database.js';
import { addCompetition, addParticipants } from '../support/competition-rows.js';
import { freshDatabase, stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { asker } from '../support/rest.js';
import { openCompetition } from '../support/scored-competition.js';
import { PUBLIC_OPTIONS } from '../support/public-options.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const views = {
  listTables: () => Promise.resolve([]),
  activeGame: () => Promise.resolve(null),
  tableState: () => Promise.resolve(null),
};

const routesOf = (sql: Database) =>
  publicRoutes({
    ...PUBLIC_OPTIONS,
    sql,
    house: { spectators: 'public', sealed: false, delayHands: 0 },
  });

async function openHouse(t: Test) {
  const sql = connect(await freshDatabase(t), { max: 8, name: 'test' });
  t.teardown(() => sql.end());
  const agent = async (name: string, more: object = {}) => {
    const row = {
      agent_id: randomUUID(),
      email: `${name}@example.org`,
      name,
      terms_accepted_at: new Date(),
      public_profile_slug: name.replaceAll('_', '-'),
      ...more,
    };
    await sql`insert into agents ${sql({ ...row, key_hash: Buffer.from(row.agent_id.replaceAll('-', '').repeat(2), 'hex') })}`;
    return row.agent_id;
  };
  // Routes of their own for each question: answers are kept for a second.
  const list = async (query = '') => {
    const routes = resultRoutes({ sql, views, duplicates: new DuplicateScores(sql, 0) });
    const { status, body } = await asker(routes)('listPublicCompetitions', { query });
    return { status, ...(body as Listed) };
  };
  return { sql, agent, list };
}

interface Listed {
  competitions: { slug: string; name: string; podium: { rank: number; name: string; score: number }[] }[];
  total: number;
  totals: Record<string, number>;
}
const slugs = ({ competitions }: Listed) => competitions.map(({ slug }) => slug);
const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1) + 60_000 * minutes);

await t.test('each state stands in its list, a draft and a cancelled one in none', async (t) => {
  const { sql, agent, list } = await openHouse(t);
  const organizer = await agent('olga');
  for (const state of COMPETITION_STATES) {
    await addCompetition(sql, organizer, { state, slug: state.replace('_', '-'), started_at: at(1) });
  }
  const running = await list();
  t.same(slugs(running).sort(), ['active', 'ending', 'enrollment-closed', 'paused']);
  t.same(running.totals, { running: 4, open: 1, finished: 2 });
  t.equal(running.total, 4);
  t.same(slugs(await list('status=open')), ['enrolling']);
  t.same(slugs(await list('status=finished')).sort(), ['finalized', 'results-pending']);
  t.equal((await list('status=draft')).status, 422);
  t.equal((await list('search=%00')).status, 422);
  t.match(await list('status=open'), {
    competitions: [
      {
        status: 'enrolling',
        name: 'Autumn Cup',
        organizer_name: 'olga',
        organizer_profile_slug: 'olga',
        organization_name: 'Ada Ltd',
        participant_count: 0,
        participant_cap: 24,
        join_requests: false,
        duplicate: false,
        podium: [],
      },
    ],
  });
});

await t.test('orders, pages and the search', async (t) => {
  const { sql, agent, list } = await openHouse(t);
  const [olga, hidden] = [await agent('olga'), await agent('percent_bot', { public_profile: false })];
  const add = (slug: string, more: Parameters<typeof addCompetition>[2], by = olga) =>
    addCompetition(sql, by, { ...more, slug });
  await add('early', { state: 'active', started_at: at(1), name: 'Cup of 100 % luck' });
  await add('late', { state: 'paused', started_at: at(9), name: 'CUP_of_others' }, hidden);
  await add('waiting', { state: 'enrollment_closed', name: 'Cup that waits', organization_name: null });
  await add('closes-later', { starts_at: at(100), ends_at: at(1e7) });
  await add('closes-soon', { enrollment_deadline: at(2), ends_at: at(1e7), name: 'W'.repeat(80) });
  await add('ended-first', { state: 'finalized', ended_at: at(1), finalized_at: at(2), started_at: at(0) });
  await add('ended-last', { state: 'results_pending', ended_at: at(5), started_at: at(0) });
  t.same(slugs(await list()), ['late', 'early', 'waiting']);
  t.same(slugs(await list('status=open')), ['closes-soon', 'closes-later']);
  t.same(slugs(await list('status=finished')), ['ended-last', 'ended-first']);
  t.same(slugs(await list('limit=1&offset=1')), ['early']);
  t.same(slugs(await list('search=100+%25')), ['early'], 'no sign is a wildcard');
  t.same(slugs(await list('search=cup_')), ['late']);
  t.same(slugs(await list('search=PERCENT_')), ['late'], 'by the organizer');
  t.same(slugs(await list('search=ada+ltd')), ['late', 'early'], 'by the organization');
  t.match(await list('search=cup'), { total: 3, totals: { running: 3, open: 1, finished: 2 } });
  t.match((await list('search=cup_')).competitions, [{ organizer_profile_slug: null }]);
  await sql`update agents set banned_at = now() where agent_id = ${olga}`;
  t.match((await list('search=100')).competitions, [{ organizer_name: 'olga', organizer_profile_slug: null }]);
});

await t.test('the podium of finished ones; play that is closed to spectators is not listed', async (t) => {
  const { sql, agent, list } = await openHouse(t);
  const agents: string[] = [];
  for (const name of ['ada', 'bob', 'cyd', 'dan']) agents.push(await agent(name));
  const make = async (slug: string, more: object) => {
    const id = await addCompetition(sql, agents[0]!, { state: 'finalized', ended_at: at(1), ...more, slug });
    await addParticipants(
      sql,
      id,
      agents.map((agentId, n) => ({ agentId, ...(n === 1 ? { displayName: 'Bob the Builder' } : {}) })),
    );
    for (const [n, agentId] of agents.entries()) {
      await sql`insert into entries (pool_id, agent_id, chip_balance) values (${id}, ${agentId}, ${1000 * n})`;
      await sql`
        update competition_participants set final_rank = ${4 - n}, final_score = ${1_000_000 * n - 1_500_000}
        where competition_id = ${id} and agent_id = ${agentId}`;
    }
    return id;
  };
  const open = await make('open-cup', {});
  await make('members-cup', { spectators: 'participants', ended_at: at(2) });
  await make('closed-cup', { spectators: 'none', ended_at: at(3) });
  const { competitions } = await list('status=finished');
  t.same(
    competitions.map(({ slug, podium }) => [slug, podium.length]),
    [['open-cup', 3]],
  );
  const asked = await make('asked-cup', { state: 'enrolling', ended_at: null, spectators: 'none' });
  t.same((await list('status=open')).competitions, []);
  await sql`update competitions set join_requests = true where competition_id = ${asked}`;
  t.match(await list('status=open'), { competitions: [{ slug: 'asked-cup', podium: [] }], totals: { open: 1 } });
  t.match(competitions[0], {
    participant_count: 4,
    podium: [
      { rank: 1, name: 'dan', public_profile_slug: 'dan', score: 1_500_000 },
      { rank: 2, name: 'cyd', score: 500_000 },
      { rank: 3, name: 'Bob the Builder', public_profile_slug: 'bob', score: -500_000 },
    ],
  });
  const page = async () => {
    const ask = asker(resultRoutes({ sql, views, duplicates: new DuplicateScores(sql, 0) }));
    return ask('getPublicCompetition', { params: { competition_slug: 'open-cup' } });
  };
  t.match(await page(), {
    body: {
      competition_id: null,
      organizer_profile_slug: 'ada',
      standings: { rows: [{ rank: 1, name: 'dan', public_profile_slug: 'dan' }, {}, {}, {}] },
    },
  });
  await sql`update competitions set join_requests = true where competition_id = ${open}`;
  t.match(await page(), { body: { competition_id: open, join_requests: true } }, 'the id is for requests');
  await sql`update competition_participants set final_rank = null where competition_id = ${open}`;
  t.same((await list('status=finished')).competitions.at(-1)!.podium, []);
});

await t.test('the page and the index: ten thousand of them', async (t) => {
  const { sql, agent, list } = await openHouse(t);
  const organizer = await agent('olga');
  const id = await addCompetition(sql, organizer, { state: 'finalized', ended_at: at(0), name: 'Needle cup' });
  await sql`
    with made as (select gen_random_uuid() as id, n from generate_series(1, 10000) n),
      pool as (insert into pools (pool_id, kind) select id, 'competition' from made returning pool_id)
    insert into competitions (competition_id, slug, organizer_id, state, name, display_timezone, participant_cap, ends_at,
      starting_chips, minimum_buy_in, default_buy_in, maximum_buy_in, small_blind, big_blind, max_players, minimum_hands,
      rebuys_enabled, max_rebuys, rebuy_chips, rebuy_score_penalty, rebuy_cooldown_seconds, duplicate, deck_secret, ended_at)
    select id, 'many-' || n, organizer_id, 'finalized', 'Cup ' || n, 'UTC', 24, c.ends_at, starting_chips, minimum_buy_in,
      default_buy_in, maximum_buy_in, small_blind, big_blind, max_players, minimum_hands, rebuys_enabled, max_rebuys,
      rebuy_chips, rebuy_score_penalty, rebuy_cooldown_seconds, duplicate, deck_secret, c.ended_at + n * interval '1 minute'
    from made join pool on pool_id = id cross join (select * from competitions where competition_id = ${id}) c`;
  await sql`analyze competitions`;
  t.match(await list('status=finished&limit=1&offset=9999'), { total: 10_001, competitions: [{ slug: 'many-1' }] });
  t.match(await list('status=finished&search=needle'), { total: 1, competitions: [{ name: 'Needle cup' }] });
  const plan = await sql<{ 'QUERY PLAN': string }[]>`
    explain select c.competition_id from competitions c join agents a on a.agent_id = c.organizer_id
    where c.state in ('results_pending', 'finalized')
    order by c.ended_at desc nulls last, c.competition_id limit 50`;
  const text = plan.map((row) => row['QUERY PLAN']).join('\n');
  t.match(text, /competitions_finished/);
});

await t.test('hands: the newest and the largest, for those who may watch', async (t) => {
  const { sql, poolId, agents, hands, play } = await openCompetition(t, { tables: 1, players: 3 });
  await sql`select index_pots(${poolId})`;
  await play(12);
  const slug = `cup-${poolId}`;
  const read = async (query = '', { agentId, of = slug }: { agentId?: string; of?: string } = {}) => {
    const ask = asker(routesOf(sql));
    const who = agentId === undefined ? {} : { agentId };
    const { status, body } = await ask('listPublicCompetitionHands', {
      params: { competition_slug: of },
      query,
      ...who,
    });
    const shown = (body as { hands?: { hand_id: string; players: { profit: number; name: string }[] }[] }).hands;
    return { status, hands: shown ?? [], ids: (shown ?? []).map(({ hand_id: id }) => id) };
  };
  const newest = [...hands].reverse().map(({ handId }) => handId);
  const largest = [...hands]
    .sort((a, b) => b.totalPot - a.totalPot || (a.handId < b.handId ? 1 : -1))
    .map(({ handId }) => handId);
  t.same((await read('limit=5')).ids, newest.slice(0, 5));
  t.same((await read('order=largest&limit=5')).ids, largest.slice(0, 5));
  const [first] = (await read('order=largest&limit=1')).hands;
  const record = hands.find(({ handId }) => handId === first!.hand_id)!;
  t.same(
    first!.players.map(({ profit }) => profit),
    record.players.map(({ stackStart, stackEnd }) => stackEnd - stackStart).sort((a, b) => b - a),
  );
  await sql`update agents set public_profile_slug = 'a-' || left(agent_id::text, 8)`;
  t.match((await read('limit=1')).hands, [{ players: [{ public_profile_slug: /^a-/ }] }]);

  const set = (change: object) => sql`update competitions set ${sql(change)} where competition_id = ${poolId}`;
  await set({ spectators: 'participants' });
  t.same((await read()).ids, [], 'a stranger');
  t.same((await read('', { agentId: agents[0]! })).ids.length, 12, 'one who takes part');
  await set({ spectators: 'none' });
  t.same((await read('', { agentId: agents[0]! })).ids, []);
  await set({ spectators: 'public', duplicate: true });
  t.same((await read()).ids, [], 'duplicates before the end');
  await set({ state: 'results_pending' });
  t.same((await read()).ids.length, 12, 'and after it');
  await set({ state: 'draft' });
  t.equal((await read()).status, 404);
  for (const of of ['no-such-cup', 'No_Slug', 'x'.repeat(201)]) t.equal((await read('', { of })).status, 404);
  t.equal((await read('limit=101')).status, 422);
  const plan = await sql.begin(async (tx) => {
    // A partition of a few rows would be read whole.
    await tx`set local enable_seqscan = off`;
    await tx`set local enable_sort = off`;
    return tx<{ 'QUERY PLAN': string }[]>`
      explain select h.record from hands h where h.pool_id = ${poolId} order by h.total_pot desc, h.hand_id desc limit 5`;
  });
  t.match(plan.map((row) => row['QUERY PLAN']).join('\n'), /Index Scan Backward using hands_\w+_pots/);
});
