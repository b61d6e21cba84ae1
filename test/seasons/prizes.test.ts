/**
 * Prizes (protocol.md, "Seasons") go to the best players that met their conditions. They are held for a while, and paid
 * once unless an operator refuses them. Over HTTP and SMTP, with the ledger held against the checks of the audit.
 */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { creditChecks } from '../../src/admin/audit/credit-checks.js';
import { seasonChecks } from '../../src/admin/audit/season-checks.js';
import { prizes } from '../../src/admin/commands/seasons.js';
import { stopCluster } from '../support/database.js';
import { EmailSink } from '../support/email-sink.js';
import { eventually, FILE_MS } from '../support/limits.js';
import { TestPlatform, type Account } from '../support/platform.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const ADMIN_KEY = 'the-key-of-the-operator';
const RULES = { PRIZE_POOL_CENTS: 10_003, PRIZE_MIN_HANDS: 20, PRIZE_MIN_OPPONENTS: 2, PRIZE_HOLD_HOURS: 72 };
const sink = await EmailSink.open(t);
const platform = await TestPlatform.start(t, { ...RULES, ADMIN_KEY, SMTP_URL: sink.url, HOUSE_BOTS: 0 });
const sql = platform.sql!;
const own = async ({ key }: Account) => (await platform.api('GET', '/api/me/prizes', { key })).body;
const balanceOf = async ({ key }: Account) =>
  ((await platform.api('GET', '/api/balance', { key })).body as { balance: number }).balance;
const asOperator = (path: string, body?: object) =>
  platform.api(body === undefined ? 'GET' : 'POST', `/api/admin/${path}`, { key: ADMIN_KEY, body });
const fund = async () =>
  (
    await sql<{ balance: number }[]>`
  select balance from credit_accounts where kind = 'prizes'`
  )[0]!.balance;
const sound = async (when: string) => {
  for (const check of [...seasonChecks, ...creditChecks]) t.same(await check.find(sql), [], `${when}: ${check.title}`);
};

/** In the order of the standings: the best has met nobody but its own puppet, the second has played too little. */
const names = ['lonely', 'lazy', 'ada', 'bob', 'cid', 'puppet'] as const;
const agents = new Map<string, Account>();
for (const name of names) agents.set(name, await platform.register(name));
const of = (name: (typeof names)[number]) => agents.get(name)!;
const season = (await platform.api('GET', '/api/season/current')).body as { season_id: string; season_number: number };
for (const [n, name] of names.entries()) {
  const { key, agentId } = of(name);
  await platform.api('POST', '/api/season/register', { key });
  const hands = name === 'lazy' ? 19 : name === 'puppet' ? 5 : 40;
  await sql`update entries set chip_balance = ${9000 - 1000 * n}, hands_played = ${hands} where agent_id = ${agentId}`;
}
/** A hand of these, as far as it says who met whom. */
const hand = (...players: (typeof names)[number][]) => {
  const ids = players.map((name) => of(name).agentId);
  return sql`
    insert into hand_players (pool_id, agent_id, hand_id, seat, stack_start, stack_end)
    select ${season.season_id}::uuid, id, ${randomUUID()}::uuid, n, 1000, 1000
    from unnest(${ids}::uuid[]) with ordinality as p (id, n)`;
};
await hand('lonely', 'puppet');
await hand('lonely', 'lazy');
// One person with another +tag is one opponent, and none of oneself.
await sql`update agents set email = 'master@example.org' where agent_id = ${of('lonely').agentId}`;
await sql`update agents set email = 'master+1@example.org' where agent_id = ${of('puppet').agentId}`;
await hand('ada', 'bob', 'cid');
await asOperator('season/end', { season_number: season.season_number, in_seconds: 0 });
await eventually('the season to end', async () => {
  const { body } = await platform.api('GET', '/api/season/current');
  return (body as { season_number: number }).season_number > season.season_number;
});

