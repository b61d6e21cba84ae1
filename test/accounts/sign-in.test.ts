/**
 * Sign-in of people by a mailed link: good once and for a while, for whoever reads the mail alone, and how often it is
 * sent.
 */
import t, { type Test } from 'tap';
import { accountRoutes, Accounts, SignInCookie, signInReader, SignIn, signInRoutes } from '../../src/accounts/index.js';
import type { Database } from '../../src/store/database.js';
import { freshPool, stopCluster } from '../support/database.js';
import { eventually, FILE_MS } from '../support/limits.js';
import { EmailSink } from '../support/email-sink.js';
import { PRODUCTION, TestPlatform } from '../support/platform.js';
import { asker, type RestAnswer } from '../support/rest.js';
import { cookieOf, tokenIn } from '../support/sign-in.js';

t.setTimeout(FILE_MS);

/** Sign-in and registration on a database of their own. */
async function open(t: Test, { secure = false, registration = 'session' as 'open' | 'session' } = {}) {
  const sql = await freshPool(t, 10);
  const cookie = new SignInCookie({ secure, trustedOrigins: () => ['https://poker.example'] });
  const lobby = { disconnect: () => undefined, updatePlayer: () => undefined };
  const accounts = new Accounts({ sql, lobby, emailVerified: false });
  const keyEnded = (agentId: string, at: Date) => accounts.keyEnded(agentId, at);
  const signIn = new SignIn({ sql, publicUrl: () => 'https://poker.example', linkMinutes: 15, keyEnded });
  const ask = asker([
    ...signInRoutes({ operators: true, signIn, cookie, accounts }),
    ...accountRoutes({
      accounts,
      registration,
      session: signInReader(signIn, cookie, (_ip, secret, lookUp) => lookUp(secret)),
      credits: () => Promise.resolve(0),
      renames: { take: () => 0 },
      views: { activeGame: () => Promise.resolve(null) },
    }),
  ]);
  return { sql, ask, accounts };
}
type Ask = Awaited<ReturnType<typeof open>>['ask'];

/** The token in the newest mail to an address. */
async function tokenFor(sql: Database, email: string): Promise<string> {
  const [mail] = await sql<{ body: string }[]>`
    select body from mail_outbox where recipient = ${email} order by mail_id desc limit 1`;
  return tokenIn(mail?.body ?? '');
}

async function signedIn(sql: Database, ask: Ask, email: string): Promise<{ cookie: string }> {
  await ask('requestSignInLink', { body: { email } });
  const told = await ask('followSignInLink', { body: { token: await tokenFor(sql, email) } });
  if (told.status !== 200) throw new Error(JSON.stringify(told.body));
  return { cookie: cookieOf(told.headers['set-cookie'] ?? '') };
}

const OUT = {
  signed_in: false,
  email: null,
  agent_id: null,
  agent_name: null,
  is_operator: false,
  expires_at: null,
};
const NO_GOOD = { status: 400, body: { detail: 'Invalid or expired sign-in link' } };
const form = (name: string, more: object = {}) => ({ name, terms_accepted: true, ...more });
const count = async (sql: Database, table: string) =>
  (await sql<{ n: number }[]>`select count(*) as n from ${sql(table)}`)[0]?.n;

await t.test('a link signs in once, until logout', async (t) => {
  const { sql, ask } = await open(t);
  t.equal((await ask('requestSignInLink', { body: { email: 'ada@example.org' } })).status, 202);
  const token = await tokenFor(sql, 'ada@example.org');
  const told = await ask('followSignInLink', { body: { token } });
  t.match(told, { status: 200, body: { signed_in: true, email: 'ada@example.org', agent_id: null } });
  t.match(await ask('followSignInLink', { body: { token } }), NO_GOOD, 'used up');

  const headers = { cookie: `other=1; ${cookieOf(told.headers['set-cookie']!)}` };
  const session = await ask('getSession', { headers });
  t.same({ ...(session.body as object), key_ended: false }, told.body);
  t.equal(session.headers['cache-control'], 'no-store');
  const out = await ask('logout', { headers });
  t.same(out.body, OUT);
  t.match(out.headers['set-cookie'], /^agent_poker_session=; Max-Age=0; Path=\/; HttpOnly/);
  t.same((await ask('getSession', { headers })).body, OUT);
  t.same((await ask('logout')).body, OUT, 'also for nobody');
  t.same((await ask('getSession')).body, OUT);
});

