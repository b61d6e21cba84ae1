/**
 * The end of a season (protocol.md, "Seasons") is one step: whole or not at all, once, whoever takes it, whatever
 * breaks.
 */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { seasonChecks } from '../../src/admin/audit/season-checks.js';
import { insertSeasonEntry } from '../../src/seasons/entry-queries.js';
import { insertSeason, setSeasonPhase } from '../../src/seasons/queries.js';
import { queueReminders } from '../../src/seasons/reminders.js';
import { grantRebuy } from '../../src/rebuys/queries.js';
import { seasonRebuyPool } from '../../src/seasons/rebuy-pool.js';
import { endingSoonAt, seasonRules } from '../../src/seasons/rules.js';
import { prizeShares } from '../../src/seasons/standings.js';
import { rollOver, type Beginning } from '../../src/seasons/transition.js';
import { readConfig } from '../../src/ops/config.js';
import { codeOf, isConnectionError, transaction, type Database, type Transaction } from '../../src/store/database.js';
import { freshDatabase, leadership, openPool, stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { SeasonHouse } from '../support/season-house.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const RULES = seasonRules(readConfig({}), 1000);
const POOL_CENTS = 10_003;

interface Guest {
  name: string;
  balance: number;
  hands: number;
  rebuys?: number;
  house?: boolean;
  due?: boolean;
}

/** In the order in which they register. Balances are what the ledger says: a grant, rebuys, and what play made of them. */
const GUESTS: readonly Guest[] = [
  { name: 'late_tie', balance: 6000, hands: 40, rebuys: 1 },
  { name: 'rebought', balance: 9000, hands: 40, rebuys: 3 },
  { name: 'grinder', balance: 4500, hands: 400 },
  { name: 'early_tie', balance: 4500, hands: 40 },
  { name: 'later_tie', balance: 4500, hands: 40 },
  { name: 'champion', balance: 12_000, hands: 10 },
  { name: 'newcomer', balance: 20_000, hands: 9 },
  { name: 'house_bot', balance: 50_000, hands: 900, house: true },
  { name: 'broke', balance: 0, hands: 30, due: true },
];

/** Best first: score, then more hands, fewer rebuys, earlier registration. */
const RANKED = ['champion', 'grinder', 'early_tie', 'later_tie', 'late_tie', 'rebought', 'broke'];

interface Scene {
  sql: Database;
  seasonId: string;
  /** By name. */
  agents: Map<string, string>;
}

async function scene(t: Test, guests = GUESTS): Promise<Scene> {
  const sql = openPool(t, await freshDatabase(t), 10);
  const seasonId = randomUUID();
  await transaction(sql, (tx) => insertSeason(tx, seasonId, new Date(Date.now() - 1000), new Date()));
  const agents = new Map<string, string>();
  for (const guest of guests) agents.set(guest.name, await register(sql, seasonId, guest));
  return { sql, seasonId, agents };
}

async function newAgent(sql: Database, name: string, house = false): Promise<string> {
  const agentId = randomUUID();
  await sql`
    insert into agents (agent_id, email, name, key_hash, is_house, email_verified_at, terms_accepted_at)
    values (${agentId}, ${`${name}@example.org`}, ${name}, sha256(${agentId}::bytea), ${house}, now(), now())`;
  return agentId;
}

async function register(sql: Database, seasonId: string, guest: Guest): Promise<string> {
  const { name, balance, hands, rebuys = 0, house = false, due = false } = guest;
  const agentId = await newAgent(sql, name, house);
  await insertSeasonEntry(sql, seasonId, agentId, 5000);
  await sql`
    update entries set chip_balance = ${balance}, hands_played = ${hands}, hands_won = ${Math.floor(hands / 3)},
      rebuys = ${rebuys}, rebuy_due_at = ${due ? new Date(Date.now() + 3_600_000) : null}
    where agent_id = ${agentId}`;
  return agentId;
}

const beginning = (seasonId = randomUUID()): Beginning => ({
  seasonId,
  start: new Date(),
  end: new Date(Date.now() + 3_600_000),
});

const endingOf = ({ seasonId }: Scene, prizePoolCents = POOL_CENTS) => ({
  seasonId,
  prizePoolCents,
  rebuyPenalty: RULES.rebuyPenalty,
});

/** All rows that a change of seasons touches, but for what only the clock decides. */
async function everything(sql: Database): Promise<unknown> {
  const [row] = await sql<{ all: unknown }[]>`
    select json_build_object(
      'seasons', (select json_agg(json_build_object('status', status, 'pool', prize_pool_cents, 'penalty', rebuy_penalty,
        'ended', ended_at is not null) order by start_date) from seasons),
      'pools', (select count(*) from pools),
      'tables', (select json_agg(t order by relname) from (select relname from pg_class where relname ~ '^hand.*_') t),
      'entries', (select json_agg(e order by agent_id) from entries e),
      'standings', (select json_agg(s order by rank) from season_standings s),
      'accounts', (select json_agg(json_build_array(kind, agent_id, balance) order by kind, agent_id) from credit_accounts),
      'credits', (select json_agg(json_build_array(type, once, reference) order by once) from credit_transactions),
      'mails', (select json_agg(json_build_array(dedupe_key, recipient, subject, body) order by dedupe_key)
        from mail_outbox)) as all`;
  return row?.all;
}

await t.test('the split of a pool loses no cent', (t) => {
  t.same(prizeShares(10_000), [5000, 3000, 2000]);
  t.same(prizeShares(10_003), [5003, 3000, 2000], 'what flooring leaves goes to the first');
  t.same(prizeShares(1), [1, 0, 0]);
  t.same(prizeShares(0), [0, 0, 0]);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000_000 }), (pool) => {
      const [first, second, third] = prizeShares(pool) as [number, number, number];
      const floored = second === Math.floor((pool * 30) / 100) && third === Math.floor((pool * 20) / 100);
      return first + second + third === pool && floored && first - Math.floor(pool / 2) <= 2;
    }),
  );
  t.end();
});

