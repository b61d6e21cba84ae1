/** Rules, registration, the lobby, ranks and charts of a season (protocol.md, "Seasons"); its rebuys are in rebuys. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import type { ServerMessage } from '../../src/protocol/server.js';
import { insertSeasonEntry } from '../../src/seasons/entry-queries.js';
import { scoreOf } from '../../src/rebuys/index.js';
import { cooldownAfter, outOfChipsAt, seasonRules, windDownAt } from '../../src/seasons/rules.js';
import { readConfig } from '../../src/ops/config.js';
import { stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { recordFrame } from '../support/recorder.js';
import { startParts } from '../support/parts.js';
import { SeasonHouse } from '../support/season-house.js';

t.setTimeout(FILE_MS);

/** Answers over the socket, checked against their schemas. */
const seen = <T extends ServerMessage>(message: T): T => recordFrame(JSON.stringify(message)) as T;

await t.test('the rules of a season', async (t) => {
  const rules = (env: Record<string, string> = {}) => seasonRules(readConfig(env), 1000);
  t.same(
    [0, 1, 2, 3, 9].map((used) => cooldownAfter(used, false, rules())),
    [0, 600, 3600, 3600, 3600],
  );
  const other = rules({ REBUY_COOLDOWNS: '0,300', REBUY_COOLDOWNS_PRO: '0,120' });
  t.same(
    [0, 1, 2].map((used) => cooldownAfter(used, false, other)),
    [0, 300, 300],
  );
  t.same(
    [0, 1, 2].map((used) => cooldownAfter(used, true, other)),
    [0, 120, 120],
  );
  t.equal(cooldownAfter(1, true, rules()), 600, 'a pass changes nothing by itself');

  t.equal(outOfChipsAt(rules()), 999);
  t.equal(outOfChipsAt(rules({ REBUY_WHEN: 'zero' })), 0);
  t.equal(scoreOf({ chip_balance: 100, chips_at_table: 2000, rebuys: 2 }, rules().rebuyPenalty), -900);
  t.equal(windDownAt({ startsAt: 0, endsAt: 1_000_000 }, rules()), 700_000);
  t.equal(windDownAt({ startsAt: 0, endsAt: 60_000 }, rules()), 30_000, 'half of a short season is for playing');
});

await t.test('there is always an active season', async (t) => {
  await t.test('the first start makes it, later ones find it', async (t) => {
    const first = await SeasonHouse.open(t, { SEASON_SECONDS: '3600' });
    const answer = await first.ask('getCurrentSeason');
    t.match(answer, {
      status: 200,
      body: { season_id: first.poolId, season_number: 1, status: 'active', winding_down: false, total_registered: 0 },
    });
    const { time_remaining_seconds } = answer.body as { time_remaining_seconds: number };
    t.ok(time_remaining_seconds > 3500 && time_remaining_seconds < 3601, String(time_remaining_seconds));
    const second = await SeasonHouse.open(t, {}, first.address);
    t.equal(second.poolId, first.poolId);
    const partitions =
      await first.sql`select relname from pg_class where relname like 'hand%s_' || ${first.poolId.replaceAll('-', '')}`;
    t.equal(partitions.length, 2, 'its pool has its partitions');
  });

  await t.test('eight starts at once make one', async (t) => {
    const first = await SeasonHouse.build(t);
    const rest = await Promise.all(Array.from({ length: 7 }, () => SeasonHouse.build(t, {}, first.address)));
    const houses = [first, ...rest];
    await Promise.all(houses.map((house) => startParts(house.seasons)));
    t.equal(new Set(houses.map((house) => house.poolId)).size, 1);
    t.same(await first.sql`select count(*) from seasons`, [{ count: 1 }]);
    t.same(await first.sql`select count(*) from pools`, [{ count: 1 }]);
  });

  await t.test('before the first start there is none', async (t) => {
    const house = await SeasonHouse.build(t);
    const agentId = await house.agent();
    const none = { status: 404, body: { detail: 'No active season' } };
    for (const id of ['getSeasonEntry', 'registerForSeason', 'rebuy'])
      t.match(await house.ask(id, { agentId }), none, id);
    t.match(await house.ask('updateSeasonEntry', { agentId, body: { auto_rebuy: true } }), none);
    t.match(await house.ask('getCurrentSeason'), none);
    t.same((await house.ask('getLeaderboard')).body, []);
    t.match(await house.seasons.play.enter(agentId), { kind: 'refused', code: 'no_active_season' });
    t.match(seen(await house.seasons.play.rebuy(agentId)), { type: 'error', code: 'no_active_season' });
    const [answer] = await house.seasons.play.setAutoRebuy(agentId, true);
    t.match(answer, { type: 'error', code: 'no_active_season' });
  });
});

