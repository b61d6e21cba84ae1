/**
 * Three seasons of forty bots (of a dozen, unless SUITE=full), each with a restart in its middle. Afterwards everything
 * that the platform reports is computed anew from the stored hands, and must agree: standings, prizes, ledger, mails,
 * history, statistics.
 */
import t, { type Test } from 'tap';
import { audit } from '../../src/admin/audit/index.js';
import { endSeasonCommand } from '../../src/admin/commands/seasons.js';
import { eventually, FILE_MS, FULL } from '../support/limits.js';
import type { SeasonStats } from '../support/season-truth.js';
import { SeasonTruth, type Standing } from '../support/season-truth.js';
import { Crowd, LOAD } from '../chaos/crowd.js';
import { stopCluster } from '../support/database.js';
import { EmailSink } from '../support/email-sink.js';
import { ForkedPlatform } from '../support/forked-platform.js';
import { type Account } from '../support/platform.js';
import { SEED } from '../support/seed.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

t.comment(`SEED=${SEED}`);
const BOTS = FULL ? 40 : 12;
const SEASONS = 3;
/** Hands before the restart of each season, and after it: enough for a rank. */
const HALF = FULL ? 60 : 30;
/** In cents, and not divisible evenly. */
const POOL = 10_003;
/** How long before its end a season counts as ending soon, in seconds. */
const SOON = 600;
const STARTING = 5000;
const REBUY = 1500;

interface Movement {
  season_id: string;
  type: string;
  amount: number;
  balance_after: number;
  table_id: string | null;
}