await t.test('who is banned wins nothing, and pushes nobody down', async (t) => {
  const at = await scene(t);
  const { sql, agents } = at;
  const cheat = agents.get('champion')!;
  await sql`update agents set banned_at = now() where agent_id = ${cheat}`;
  await rollOver(sql, leadership, endingOf(at), beginning());
  const rows = await sql`select bot_name, badge, prize_cents from season_standings order by rank`;
  t.same(
    rows.map((row) => String(row['bot_name'])),
    RANKED.slice(1),
  );
  t.match(rows[0], { badge: 'gold', prize_cents: 5003 });
  t.same(await sql`select from mail_outbox where dedupe_key like ${`final:%:${cheat}`}`, [], 'nor is it written to');
  await sql`update agents set banned_at = null`;
  for (const check of seasonChecks) t.same(await check.find(sql), [], `${check.title}, also once it is let in again`);
});

await t.test('a season ends with everything that belongs to it', async (t) => {
  const at = await scene(t);
  const { sql, seasonId, agents } = at;
  const next = beginning();
  const opened = await rollOver(sql, leadership, endingOf(at), next);
  t.match(opened, { season_id: next.seasonId, status: 'active' });

  const rows = await sql`select * from season_standings order by rank`;
  t.same(
    rows.map(({ bot_name }) => String(bot_name)),
    RANKED,
    'who played ten hands, but for house bots; equal ones by hands, rebuys, registration',
  );
  t.match(rows[0], { rank: 1, score: 12_000, hands_played: 10, badge: 'gold', prize_cents: 5003, chips_at_table: 0 });
  t.match(rows[1], { rank: 2, score: 4500, badge: 'silver', prize_cents: 3000 });
  t.match(rows[2], { rank: 3, badge: 'bronze', prize_cents: 2000, hands_won: 13 });
  t.match(rows[3], { rank: 4, badge: null, prize_cents: 0 });
  t.match(rows[5], { score: 4500, chip_balance: 9000, rebuys: 3 });

  const balances = await sql<{ kind: string; agent_id: string | null; balance: number }[]>`
    select kind, agent_id, balance from credit_accounts where balance <> 0 order by balance`;
  const of = (name: string) => agents.get(name)!;
  t.same(
    balances.map(({ kind, agent_id, balance }) => [agent_id ?? kind, balance]),
    [
      ['deposits', -1_000_300],
      [of('early_tie'), 200_000],
      [of('grinder'), 300_000],
      [of('champion'), 500_300],
    ],
    'the sponsor paid it in, the winners have it, nothing is left',
  );

  const mails = await sql<{ dedupe_key: string; recipient: string; subject: string; body: string }[]>`
    select * from mail_outbox order by recipient`;
  t.same(
    mails.map(({ recipient }) => recipient),
    GUESTS.filter(({ house }) => house !== true).map(({ name }) => `${name}@example.org`).sort(), // prettier-ignore
  );
  const [champion] = mails.filter(({ recipient }) => recipient.startsWith('champion'));
  t.match(champion, {
    dedupe_key: `final:${seasonId}:${of('champion')}`,
    subject: 'Season 1 is over: rank 1 of 7',
    body: /rank 1 of 7[^]*Score: 12,000[^]*Badge: gold[^]*Prize: \$50\.03/,
  });
  const [newcomer] = mails.filter(({ recipient }) => recipient.startsWith('newcomer'));
  t.match(newcomer, { subject: 'Season 1 is over', body: /not ranked: it played 9 hands, and 10 are needed/ });

  t.same(await sql`select count(*) from entries where rebuy_due_at is not null`, [{ count: 0 }], 'rebuys lapse');
  t.same(await sql`select status from seasons order by season_number`, [{ status: 'ended' }, { status: 'active' }]);
  t.equal(await insertSeasonEntry(sql, seasonId, of('champion'), 5000), undefined);
  t.match(await insertSeasonEntry(sql, next.seasonId, of('broke'), 5000), { chip_balance: 5000, rebuys: 0 });
  await t.rejects(sql`update season_standings set prize_cents = 0`, /append-only/);
  await t.rejects(sql`delete from season_standings`, /append-only/);

  const before = await everything(sql);
  t.same(await rollOver(sql, leadership, endingOf(at), beginning()), opened, 'a repetition finds it done');
  t.same(await everything(sql), before);
});

