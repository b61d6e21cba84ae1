/** Exports over real HTTP from a real database, on both transports: what is in the files, and who may have which. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import t, { type Test } from 'tap';
import { createHistory } from '../../src/history/index.js';
import { exportHandHistory } from '../../src/protocol/rest/history.js';
import { commitHands } from '../../src/shard/commit/queries.js';
import type { Database } from '../../src/store/database.js';
import { stuffHands } from '../support/bulk-hands.js';
import { freshDatabase, openPool, stopCluster } from '../support/database.js';
import { addCompetition } from '../support/competition-rows.js';
import { openRandomTables } from '../support/random-table.js';
import { agentId, openHouse, rawConnection, TRANSPORTS, type House } from '../support/gateway.js';
import { FILE_MS } from '../support/limits.js';
import { readPhh } from '../formats/independent/phh.js';
import { readPokerStars } from '../formats/independent/pokerstars.js';
import { recordAnswer, recordFile } from '../support/recorder.js';
import { stopParts } from '../support/parts.js';
import type { HandRecord } from '../../src/table/effects.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const DAY = 86_400_000;
const [FREE, PRO, BUSY] = [1, 2, 3];
const SEASON_1 = Date.UTC(2026, 0, 1);
const SEASON_2 = Date.UTC(2026, 0, 8);
/** More than sockets take in by themselves. */
const MANY = 30_000;

/** Three agents with two seasons, and the second season is active. One agent has played a great deal. */
async function openArchive(t: Test) {
  const address = await freshDatabase(t);
  const sql = openPool(t, address, 2);
  const agents = [FREE, PRO, BUSY].map(agentId);
  await sql`
    insert into agents (agent_id, email, name, key_hash, terms_accepted_at)
    select id::uuid, id || '@example.org', 'bot_' || right(id, 1), sha256(id::bytea), now() from unnest(${agents}::text[]) id`;
  const records: HandRecord[] = [];
  const pools: string[] = [];
  for (const [n, { start, status, hands }] of [
    { start: SEASON_1, status: 'ended', hands: 20 },
    { start: SEASON_2, status: 'active', hands: 30 },
  ].entries()) {
    const { poolId, fence, randomTables } = await openRandomTables(sql, {
      players: 3,
      old: agents,
      shard: n,
      seed: 3 + n,
      chips: 5000,
    });
    await sql`
      insert into seasons (season_id, status, start_date, end_date)
      values (${poolId}, ${status}, ${new Date(start)}, ${new Date(start + 7 * DAY)})`;
    pools.push(poolId);
    randomTables[0]!.clock = start;
    for (let i = 0; i < hands; i++) {
      const record = randomTables[0]!.play();
      await commitHands(sql, fence, [record]);
      records.push(record);
    }
  }
  const [old, current] = pools as [string, string];
  await sql`update entries set premium = true where pool_id = ${current} and agent_id = ${agentId(PRO)}`;
  await stuffHands(sql, { record: records.at(-1)!, agentId: agentId(BUSY), count: MANY, startAt: SEASON_2 + DAY });
  const cup = await openCup(sql, agents);
  const history = createHistory({
    sql,
    address,
    now: () => Date.UTC(2026, 10, 21),
    season: () => ({ seasonId: current, startsAt: SEASON_2 }),
  });
  t.teardown(() => stopParts(history));
  return { history, records, old, current, cup };
}

/** A competition of all three, with five hands: the newest first. */
async function openCup(sql: Database, agents: string[]): Promise<{ id: string; hands: string[] }> {
  const { poolId, fence, randomTables } = await openRandomTables(sql, { players: 3, old: agents, shard: 2, seed: 5 });
  await sql`update pools set kind = 'competition' where pool_id = ${poolId}`;
  await addCompetition(sql, agents[0]!, { poolId, state: 'active' });
  const hands: string[] = [];
  for (let n = 0; n < 5; n++) {
    const record = randomTables[0]!.play();
    await commitHands(sql, fence, [record]);
    if (record.players.some((player) => player.agentId === agents[0])) hands.unshift(record.handId);
  }
  return { id: poolId, hands };
}

const path = '/api/me/hand-history/export';

