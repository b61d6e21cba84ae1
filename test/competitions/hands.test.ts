/**
 * The hands of a competition for its organizer, over real HTTP from a real database. During play they are a spectator's
 * view, afterwards they are whole. Nobody else sees them.
 */
import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { exportCompetitionHands } from '../../src/protocol/rest/competition-hands.js';
import type { RouteSpec } from '../../src/protocol/route.js';
import { commitHands } from '../../src/shard/commit/queries.js';
import type { Database } from '../../src/store/database.js';
import { cardNames, cardsIn } from '../support/cards-in.js';
import { CompetitionHouse } from '../support/competition-house.js';
import { addCompetition, addParticipants } from '../support/competition-rows.js';
import { stopCluster } from '../support/database.js';
import { openRandomTables } from '../support/random-table.js';
import { agentId, openHouse } from '../support/gateway.js';
import { FILE_MS } from '../support/limits.js';
import { readPhh } from '../formats/independent/phh.js';
import { readPokerStars } from '../formats/independent/pokerstars.js';
import { recordAnswer, recordFile, specFor } from '../support/recorder.js';
import type { HandRecord } from '../../src/table/effects.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const [OLGA, CARL, PAUL, SAM] = [1, 2, 3, 4];
const FORMATS = ['csv', 'json', 'phh', 'pokerstars'] as const;
const HANDS = 40;

interface HandItem {
  hand_id: string;
  board: string[];
  players: { seat: number; agent_id: string; name: string; shown: boolean; hole_cards: string[] | null }[];
  actions: object[];
}
interface Page {
  hands: HandItem[];
  next_cursor: string | null;
}

async function addAgents(sql: Database): Promise<void> {
  const ids = [OLGA, CARL, PAUL, SAM].map(agentId);
  await sql`
    insert into agents (agent_id, email, name, key_hash, email_verified_at, terms_accepted_at)
    select id::uuid, id || '@example.org', 'bot_' || right(id, 1), sha256(id::bytea), now(), now()
    from unnest(${ids}::text[]) id`;
}

/** A pool of three players, PAUL among them, that OLGA organizes with CARL; and its hands, the newest first. */
async function openCup(sql: Database, shard: number, hands: number): Promise<{ id: string; played: HandRecord[] }> {
  const options = { players: 3, old: [agentId(PAUL)], shard, seed: 5 + shard, chips: 5000 };
  const { poolId, fence, randomTables } = await openRandomTables(sql, options);
  await sql`update pools set kind = 'competition' where pool_id = ${poolId}`;
  await addCompetition(sql, agentId(OLGA), { poolId, state: 'active' });
  const { seated } = randomTables[0]!;
  await addParticipants(sql, poolId, seated);
  await sql`
    insert into competition_co_organizers (competition_id, agent_id, place) values (${poolId}, ${agentId(CARL)}, 1)`;
  const played: HandRecord[] = [];
  while (played.length < hands) {
    const record = randomTables[0]!.play();
    await commitHands(sql, fence, [record]);
    played.unshift(record);
  }
  return { id: poolId, played };
}

const house = await CompetitionHouse.open(t);
const { sql } = house;
await addAgents(sql);
const cup = await openCup(sql, 0, HANDS);
const other = await openCup(sql, 1, 3);
const served = await openHouse({}, house.competitions.routes);
t.teardown(() => served.gateway.close());

async function get(who: number, path: string) {
  const headers = { authorization: `Bearer key-${who}`, 'x-forwarded-for': '203.0.113.1' };
  const response = await fetch(`${served.http}${path}`, { headers });
  const { status } = response;
  const text = await response.text();
  const type = response.headers.get('content-type') ?? '';
  const body: unknown = type.startsWith('application/json') ? JSON.parse(text) : null;
  const spec: RouteSpec = specFor('GET', path)!;
  if (status === 200 && spec.id === exportCompetitionHands.id) recordFile('GET', path.split('?')[0]!, status, type);
  if (body !== null) recordAnswer(spec, status, body);
  return { status, headers: response.headers, text, body };
}

const at = (path = '', id = cup.id) => `/api/competitions/${id}/hands${path}`;
const refused = (status: number, detail: string) => ({ status, body: { detail } });
const page = async (who: number, query = '', id = cup.id) => (await get(who, at(query, id))).body as Page;
const enter = (state: string, more: object = {}) =>
  sql`update competitions set ${sql({ state, ...more })} where competition_id = ${cup.id}`;