await t.test('registration', async (t) => {
  const house = await SeasonHouse.open(t);
  const agentId = await house.agent();

  await t.test('is missing at first', async (t) => {
    const missing = { status: 404, body: { detail: 'Not registered for this season' } };
    t.match(await house.ask('getSeasonEntry', { agentId }), missing);
    t.match(await house.ask('updateSeasonEntry', { agentId, body: { auto_rebuy: true } }), missing);
    t.match(await house.ask('updateSeasonEntry', { agentId, body: {} }), missing);
    t.match(await house.ask('rebuy', { agentId }), missing);
    t.match(seen(await house.seasons.play.rebuy(agentId)), { code: 'not_registered_for_season' });
    const [answer] = await house.seasons.play.setAutoRebuy(agentId, true);
    t.match(answer && seen(answer), { code: 'not_registered_for_season' });
  });

  await t.test('grants the starting chips once, with their ledger row', async (t) => {
    const answer = await house.ask('registerForSeason', { agentId });
    t.same(answer, {
      status: 200,
      headers: {},
      body: {
        season_id: house.poolId,
        agent_id: agentId,
        chip_balance: 5000,
        chips_at_table: 0,
        rebuys: 0,
        hands_played: 0,
        hands_won: 0,
        premium: false,
        auto_rebuy: false,
        score: 5000,
      },
    });
    const again = await house.ask('registerForSeason', { agentId });
    t.match(again, { status: 409, body: { detail: 'Already registered for this season' } });
    t.same((await house.books(agentId)).ledger, [{ type: 'grant', amount: 5000, balance_after: 5000 }]);
  });

  await t.test('comes by itself with the lobby', async (t) => {
    const other = await house.agent();
    const entry = { poolId: house.poolId, chipBalance: 5000, autoRebuy: false, premium: false };
    t.same(await house.seasons.play.enter(other), { kind: 'entered', entry });
    t.same(await house.seasons.play.enter(other), { kind: 'entered', entry });
    t.equal((await house.books(other)).ledger.length, 1);
  });

  await t.test('by every way at once grants once', async (t) => {
    const other = await house.agent();
    const requests = Array.from({ length: 40 }, (_, i) =>
      i % 2 === 0 ? house.seasons.play.enter(other) : house.ask('registerForSeason', { agentId: other }),
    );
    for (const result of await Promise.all(requests)) {
      t.ok('kind' in result ? result.kind === 'entered' : [200, 409].includes(result.status));
    }
    const { ledger, agrees } = await house.books(other);
    t.equal(ledger.length, 1);
    t.ok(agrees);
  });

  await t.test('is not possible in a season that is over', async (t) => {
    const ended = randomUUID();
    await house.sql`select create_pool(${ended}, 'season')`;
    await house.sql`insert into seasons (season_id, status, start_date, end_date)
      values (${ended}, 'ended', now() - interval '2 hours', now() - interval '1 hour')`;
    t.equal(await insertSeasonEntry(house.sql, ended, agentId, 5000), undefined);
  });

  await t.test('the own entry has rank and company, guests only', async (t) => {
    const guests = await SeasonHouse.open(t);
    const [ann, bob, house1] = [await guests.agent(), await guests.agent(), await guests.agent({ house: true })];
    for (const each of [ann, bob, house1]) await guests.seasons.play.enter(each);
    await guests.loseAllBut(bob, 10);
    const mine = async (id: string) => (await guests.ask('getSeasonEntry', { agentId: id })).body;
    t.match(await mine(ann), { rank: 1, total_participants: 2, score: 5000 });
    t.match(await mine(bob), { rank: 2, total_participants: 2, score: 10, chip_balance: 10 });
    t.match(await guests.ask('getCurrentSeason'), { body: { total_registered: 2 } });
  });
});