await t.test('of those who race with one link exactly one is signed in', async (t) => {
  const { sql, ask } = await open(t);
  await ask('requestSignInLink', { body: { email: 'ada@example.org' } });
  const token = await tokenFor(sql, 'ada@example.org');
  const told = await Promise.all(Array.from({ length: 20 }, () => ask('followSignInLink', { body: { token } })));
  t.equal(told.filter(({ status }) => status === 200).length, 1);
  t.equal(await count(sql, 'sign_in_sessions'), 1);
});

await t.test('a link is good for a quarter of an hour, and what is none is as good as an old one', async (t) => {
  const { sql, ask } = await open(t);
  await ask('requestSignInLink', { body: { email: 'ada@example.org' } });
  const [link] = await sql`select extract(epoch from expires_at - created_at)::integer as seconds from sign_in_links`;
  t.same(link, { seconds: 900 });
  const [mail] = await sql`select m.expires_at <= l.expires_at as same from mail_outbox m, sign_in_links l`;
  t.same(mail, { same: true }, 'nor is it sent later');
  const token = await tokenFor(sql, 'ada@example.org');
  await sql`update sign_in_links set expires_at = now()`;
  for (const wrong of [token, 'A'.repeat(43), 'x', `${token}=`]) {
    t.match(await ask('followSignInLink', { body: { token: wrong } }), NO_GOOD, wrong);
  }
  t.equal(await count(sql, 'sign_in_sessions'), 0);
});

await t.test('the tables of sign-in hold no secret', async (t) => {
  const { sql, ask } = await open(t);
  await ask('requestSignInLink', { body: { email: 'ada@example.org' } });
  const token = await tokenFor(sql, 'ada@example.org');
  const told = await ask('followSignInLink', { body: { token } });
  const secret = cookieOf(told.headers['set-cookie']!).split('=')[1]!;
  const rows = await sql`select l::text as row from sign_in_links l union all select s::text from sign_in_sessions s
    union all select b::text from known_browsers b`;
  const text = JSON.stringify(rows);
  for (const hidden of [token, secret, cookieOf(told.headers['Set-Cookie']!).split('=')[1]!]) {
    t.notOk(text.includes(hidden));
    t.notOk(text.includes(Buffer.from(hidden, 'base64url').toString('hex')));
  }
});

