/** Standings and results as people get them: pages, CSV, live and final. Over HTTP. */
import { EventEmitter, once } from 'node:events';
import t, { type Test } from 'tap';
import { Keeper } from '../../src/analytics/keeper.js';
import { DuplicateScores } from '../../src/competitions/results/duplicate.js';
import { resultRoutes } from '../../src/competitions/results/routes.js';
import { Detail, HttpError } from '../../src/protocol/rest/errors.js';
import { type Database } from '../../src/store/database.js';
import { decodeRecord } from '../../src/table/record/record-codec.js';
import { stopCluster } from '../support/database.js';
import { statistics } from '../support/hand-statistics.js';
import { eventually, FILE_MS } from '../support/limits.js';
import { TestPlatform, type Account } from '../support/platform.js';
import { Player } from '../support/player.js';
import { asker } from '../support/rest.js';
import { calling } from '../support/scene.js';
import type { HandRecord } from '../../src/table/effects.js';
import { CHIPS, compared, near, openCompetition, profitsOf, sum } from '../support/scored-competition.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

interface Line {
  rank: number | null;
  agent_id: string;
  name: string;
  score: number;
  hands_played: number;
  hands_won: number;
  bb_per_100: number | null;
  all_in_adj_bb_per_100: number | null;
  ci95: [number, number] | null;
  duplicate: { hands: number; bb_per_100: number } | null;
}

/** A whole platform with somebody to organize, somebody to look on, and bots. */
async function openHouse(t: Test) {
  const platform = await TestPlatform.start(t, { ANALYTICS_REFRESH_MS: 0 });
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

/** Texts that a spreadsheet would run, and a name with every sign that a file must keep apart. */
const NAMES: Record<string, string> = { a: '=HYPERLINK("evil")', b: '-2+3, "quoted"', c: '@sum(a1)' };

/** A competition that has begun, with all bots in it. */
async function openCup(t: Test, { api, organizer, bots }: House, rules: object) {
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  const { body } = await api('POST', '/api/competitions', organizer, {
    name: 'Cup',
    organization_name: 'Ada Ltd',
    description: 'For friends',
    reward_description: 'Fame',
    enrollment_deadline: inMinutes(10),
    starts_at: inMinutes(20),
    ends_at: inMinutes(60),
    ...rules,
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
    await eventually('results to be pending', async () => (await closed()).length > 0);
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
    const end = await play(house, cup, 10);
    // A player that has lost all sits nowhere.
    const lives = await Promise.all(bots.map((bot) => api('GET', at('participant-live'), bot)));
    const ada = bots[lives.findIndex(({ body }) => (body as { playing: boolean }).playing)]!;
    // Between two tables it plays at neither.
    const live = await eventually('its table', async () => {
      const answer = await api('GET', `${at('participant-live')}?limit=2&offset=1`, ada);
      return (answer.body as { playing: boolean }).playing && answer;
    });
    t.match(live, {
      status: 200,
      body: { playing: true, participation: 'enrolled', table: { type: 'table_state' }, limit: 2, offset: 1 },
    });
    const { hands } = live.body as { hands: { hand_id: string }[] };
    const own = await sql<{ hand_id: string }[]>`
    select hand_id from hand_players where pool_id = ${id} and agent_id = ${ada.agentId}`;
    t.ok(hands.length === 2 && hands.every((hand) => own.some(({ hand_id }) => hand_id === hand.hand_id)));
    // Tables may merge between two answers: both are asked until they speak of the same one.
    const { page, table_id } = await eventually('the table on the page', async () => {
      const { body } = await api('GET', at('participant-live'), ada);
      const table = (body as { table_id: string | null }).table_id;
      const shown = await api('GET', `/api/public/competitions/${slug}`, stranger);
      return table !== null && JSON.stringify(shown.body).includes(table) && { page: shown, table_id: table };
    });
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
  // The analytics thread would count them later, and a busy machine much later: it leaves the cores to play.
  await new Keeper(sql).round(Infinity);
  const figures = (line: Pick<Line, 'agent_id'>) => statistics(told, line.agent_id);
  for (const path of ['leaderboard', 'standings']) {
    for (const line of (await api('GET', at(path), ada)).body['rows'] as Line[]) {
      const { bb_per_100, all_in_adj_bb_per_100, all_in_adj_bb_per_100_ci95: ends } = figures(line);
      t.ok(near(line.bb_per_100, bb_per_100), 'bb/100 of what was played');
      t.ok(near(line.all_in_adj_bb_per_100, all_in_adj_bb_per_100), 'and what luck has not done');
      t.ok([0, 1].every((end) => near(line.ci95?.[end] ?? null, ends?.[end] ?? null)));
    }
  }
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
  const intervals = Object.keys(rows[0]!).filter((column) => /ci95_(low|high)$/.test(column));
  const whose = ['all_in_adj_bb_per_100', 'duplicate_bb_per_100', 'bb_per_100', 'bb_per_100_luck_adjusted'];
  t.same(intervals, whose.flatMap((name) => [`${name}_ci95_low`, `${name}_ci95_high`])); // prettier-ignore
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
  const listTables = async (scope: string | null = null) => (scope === poolId ? [table] : []);
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