async function ask(house: House, agent: number, query = '') {
  const response = await fetch(`${house.http}${path}?${query}`, { headers: { authorization: `Bearer key-${agent}` } });
  const { status, headers } = response;
  const text = await response.text();
  const type = headers.get('content-type')!;
  if (status === 200) recordFile('GET', path, status, type);
  const body: unknown = type.startsWith('application/json') ? JSON.parse(text) : null;
  if (body !== null) recordAnswer(exportHandHistory, status, body);
  return { status, headers, text, body };
}

/** A client that asked for all its hands, has read the beginning, and reads no more. */
async function stalled(house: House, agent: number): Promise<Socket> {
  const socket = await rawConnection(house.gateway.port);
  socket.write(
    `GET ${path}?format=json&limit=1000000 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer key-${agent}\r\n\r\n`,
  );
  await once(socket, 'data');
  socket.pause();
  return socket;
}

const archive = await openArchive(t);
const { records, old, current } = archive;

/** Ids of the hands that an agent played, the newest first. */
const handsOf = (agent: number, fits: (record: HandRecord) => boolean = () => true) =>
  records
    .filter((record) => fits(record) && record.players.some((player) => player.agentId === agentId(agent)))
    .map(({ handId }) => handId)
    .reverse();
const inCurrent = ({ poolId }: HandRecord) => poolId === current;

await t.test('of sixty exports asked for at once two are begun, and make room when they end', async (t) => {
  const route = archive.history.routes.find(({ spec }) => spec.id === exportHandHistory.id)!;
  const agent = { agentId: agentId(BUSY), name: 'busy', isAdmin: false };
  const client = new AbortController();
  const request = { params: {}, query: 'format=json', body: '', agent, ip: '', headers: {}, signal: client.signal };
  const begun = async () => {
    const asked = await Promise.allSettled(Array.from({ length: 60 }, () => route.run(request)));
    for (const answer of asked) if (answer.status === 'rejected') t.match(answer.reason, { status: 429 });
    return asked.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value.stream!] : []));
  };
  const first = await begun();
  t.equal(first.length, 2);
  t.same(await begun(), []);
  await first[0]![Symbol.asyncIterator]().return?.();
  const [third, ...more] = await begun();
  t.same(more, [], 'a place for the one that was never read');
  for await (const chunk of third!) t.ok(chunk.length > 0);
  t.equal((await begun()).length, 1, 'and for the one read to its end');
  client.abort();
  const { signal } = new AbortController();
  const others = await Promise.allSettled(Array.from({ length: 3 }, () => route.run({ ...request, signal })));
  const streams = others.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value.stream!] : []));
  t.equal(streams.length, 2, 'and for those whose client is gone');
  for (const stream of streams) await stream[Symbol.asyncIterator]().return?.();
});