await t.test('what nobody may win stays with the prizes', async (t) => {
  const one = await scene(
    t,
    GUESTS.filter(({ name }) => ['champion', 'newcomer', 'house_bot'].includes(name)),
  );
  await rollOver(one.sql, leadership, endingOf(one), beginning());
  t.same(
    await one.sql`select kind, balance from credit_accounts where balance <> 0 order by kind`,
    [
      { kind: 'agent', balance: 500_300 },
      { kind: 'deposits', balance: -1_000_300 },
      { kind: 'prizes', balance: 500_000 },
    ],
  ); // prettier-ignore
  t.same(
    (await one.sql`select bot_name, badge from season_standings`)[0],
    { bot_name: 'champion', badge: 'gold' },
  ); // prettier-ignore

  const none = await scene(t, []);
  await rollOver(none.sql, leadership, endingOf(none, 0), beginning());
  t.same(await none.sql`select count(*) from credit_transactions`, [{ count: 0 }], 'without a pool nothing moves');
  t.same(await none.sql`select count(*) from mail_outbox`, [{ count: 0 }]);
});

/**
 * A database with a connection that is cut before the n-th statement of a transaction, or at its commit if that comes
 * first.
 */
function cutAt(sql: Database, n: number): { sql: Database; committing: () => boolean } {
  let asked = 0;
  let committing = false;
  const cut = async (tx: Transaction) => {
    const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
    await sql`select pg_terminate_backend(${row!.pid}, 5000)`;
  };
  const watched = (tx: Transaction): Transaction =>
    new Proxy(tx, {
      apply(target, self, args) {
        const query = Reflect.apply(target, self, args) as unknown as Promise<unknown>;
        const run = query.then.bind(query);
        let sent = false;
        // Only a statement is waited for; what is a part of another one is not.
        query.then = ((done, failed) => {
          if (!sent && ++asked === n) {
            void cut(target);
            return undefined;
          }
          sent = true;
          return run(done, failed);
        }) as typeof query.then;
        return query;
      },
    });
  const begin = (mode: string, work: (tx: Transaction) => Promise<unknown>) =>
    sql.begin(mode, async (tx) => {
      await work(watched(tx));
      committing = true;
      void cut(tx);
      return new Promise(() => undefined);
    });
  const get = (target: Database, key: keyof Database) => (key === 'begin' ? begin : Reflect.get(target, key));
  return { sql: new Proxy(sql, { get } as ProxyHandler<Database>), committing: () => committing };
}