/** Board and cards of a hand that a spectator knows; all: those of everybody. */
const known = ({ board, boardCount, players }: HandRecord, all: boolean) =>
  cardNames([...board.slice(0, boardCount), ...players.flatMap(({ hole, shown }) => (all || shown ? hole : []))]);

/** The hands of a file one by one. */
const PARTS: Record<(typeof FORMATS)[number], (text: string) => string[]> = {
  csv: (text) => text.trimEnd().split('\n').slice(1),
  json: (text) => text.split('\n').filter((line) => line.startsWith('{"hand_id"')),
  phh: (text) => text.split(/^\[\d+\]$/m).slice(1),
  pokerstars: (text) => text.split('\n\n\n').filter((part) => part !== ''),
};

/** That whatever the organizer can ask for has just these cards, hand by hand. */
async function sees(t: Test, all: boolean, who: number): Promise<void> {
  const { hands } = await page(who, '?limit=100');
  t.equal(hands.length, HANDS);
  for (const [n, record] of cup.played.entries()) {
    const { players, board } = hands[n]!;
    const cards = [...board, ...players.flatMap(({ hole_cards: hole }) => hole ?? [])];
    t.same(cards, known(record, all), record.handId);
    t.same(
      players.map(({ shown }) => shown),
      record.players.map(({ shown }) => shown),
    );
    const params = { competition_id: cup.id, hand_id: record.handId };
    const { body } = await house.ask('getCompetitionHand', { agentId: agentId(who), params });
    t.match(body, hands[n]!, 'one by one the same');
  }
  for (const format of FORMATS) {
    const parts = PARTS[format]((await get(who, at(`/export?format=${format}`))).text);
    t.equal(parts.length, HANDS, format);
    for (const [n, record] of cup.played.entries()) {
      t.same([...cardsIn(parts[n]!)].sort(), known(record, all).sort(), `${format} of ${record.handId}`);
    }
  }
}

const timeOf = ({ startedAt }: HandRecord) => new Date(startedAt).toISOString();
const hidden = cup.played.filter(({ players }) => players.some(({ shown }) => !shown));

await t.test('while it is played the organizer sees what a spectator saw', async (t) => {
  t.ok(
    hidden.length > 5 && cup.played.some(({ players }) => players.some(({ shown }) => shown)),
    'hands of both kinds',
  );
  for (const state of ['active', 'paused', 'ending']) {
    await enter(state);
    const { hands } = await page(OLGA, '?limit=100');
    for (const { players } of hands) for (const { shown, hole_cards: hole } of players) t.equal(hole !== null, shown);
  }
  await sees(t, false, OLGA);
  await sees(t, false, CARL);
});

await t.test('a hand is all there is to know of it', async (t) => {
  const [record] = cup.played as [HandRecord];
  const { body } = await get(OLGA, at(`/${record.handId}`));
  t.match(body, {
    hand_id: record.handId,
    table_id: record.tableId,
    hand_number: record.handNumber,
    competition_id: cup.id,
    button: record.button,
    small_blind: 10,
    big_blind: 20,
    total_pot: record.totalPot,
    players: record.players.map(({ seat, agentId: id, stackStart, stackEnd, contributed, payout }) => ({
      seat,
      agent_id: id,
      stack_start: stackStart,
      stack_end: stackEnd,
      contributed,
      payout,
      profit: stackEnd - stackStart,
    })),
  });
  const { pots, actions, players } = body as {
    pots: { amount: number; winners: number[] }[];
    actions: object[];
    players: { agent_id: string; name: string }[];
  };
  t.equal(
    pots.reduce((sum, { amount }) => sum + amount, 0),
    record.totalPot,
  );
  t.same(
    [...new Set(pots.flatMap(({ winners }) => winners))].sort(),
    record.players.filter(({ payout }) => payout > 0).map(({ seat }) => seat),
  );
  t.equal(actions.length, record.actions.length);
  t.equal(players.find(({ agent_id: id }) => id === agentId(PAUL))?.name, 'bot_3');
});