await t.test('lists and standings', async (t) => {
  const house = await SeasonHouse.open(t);

  await t.test('one season, and the last twenty', async (t) => {
    await house.sql`
      with old as (select gen_random_uuid() as id, n from generate_series(1, 25) as n),
        pool as (insert into pools (pool_id, kind) select id, 'season' from old)
      insert into seasons (season_id, status, start_date, end_date)
      select id, 'ended', now() - (100 - n) * interval '1 day', now() - (99 - n) * interval '1 day' from old order by n`;
    const list = (await house.ask('listSeasons')).body as { season_number: number; status: string }[];
    t.equal(list.length, 20);
    t.match(list[0], { season_number: 26, status: 'ended' });
    t.ok(list.every(({ season_number }, i) => season_number === 26 - i));
    const one = await house.ask('getSeason', { params: { season_id: house.poolId } });
    t.match(one, { status: 200, body: { season_id: house.poolId, season_number: 1, status: 'active' } });
    t.match(await house.ask('getSeason', { params: { season_id: randomUUID() } }), {
      status: 404,
      body: { detail: 'Season not found' },
    });
    t.equal((await house.ask('getSeason', { params: { season_id: 'first' } })).status, 400);
  });

  await t.test('guests with ten hands, in the order asked for', async (t) => {
    const rows: [name: string, balance: number, hands: number, won: number, rebuys: number, house?: boolean][] = [
      ['lucky', 9000, 10, 9, 0],
      ['grinder', 6000, 400, 120, 0],
      ['rebought', 9000, 50, 20, 2],
      ['newcomer', 20_000, 9, 9, 0],
      ['house', 50_000, 500, 400, 0, true],
    ];
    for (const [name, balance, hands, won, rebuys, isHouse = false] of rows) {
      const agentId = await house.agent({ house: isHouse });
      await house.seasons.play.enter(agentId);
      await house.sql`update agents set name = ${name} where agent_id = ${agentId}`;
      await house.sql`update entries set chip_balance = ${balance}, hands_played = ${hands}, hands_won = ${won},
        rebuys = ${rebuys} where agent_id = ${agentId}`;
    }
    const board = async (query = '') =>
      (await house.ask('getLeaderboard', { query })).body as { bot_name: string; rank: number }[];
    const names = async (query: string) => (await board(query)).map(({ bot_name }) => bot_name);
    t.same(await names(''), ['lucky', 'grinder', 'rebought']);
    t.same(await names('sort_by=hands_played'), ['grinder', 'rebought', 'lucky']);
    t.same(await names('sort_by=win_rate'), ['lucky', 'rebought', 'grinder']);
    t.same(await names('min_hands=50'), ['grinder', 'rebought']);
    t.same(await names('min_hands=1'), ['lucky', 'grinder', 'rebought'], 'below ten counts as ten');
    t.match(await board('limit=1&offset=1'), [
      { rank: 2, bot_name: 'grinder', score: 6000, win_rate: 0.3, hands_played: 400, rebuys: 0, premium: false },
    ]);
    t.same(
      (await board('offset=2')).map(({ rank }) => rank),
      [3],
    );
  });
});

await t.test('rows of the leaderboard say where they stood an hour and a day ago', async (t) => {
  const HOUR = 3_600_000;
  const house = await SeasonHouse.open(t, { SEASON_SECONDS: '604800' });
  const join = async (name: string, score: number, hands = 10) => {
    const agentId = await house.agent();
    await house.seasons.play.enter(agentId);
    await house.sql`update agents set name = ${name} where agent_id = ${agentId}`;
    await house.sql`update entries set chip_balance = ${score}, hands_played = ${hands} where agent_id = ${agentId}`;
  };
  const scored = (name: string, score: number) => house.sql`
    update entries set chip_balance = ${score}, hands_played = 10
    where agent_id = (select agent_id from agents where name = ${name})`;
  const board = async () => {
    const { body } = await house.ask('getLeaderboard');
    const rows = body as { bot_name: string; rank_hour_ago: number | null; rank_day_ago: number | null }[];
    return rows.map((row) => [row.bot_name, row.rank_hour_ago, row.rank_day_ago]);
  };
  await join('ada', 9000);
  await join('bob', 8000);
  await join('cleo', 7000, 9);
  const unknown = [
    ['ada', null, null],
    ['bob', null, null],
  ];
  t.same(await board(), unknown, 'nothing is known at first');
  await house.clock.advance(HOUR - 1);
  await scored('cleo', 9500);
  t.same(await board(), [['cleo', null, null], ...unknown]);
  await house.clock.advance(1);
  const anHour = [
    ['cleo', null, null],
    ['ada', 1, null],
    ['bob', 2, null],
  ];
  t.same(await board(), anHour, 'who had too few hands then had no place');
  await scored('bob', 9900);
  await house.clock.advance(HOUR);
  t.same(await board(), [
    ['bob', 3, null],
    ['cleo', 1, null],
    ['ada', 2, null],
  ]);
  await house.clock.advance(22 * HOUR);
  t.same(
    await board(),
    [
      ['bob', null, 2],
      ['cleo', null, null],
      ['ada', null, 1],
    ],
    'nobody looked an hour ago',
  );
});