await t.test('nobody learns whether an address is known', async (t) => {
  const { sql, ask, accounts } = await open(t);
  await accounts.register({ name: 'ada', email: 'ada@example.org', wallet: null, avatarUrl: null, ip: null });
  const answers = async (email: string) => {
    const all: RestAnswer[] = [];
    for (let n = 0; n < 5; n++) all.push(await ask('requestSignInLink', { body: { email } }));
    return all;
  };
  const known = await answers('ada@example.org');
  t.same(known, await answers('nobody@example.org'));
  t.same(
    known.map(({ status }) => status),
    [202, 202, 202, 429, 429],
  );
  t.match(known.at(-1), { body: { detail: /You have asked for too many/ }, headers: { 'retry-after': '900' } });
  const mails = await sql`select recipient as to, count(*) as n from mail_outbox group by 1 order by 1`;
  t.same(mails, [
    { to: 'ada@example.org', n: 3 },
    { to: 'nobody@example.org', n: 3 },
  ]);

  await t.test('strangers that have used up a mailbox keep its owner out of nothing', async (t) => {
    const { sql, ask } = await open(t);
    const email = 'cleo@example.org';
    const asked = (ip: string, cookie = '') =>
      ask('requestSignInLink', { body: { email }, ip, headers: cookie === '' ? {} : { cookie } });
    await asked('198.51.100.1');
    const told = await ask('followSignInLink', { body: { token: await tokenFor(sql, email) } });
    const browser = cookieOf(told.headers['Set-Cookie']!);
    t.match(told.headers['Set-Cookie'], /^agent_poker_browser=[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly/);
    for (let n = 10; n < 22; n++) await asked(`198.51.100.${n}`);
    const refused = await asked('198.51.100.99');
    t.match(refused, { status: 429, body: { detail: /Too many sign-in links are being asked for/ } });
    t.equal((await asked('198.51.100.99', browser)).status, 202, 'a browser that has signed in before');
    await ask('logout', { headers: { cookie: cookieOf(told.headers['set-cookie']!) } });
    t.equal((await asked('198.51.100.99', browser)).status, 202, 'also signed out');
    t.equal((await asked('198.51.100.99', `${browser}x`)).status, 429);

    const again = await ask('followSignInLink', {
      body: { token: await tokenFor(sql, email) },
      headers: { cookie: browser },
    });
    t.equal(cookieOf(again.headers['Set-Cookie']!), browser, 'it keeps its secret');
    t.equal(await count(sql, 'known_browsers'), 1);
    await ask('requestSignInLink', { body: { email: 'dan@example.org' } });
    const token = await tokenFor(sql, 'dan@example.org');
    const foreign = `agent_poker_browser=${'A'.repeat(43)}`;
    const dan = await ask('followSignInLink', { body: { token }, headers: { cookie: foreign } });
    t.not(cookieOf(dan.headers['Set-Cookie']!), foreign, 'a secret that is none of ours proves nothing');
    await sql`update known_browsers set last_seen_at = now() - interval '401 days' where mailbox = ${email}`;
    await signedIn(sql, ask, 'eli@example.org');
    t.equal((await asked('198.51.100.99', browser)).status, 429, 'after 400 days it is forgotten');
  });

  await t.test('an asker has three links in a quarter of an hour, ten a day, racing or not', async (t) => {
    const asked = () =>
      Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          ask('requestSignInLink', { body: { email: n % 2 ? 'bob@example.org' : `BOB+${n}@example.org` } }),
        ),
      );
    const links = async () => (await sql`select 1 from sign_in_links where email ilike 'bob%'`).length;
    for (const expected of [3, 6, 9, 10, 10]) {
      await asked();
      t.equal(await links(), expected);
      await sql`update mail_outbox set created_at = created_at - interval '16 minutes'`;
    }
    await sql`update mail_outbox set created_at = created_at - interval '1 day'`;
    await sql`update sign_in_links set created_at = created_at - interval '1 day'`;
    await asked();
    t.equal(await links(), 3, 'and older ones are forgotten');
  });
});

await t.test('to follow a link verifies the address of who is registered with it, and of nobody else', async (t) => {
  const { sql, ask, accounts } = await open(t);
  const nobody = { wallet: null, avatarUrl: null, ip: null };
  const { agentId } = await accounts.register({ name: 'ada', email: 'Ada@Example.org', ...nobody });
  await accounts.register({ name: 'bob', email: 'bob@example.org', ...nobody });
  const headers = await signedIn(sql, ask, 'ada@example.org');
  t.match(await ask('getSession', { headers }), { body: { agent_id: agentId } });
  const verified = () => sql`select name, email_verified_at from agents where email_verified_at is not null`;
  const first = await verified();
  t.match(first, [{ name: 'ada' }]);
  await signedIn(sql, ask, 'ada@example.org');
  t.same(await verified(), first, 'once is enough');
});

