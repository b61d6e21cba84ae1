/** Names: which are kept for the platform, how often they change, and the slug that is made of the first. */
import t from 'tap';
import { openAccounts as open, form, registered } from '../support/account-house.js';
import { stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';

t.teardown(stopCluster);
t.setTimeout(FILE_MS);

await t.test('names of the platform and its house bots are nobody’s to take', async (t) => {
  const { ask, sql } = await open(t);
  const { agentId } = await registered(ask, 'ada');
  const reserved = { status: 409, body: { detail: 'Agent name is reserved' } };
  for (const name of [
    'house_1',
    'HOUSE_bot',
    'house_',
    'House',
    'agent_poker',
    'AgentPoker',
    'admin',
    '_Ad_min_',
    'dealer',
  ]) {
    t.match(await ask('registerAgent', { body: form(name, { email: 'x@example.org' }) }), reserved, name);
    t.match(await ask('completeOnboarding', { agentId, body: { bot_name: name, mode: 'byo' } }), reserved, name);
  }
  t.match(await ask('updateMe', { agentId, body: { name: 'house_9' } }), reserved);
  for (const name of ['household', 'warehouse_1', 'admin_bot', 'my_dealer']) await registered(ask, name);
  const early = await registered(ask, 'early');
  await sql`update agents set name = 'house_7' where agent_id = ${early.agentId}`;
  const kept = await ask('updateMe', { agentId: early.agentId, body: { name: 'house_7' } });
  t.equal(kept.status, 200, 'who has it from before keeps it');
});

await t.test('another name ten times a minute, by whatever way', async (t) => {
  const { ask } = await open(t);
  const { agentId } = await registered(ask, 'ada');
  const rename = async (n: number) =>
    n % 2 === 0
      ? ask('updateMe', { agentId, body: { name: `ada_${n}` } })
      : ask('completeOnboarding', { agentId, body: { bot_name: `ada_${n}`, mode: 'byo' } });
  for (let n = 0; n < 10; n++) t.equal((await rename(n)).status, 200);
  for (const n of [10, 11]) t.match(await rename(n), { status: 429, headers: { 'retry-after': /^\d+$/ } });
  t.equal((await ask('updateMe', { agentId, body: { avatar_url: null } })).status, 200, 'all else is no rename');
});

await t.test('the public profile’s slug', async (t) => {
  const { ask, accounts, told, sql } = await open(t);
  const { agentId, apiKey } = await registered(ask, 'Ada__Bot_');
  const me = async (body: object) => (await ask('updateMe', { agentId, body })).body;
  t.match((await ask('getMe', { agentId })).body, { public_profile_slug: 'ada-bot', public_profile: true });
  t.match(await me({ name: 'other' }), { public_profile_slug: 'ada-bot' }, 'is kept over renames');

  const twin = await registered(ask, 'ada_bot');
  t.match((await ask('getMe', { agentId: twin.agentId })).body, { public_profile_slug: /^ada-bot-[0-9a-f]{6}$/ });
  const race = Array.from({ length: 8 }, (_, n) => registered(ask, `bob${'_'.repeat(n + 1)}`));
  await Promise.all(race);
  const slugs = await sql<{ slug: string }[]>`
    select public_profile_slug as slug from agents where name like 'bob%'`;
  t.equal(new Set(slugs.map(({ slug }) => slug)).size, 8);
  await registered(ask, '___');
  t.match(await sql`select public_profile_slug as slug from agents where name = '___'`, [{ slug: 'agent' }]);

  const shown = async () => (await accounts.authenticate(apiKey))?.publicProfileSlug;
  t.equal(await shown(), 'ada-bot');
  t.match(await me({ public_profile: false }), { public_profile: false, public_profile_slug: 'ada-bot' });
  t.match(told.at(-1), { update: agentId, publicProfileSlug: null }, 'tables learn at once');
  t.equal(await shown(), null);
  t.match(await me({ avatar_url: null }), { public_profile: false }, 'and it stays so');
  t.match(await me({ public_profile: true }), { public_profile: true });
  t.match(told.at(-1), { update: agentId, publicProfileSlug: 'ada-bot' });
});