await t.test('the places go to who has played and met enough, and are held', async (t) => {
  const { body } = await platform.api('GET', `/api/season/${season.season_id}/leaderboard`);
  t.match(body, [
    { rank: 1, bot_name: of('lonely').name, badge: 'gold', prize_cents: 0, prize_status: null, prize_held_until: null },
    { rank: 2, bot_name: of('lazy').name, prize_cents: 0 },
    { rank: 3, prize_cents: 5003, prize_status: 'held', prize_held_until: String },
    { rank: 4, prize_cents: 3000, prize_status: 'held' },
    { rank: 5, prize_cents: 2000, prize_status: 'held' },
  ]);
  t.match(await own(of('ada')), {
    prizes: [
      { season_number: 1, rank: 3, place: 1, prize_cents: 5003, status: 'held', decided_at: null, reason: null },
    ],
  });
  t.same(await own(of('lonely')), { prizes: [] });
  t.equal(await balanceOf(of('ada')), 0);
  t.equal(await fund(), 1_000_300);
  const [told] = await sink.mailsTo('master@example.org', 1);
  t.match(told!.text, /Prize: none\. A prize place needs 20 hands and 2 opponents of different owners/);
  const { email } = (await platform.api('GET', '/api/me', { key: of('ada').key })).body as { email: string };
  t.match((await sink.mailsTo(email, 1))[0]!.text, /Prize: \$50\.03, held for a look at the season until \d{4}-/);
  await sound('held');
});

await t.test('the operator releases one and refuses one, each with a reason', async (t) => {
  const { body } = await asOperator('prizes?held=true');
  const { prizes: held } = body as { prizes: { prize_id: string; agent_name: string }[] };
  t.match(held, [{ place: 1, agent_name: of('ada').name, banned: false }, { place: 2 }, { place: 3 }]);
  const [first, second] = held.map(({ prize_id }) => prize_id) as [string, string];
  t.equal((await asOperator(`prizes/${first}/release`, {})).status, 422, 'not without a reason');
  t.match(await asOperator(`prizes/${first}/release`, { reason: 'looked at' }), {
    status: 200,
    body: { changed: true },
  });
  t.match(await asOperator(`prizes/${first}/refuse`, { reason: 'too late' }), { status: 409 });
  t.match(await asOperator(`prizes/${second}/refuse`, { reason: 'chips from puppets' }), { status: 200 });
  t.match(await asOperator(`prizes/${second}/release`, { reason: 'too late' }), { status: 409 });
  t.equal(await balanceOf(of('ada')), 50.03);
  t.equal(await balanceOf(of('bob')), 0);
  t.equal(await fund(), 500_000, 'a refused prize stays in the pool');
  const listed = await platform.api('GET', '/api/admin/prizes', { key: ADMIN_KEY });
  t.match(listed, { status: 200 });
  t.match(JSON.stringify(listed.body), 'chips from puppets');
  t.match(await own(of('bob')), { prizes: [{ status: 'refused', reason: 'chips from puppets', decided_at: String }] });
  const { email } = (await platform.api('GET', '/api/me', { key: of('bob').key })).body as { email: string };
  t.match((await sink.mailsTo(email, 2))[1], {
    subject: 'Your prize of season 1 is refused',
    text: /chips from puppets/,
  });
  const log = await sql`select action, subject, detail from audit_log where action like 'prizes_%' order by entry_id`;
  t.match(log, [
    { action: 'prizes_release', subject: first, detail: { reason: 'looked at' } },
    { action: 'prizes_refuse', subject: second, detail: { reason: 'chips from puppets' } },
  ]);
  t.match(await prizes.look(sql, { held: false, limit: 50, offset: 0 }), { matching: 3 });
  await sound('decided');
});

await t.test('what nobody has decided is paid after the hold, but to nobody who is banned', async (t) => {
  const { agentId } = of('cid');
  await sql`update prizes set held_until = now() where status = 'held'`;
  await sql`update agents set banned_at = now(), banned_reason = 'x' where agent_id = ${agentId}`;
  await platform.stop();
  await platform.launch();
  t.match(await asOperator('prizes?held=true'), { body: { prizes: [{ place: 3, banned: true, status: 'held' }] } });
  await sql`update agents set banned_at = null, banned_reason = null where agent_id = ${agentId}`;
  await platform.stop();
  await platform.launch();
  await eventually('it is paid', async () => (await balanceOf(of('cid'))) === 20);
  t.match(await own(of('cid')), { prizes: [{ status: 'paid', reason: null }] });
  t.equal(await fund(), 300_000);
  await sound('paid');
});