await t.test('pages and dates', async (t) => {
  const ids = cup.played.map(({ handId }) => handId);
  const read: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const part: Page = await page(OLGA, `?limit=7${cursor === '' ? '' : `&cursor=${cursor}`}`);
    read.push(...part.hands.map((hand) => hand.hand_id));
    cursor = part.next_cursor;
  }
  t.same(read, ids);
  const between = `from=${timeOf(cup.played[9]!)}&to=${timeOf(cup.played[4]!)}`;
  const some = await page(OLGA, `?${between}`);
  t.same(
    some.hands.map((hand) => hand.hand_id),
    ids.slice(4, 10),
  );
  t.match(await page(OLGA, '?from=2027-01-01'), { hands: [], next_cursor: null });
  const file = await get(OLGA, at(`/export?format=json&start_date=${timeOf(cup.played[9]!)}&limit=8`));
  t.match(file.headers.get('content-disposition'), /^attachment; filename="hands-\d{4}-\d\d-\d\d\.json"$/);
  t.same(
    (file.body as Page).hands.map((hand) => hand.hand_id),
    ids.slice(0, 8),
  );
  const from = await get(OLGA, at(`/export?format=json&start_date=${timeOf(cup.played[2]!)}`));
  t.equal((from.body as Page).hands.length, 3);
  t.equal(readPhh((await get(OLGA, at('/export?format=phh'))).text).length, HANDS);
  t.equal(readPokerStars((await get(OLGA, at('/export?format=pokerstars'))).text).length, HANDS);
  const csv = (await get(OLGA, at('/export'))).text.trimEnd().split('\n');
  t.match(csv[0], /^hand_id,table_id,hand_number,competition_id,/);
  t.equal(csv.length, HANDS + 1);

  const theirs = await page(OLGA, '?limit=1', other.id);
  for (const query of ['limit=101', 'cursor=x', `cursor=${theirs.next_cursor}`, 'from=soon', 'to=2026-02-30']) {
    t.equal((await get(OLGA, at(`?${query}`))).status, 422, query);
  }
  for (const query of ['format=xml', 'limit=0', 'start_date=soon', 'end_date=2026-02-30']) {
    t.equal((await get(OLGA, at(`/export?${query}`))).status, 422, query);
  }
});

await t.test('they are nobody else’s', async (t) => {
  const paths = ['', `/${cup.played[0]!.handId}`, '/export'];
  for (const path of paths) {
    t.match(await get(PAUL, at(path)), refused(403, 'Organizer only'), 'who plays has its own history');
    t.match(await get(SAM, at(path)), refused(404, 'Competition not found'));
    t.match(await get(OLGA, at(path, randomUUID())), refused(404, 'Competition not found'));
    t.match(await get(OLGA, at(path, 'mine')), refused(400, 'Invalid competition_id format'));
  }
  t.match(await get(OLGA, at('/mine')), refused(400, 'Invalid hand_id format'));
  const gone = refused(404, 'Hand not found');
  t.match(await get(OLGA, at(`/${randomUUID()}`)), gone);
  t.match(await get(OLGA, at(`/${other.played[0]!.handId}`)), gone, 'nor a hand of another competition');
  await sql`delete from competition_co_organizers where competition_id = ${cup.id}`;
  for (const path of paths) t.match(await get(CARL, at(path)), refused(404, 'Competition not found'), 'at once');
  await sql`
    insert into competition_co_organizers (competition_id, agent_id, place) values (${cup.id}, ${agentId(CARL)}, 1)`;
});

await t.test('of duplicates there are none before the end: others have yet to play the same decks', async (t) => {
  await enter('active', { duplicate: true });
  for (const path of ['', `/${cup.played[0]!.handId}`, '/export']) {
    t.match(await get(OLGA, at(path)), refused(409, 'Cannot show hands: the competition is active'));
  }
  await enter('results_pending');
  t.equal((await page(OLGA)).hands.length, HANDS);
  await enter('active', { duplicate: false });
});

await t.test('when it is over all cards are open to who organizes', async (t) => {
  await enter('results_pending');
  await sees(t, true, OLGA);
  await enter('finalized');
  await sees(t, true, CARL);
});

await t.test('two files of one agent at once, as everywhere', async (t) => {
  const route = house.competitions.routes.find(({ spec }) => spec.id === exportCompetitionHands.id)!;
  const client = new AbortController();
  const agent = { agentId: agentId(OLGA), name: 'bot_1', isAdmin: false };
  const request = { params: { competition_id: cup.id }, query: '', body: '', agent, ip: '', headers: {} };
  await Promise.all([1, 2].map(() => route.run({ ...request, signal: client.signal })));
  const busy = refused(429, 'Two exports are under way already; wait for one to end');
  t.match(await get(OLGA, at('/export')), busy);
  t.equal((await get(CARL, at('/export'))).status, 200);
  client.abort();
  t.equal((await get(OLGA, at('/export'))).status, 200);
});
