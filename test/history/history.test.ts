/** The history of an agent's hands, page by page, against the hands as they were played. */
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { Act } from '../../src/holdem/types.js';
import type { Hand } from '../../src/holdem/hand.js';
import { CARD_NAMES } from '../../src/cards/card.js';
import { smallBlindSeat } from '../../src/holdem/deal.js';
import type { ExportSeason } from '../../src/history/export-rights.js';
import { createHistory } from '../../src/history/index.js';
import { timeOf } from '../../src/history/times.js';
import { HttpError } from '../../src/protocol/rest/errors.js';
import { utc } from '../../src/protocol/common.js';
import { commitHands, MARK_EVERY } from '../../src/shard/commit/commit-hands.js';
import type { Database } from '../../src/store/database.js';
import { ACTION_NAMES, STREET_NAMES } from '../../src/table/frames/words.js';
import { freshDatabase, openPool, stopCluster } from '../support/database.js';
import { addCompetition, addParticipants } from '../support/competition-rows.js';
import { openRandomTables } from '../support/random-table.js';
import { FILE_MS } from '../support/limits.js';
import { asker } from '../support/rest.js';
import { stopParts } from '../support/parts.js';
import type { HandRecord } from '../../src/table/effects.js';

t.teardown(stopCluster);
t.setTimeout(FILE_MS);

/** Ends each hand at once, so that nobody ever goes broke. */
const fold = (hand: Hand): void => void hand.act(hand.legal().fold ? Act.fold : Act.check);

/** Makes a season of a pool; each begins a day after the one before. */
async function addSeason(sql: Database, poolId: string, day: number, status: 'active' | 'ended'): Promise<void> {
  const start = new Date(Date.UTC(2026, 0, 1 + day));
  await sql`
    insert into seasons (season_id, status, start_date, end_date)
    values (${poolId}, ${status}, ${start}, ${new Date(start.getTime() + 86_400_000)})`;
}

/** As the history tells a hand to the agent. */
function told(record: HandRecord, agentId: string) {
  const { seat, stackStart, stackEnd, hole } = record.players.find((player) => player.agentId === agentId)!;
  const dealt = record.players.reduce((mask, player) => mask | (1 << player.seat), 0);
  return {
    hand_id: record.handId,
    table_id: record.tableId,
    hand_number: record.handNumber,
    seat,
    stack_start: stackStart,
    stack_end: stackEnd,
    profit: stackEnd - stackStart,
    small_blind: record.smallBlind,
    big_blind: record.bigBlind,
    hole_cards: hole.map((card) => CARD_NAMES[card]!),
    board: record.board.slice(0, record.boardCount).map((card) => CARD_NAMES[card]!),
    posts: [
      { seat: smallBlindSeat(dealt, record.button, 'standard'), amount: 10, kind: 'small_blind' },
      { seat: record.bigBlindSeat, amount: 20, kind: 'big_blind' },
    ],
    actions: record.actions.map((action) => ({
      seat: action.seat,
      action: ACTION_NAMES[action.act]!,
      amount: action.amount,
      street: STREET_NAMES[action.street]!,
    })),
    started_at: utc(record.startedAt),
    ended_at: utc(record.endedAt),
  };
}

/** The feature on a database of its own. */
async function openHistory(t: Test) {
  const address = await freshDatabase(t);
  const sql = openPool(t, address, 2);
  const house = { sql, current: null as ExportSeason | null };
  const history = createHistory({ sql, address, season: () => house.current, now: Date.now });
  t.teardown(() => stopParts(history));
  return Object.assign(house, { ask: asker(history.routes) });
}

type Told = ReturnType<typeof told>;
interface Page {
  hands: Told[];
  limit: number;
  offset: number;
  total_hands: number;
  next_cursor: string | null;
}

/** Two seasons of one agent: a short one with real play, then a long one of folded hands. */
async function twoSeasons(sql: Database) {
  const first = await openRandomTables(sql, { players: 3, seed: 7 });
  await addSeason(sql, first.poolId, 0, 'ended');
  const records: HandRecord[] = [];
  for (let n = 0; n < 25; n++) {
    const record = first.randomTables[0]!.play();
    await commitHands(sql, first.fence, [record]);
    records.push(record);
  }
  const [agentId] = first.randomTables[0]!.seated.map((seated) => seated.agentId) as [string];
  const second = await openRandomTables(sql, { players: 2, seed: 8, old: [agentId] });
  await addSeason(sql, second.poolId, 1, 'active');
  const randomTable = second.randomTables[0]!;
  randomTable.clock += 86_400_000;
  for (let n = 0; n < 2 * MARK_EVERY + 75; n++) {
    const record = randomTable.play(fold);
    await commitHands(sql, second.fence, [record]);
    records.push(record);
  }
  const mine = records.filter(({ players }) => players.some((player) => player.agentId === agentId)).reverse();
  return { agentId, mine, seasons: [second.poolId, first.poolId] as const };
}