await t.test('cut off at any point it has not happened at all, and then it happens once', async (t) => {
  const at = await scene(t);
  const before = await everything(at.sql);
  const next = beginning();
  for (let n = 1; ; n++) {
    const { sql, committing } = cutAt(at.sql, n);
    const error: unknown = await rollOver(sql, leadership, endingOf(at), next).then(
      () => null,
      (reason: unknown) => reason,
    );
    t.ok(isConnectionError(error), `the connection breaks: ${codeOf(error)}`);
    t.same(await everything(at.sql), before, `nothing has changed at point ${n}`);
    if (!committing()) continue;
    t.ok(n > 10, `${n} points`);
    break;
  }
  const opened = await rollOver(at.sql, leadership, endingOf(at), next);
  const after = await everything(at.sql);
  t.match(after, { standings: { length: RANKED.length }, mails: { length: 8 } });
  t.same(
    await rollOver(at.sql, leadership, endingOf(at), beginning()),
    opened,
    'an answer that was lost is given again',
  );
  t.same(await everything(at.sql), after);
});

await t.test('of eight that try at once one does it, and all learn the same', async (t) => {
  const at = await scene(t);
  const attempts = Array.from({ length: 8 }, () => rollOver(at.sql, leadership, endingOf(at), beginning()));
  const seasons = await Promise.all(attempts);
  t.equal(new Set(seasons.map(({ season_id }) => season_id)).size, 1);
  const alone = await scene(t);
  await rollOver(alone.sql, leadership, endingOf(alone), beginning());
  const counts = (sql: Database) => sql`
    select (select count(*) from seasons) as seasons, (select count(*) from pools) as pools,
      (select count(*) from season_standings) as standings, (select count(*) from credit_transactions) as credits,
      (select count(*) from mail_outbox) as mails`;
  t.same(await counts(at.sql), await counts(alone.sql), 'as if one had');
});

await t.test('who registers or rebuys in that moment does so before the end, or not at all', async (t) => {
  let before = 0;
  let after = 0;
  for (let round = 0; round < 6; round++) {
    const broke = Array.from({ length: 25 }, (_, i): Guest => ({ name: `broke_${i}`, balance: 0, hands: 20 }));
    const at = await scene(t, broke);
    const { sql, seasonId } = at;
    const newcomers = await Promise.all(Array.from({ length: 25 }, (_, i) => newAgent(sql, `new_${i}`)));
    const all: (() => Promise<unknown>)[] = [
      ...[...at.agents.values()].map(
        (agent) => () => grantRebuy(sql, seasonRebuyPool(seasonId, RULES), agent, { scheduled: false }),
      ),
      ...newcomers.map((agent) => () => insertSeasonEntry(sql, seasonId, agent, 5000)),
    ];
    all.sort((a, b) => ((all.indexOf(a) * 7) % 50) - ((all.indexOf(b) * 7) % 50));
    all.splice(5 * round, 0, () => rollOver(sql, leadership, endingOf(at), beginning()));
    const results = await Promise.all(all.map((each) => each()));
    after += results.filter((result) => result === undefined).length;
    before += results.filter((result) => result !== undefined).length - 1;
    t.same(
      await sql`
        select e.agent_id from entries e left join season_standings s on s.season_id = e.pool_id and s.agent_id = e.agent_id
        where e.hands_played >= 10 and (e.chip_balance, e.rebuys) is distinct from (s.chip_balance, s.rebuys)`,
      [],
      'the standings are what the entries are',
    );
    t.same(
      await sql`
        select agent_id from entries where not exists (
          select from mail_outbox where dedupe_key = format('final:%s:%s', pool_id, agent_id))`,
      [],
      'and everybody registered has its mail',
    );
  }
  t.comment(`${before} came before the end, ${after} after it`);
});

await t.test('nobody who reads hands holds it up', async (t) => {
  const at = await scene(t);
  await transaction(at.sql, async (tx) => {
    await tx`select count(*) from hands, hand_players`;
    t.match(await rollOver(at.sql, leadership, endingOf(at), beginning()), { status: 'active' });
  });
});