await t.test('with a session one registers with its address, which is verified', async (t) => {
  const { sql, ask } = await open(t);
  t.match(await ask('registerAgent', { body: form('ada', { email: 'ada@example.org' }) }), {
    status: 403,
    body: { detail: 'Registration requires a signed-in session' },
  });
  const headers = await signedIn(sql, ask, 'ada@example.org');
  const other = form('ada', { email: 'eve@example.org' });
  t.match(await ask('registerAgent', { body: other, headers }), {
    status: 422,
    body: { detail: [{ loc: ['body', 'email'], type: 'value_error' }] },
  });
  t.match(await ask('registerAgent', { body: form('ada', { terms_accepted: false }), headers }), { status: 400 });
  const told = await ask('registerAgent', { body: form('ada'), headers });
  t.match(told, { status: 201, body: { email: 'ada@example.org', name: 'ada' } });
  t.match(await sql`select email, email_verified_at from agents`, [
    { email: 'ada@example.org', email_verified_at: Date },
  ]);
  t.match(await ask('registerAgent', { body: form('ada_2'), headers }), {
    status: 409,
    body: { detail: 'Email already registered' },
  });
  const bob = await signedIn(sql, ask, 'bob@example.org');
  const same = form('bob', { email: 'BOB@example.org' });
  t.match(await ask('registerAgent', { body: same, headers: bob }), {
    status: 201,
    body: { email: 'bob@example.org' },
  });
  await ask('logout', { headers: bob });
  t.equal((await ask('registerAgent', { body: form('bob_2'), headers: bob })).status, 403);
});

await t.test('where anybody may register a session still verifies, and none is needed', async (t) => {
  const { sql, ask } = await open(t, { registration: 'open' });
  const headers = await signedIn(sql, ask, 'ada@example.org');
  t.equal((await ask('registerAgent', { body: form('ada'), headers })).status, 201);
  t.equal((await ask('registerAgent', { body: form('bob', { email: 'bob@example.org' }) })).status, 201);
  t.match(await ask('registerAgent', { body: form('cid') }), { status: 422, body: { detail: [{ type: 'missing' }] } });
  t.same(await sql`select name, email_verified_at is not null as verified from agents order by 1`, [
    { name: 'ada', verified: true },
    { name: 'bob', verified: false },
  ]);
});

await t.test('a session ends when it is not used for 30 days, and after 90 in any case', async (t) => {
  const { sql, ask } = await open(t);
  const headers = await signedIn(sql, ask, 'ada@example.org');
  const lives = async () => (await ask('getSession', { headers })).body as { signed_in: boolean; expires_at: string };
  const days = (body: { expires_at: string }) => Math.round((Date.parse(body.expires_at) - Date.now()) / 86_400_000);
  const pass = (time: string) => sql`
    update sign_in_sessions
    set created_at = created_at - ${time}::interval, last_seen_at = last_seen_at - ${time}::interval`;
  t.equal(days(await lives()), 30);
  await pass('29 days');
  t.equal(days(await lives()), 1);
  t.equal(days(await lives()), 30, 'it was used');
  await pass('29 days');
  await lives();
  await pass('29 days');
  await lives();
  t.equal(days(await lives()), 3);
  await pass('3 days');
  t.same(await lives(), OUT);

  const other = await signedIn(sql, ask, 'bob@example.org');
  await pass('30 days');
  t.same((await ask('getSession', { headers: other })).body, OUT);
  await signedIn(sql, ask, 'cid@example.org');
  t.equal(await count(sql, 'sign_in_sessions'), 1, 'and old ones are forgotten');
});

await t.test('the cookie is out of reach of scripts and of other sites', async (t) => {
  for (const secure of [false, true]) {
    const { sql, ask } = await open(t, { secure });
    await ask('requestSignInLink', { body: { email: 'ada@example.org' } });
    const told = await ask('followSignInLink', { body: { token: await tokenFor(sql, 'ada@example.org') } });
    const [pair = '', ...flags] = told.headers['set-cookie']!.split('; ');
    t.match(pair, secure ? /^__Host-agent_poker_session=[\w-]{43}$/ : /^agent_poker_session=[\w-]{43}$/);
    t.same(flags.sort(), ['HttpOnly', 'Max-Age=7776000', 'Path=/', 'SameSite=Lax', ...(secure ? ['Secure'] : [])]);
    t.equal(told.headers['cache-control'], 'no-store');
  }
});