await t.test('the pages of a history', async (t) => {
  const house = await openHistory(t);
  const { sql, ask } = house;
  const { agentId, mine, seasons } = await twoSeasons(sql);
  const startsAt = Date.UTC(2026, 0, 2);
  house.current = { seasonId: seasons[0], startsAt };
  const setPass = (premium: boolean) => sql`
    update entries set premium = ${premium} where pool_id = ${seasons[0]} and agent_id = ${agentId}`;
  await setPass(true);
  const page = async (query: Record<string, string | number>): Promise<Page> => {
    const answer = await ask('getHandHistory', { agentId, query: new URLSearchParams(query as never).toString() });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer));
    return answer.body as Page;
  };

  await t.test('the first has the newest 50 of all seasons', async (t) => {
    const answer = await page({});
    t.same(
      answer.hands,
      mine.slice(0, 50).map((record) => told(record, agentId)),
    );
    t.match(answer, { limit: 50, offset: 0, total_hands: mine.length });
    t.type(answer.next_cursor, 'string');
  });

  await t.test('cursors lead through all of them, over the end of a season', async (t) => {
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const answer: Page = await page({ limit: 190, ...(cursor === '' ? {} : { cursor }) });
      t.equal(answer.total_hands, mine.length);
      seen.push(...answer.hands.map((hand) => hand.hand_id));
      cursor = answer.next_cursor;
    }
    t.same(
      seen,
      mine.map(({ handId }) => handId),
    );
  });

  await t.test('any page by any filter is what the records say', async () => {
    const starts = mine.map(({ startedAt }) => startedAt);
    const moment = fc.integer({ min: 0, max: mine.length - 1 }).chain((n) => fc.integer({ min: -1, max: 1 }).map((d) => starts[n]! + d)); // prettier-ignore
    const query = fc.record(
      {
        limit: fc.integer({ min: 1, max: 200 }),
        offset: fc.oneof(fc.integer({ min: 0, max: mine.length + 10 }), fc.integer({ min: 0, max: 60 })),
        after: fc.integer({ min: 0, max: mine.length - 1 }),
        from: moment,
        to: moment,
        season: fc.constantFrom(...seasons),
      },
      { requiredKeys: [] },
    );
    const seasonOf = ({ poolId }: HandRecord) => poolId;
    const cursorAt = async (n: number) => (await page({ limit: 1, offset: n })).next_cursor;
    const check = fc.asyncProperty(query, async ({ limit = 50, offset = 0, after, from, to, season }) => {
      const fits = mine.filter(
        (record) =>
          record.startedAt >= (from ?? 0) &&
          record.startedAt <= (to ?? Infinity) &&
          seasonOf(record) === (season ?? seasonOf(record)),
      );
      const cursor = after === undefined || after === mine.length - 1 ? null : await cursorAt(after);
      const rest = cursor === null ? fits : fits.filter((record) => record.startedAt < starts[after!]!);
      const expected = rest.slice(offset, offset + limit);
      const answer = await page({
        limit,
        offset,
        ...(cursor === null ? {} : { cursor }),
        ...(from === undefined ? {} : { from: new Date(from).toISOString() }),
        ...(to === undefined ? {} : { to: utc(to) }),
        ...(season === undefined ? {} : { season_id: season }),
      });
      const ids = answer.hands.map((hand) => hand.hand_id);
      const differs =
        JSON.stringify(ids) !== JSON.stringify(expected.map(({ handId }) => handId)) ||
        answer.total_hands !== fits.length ||
        (answer.next_cursor === null) !== offset + limit >= rest.length;
      if (differs) throw new Error(`${JSON.stringify(ids)}\n${answer.total_hands} of ${fits.length}`);
    });
    await fc.assert(check, { numRuns: 200 });
  });

  await t.test('a mark is made of every 500th hand of a season', async (t) => {
    const marks = await sql<{ nth: number; hand_id: string }[]>`
      select nth, hand_id from hand_marks where pool_id = ${seasons[0]} and agent_id = ${agentId} order by nth`;
    const numbered = mine.filter(({ poolId }) => poolId === seasons[0]).reverse();
    t.same(
      marks.map((mark) => ({ ...mark })),
      [MARK_EVERY, 2 * MARK_EVERY].map((nth) => ({ nth, hand_id: numbered[nth - 1]!.handId })),
    );
  });

  await t.test('what fits nothing is answered with nothing', async (t) => {
    const empty = { hands: [], total_hands: 0, next_cursor: null };
    t.match(await page({ from: '2027-01-01' }), empty);
    t.match(await page({ season_id: '018f4e0a-7c1e-7d52-9d3f-2f6c1f0a9b11' }), empty);
    t.match(await page({ offset: Number.MAX_SAFE_INTEGER }), { ...empty, total_hands: mine.length });
  });

  await t.test('without a pass there is the current season alone', async (t) => {
    await setPass(false);
    const inSeason = mine.filter(({ poolId }) => poolId === seasons[0]);
    t.match(await page({}), { total_hands: inSeason.length });
    t.match(await page({ offset: inSeason.length - 1 }), { hands: [{}], next_cursor: null }, 'and no way out of it');
    const start = new Date(startsAt);
    for (const query of [{ season_id: seasons[0] }, { from: start.toISOString() }, { to: '2020-01-01' }])
      await page(query);
    t.match(await page({ from: start.toISOString().slice(0, 10) }), { total_hands: inSeason.length });
    for (const query of [
      `season_id=${seasons[1]}`,
      'season_id=018f4e0a-7c1e-7d52-9d3f-2f6c1f0a9b11',
      `from=${new Date(startsAt - 1).toISOString()}`,
      `season_id=${seasons[0]}&from=2020-01-01`,
    ]) {
      const refused = { status: 403, body: { detail: 'Season pass required' } };
      t.match(await ask('getHandHistory', { agentId, query }), refused, query);
    }
    house.current = null;
    t.match(await ask('getHandHistory', { agentId }), { status: 404, body: { detail: 'No active season' } });
    house.current = { seasonId: seasons[0], startsAt };
    await setPass(true);
  });

  await t.test('what is no filter is refused', async (t) => {
    const refused = async (query: string) => {
      const { status, body } = await ask('getHandHistory', { agentId, query });
      const [item] = (body as { detail: { loc: string[]; type: string }[] }).detail;
      return [status, item!.loc.join('.'), item!.type];
    };
    t.same(await refused('from=yesterday'), [422, 'query.from', 'datetime_parsing']);
    t.same(await refused('to=2026-02-30'), [422, 'query.to', 'datetime_parsing']);
    t.same(await refused('limit=201'), [422, 'query.limit', 'less_than_equal']);
    t.same(await refused('season_id=1'), [422, 'query.season_id', 'value_error']);
    for (const cursor of ['', 'x', 'AAAA', Buffer.alloc(32).toString('base64url')]) {
      t.same(await refused(`cursor=${cursor}`), [422, 'query.cursor', 'value_error'], cursor);
    }
  });
});