await t.test(`three seasons of ${BOTS} bots`, async (t) => {
  const sink = await EmailSink.open(t);
  const platform = await ForkedPlatform.start(t, {
    ...LOAD,
    // The test ends each season after enough hands.
    SEASON_SECONDS: 86_400,
    WIND_DOWN_SECONDS: 3,
    ENDING_SOON_SECONDS: SOON,
    PRIZE_POOL_CENTS: POOL,
    REBUY_COOLDOWNS: '0,1,2',
    BETWEEN_HANDS_MS: 20,
    STARTING_CHIPS: STARTING,
    REBUY_CHIPS: REBUY,
    SMTP_URL: sink.url,
    MAIL_FROM: 'poker@example.com',
    LEADERBOARD_REFRESH_MS: 0,
  });
  const sql = platform.sql!;
  /** The bots leave now and then, and lose their connections in the restarts. */
  const crowd = new Crowd(platform, SEED, { leaves: 20, drops: 0 });
  /** By season: the agents that were told its end. */
  const sent = new Map<number, Set<string>>();
  crowd.onFrame = (guest, frame) => {
    const { account } = guest;
    if (frame.type === 'error' && frame.code === 'rebuy_cooldown') {
      const again = () => guest.player.isClosed || guest.player.send({ type: 'rebuy', amount: 0 });
      setTimeout(again, frame.cooldown_seconds * 1000).unref();
    }
    if (frame.type !== 'season_ended') return;
    // A bot without chips begins anew.
    guest.player.send({ type: 'join_lobby' });
    t.equal(frame.next_season_number, frame.season_number + 1);
    const those = sent.get(frame.season_number) ?? new Set();
    t.notOk(those.has(account.name), `${account.name} is sent once the end of season ${frame.season_number}`);
    sent.set(frame.season_number, those.add(account.name));
  };

  const everybodyEntered = (season: number) =>
    eventually(`entries of all ${BOTS} in season ${season}`, async () => {
      const [row] = await sql<{ count: number }[]>`
        select count(*)::int as count from entries join seasons on season_id = pool_id
        where season_number = ${season}`;
      return row?.count === BOTS;
    });

  /** A kill between the server's yes and our note may send a mail twice, so a count is no proof. */
  const mailed = (name: string, season: number, words: string) =>
    eventually(`${name} reads that season ${season} ${words}`, () =>
      sink.received.some(
        ({ to, subject }) =>
          to.includes(`${name}@example.com`) && subject.startsWith(`Season ${season} `) && subject.includes(words),
      ),
    );

  const get = async (path: string, key?: string) => {
    const { status, body } = await platform.api('GET', path, key === undefined ? {} : { key });
    t.equal(status, 200, path);
    return body;
  };

  const endIn = (seconds: number) =>
    endSeasonCommand.prepare(['--in', String(seconds), '--yes']).run(sql, () => Promise.resolve(false));

  await t.test('three seasons are played, and each is restarted', async (t) => {
    await crowd.gather(BOTS);
    for (let season = 1; season <= SEASONS; season++) {
      await crowd.moreHands(HALF);
      t.notOk(sent.has(season), `season ${season} is in its middle`);
      if (season === 1) await platform.stop();
      else await platform.kill();
      await crowd.closed();
      await platform.launch();
      await crowd.connect();
      await crowd.moreHands(HALF);
      await everybodyEntered(season);
      await endIn(SOON);
      for (const { account } of crowd.guests) await mailed(account.name, season, 'ends soon');
      t.same(crowd.refusals(), []);
      await endIn(0);
      await crowd.untilSent(`the end of season ${season}`, () => (sent.get(season)?.size ?? 0) === BOTS);
      const wrong = crowd
        .refusals()
        .filter((text) => !/"(no_hand_in_progress|not_at_table|stale_hand_action)"/.test(text));
      t.same(wrong, [], 'nobody is refused but who acts as the season ends');
    }
    // They buy the pass of the next season below.
    await everybodyEntered(SEASONS + 1);
    for (const { player } of crowd.guests) player.ws.terminate();
    await crowd.closed();
    t.same(crowd.faults(), []);
    t.same(crowd.refusals(), []);
  });

  const seasons = (await get('/api/season/list')) as { season_id: string; season_number: number; status: string }[];
  const truth = await SeasonTruth.read(sql, { starting: STARTING, rebuy: REBUY, penalty: 1500, pool: POOL });
  const accounts = new Map<string, Account>(crowd.guests.map(({ account }) => [account.agentId, account]));
  const ended = seasons.filter(({ season_number: number }) => number <= SEASONS).reverse();

  await t.test('standings and prizes', async (t) => {
    t.match(
      ended,
      [1, 2, 3].map((season_number) => ({ season_number, status: 'ended' })),
    );
    t.equal((await sql`select from seasons where status = 'active'`).length, 1);
    const prizes = new Map<string, number>();
    for (const { season_id: id, season_number: number } of ended) {
      const expected = truth.standings(id);
      const frozen = (await get(`/api/season/${id}/leaderboard`)) as Standing[];
      t.same(frozen, expected, `season ${number}: ${expected.length} ranked`);
      t.ok(expected.length >= 3);
      t.equal(
        frozen.reduce((sum, row) => sum + row.prize_cents, 0),
        POOL,
        'no cent is lost',
      );
      for (const { bot_name: name, prize_cents: cents } of frozen) prizes.set(name, (prizes.get(name) ?? 0) + cents);
      t.equal(truth.chipsOf(id), truth.broughtIn(id), 'chips out = chips in');
    }
    for (const { name, key } of accounts.values()) {
      const cents = prizes.get(name) ?? 0;
      t.match(await get('/api/balance', key), { balance: cents / 100 }, name);
      const { transactions } = (await get('/api/transactions', key)) as {
        transactions: { type: string; amount: number }[];
      };
      t.ok(transactions.every(({ type }) => type === 'prize'));
    }
  });

  await t.test('mails: one before the end and one after it, with what the standings say', async (t) => {
    for (const { season_id: id, season_number: number } of ended) {
      const ranks = new Map(truth.standings(id).map((row) => [row.bot_name, row]));
      for (const entry of truth.entries(id)) {
        const { name } = accounts.get(entry.agentId)!;
        const recipient = `${name}@example.com`;
        await mailed(name, number, 'is over');
        // A repeated mail has the same id.
        const mails = new Map(sink.received.map((mail) => [mail.messageId, mail]));
        const about = [...mails.values()].filter(
          ({ to, subject }) => to.includes(recipient) && subject.startsWith(`Season ${number} `),
        );
        t.same(
          about.map(({ subject }) => subject.includes('ends soon')).sort(),
          [false, true],
          `${name}, season ${number}`,
        );
        const final = about.find(({ subject }) => subject.includes('is over'));
        const row = ranks.get(name);
        t.ok(final?.text.includes(`Score: ${entry.score.toLocaleString('en-US')}`), final?.text ?? 'no mail');
        if (row !== undefined)
          t.ok(final?.subject.includes(`rank ${row.rank} of ${ranks.size}`), final?.subject ?? 'no mail');
        if (row !== undefined && row.prize_cents > 0) {
          t.ok(final?.text.includes(`Prize: $${(row.prize_cents / 100).toFixed(2)}`), final?.text ?? 'no mail');
        }
      }
    }
  });

  await t.test('the trail of chips', async (t) => {
    const [{ key: some }] = [...accounts.values()] as [Account];
    t.match(await platform.api('GET', '/api/season-chip-ledger?limit=201', { key: some }), { status: 422 });
    for (const { agentId, key } of accounts.values()) {
      const movements = await allOf(key, '/api/season-chip-ledger?limit=200', 'entries');
      checkTrail(t, agentId, movements.reverse() as Movement[]);
    }
  });

  function checkTrail(t: Test, agentId: string, movements: readonly Movement[]): void {
    for (const { season_id: id } of ended) {
      const own = movements.filter(({ season_id: season }) => season === id);
      let running = 0;
      const exact = own.every(({ amount, balance_after }) => balance_after === (running += amount));
      t.ok(exact, 'each movement leaves what it says');
      const entry = truth.entries(id).find((each) => each.agentId === agentId)!;
      t.equal(running, entry.chips, 'and the last what the season ended with');
      for (const [table, profit] of entry.profits) {
        const there = own.filter(({ table_id: where }) => where === table).reduce((sum, { amount }) => sum + amount, 0);
        t.equal(there, profit, 'what went to a table and came back differs by what was won there');
      }
    }
  }

  /** Every page of a list, by offset. */
  async function allOf(key: string, path: string, items: string): Promise<unknown[]> {
    const all: unknown[] = [];
    for (;;) {
      const page = ((await get(`${path}&offset=${all.length}`, key)) as Record<string, unknown[]>)[items]!;
      all.push(...page);
      if (page.length < 200) return all;
    }
  }

  await t.test('history and statistics of a holder of the pass', async (t) => {
    for (const account of [...accounts.values()].slice(0, 6)) {
      const { key, agentId } = account;
      await platform.api('POST', '/api/deposit/dev', { key, body: { amount: 3 } });
      t.match(await platform.api('POST', '/api/season/pass', { key }), { status: 200, body: { premium: true } });
      const played = truth.hands(agentId);
      const hands = (await allOf(key, '/api/me/hand-history?limit=200', 'hands')) as { hand_id: string }[];
      const shown = new Map(hands.map((hand) => [hand.hand_id, hand]));
      t.equal(shown.size, hands.length, 'no hand twice');
      for (const hand of played) t.match(shown.get(hand.hand_id), hand);
      const current = new Set(ended.map(({ season_id: id }) => id));
      const [second] = [...current].slice(1);
      const file = await get(`/api/me/hand-history/export?format=json&season_id=${second}`, key);
      const { hands: exported } = file as { hands: { hand_id: string }[] };
      const expected = played.filter((hand) => truth.seasonOf(hand.hand_id) === second);
      t.same(exported.map(({ hand_id: id }) => id).sort(), expected.map(({ hand_id: id }) => id).sort());

      const { seasons: all } = (await get('/api/season/stats', key)) as { seasons: SeasonStats[] };
      for (const { season_id: id, season_number: number } of ended) {
        const stats = all.find((each) => each.season_number === number);
        t.match(stats, truth.stats(id, agentId), `season ${number}`);
      }
    }
  });

  await t.test('every chip and every cent is accounted for', async (t) => {
    t.same((await audit(sql)).problems, []);
  });
});