for (const TRANSPORT of TRANSPORTS) {
  await t.test(`over ${TRANSPORT}`, async (t) => {
    const house = await openHouse({ TRANSPORT }, archive.history.routes);
    t.teardown(() => house.gateway.close());
    const ids = async (agent: number, query: string) =>
      ((await ask(house, agent, `format=json&${query}`)).body as { hands: { hand_id: string }[] }).hands.map(
        (hand) => hand.hand_id,
      );

    await t.test('every format has the hands of the season, the newest first', async (t) => {
      const mine = handsOf(FREE, inCurrent);
      const csv = await ask(house, FREE);
      t.match(csv, { status: 200 });
      t.equal(csv.headers.get('content-type'), 'text/csv; charset=utf-8');
      t.equal(csv.headers.get('content-disposition'), 'attachment; filename="hands-2026-11-21.csv"');
      const [head, ...rows] = csv.text.trimEnd().split('\n');
      t.match(head, /^hand_id,table_id,hand_number,seat,stack_start,stack_end,profit,actions,started_at,ended_at,/);
      t.same(
        rows.map((row) => row.split(',')[0]),
        mine,
      );
      t.same(await ids(FREE, ''), mine);
      const phh = await ask(house, FREE, 'format=phh');
      t.match(phh.headers.get('content-disposition'), /"hands-2026-11-21.phhs"/);
      t.same(
        readPhh(phh.text).map(({ section, id }) => [Number(section), id]),
        mine.map((id, n) => [n + 1, id]),
      );
      const stars = await ask(house, FREE, 'format=pokerstars');
      t.equal(stars.headers.get('content-type'), 'text/plain; charset=utf-8');
      const numbers = readPokerStars(stars.text).map(({ id }) => BigInt(id));
      t.equal(numbers.length, mine.length);
      t.same(
        numbers,
        [...new Set(numbers)].sort((a, b) => (a < b ? 1 : -1)),
        'numbers are unique, in the order of time',
      );
    });

    await t.test('limit, offset and dates choose among them', async (t) => {
      t.same(await ids(PRO, 'limit=7&offset=26'), handsOf(PRO).slice(26, 33), 'over the end of a season');
      t.same(
        await ids(PRO, `season_id=${old}`),
        handsOf(PRO, (record) => !inCurrent(record)),
      );
      t.same(
        await ids(PRO, 'end_date=2026-01-07'),
        handsOf(PRO, (record) => !inCurrent(record)),
      );
      t.same(await ids(PRO, 'start_date=2026-01-08&end_date=2026-01-08T00:00:10Z'), handsOf(PRO, inCurrent).slice(-10));
      t.same(await ids(FREE, `season_id=${current.toUpperCase()}&start_date=2026-01-08`), handsOf(FREE, inCurrent));
      t.same(await ids(PRO, 'start_date=2027-01-01'), []);
      t.equal((await ask(house, PRO, 'start_date=2027-01-01&format=phh')).text, '');
    });

    await t.test('a competition is exported without a pass, in every format', async (t) => {
      const { cup } = archive;
      const here = `competition_id=${cup.id}`;
      t.same(await ids(FREE, here), cup.hands);
      const { hands } = (await ask(house, FREE, `${here}&format=json`)).body as { hands: object[] };
      t.match(hands[0], { season_id: null, competition_id: cup.id });
      const [head, first] = (await ask(house, FREE, `${here}&format=csv`)).text.split('\r\n').join('\n').split('\n');
      t.match(head, /,competition_id,posts,opened_cards$/);
      t.match(first, `,${cup.id},`);
      t.match((await ask(house, FREE, `${here}&format=phh`)).text, `_competition_id = '${cup.id}'`);
      t.match((await ask(house, FREE, `${here}&format=pokerstars`)).text, /^PokerStars Hand/);
      const missing = { status: 404, body: { detail: 'Competition not found' } };
      t.match(await ask(house, FREE, `competition_id=${current}`), missing);
    });

    await t.test('without a pass there is only the season', async (t) => {
      const refused = {
        status: 403,
        body: { detail: 'Without a season pass only the current season can be exported' },
      };
      t.match(await ask(house, FREE, `season_id=${old}`), refused);
      t.match(await ask(house, FREE, 'start_date=2026-01-07'), refused);
      t.match(await ask(house, FREE, 'end_date=2026-01-01'), refused);
      const unknown = '00000000-0000-4000-8000-00000000ffff';
      t.match(await ask(house, FREE, `season_id=${unknown}`), refused);
      t.match(await ask(house, PRO, `season_id=${unknown}`), { status: 404, body: { detail: 'Season not found' } });
    });

    await t.test('a bad question is answered, not a file begun', async (t) => {
      for (const query of [
        'format=xml',
        'limit=0',
        'limit=1000001',
        'start_date=soon',
        'end_date=2026-02-30',
        'season_id=1',
      ]) {
        t.equal((await ask(house, FREE, query)).status, 422, query);
      }
    });

    await t.test('a large one comes whole, whatever its pieces', async (t) => {
      const got = await ids(BUSY, 'limit=1000000');
      t.equal(got.length, MANY + 30);
      t.equal(new Set(got).size, got.length);
      t.same(got, [...got].sort().reverse());
    });

    await t.test('a reader that stops holds no more than its own export, and one that leaves frees it', async (t) => {
      const first = await stalled(house, BUSY);
      const second = await stalled(house, BUSY);
      const third = await ask(house, BUSY);
      t.match(third, { status: 429, body: { detail: 'Two exports are under way already; wait for one to end' } });
      t.match(third.headers.get('retry-after'), /^\d+$/);
      t.equal((await ask(house, FREE)).status, 200, 'others are not kept waiting');
      first.destroy();
      let again = await ask(house, BUSY, 'limit=1');
      while (again.status === 429) again = await ask(house, BUSY, 'limit=1');
      t.equal(again.status, 200);
      second.destroy();
    });
  });
}