await t.test('times of a query', (t) => {
  const ms = (text: string, edge: 'start' | 'end' = 'start') => timeOf(text, 'from', edge);
  t.equal(ms('2026-11-21'), Date.UTC(2026, 10, 21));
  t.equal(ms('2026-11-21', 'end'), Date.UTC(2026, 10, 22) - 1, 'a day ends with its last millisecond');
  t.equal(ms('2026-11-21T10:00', 'end'), Date.UTC(2026, 10, 21, 10), 'without a zone it is UTC');
  t.equal(ms('2026-11-21T10:00:01.25Z'), Date.UTC(2026, 10, 21, 10, 0, 1, 250));
  t.equal(ms('2026-11-21T10:00:00+02:00'), Date.UTC(2026, 10, 21, 8));
  t.equal(ms('2026-11-21T10:00:00 02:00'), Date.UTC(2026, 10, 21, 8), 'a + that was not escaped');
  t.equal(ms('2026-11-21 10:00:00-0130'), Date.UTC(2026, 10, 21, 11, 30));
  for (const wrong of ['', '2026', '2026-13-01', '2026-02-29', '2026-11-21T25:00', '2026-11-21T10', 'now', '1e9'])
    t.throws(() => ms(wrong), HttpError, wrong);
  t.end();
});