await t.test('two processes whose clocks strike at once', async (t) => {
  const env = { SEASON_SECONDS: '1000', WIND_DOWN_SECONDS: '100', PRIZE_POOL_CENTS: '10000' };
  const one = await SeasonHouse.open(t, env);
  const two = await SeasonHouse.open(t, env, one.address);
  const first = one.poolId;
  t.equal(two.poolId, first);
  await Promise.all([one, two].map((house) => house.clock.advance(1_001_000)));
  for (const { lobby } of [one, two]) {
    const told = await lobby.until(({ call }) => call === 'broadcast');
    t.match(told, { type: 'season_ended', season_number: 1, next_season_number: 2 });
  }
  t.not(one.poolId, first);
  t.equal(two.poolId, one.poolId);
  t.same(await one.sql`select type, count(*) from credit_transactions group by type`, [{ type: 'sponsor', count: 1 }]);
});

await t.test('the phase of a season only goes forward', async (t) => {
  const house = await SeasonHouse.open(t);
  const { sql, poolId } = house;
  const phase = async () =>
    (await sql<{ phase: string }[]>`select phase from pools where pool_id = ${poolId}`)[0]!.phase;
  t.equal(await phase(), 'open');
  await setSeasonPhase(sql, leadership, poolId, 'closing_now');
  // The two may reach the database in either order.
  await setSeasonPhase(sql, leadership, poolId, 'winding_down');
  t.equal(await phase(), 'closing_now');
  await house.seasons.season.look();
  t.match(house.lobby.calls, [{ call: 'closePool', poolId, reason: 'season_ended' }]);
});

await t.test('the end of a season may be moved', async (t) => {
  const house = await SeasonHouse.open(t, { SEASON_SECONDS: '100000', WIND_DOWN_SECONDS: '100' });
  const first = house.poolId;
  await house.sql`update seasons set end_date = ${new Date(house.clock.now() + 60_000)}`;
  await house.seasons.season.look();
  await house.passUntil(() => house.poolId !== first);
  t.equal(house.lobby.calls.filter(({ call }) => call === 'broadcast').length, 1);
});

await t.test('its leaderboard can be read for ever', async (t) => {
  const house = await SeasonHouse.open(t, { SEASON_SECONDS: '1000', WIND_DOWN_SECONDS: '100', PRIZE_POOL_CENTS: '10' });
  const first = house.poolId;
  const ids: string[] = [];
  for (const balance of [4000, 7000, 5500]) {
    const agentId = await house.agent();
    ids.push(agentId);
    await house.seasons.play.enter(agentId);
    await house.sql`update entries set chip_balance = ${balance}, hands_played = 20, hands_won = 8 where agent_id = ${agentId}`;
  }
  const board = (query = '') => house.ask('getSeasonStandings', { params: { season_id: first }, query });
  t.same(await board(), { status: 200, headers: {}, body: [] }, 'nothing is frozen while it is active');
  await house.clock.advance(1_001_000);
  await house.lobby.until(({ call }) => call === 'seasonOpened');
  await house.sql`update agents set name = 'renamed' where agent_id = ${ids[1]!}`;
  const { body } = await board();
  t.same((body as object[])[0], {
    rank: 1,
    bot_name: 'bot_2',
    score: 7000,
    chip_balance: 7000,
    chips_at_table: 0,
    rebuys: 0,
    hands_played: 20,
    hands_won: 8,
    badge: 'gold',
    prize_cents: 5,
    prize_status: 'paid',
    prize_held_until: null,
  });
  t.match(body, [{ rank: 1 }, { rank: 2, badge: 'silver', prize_cents: 3 }, { rank: 3, badge: 'bronze' }]);
  t.match((await board('limit=1&offset=1')).body, [{ rank: 2, bot_name: 'bot_3' }]);
  t.same((await board('offset=3')).body, []);
});