await t.test('the end of a season', async (t) => {
  const length = { SEASON_SECONDS: '1000', WIND_DOWN_SECONDS: '100' };

  await t.test('winds down, closes, ends, and the next is open at once', async (t) => {
    const house = await SeasonHouse.open(t, length);
    const first = house.poolId;
    const agentId = await house.broke({ autoRebuy: true });
    await house.seasons.play.rebuy(agentId);
    await house.loseAllBut(agentId, 0);
    house.busts(agentId);
    await house.lobby.until((call) => call.type === 'auto_rebuy_scheduled');

    await house.clock.advance(899_000);
    t.equal((await house.seasons.play.enter(agentId)).kind, 'entered');
    await house.clock.advance(2000);
    t.match(await house.lobby.until(({ call }) => call === 'windDown'), { poolId: first });
    t.same(await house.seasons.play.enter(agentId), { kind: 'not_open' });
    t.match((await house.ask('getCurrentSeason')).body, { winding_down: true, status: 'active' });

    await house.clock.advance(100_000);
    await house.lobby.until(({ call }) => call === 'seasonOpened');
    const told = house.lobby.calls
      .map(({ call }) => call)
      .filter((call) => call !== 'notify' && call !== 'rebuyPending');
    t.same(told, ['windDown', 'closePool', 'broadcast', 'seasonOpened'], 'in this order');
    t.match(
      house.lobby.calls.find(({ call }) => call === 'closePool'),
      { poolId: first, reason: 'season_ended' },
    );
    t.match(
      house.lobby.calls.find(({ call }) => call === 'broadcast'),
      {
        type: 'season_ended',
        season_number: 1,
        next_season_number: 2,
      },
    );
    t.not(house.poolId, first);
    t.match((await house.ask('getSeason', { params: { season_id: first } })).body, { status: 'ended' });
    t.match((await house.books(agentId, first)).entry, { rebuy_due_at: null }, 'pending rebuys lapse');
    t.match(await house.seasons.play.enter(agentId), { kind: 'entered', entry: { chipBalance: 5000 } });
    t.match(await house.seasons.play.rebuy(agentId), { code: 'not_at_table' }, 'and the count begins anew');
  });

  await t.test('waits until everybody is off the tables', async (t) => {
    const house = await SeasonHouse.open(t, length);
    const first = house.poolId;
    let closed: () => void = () => undefined;
    house.lobby.closing = new Promise((resolve) => (closed = resolve));
    await house.clock.advance(1_100_000);
    await house.lobby.until(({ call }) => call === 'closePool');
    t.equal(house.poolId, first);
    closed();
    await house.lobby.until(({ call }) => call === 'seasonOpened');
    t.not(house.poolId, first);
  });

  await t.test('does not strand chips: a seat that is still stored holds it up', async (t) => {
    const house = await SeasonHouse.open(t, length);
    const first = house.poolId;
    const agentId = await house.agent();
    await house.seasons.play.enter(agentId);
    await house.seat(agentId, 2000);
    await house.clock.advance(1_000_000);
    await house.lobby.until(({ call }) => call === 'closePool');
    await house.unseat(agentId);
    // Either the first attempt saw the seat, and a later one succeeds, or it came after the cash-out.
    await house.passUntil(() => house.poolId !== first);
    await house.lobby.until(({ call }) => call === 'seasonOpened');
    t.equal(house.lobby.calls.filter(({ call }) => call === 'broadcast').length, 1);
    t.ok((await house.books(agentId, first)).agrees);
  });

  await t.test('that passed while nobody was there comes at the next start', async (t) => {
    const house = await SeasonHouse.open(t, length);
    const first = house.poolId;
    await house.stop();
    await house.sql`update seasons set start_date = now() - interval '2 hours', end_date = now() - interval '1 hour'`;
    const next = await SeasonHouse.open(t, length, house.address);
    t.equal(next.poolId, first, 'its tables must be closed first');
    await next.clock.advance(1);
    await next.lobby.until(({ call }) => call === 'seasonOpened');
    t.not(next.poolId, first);
  });
});

t.teardown(stopCluster);
