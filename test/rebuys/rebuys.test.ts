/**
 * The one way to chips after a bust: by REST, over the socket, by themselves; each granted once (protocol.md,
 * "Rebuys").
 */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import type { ServerMessage } from '../../src/protocol/server.js';
import { createSeasons } from '../../src/seasons/index.js';
import { readConfig } from '../../src/ops/config.js';
import { leadership, silent, stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { startParts, stopParts } from '../support/parts.js';
import { recordFrame } from '../support/recorder.js';
import { SeasonHouse } from '../support/season-house.js';

t.setTimeout(FILE_MS);

/** A bust, but for who it was. */
const LEFT = { t: 'left', table: 'T1', seat: 0, reason: 'busted', absent: false, stack: 0, balance: 0 } as const;

/** Answers over the socket, checked against their schemas. */
const seen = <T extends ServerMessage>(message: T): T => recordFrame(JSON.stringify(message)) as T;

await t.test('a rebuy', async (t) => {
  await t.test('by REST: chips, count, the time to the next', async (t) => {
    const house = await SeasonHouse.open(t);
    const agentId = await house.broke();
    const answer = await house.ask('rebuy', { agentId });
    t.match(answer, { status: 200, body: { chip_balance: 1500, rebuys: 1, cooldown_seconds: 600 } });
    t.same(house.lobby.sentTo(agentId), ['rebuy_confirmed'], 'a bot that waits on its socket hears of it');
    const { ledger, agrees } = await house.books(agentId);
    t.match(ledger.at(-1), { type: 'rebuy', amount: 1500, balance_after: 1500 });
    t.ok(agrees);
    t.match((await house.ask('getSeasonEntry', { agentId })).body, { score: 0, rebuys: 1 });
  });

  await t.test('by REST is refused', async (t) => {
    const house = await SeasonHouse.open(t);
    const rich = await house.agent();
    await house.seasons.play.enter(rich);
    const still = { status: 400, body: { detail: 'Cannot rebuy - still have chips' } };
    t.match(await house.ask('rebuy', { agentId: rich }), still);
    const seated = await house.agent();
    await house.seasons.play.enter(seated);
    await house.seat(seated, 5000);
    t.match(await house.ask('rebuy', { agentId: seated }), still, 'seated with everything');
    const stranger = await house.broke({ verified: false });
    t.match(await house.ask('rebuy', { agentId: stranger }), { status: 403, body: { detail: /^email_not_verified/ } });

    const quick = await house.broke();
    await house.ask('rebuy', { agentId: quick });
    await house.loseAllBut(quick, 0);
    const early = await house.ask('rebuy', { agentId: quick });
    t.equal(early.status, 429);
    const seconds = Number(early.headers['retry-after']);
    t.ok(seconds > 590 && seconds <= 600, `Retry-After ${seconds}`);
    t.match(early.body, { detail: `Rebuy on cooldown. Retry after ${seconds}s.` });
  });

  await t.test('over the socket: confirmed, or the code that says why not', async (t) => {
    const house = await SeasonHouse.open(t);
    const agentId = await house.broke();
    const rebuy = async () => seen(await house.seasons.play.rebuy(agentId));
    t.same(await rebuy(), { type: 'rebuy_confirmed', new_stack: 0, chip_balance: 1500 });
    t.match(await rebuy(), {
      type: 'error',
      code: 'not_at_table',
      message: 'You still have 1500 chips: send join_lobby',
    });
    await house.loseAllBut(agentId, 0);
    const cooldown = await rebuy();
    t.match(cooldown, { code: 'rebuy_cooldown', cooldown_seconds: 600, rebuy_at: /\+00:00$/ });
    await house.age(agentId, 600);
    t.match(await rebuy(), { type: 'rebuy_confirmed', chip_balance: 1500 });
    await house.seat(agentId, 1500);
    t.match(await rebuy(), { code: 'invalid_rebuy' }, 'seated, though the registry did not know');
    const stranger = await house.broke({ verified: false });
    t.match(seen(await house.seasons.play.rebuy(stranger)), { code: 'email_not_verified' });
  });

  await t.test('is for a balance below the minimum buy-in, or for none at all', async (t) => {
    const house = await SeasonHouse.open(t);
    const some = await house.broke({ left: 999 });
    t.match(await house.seasons.play.rebuy(some), { type: 'rebuy_confirmed', chip_balance: 2499 });
    const enough = await house.broke({ left: 1000 });
    t.match(await house.seasons.play.rebuy(enough), { code: 'not_at_table' });

    const strict = await SeasonHouse.open(t, { REBUY_WHEN: 'zero' });
    t.match(await strict.seasons.play.rebuy(await strict.broke({ left: 1 })), { code: 'not_at_table' });
    t.match(await strict.seasons.play.rebuy(await strict.broke()), { type: 'rebuy_confirmed' });
  });

  await t.test('has a cooldown that grows with the count, or the shorter one of a pass', async (t) => {
    const house = await SeasonHouse.open(t, { REBUY_COOLDOWNS: '0,300', REBUY_COOLDOWNS_PRO: '0,120' });
    const agentId = await house.broke();
    await house.seasons.play.rebuy(agentId);
    await house.loseAllBut(agentId, 0);
    t.match(await house.seasons.play.rebuy(agentId), { cooldown_seconds: 300 });
    await house.sql`update entries set premium = true`;
    t.match(await house.seasons.play.rebuy(agentId), { cooldown_seconds: 120 });
    await house.age(agentId, 120);
    const answer = await house.ask('rebuy', { agentId });
    t.match(answer.body, { rebuys: 2, cooldown_seconds: 120 });
  });

  await t.test('of a hundred pairs that race by every way, each grants exactly one', async (t) => {
    const house = await SeasonHouse.open(t);
    const agents = await Promise.all(Array.from({ length: 100 }, () => house.agent()));
    for (const agentId of agents) await house.seasons.play.enter(agentId);
    // One statement for all: they bust together.
    await house.sql`
      with lost as (update entries set chip_balance = 0, auto_rebuy = true returning pool_id, agent_id)
      insert into chip_ledger (pool_id, agent_id, type, amount, balance_after)
      select pool_id, agent_id, 'reset', -5000, 0 from lost`;
    const granted = new Map(agents.map((agentId) => [agentId, 0]));
    const count = (agentId: string, yes: boolean) => granted.set(agentId, (granted.get(agentId) ?? 0) + Number(yes));
    const requests = agents.flatMap((agentId, i) => [
      house.ask('rebuy', { agentId }).then(({ status }) => {
        count(agentId, status === 200);
      }),
      i % 2 === 0
        ? house.seasons.play.rebuy(agentId).then(({ type }) => {
            count(agentId, type === 'rebuy_confirmed');
          })
        : house.seasons.play.setAutoRebuy(agentId, true).then((messages) => {
            count(
              agentId,
              messages.some(({ type }) => type === 'rebuy_confirmed'),
            );
          }),
    ]);
    await Promise.all(requests);
    t.same(new Set(granted.values()), new Set([1]), 'each was told of one rebuy');
    const wrong = await house.sql`
      select agent_id from entries e where rebuys <> 1 or chip_balance <> 1500 or rebuy_due_at is not null
        or (select count(*) from chip_ledger l where l.agent_id = e.agent_id and type = 'rebuy') <> 1
        or (select sum(amount) from chip_ledger l where l.agent_id = e.agent_id) <> chip_balance`;
    t.same([...wrong], []);
  });
});

await t.test('after a bust', async (t) => {
  const sentTo = async (house: SeasonHouse, agentId: string, last: string) => {
    await house.lobby.until((call) => call.agentId === agentId && call.type === last);
    return house.lobby.sentTo(agentId);
  };

  await t.test('without auto-rebuy, or with chips for another buy-in, the choice is the player’s', async (t) => {
    const house = await SeasonHouse.open(t);
    const off = await house.broke();
    house.busts(off);
    t.same(await sentTo(house, off, 'busted'), ['busted']);
    const rich = await house.broke({ left: 3000, autoRebuy: true });
    house.busts(rich, 'T1', 3000);
    t.same(await sentTo(house, rich, 'busted'), ['busted']);
    t.match((await house.books(rich)).entry, { chip_balance: 3000, rebuys: 0 });
    const offered = (agentId: string) => house.lobby.calls.findLast((call) => call.agentId === agentId)?.['options'];
    t.same(offered(off), ['rebuy', 'leave']);
    t.same(offered(rich), ['leave'], 'a rebuy would be refused');
    await house.seasons.play.rebuy(off);
    await house.loseAllBut(off, 0);
    house.busts(off);
    const told = () => house.lobby.sentTo(off).filter((type) => type === 'busted').length === 2;
    await house.lobby.until(() => told());
    t.same(offered(off), ['rebuy', 'leave'], 'cooling down is no refusal');
    const stranger = await house.broke({ verified: false });
    house.busts(stranger);
    await sentTo(house, stranger, 'busted');
    t.same(offered(stranger), ['leave']);
  });

  await t.test('bots of the house have chips for 24 hours: no cooldown, and no rebuy is counted', async (t) => {
    const house = await SeasonHouse.open(t);
    const bots = await Promise.all([1, 2, 3].map(() => house.agent({ house: true })));
    for (const bot of bots) {
      await house.seasons.play.enter(bot);
      await house.seasons.play.setAutoRebuy(bot, true);
    }
    const guest = await house.broke();
    /** How many busts in a day: all of them every half an hour. */
    for (let n = 0; n < 144; n++) {
      const bot = bots[n % bots.length]!;
      const before = house.lobby.calls.length;
      await house.loseAllBut(bot, 0);
      house.busts(bot);
      const isTold = (call: Record<string, unknown>) => call['agentId'] === bot && call['type'] === 'rebuy_confirmed';
      await house.lobby.until(() => house.lobby.calls.slice(before).some(isTold));
      if (n % 36 !== 0) continue;
      t.match(await house.books(bot), { entry: { chip_balance: 1500, rebuys: 0 }, agrees: true }, `${n / 6} hours`);
    }
    for (const bot of bots) await house.age(bot, 600);
    const [wrong] = await house.sql<{ poor: number }[]>`
      select count(*)::integer as poor from entries join agents using (agent_id)
      where is_house and (chip_balance < 1000 or rebuys > 0 or rebuy_due_at is not null)`;
    t.same(wrong, { poor: 0 });
    await house.seasons.play.rebuy(guest);
    await house.loseAllBut(guest, 0);
    t.match(await house.seasons.play.rebuy(guest), { code: 'rebuy_cooldown' }, 'as others have');
    await house.sql`update entries set hands_played = 50`;
    const board = (await house.ask('getLeaderboard')).body as { bot_name: string }[];
    t.equal(board.length, 1, 'nor have they a rank');
  });

  await t.test('the first automatic rebuy comes at once', async (t) => {
    const house = await SeasonHouse.open(t);
    const agentId = await house.broke({ left: 7, autoRebuy: true });
    house.busts(agentId);
    t.same(await sentTo(house, agentId, 'rebuy_confirmed'), ['auto_rebuy_scheduled', 'rebuy_confirmed']);
    const told = house.lobby.calls.filter((call) => call.agentId === agentId);
    t.match(told[0], { cooldown_seconds: 0, rebuy_at: /\+00:00$/ });
    t.match(told[1], { new_stack: 0, chip_balance: 1507 });
    t.notOk(
      house.lobby.calls.some(({ call }) => call === 'rebuyPending'),
      'no table has to wait',
    );
    t.ok((await house.books(agentId)).agrees);
  });

  await t.test('a later one is scheduled, the table waits for it, and it comes when due', async (t) => {
    const house = await SeasonHouse.open(t);
    const agentId = await house.broke({ autoRebuy: true });
    await house.seasons.play.rebuy(agentId);
    await house.loseAllBut(agentId, 0);
    house.busts(agentId, 'T9');
    const scheduled = await house.lobby.until((call) => call.type === 'auto_rebuy_scheduled');
    t.equal(scheduled.cooldown_seconds, 600);
    t.match(await house.lobby.until(({ call }) => call === 'rebuyPending'), { table: 'T9', pending: true });

    await house.age(agentId, 600);
    await house.passUntil(() => house.lobby.calls.some((call) => call.type === 'rebuy_confirmed'));
    t.match(await house.lobby.until((call) => call.type === 'rebuy_confirmed'), { chip_balance: 1500, new_stack: 0 });
    t.match(await house.lobby.until(({ pending }) => pending === false), { table: 'T9', agentId });
    t.match((await house.books(agentId)).entry, { rebuys: 2, rebuy_due_at: null });
  });

  await t.test('a scheduled one survives the process', async (t) => {
    const house = await SeasonHouse.open(t);
    const agentId = await house.broke({ autoRebuy: true });
    await house.seasons.play.rebuy(agentId);
    await house.loseAllBut(agentId, 0);
    house.busts(agentId);
    await house.lobby.until((call) => call.type === 'auto_rebuy_scheduled');
    await house.stop();

    await house.age(agentId, 590);
    const next = await SeasonHouse.open(t, {}, house.address);
    await next.clock.advance(5000);
    t.same(next.lobby.sentTo(agentId), [], 'not before its time');
    await house.age(agentId, 10);
    await next.passUntilSent(agentId, 'rebuy_confirmed');
    t.match((await house.books(agentId)).entry, { chip_balance: 1500, rebuys: 2 });
  });

  await t.test('one whose grant was done, but the answer lost, is confirmed all the same', async (t) => {
    const house = await SeasonHouse.open(t, { REBUY_COOLDOWNS: '0,600' });
    // Its own schedule might be faster with what is due: then no answer is lost.
    await house.stop();
    const lost = Object.assign(new Error('the connection broke'), { code: 'CONNECTION_CLOSED' });
    let losses = 0;
    // The answer of every grant is lost, after the statement was done.
    const sql = new Proxy(house.sql, {
      apply(target, self, given: [TemplateStringsArray, ...unknown[]]) {
        const query = Reflect.apply(target, self, given) as Promise<unknown>;
        if (!given[0].join('').includes('insert into rebuy_requests')) return query;
        losses++;
        return query.then(() => Promise.reject(lost));
      },
    });
    const config = readConfig({ REBUY_COOLDOWNS: '0,600' });
    const seasons = createSeasons({
      sql,
      background: sql,
      leadership,
      nodeId: randomUUID(),
      config,
      lobby: house.lobby,
      clock: house.clock,
      log: silent,
    });
    t.teardown(() => stopParts(seasons));
    await startParts(seasons);
    const agent = await house.broke({ autoRebuy: true });
    const bust = async () => seasons.play.busted(await house.loseAllBut(agent, 0));
    const confirmations = () => house.lobby.sentTo(agent).filter((type) => type === 'rebuy_confirmed').length;

    void seasons.play.busted({ ...LEFT, poolId: house.poolId, agentId: agent });
    await house.passUntil(() => confirmations() === 1);
    t.same(house.lobby.sentTo(agent), ['auto_rebuy_scheduled', 'rebuy_confirmed'], 'at once, after a bust');
    await bust();
    await house.passUntil(() => house.lobby.sentTo(agent).length === 3);
    await house.age(agent, 600);
    await house.passUntil(() => confirmations() === 2);
    t.pass('later, when it is due');
    await house.loseAllBut(agent, 0);
    await house.age(agent, 600);
    t.match(await seasons.play.rebuy(agent), { type: 'rebuy_confirmed', chip_balance: 1500 }, 'and when asked for');
    t.match(await house.books(agent), { entry: { rebuys: 3, chip_balance: 1500 }, agrees: true }, 'each counts once');
    t.equal(losses, 3);
  });

  await t.test('that nobody heard of is settled as any, and a stay that ended otherwise is not', async (t) => {
    const house = await SeasonHouse.open(t);
    const rich = await house.agent();
    await house.seasons.play.enter(rich);
    const seated = await house.agent();
    await house.seasons.play.enter(seated);
    await house.seat(seated, 5000);
    for (const agentId of [rich, seated, await house.agent()]) {
      await house.seasons.play.seatLost(agentId);
      t.same(house.lobby.sentTo(agentId), []);
    }
    const off = await house.broke();
    await house.seasons.play.seatLost(off);
    t.same(house.lobby.sentTo(off), ['busted']);
    const auto = await house.broke({ autoRebuy: true });
    await house.seasons.play.seatLost(auto);
    t.same(house.lobby.sentTo(auto), ['auto_rebuy_scheduled', 'rebuy_confirmed']);
  });

  await t.test('set_auto_rebuy false calls it off: the normal busted', async (t) => {
    const house = await SeasonHouse.open(t);
    const agentId = await house.broke({ autoRebuy: true });
    await house.seasons.play.rebuy(agentId);
    await house.loseAllBut(agentId, 0);
    house.busts(agentId, 'T9');
    await house.lobby.until((call) => call.pending === true);
    const answers = await house.seasons.play.setAutoRebuy(agentId, false);
    t.same(answers.map(seen), [
      { type: 'auto_rebuy_set', enabled: false },
      { type: 'busted', options: ['rebuy', 'leave'] },
    ]);
    t.match(house.lobby.calls.at(-1), { call: 'rebuyPending', pending: false });
    await house.age(agentId, 600);
    await house.clock.advance(700_000);
    t.match((await house.books(agentId)).entry, { chip_balance: 0, rebuys: 1, rebuy_due_at: null });
  });

  await t.test('a scheduled one lapses when it is no longer called for', async (t) => {
    const house = await SeasonHouse.open(t);
    const agentId = await house.broke({ autoRebuy: true });
    await house.seasons.play.rebuy(agentId);
    await house.loseAllBut(agentId, 0);
    house.busts(agentId);
    await house.lobby.until((call) => call.type === 'auto_rebuy_scheduled');
    await house.sql`
      with paid as (update entries set chip_balance = 4000 returning pool_id, agent_id)
      insert into chip_ledger (pool_id, agent_id, type, amount, balance_after)
      select pool_id, agent_id, 'reset', 4000, 4000 from paid`;
    await house.age(agentId, 600);
    await house.passUntil(() => house.lobby.calls.some(({ pending }) => pending === false));
    t.match((await house.books(agentId)).entry, { chip_balance: 4000, rebuys: 1, rebuy_due_at: null });
    t.notOk(house.lobby.sentTo(agentId).includes('rebuy_confirmed'));
  });

  await t.test('an address that is not verified gets no rebuy, and is told', async (t) => {
    const house = await SeasonHouse.open(t);
    const agentId = await house.broke({ verified: false, autoRebuy: true });
    house.busts(agentId);
    t.same(await sentTo(house, agentId, 'busted'), ['error', 'busted']);
    t.match(house.lobby.calls[0], { code: 'email_not_verified' });
  });

  await t.test('a bust whose message was lost in a crash is taken up', async (t) => {
    const house = await SeasonHouse.open(t);
    const lost = await house.broke({ autoRebuy: true });
    const off = await house.broke();
    house.seasons.play.shardRecovered();
    await house.passUntilSent(lost, 'rebuy_confirmed');
    t.match((await house.books(lost)).entry, { chip_balance: 1500, rebuys: 1 });
    t.match((await house.books(off)).entry, { rebuys: 0, rebuy_due_at: null });
  });
});

await t.test('set_auto_rebuy', async (t) => {
  const house = await SeasonHouse.open(t);
  const agentId = await house.agent();
  await house.seasons.play.enter(agentId);

  await t.test('is stored and told to the table', async (t) => {
    t.same(await house.seasons.play.setAutoRebuy(agentId, true), [{ type: 'auto_rebuy_set', enabled: true }]);
    t.match(house.lobby.calls.at(-1), { call: 'updateEntry', agentId, autoRebuy: true });
    t.match(await house.seasons.play.enter(agentId), { entry: { autoRebuy: true } });
  });

  await t.test('by REST as well', async (t) => {
    const off = await house.ask('updateSeasonEntry', { agentId, body: { auto_rebuy: false } });
    t.match(off, { status: 200, body: { agent_id: agentId, auto_rebuy: false } });
    t.match(await house.ask('updateSeasonEntry', { agentId, body: {} }), { status: 200, body: { auto_rebuy: false } });
    t.match(house.lobby.calls.at(-1), { autoRebuy: false });
  });

  await t.test('to what it is already touches nothing', async (t) => {
    const seated = await house.agent();
    await house.seasons.play.enter(seated);
    await house.seasons.play.setAutoRebuy(seated, true);
    await house.seat(seated, 2000);
    // The last writer or locker of the row.
    const row = () => house.sql`select xmin::text, xmax::text, ctid::text from entries order by agent_id`;
    const [before, calls] = [await row(), house.lobby.calls.length];
    for (let n = 0; n < 3; n++) {
      t.same(await house.seasons.play.setAutoRebuy(agentId, false), [{ type: 'auto_rebuy_set', enabled: false }]);
      t.same(await house.seasons.play.setAutoRebuy(seated, true), [{ type: 'auto_rebuy_set', enabled: true }]);
    }
    t.match(await house.ask('updateSeasonEntry', { agentId, body: { auto_rebuy: false } }), { status: 200 });
    t.same(await row(), before);
    t.equal(house.lobby.calls.length, calls);
  });

  await t.test('switched on by a player who is out of chips it rebuys', async (t) => {
    const broke = await house.broke();
    const answers = await house.seasons.play.setAutoRebuy(broke, true);
    t.same(
      answers.map(({ type }) => type),
      ['auto_rebuy_set', 'auto_rebuy_scheduled', 'rebuy_confirmed'],
    );
    const byRest = await house.broke();
    await house.ask('updateSeasonEntry', { agentId: byRest, body: { auto_rebuy: true } });
    t.same(house.lobby.sentTo(byRest), ['auto_rebuy_scheduled', 'rebuy_confirmed']);
  });
});

t.teardown(stopCluster);