await t.test('everybody in a season is written to once before it ends', async (t) => {
  t.equal(endingSoonAt({ startsAt: 0, endsAt: 10_000_000 }, { endingSoonSeconds: 4000 }), 6_000_000);
  t.equal(endingSoonAt({ startsAt: 0, endsAt: 10_000_000 }, { endingSoonSeconds: 10_000 }), null, 'too short a season');
  t.equal(endingSoonAt({ startsAt: 0, endsAt: 10_000_000 }, { endingSoonSeconds: 0 }), null, 'switched off');

  const env = { SEASON_SECONDS: '1000', WIND_DOWN_SECONDS: '10', ENDING_SOON_SECONDS: '200' };
  const house = await SeasonHouse.open(t, env);
  const guest = await house.agent();
  await house.seasons.play.enter(guest);
  await house.seasons.play.enter(await house.agent({ house: true }));
  await house.agent();
  const mails = () => house.sql<{ dedupe_key: string; subject: string; recipient: string }[]>`
    select dedupe_key, subject, recipient from mail_outbox where dedupe_key like 'ending_soon:%'`;
  await house.clock.advance(799_000);
  t.same(await mails(), []);
  await house.clock.advance(2000);
  await house.logged('season ends soon');
  const only = [
    {
      dedupe_key: `ending_soon:${house.poolId}:${guest}`,
      subject: 'Season 1 ends soon',
      recipient: 'bot_1@example.org',
    },
  ];
  t.same(await mails(), only, 'guests who are in it');

  await house.seasons.play.enter(await house.agent());
  t.equal(await queueReminders(house.sql, leadership, house.poolId), null, 'not a second time');
  const again = await SeasonHouse.open(t, env, house.address);
  await again.clock.advance(1);
  t.same(await mails(), only, 'nor after a restart');
  t.equal(await queueReminders(house.sql, leadership, randomUUID()), null);
});

await t.test('a reminder that came due while nobody was there is sent at the start', async (t) => {
  const env = { SEASON_SECONDS: '1000', WIND_DOWN_SECONDS: '10', ENDING_SOON_SECONDS: '200' };
  const house = await SeasonHouse.open(t, env);
  await house.seasons.play.enter(await house.agent());
  await house.stop();
  await house.sql`update seasons set start_date = now() - interval '900 seconds', end_date = now() + interval '100 seconds'`;
  const next = await SeasonHouse.open(t, env, house.address);
  await next.clock.advance(1);
  await next.logged('season ends soon');
  t.same(await next.sql`select count(*) from mail_outbox`, [{ count: 1 }]);
});

await t.test('the audit knows a season that ended well from one that did not', async (t) => {
  const found = async ({ sql }: Scene) => (await Promise.all(seasonChecks.map((check) => check.find(sql)))).flat();
  const sound = await scene(t);
  t.same(await found(sound), [], 'before the end');
  await rollOver(sound.sql, leadership, endingOf(sound), beginning());
  t.same(await found(sound), [], 'and after it');
  await sound.sql`alter table season_standings disable trigger all`;
  const faults: [plant: (sql: Database) => PromiseLike<unknown>, says: RegExp][] = [
    [(sql) => sql`update seasons set status = 'ended'`, /0 of 2 seasons are active/],
    [(sql) => sql`update entries set rebuy_due_at = now() where hands_played = 400`, /waits for a rebuy/],
    [(sql) => sql`update entries set chip_balance = 1 where hands_played = 400`, /its entry says \(6,1,1,0,400,133\)/],
    [(sql) => sql`delete from season_standings where rank = 7`, /is frozen as .* \(,,,,,\), its entry says \(7,/],
    [(sql) => sql`update season_standings set prize_cents = 5004 where rank = 1`, /5004 cents of a pool of 10003/],
    [(sql) => sql`delete from season_standings where rank = 3`, /0 ucents are due, 200000 were paid/],
    [
      (sql) => sql`update seasons set prize_pool_cents = 9 where ended_at is not null`,
      /900 ucents are due, 1000300 were/,
    ],
  ];
  for (const [plant, says] of faults) {
    const problems = await transaction(sound.sql, async (tx) => {
      await plant(tx as unknown as Database);
      throw Object.assign(new Error('planted'), { found: await found({ ...sound, sql: tx as unknown as Database }) });
    }).catch((error: unknown) => (error as { found?: string[] }).found ?? [String(error)]);
    t.match(problems.join('\n'), says);
  }
});
