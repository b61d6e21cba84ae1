/** Public views of hands and agents: exactly what a spectator of the table saw, and only where it may be watched. */
import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import type { Static } from 'typebox';
import { NO_CURVES } from '../../src/analytics/curve.js';
import { publicCurve } from '../../src/analytics/public-figures.js';
import type { Hand } from '../../src/holdem/hand.js';
import { audienceOf, isShown, isShownLive, type Audience } from '../../src/lobby/index.js';
import type { AgentProfile, PublicHand } from '../../src/protocol/rest/public.js';
import { publicRoutes } from '../../src/public/index.js';
import { commitHands } from '../../src/shard/commit/queries.js';
import type { Database } from '../../src/store/database.js';
import type { HandRecord } from '../../src/table/effects.js';
import { Act } from '../../src/holdem/types.js';
import { cardNames, cardsIn } from '../support/cards-in.js';
import { addCompetition, addParticipants } from '../support/competition-rows.js';
import { freshDatabase, openPool, stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { readPhh } from '../formats/independent/phh.js';
import { readPokerStars } from '../formats/independent/pokerstars.js';
import { openRandomTables, type Seated } from '../support/random-table.js';
import { asker } from '../support/rest.js';
import { PUBLIC_OPTIONS } from '../support/public-options.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

type HandBody = Static<typeof PublicHand>;
const HOUSE: Audience = { spectators: 'public', sealed: false, delayHands: 0 };

const sql = openPool(t, await freshDatabase(t), 4);

/** The routes for a house of these rules; `season` is where agents have their place. */
function routes(house: Audience = HOUSE, season: string | null = null) {
  return asker(
    publicRoutes({
      ...PUBLIC_OPTIONS,
      sql,
      house,
      views: { shownSeat: async (agentId) => (season === null ? null : { tableId: agentId, seat: 3 }) },
      placeOf: (agentId) =>
        Promise.resolve(
          season === null
            ? null
            : {
                agentId,
                seasonId: season,
                number: 1,
                rank: 2,
                total: 5,
                score: 100,
                rebuys: 0,
                premium: false,
                handsPlayed: 4,
                handsWon: 1,
              },
        ),
    }),
  );
}

interface Played {
  poolId: string;
  hands: HandRecord[];
  seated: Seated[];
}

/** A pool of three players that have played `count` hands. */
async function play(shard: number, count: number, decide?: (hand: Hand) => void): Promise<Played> {
  const { poolId, fence, randomTables } = await openRandomTables(sql, { players: 3, shard, seed: 11 + shard });
  const [table] = randomTables;
  const hands: HandRecord[] = [];
  for (let n = 0; n < count; n++) {
    const record = table!.play(decide);
    await commitHands(sql, fence, [record]);
    hands.push(record);
  }
  return { poolId, hands, seated: table!.seated };
}

const began = new Date(Date.UTC(2026, 0, 1));

async function seasonOf(db: Database, poolId: string): Promise<void> {
  const end = new Date(began.getTime() + 86_400_000);
  await db`
    insert into seasons (season_id, status, start_date, end_date) values (${poolId}, 'active', ${began}, ${end})`;
}

const season = await play(0, 12);
await seasonOf(sql, season.poolId);
const stranger = randomUUID();

async function seen(t: Test, ask: ReturnType<typeof routes>, record: HandRecord, agentId?: string): Promise<HandBody> {
  const answer = await ask('getPublicHand', { params: { hand_id: record.handId }, ...(agentId && { agentId }) });
  t.equal(answer.status, 200, record.handId);
  return answer.body as HandBody;
}

const statusOf = async (ask: ReturnType<typeof routes>, record: HandRecord, agentId?: string) =>
  (await ask('getPublicHand', { params: { hand_id: record.handId }, ...(agentId && { agentId }) })).status;

/** Board and cards that a spectator knows, and those of one player beside them. */
const known = ({ board, boardCount, players }: HandRecord, own?: string) =>
  cardNames([
    ...board.slice(0, boardCount),
    ...players.flatMap(({ hole, shown, agentId }) => (shown || agentId === own ? hole : [])),
  ]);

await t.test('a hand is what a spectator saw of it, and for a player of it its own cards', async (t) => {
  const ask = routes();
  for (const record of season.hands) {
    const body = await seen(t, ask, record);
    t.same([...new Set(cardsIn(JSON.stringify(body)))].sort(), [...new Set(known(record))].sort(), record.handId);
    t.same(await seen(t, ask, record, stranger), body, 'another agent sees no more');
    for (const { agentId } of record.players) {
      const own = await seen(t, ask, record, agentId);
      t.same([...new Set(cardsIn(JSON.stringify(own)))].sort(), [...new Set(known(record, agentId))].sort());
      t.match(own, { own: { seat: Number, hole_cards: Array } });
    }
    const result = body.events.at(-1)!;
    t.match(body, {
      season_id: season.poolId,
      competition: null,
      hand_number: record.handNumber,
      own: null,
      events: [{ type: 'hand_start', dealer_seat: record.button }],
    });
    t.match(result, { type: 'hand_result', total_pot: record.totalPot });
    const actions = body.events.filter((event) => event.type === 'player_action');
    t.equal(actions.length, record.actions.length);
    addsUp(t, body);
  }
  t.ok(season.hands.some(({ players }) => players.some(({ shown }) => shown)));
  t.ok(season.hands.some(({ players }) => players.some(({ shown }) => !shown)));
});

/** That chips go where the events say, so that who draws them needs no rule of poker. */
function addsUp(t: Test, { players, blinds, events, pots, returned }: HandBody): void {
  const stacks = new Map(players.map(({ seat, stack_start: stack }) => [seat, stack]));
  const put = (seat: number, chips: number) => stacks.set(seat, stacks.get(seat)! - chips);
  let pot = 0;
  for (const { seat, amount } of blinds) {
    put(seat, amount);
    pot += amount;
  }
  for (const event of events) {
    if (event.type !== 'player_action') continue;
    t.same([event.pot_before, event.stack_before], [pot, stacks.get(event.seat)]);
    put(event.seat, event.contribution_delta);
    pot += event.contribution_delta;
    t.same([event.pot_after, event.stack_after], [pot, stacks.get(event.seat)]);
  }
  if (returned !== null) put(returned.seat, -returned.amount);
  t.equal(
    pots.reduce((sum, { amount }) => sum + amount, returned?.amount ?? 0),
    pot,
  );
  for (const { seat, payout, stack_end } of players) t.equal(stacks.get(seat)! + payout, stack_end);
}

await t.test('as a file of other programs', async (t) => {
  const ask = publicRoutes({ ...PUBLIC_OPTIONS, sql, house: HOUSE }).find(
    ({ spec }) => spec.id === 'getPublicHandFile',
  )!;
  const record = season.hands.find(({ players }) => players.some(({ shown }) => !shown))!;
  const text = async (format: string, agentId: string | null) =>
    ask.run({
      params: { hand_id: record.handId },
      query: `format=${format}`,
      body: '',
      ip: '127.0.0.1',
      headers: {},
      agent: agentId === null ? null : { agentId, name: 'unused', isAdmin: false },
      signal: new AbortController().signal,
    });
  for (const [format, type, read] of [
    ['phh', 'application/toml', readPhh],
    ['pokerstars', 'text/plain; charset=utf-8', readPokerStars],
  ] as const) {
    const { body, headers } = await text(format, null);
    t.equal(headers['content-type'], type);
    t.match(headers['content-disposition'], `hand-${record.handId}.`);
    t.equal(read(body).length, 1, format);
    t.same([...cardsIn(body)].sort(), known(record).sort(), `${format}: no card that was not shown`);
    const { agentId } = record.players.find(({ shown }) => !shown)!;
    t.same([...cardsIn((await text(format, agentId)).body)].sort(), known(record, agentId).sort());
  }
});

await t.test('there is no hand but those that are stored, and none of a house without spectators', async (t) => {
  const [record] = season.hands;
  const nothing = { status: 404, body: { detail: 'Hand not found' } };
  // The first says that it began in the year 10889, which no date of the database is read from.
  const far = 'ffffffff-ffff-4fff-8fff-ffffffffffff';
  for (const hand_id of [far, randomUUID(), record!.handId.replace(/.$/, (last) => (last === '0' ? '1' : '0'))]) {
    t.match(await routes()('getPublicHand', { params: { hand_id } }), nothing);
  }
  const shut = routes({ ...HOUSE, spectators: 'none' });
  t.equal(await statusOf(shut, record!), 404);
  t.equal(await statusOf(shut, record!, record!.players[0]!.agentId), 200, 'but for who played it');
});

await t.test('what is shown is as old as it has to be', async (t) => {
  const late = routes({ ...HOUSE, delayHands: 3 });
  const statuses = await Promise.all(season.hands.map((record) => statusOf(late, record)));
  t.same(
    statuses,
    season.hands.map((_, n) => (n < season.hands.length - 3 ? 200 : 404)),
  );
  const last = season.hands.at(-1)!;
  t.equal(await statusOf(late, last, last.players[0]!.agentId), 200, 'who played it knows it');
  await sql`update tables set status = 'closed' where pool_id = ${season.poolId}`;
  t.equal(await statusOf(late, last), 200, 'a table that has closed plays no later ones');
  await sql`update tables set status = 'open' where pool_id = ${season.poolId}`;
});

await t.test('the hands before and after it at its table, as far as the reader may see them', async (t) => {
  const ids = season.hands.map(({ handId }) => handId);
  const beside = async (ask: ReturnType<typeof routes>, at: number, agentId?: string) => {
    const { previous_hand_id: previous, next_hand_id: next } = await seen(t, ask, season.hands[at]!, agentId);
    return [previous, next];
  };
  const ask = routes();
  for (const at of ids.keys()) t.same(await beside(ask, at), [ids[at - 1] ?? null, ids[at + 1] ?? null]);
  const late = routes({ ...HOUSE, delayHands: 3 });
  const newest = ids.length - 4;
  t.same(await beside(late, newest), [ids[newest - 1], null], 'the next one is too young');
  const player = season.hands[newest + 1]!.players[0]!.agentId;
  t.same(await beside(late, newest, player), [ids[newest - 1], ids[newest + 1]], 'but not for a player of it');
  const shut = routes({ ...HOUSE, spectators: 'none' });
  const own = season.hands[5]!.players[0]!.agentId;
  t.same(await beside(shut, 5, own), [ids[4], ids[6]], 'a player walks through its own hands');
});

await t.test('a competition is for those it says', async (t) => {
  const { poolId, hands, seated } = await play(1, 3, (hand) => void hand.act(hand.legal().fold ? Act.fold : Act.check));
  await sql`update pools set kind = 'competition' where pool_id = ${poolId}`;
  const organizer = seated[0]!.agentId;
  await addCompetition(sql, organizer, { poolId, state: 'active', started_at: began });
  const markup = `<b>'"${'x'.repeat(9)}`;
  await addParticipants(
    sql,
    poolId,
    seated.slice(1).map(({ agentId }, n) => ({ agentId, ...(n === 0 && { displayName: markup }) })),
  );
  const ask = routes();
  const record = hands[0]!;
  const [, one, two] = record.players.map(({ agentId }) => agentId) as [string, string, string];
  const set = (change: object) => sql`update competitions set ${sql(change)} where competition_id = ${poolId}`;
  const statuses = async () => {
    const watched = { ...record, handId: record.handId };
    return Promise.all([undefined, stranger, one].map((agentId) => statusOf(ask, watched, agentId)));
  };
  t.same(await statuses(), [200, 200, 200], 'public');
  const body = await seen(t, ask, record, two);
  t.match(body, { season_id: null, competition: { competition_id: poolId, slug: String, name: 'Autumn Cup' } });
  t.match(body.players, { 1: { name: markup } }, 'under the names that are shown there');
  await set({ spectators: 'participants' });
  t.same(await statuses(), [404, 404, 200]);
  const spectator = (await addSpectator(poolId)).agentId;
  t.equal(await statusOf(ask, record, spectator), 200, 'who takes part sees the hands of others');
  await set({ spectators: 'none' });
  t.same(await statuses(), [404, 404, 200], 'none: who played it alone');
  t.equal(await statusOf(ask, record, spectator), 404);
  await set({ spectators: 'public', duplicate: true });
  t.same(await statuses(), [404, 404, 404], 'of duplicates nothing before the end');
  await set({ state: 'finalized', ended_at: new Date(began.getTime() + 3_600_000) });
  t.same(await statuses(), [200, 200, 200], 'and then as it says');
});

/** Somebody else who takes part. */
async function addSpectator(poolId: string): Promise<{ agentId: string }> {
  const agentId = randomUUID();
  await sql`
    insert into agents (agent_id, email, name, key_hash, terms_accepted_at)
    values (${agentId}, ${`${agentId}@example.org`}, ${`s_${agentId.slice(0, 8)}`}, sha256(${agentId}::bytea), now())`;
  await addParticipants(sql, poolId, [{ agentId }]);
  return { agentId };
}

await t.test('one function decides', (t) => {
  const cup = { spectators: 'public', duplicate: false, over: false } as const;
  const cases: [Audience, stranger: boolean, takesPart: boolean][] = [
    [HOUSE, true, true],
    [{ ...HOUSE, spectators: 'none' }, false, false],
    [audienceOf(HOUSE, cup), true, true],
    [audienceOf(HOUSE, { ...cup, spectators: 'participants' }), false, true],
    [audienceOf(HOUSE, { ...cup, spectators: 'none' }), false, false],
    [audienceOf(HOUSE, { ...cup, duplicate: true }), false, false],
    [audienceOf(HOUSE, { ...cup, duplicate: true, over: true }), true, true],
    [audienceOf({ ...HOUSE, spectators: 'none' }, cup), false, false],
  ];
  for (const [audience, stranger, takesPart] of cases) {
    t.same([isShown(audience, false), isShown(audience, true)], [stranger, takesPart], JSON.stringify(audience));
    const late = { ...audience, delayHands: 1 };
    t.notOk(isShownLive(late, true), 'nothing that is late is live');
  }
  t.end();
});

await t.test('an agent has a page, unless it wants none or is banned', async (t) => {
  const { agentId } = season.seated[0]!;
  await sql`update agents set name = 'ada', public_profile_slug = 'ada' where agent_id = ${agentId}`;
  const ask = routes(HOUSE, season.poolId);
  const profile = () => ask('getAgentProfile', { params: { slug: 'ada' } });
  const { status, body } = await profile();
  t.equal(status, 200);
  const { recent_hands: recent, season: place } = body as Static<typeof AgentProfile>;
  t.match(place, { rank: 2, total_participants: 5, win_rate: 0.25, bb_per_100: null, curve: [] });
  const mine = season.hands.filter(({ players }) => players.some((player) => player.agentId === agentId)).reverse();
  t.same(
    recent.map(({ hand_id }) => hand_id),
    mine.map(({ handId }) => handId),
    'the newest first',
  );
  await counted(agentId);
  t.match((await profile()).body, {
    badges: [{ season_number: 2, badge: 'silver' }],
    avatar_url: 'https://example.com/a.png',
    season: { bb_per_100: 50, bb_per_100_ci95: [Number, Number], curve: [{ hand_number: 4, cumulative_profit: 40 }] },
  });
  await sql`
    update analytics set hands = 100, staked_hands = 100, luck_hands = 100, luck_millionths = 2000000, luck_bb_squares = 900,
      luck_shown_hands = 100, luck_shown_millionths = 2000000, luck_shown_squares = 900 where agent_id = ${agentId}`;
  await sql`
    insert into analytics_curves (pool_id, agent_id, step, points, adjusted, luck_step, luck_points)
    values (${season.poolId}, ${agentId}, 64, '{12}', '{11.5}', 100, '{40}')
    on conflict (pool_id, agent_id) do update set luck_points = excluded.luck_points, step = 64, points = '{12}', adjusted = '{11.5}'`;
  const { season: lucky } = (await profile()).body as Static<typeof AgentProfile>;
  t.match(lucky, {
    hands_luck_adjusted: 100,
    bb_per_100_luck_adjusted: 2,
    bb_per_100_luck_adjusted_ci95: [Number, Number],
  });
  t.match(lucky!.luck_curve, [{ hand_number: 100, luck_adjusted: 40, low: Number, high: Number }]);
  t.match(lucky!.curve[0], { hand_number: 64, cumulative_profit: 12, all_in_adjusted: 12 });
  const late = await routes({ ...HOUSE, delayHands: 3 }, season.poolId)('getAgentProfile', { params: { slug: 'ada' } });
  const shown = (late.body as Static<typeof AgentProfile>).recent_hands.map(({ hand_id }) => hand_id);
  const old = season.hands.slice(0, -3).map(({ handId }) => handId);
  t.ok(shown.length > 0 && shown.every((id) => old.includes(id)), 'as old as it has to be');
  const shut = await routes({ ...HOUSE, spectators: 'none' }, season.poolId)('getAgentProfile', {
    params: { slug: 'ada' },
  });
  t.match(shut, { status: 200, body: { recent_hands: [] } });
  t.match(await ask('getAgentTable', { params: { slug: 'ada' } }), { body: { table_id: agentId, seat: 3 } });
  t.match(await routes()('getAgentTable', { params: { slug: 'ada' } }), { body: { table_id: null, seat: null } });

  const gone = { status: 404, body: { detail: 'Agent not found' } };
  for (const change of [{ public_profile: false }, { public_profile: true, banned_at: new Date() }]) {
    await sql`update agents set ${sql(change)} where agent_id = ${agentId}`;
    t.match(await profile(), gone, JSON.stringify(change));
    t.match(await ask('getAgentTable', { params: { slug: 'ada' } }), gone);
  }
  for (const slug of ['nobody', 'Ada', "a'b", '%00', 'x'.repeat(200)]) {
    t.match(await ask('getAgentProfile', { params: { slug } }), gone, slug);
  }
});

/** Four of its hands are counted, and it was second in a season before. */
async function counted(agentId: string): Promise<void> {
  await sql`update agents set avatar_url = 'https://example.com/a.png' where agent_id = ${agentId}`;
  await sql`
    insert into analytics (pool_id, agent_id, hands, profit, bb, bb_squares, adjusted_bb, adjusted_bb_squares,
      bb_risk, bb_chance, staked_hands)
    values (${season.poolId}, ${agentId}, 4, 40, 2, 10, 1, 8, 100, 500, 4)`;
  const before = randomUUID();
  await sql`select create_pool(${before}, 'season')`;
  await sql`
    insert into seasons (season_id, status, start_date, end_date, ended_at, prize_pool_cents, rebuy_penalty)
    values (${before}, 'ended', ${new Date(0)}, ${new Date(1)}, ${new Date(1)}, 0, 0)`;
  await sql`
    insert into season_standings (season_id, rank, agent_id, bot_name, score, chip_balance, rebuys, hands_played,
      hands_won, badge, prize_cents)
    values (${before}, 2, ${agentId}, 'ada', 1, 1, 0, 10, 1, 'silver', 0)`;
}

await t.test('a public curve tells no single hand', (t) => {
  const points = Array.from({ length: 200 }, (_, n) => n + 1);
  const won = { profit: 7, bb: 0.35, adjusted_bb: 0.3 };
  t.same(
    publicCurve({ curves: { ...NO_CURVES, points, adjusted: points }, hands: 203, ...won }).map(
      ({ hand_number }) => hand_number,
    ),
    [50, 100, 150, 200, 203],
  );
  t.same(publicCurve({ curves: { ...NO_CURVES, step: 64, points: [5], adjusted: [4.4] }, hands: 64, ...won }), [
    { hand_number: 64, cumulative_profit: 5, all_in_adjusted: 4 },
  ]);
  t.same(publicCurve({ curves: null, hands: 0, profit: 0, bb: 0, adjusted_bb: 0 }), []);
  t.end();
});