await t.test('pages of other origins cannot act for who is signed in', async (t) => {
  const { sql, ask } = await open(t);
  const { cookie } = await signedIn(sql, ask, 'ada@example.org');
  const from = (origin: string) => ({ cookie, origin, host: '127.0.0.1:8080' });
  const refused = { status: 403, body: { detail: 'Requests from pages of another origin are not allowed' } };
  for (const origin of [
    'https://evil.example',
    'null',
    'https://poker.example.evil.example',
    'file://',
    '127.0.0.1:8080',
  ]) {
    const headers = from(origin);
    t.match(await ask('registerAgent', { body: form('ada'), headers }), refused, `registers not from ${origin}`);
    t.match(await ask('logout', { headers }), refused);
    t.match(await ask('followSignInLink', { body: { token: 'x' }, headers }), refused);
    t.match(await ask('requestSignInLink', { body: { email: 'ada@example.org' }, headers }), refused);
  }
  t.equal((await ask('registerAgent', { body: form('ada'), headers: from('http://127.0.0.1:8080') })).status, 201);
  t.equal((await ask('logout', { headers: from('https://poker.example') })).status, 200);
});

await t.test('the whole way in production, over HTTP and SMTP', async (t) => {
  const sink = await EmailSink.open(t);
  const platform = await TestPlatform.start(t, { ...PRODUCTION, SMTP_URL: sink.url });
  const headers = { 'x-forwarded-for': '198.51.100.7' };
  const register = (more: object = {}) =>
    platform.api('POST', '/api/register', { body: form('ada'), headers: { ...headers, ...more } });
  t.equal((await register()).status, 403);

  const body = { email: 'ada@example.org' };
  t.equal((await platform.api('POST', '/api/auth/request-link', { body, headers })).status, 202);
  const [mail] = await sink.mailsTo('ada@example.org');
  t.match(mail, { from: 'dealer@poker.example', subject: 'Sign in to Agent Poker' });
  t.match(mail?.text, /^https:\/\/poker\.example\/sign-in\/link#token=/m);
  const token = tokenIn(mail!.text);

  const told = await platform.api('POST', '/api/auth/callback', { body: { token }, headers });
  t.match(told, { status: 200, body: { signed_in: true, email: 'ada@example.org' } });
  const cookie = cookieOf(told.headers.get('set-cookie') ?? '');
  t.match(cookie, /^__Host-/);
  const registered = await register({ cookie });
  t.match(registered, { status: 201, body: { email: 'ada@example.org' } });
  const session = await platform.api('GET', '/api/auth/session', { headers: { ...headers, cookie } });
  t.equal((session.body as { agent_id: string }).agent_id, (registered.body as { agent_id: string }).agent_id);
  t.equal((await platform.api('POST', '/api/auth/logout', { headers: { ...headers, cookie } })).status, 200);
  t.equal((await register({ cookie })).status, 403);

  await t.test('asked too often from one address of the network', async (t) => {
    const statuses: number[] = [];
    for (let n = 0; n < 6; n++) {
      const asked = { body: { email: `bot${n}@example.org` }, headers };
      statuses.push((await platform.api('POST', '/api/auth/request-link', asked)).status);
    }
    t.same(statuses, [202, 202, 202, 202, 429, 429]);
  });
  t.notOk(platform.output.includes(token), 'the log does not know the token');
  await eventually('no mail that waits to be sent, and of those that were sent no link is kept', async () => {
    const [row] = await platform.sql!<{ n: number }[]>`
      select count(*) as n from mail_outbox where body like '%token=%'`;
    return row!.n === 0;
  });
});

await t.test('in development the link is in the log', async (t) => {
  const platform = await TestPlatform.start(t, { LOG_LEVEL: 'info' });
  await platform.api('POST', '/api/auth/request-link', { body: { email: 'ada@example.org' } });
  await platform.wrote('/sign-in/link#token=');
  const line = platform.output.split('\n').find((text) => text.includes('/sign-in/link#token='))!;
  const { text, to } = JSON.parse(line) as { text: string; to: string };
  t.equal(to, 'ada@example.org');
  t.ok(text.includes(`${platform.url}/sign-in/link#token=`), 'to where we listen');
  const told = await platform.api('POST', '/api/auth/callback', { body: { token: tokenIn(text) } });
  t.equal(told.status, 200);
  t.match(told.headers.get('set-cookie'), /^agent_poker_session=/);
});

t.teardown(stopCluster);