await t.test('the ledger of season chips', async (t) => {
  const { sql, ask } = await openHistory(t);
  const { poolId, randomTables } = await openRandomTables(sql, { players: 2, chips: 1500 });
  await addSeason(sql, poolId, 0, 'active');
  const { agentId } = randomTables[0]!.seated[0]!;
  await sql`
    insert into chip_ledger (pool_id, agent_id, type, amount, balance_after)
    select ${poolId}, ${agentId}, 'rebuy', 1, 3500 + n from generate_series(1, 119) n`;
  const hand = randomTables[0]!.play();
  await sql`
    insert into chip_ledger (pool_id, agent_id, type, amount, balance_after, table_id, hand_id)
    values (${poolId}, ${agentId}, 'skim', 1, 3620, ${hand.tableId}, ${hand.handId})`;
  const page = async (query: string) => {
    const { status, body } = await ask('getSeasonChipLedger', { agentId, query });
    t.equal(status, 200);
    return body as { entries: Record<string, unknown>[]; limit: number; offset: number };
  };
  const first = await page('');
  t.match(first, {
    limit: 50,
    offset: 0,
    entries: [{ type: 'skim', amount: 1, balance_after: 3620, hand_id: hand.handId }],
  });
  t.equal(first.entries.length, 50);
  const last = await page('limit=200&offset=100');
  t.match(last.entries.slice(-2), [
    { type: 'buy_in', amount: -1500, balance_after: 3500, table_id: randomTables[0]!.tableId, season_id: poolId },
    { type: 'grant', amount: 5000, balance_after: 5000, table_id: null, hand_id: null },
  ]);
  const all = [...first.entries, ...(await page('offset=50')).entries, ...last.entries].reverse() as {
    amount: number;
    balance_after: number;
  }[];
  let balance = 0;
  for (const entry of all) t.equal((balance += entry.amount), entry.balance_after);
  t.equal(all.length, 122);
});

await t.test('hands and chips of one competition', async (t) => {
  const { sql, ask } = await openHistory(t);
  const season = await openRandomTables(sql, { players: 2, seed: 9 });
  await addSeason(sql, season.poolId, 0, 'active');
  const [agentId, organizer] = season.randomTables[0]!.seated.map((seated) => seated.agentId) as [string, string];
  const cup = await openRandomTables(sql, { players: 3, seed: 10, shard: 1, old: [agentId] });
  await sql`update pools set kind = 'competition' where pool_id = ${cup.poolId}`;
  await addCompetition(sql, organizer, { poolId: cup.poolId, state: 'active' });
  await addParticipants(sql, cup.poolId, [{ agentId }]);
  await commitHands(sql, season.fence, [season.randomTables[0]!.play()]);
  const played: HandRecord[] = [];
  for (let n = 0; n < 7; n++) {
    const record = cup.randomTables[0]!.play(fold);
    await commitHands(sql, cup.fence, [record]);
    played.unshift(record);
  }
  const here = `competition_id=${cup.poolId}`;
  const get = (id: string, query: string, who = agentId) => ask(id, { agentId: who, query });

  // Nobody has a pass, and no season need be on: what was played in a competition is the own in any case.
  const all = await get('getHandHistory', here);
  t.same(
    (all.body as Page).hands,
    played.map((record) => told(record, agentId)),
  );
  const pages: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body } = await get('getHandHistory', `${here}&limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`);
    pages.push(...(body as Page).hands.map((hand) => hand.hand_id));
    cursor = (body as Page).next_cursor;
  }
  t.same(
    pages,
    played.map(({ handId }) => handId),
  );
  const from = new Date(played[2]!.startedAt).toISOString();
  t.match(await get('getHandHistory', `${here}&from=${from}`), { body: { total_hands: 3 } });
  const upper = `competition_id=${cup.poolId.toUpperCase()}`;
  t.match(await get('getHandHistory', upper), { body: { total_hands: 7 } });

  const { body } = await get('getSeasonChipLedger', here);
  t.match((body as { entries: object[] }).entries.at(-1), {
    type: 'grant',
    amount: 5000,
    season_id: null,
    competition_id: cup.poolId,
  });
  const seasons = (await get('getSeasonChipLedger', '')).body as { entries: { season_id: string }[] };
  t.ok(seasons.entries.every(({ season_id: id }) => id === season.poolId));

  for (const id of ['getHandHistory', 'getSeasonChipLedger', 'exportHandHistory']) {
    const unknown = { status: 404, body: { detail: 'Competition not found' } };
    t.match(await get(id, here, organizer), unknown, `${id} of somebody who is not in it`);
    t.match(await get(id, `competition_id=${season.poolId}`), unknown, `${id} of a season`);
  }
  for (const id of ['getHandHistory', 'exportHandHistory']) {
    const { status, body: both } = await get(id, `${here}&season_id=${season.poolId}`);
    t.match([status, both], [422, { detail: [{ loc: ['query', 'competition_id'], type: 'value_error' }] }]);
  }
});
