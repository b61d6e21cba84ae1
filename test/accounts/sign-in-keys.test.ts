/**
 * Owners of agents: the reader of the address's mail owns an agent, also if another person registered it. Over HTTP,
 * SMTP and sockets.
 */
import t from 'tap';
import { restSpecs } from '../../src/protocol/rest/index.js';
import { stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { EmailSink } from '../support/email-sink.js';
import { PRODUCTION, TestPlatform, type Account, type Answer } from '../support/platform.js';
import { Player } from '../support/player.js';
import { cookieOf, tokenIn } from '../support/sign-in.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const UNAUTHORIZED = { status: 401, body: { detail: 'Invalid or missing API key' } };
const field = ({ body }: Answer, name: string) => (body as Record<string, string>)[name]!;
const sink = await EmailSink.open(t);
const DASHBOARD = 'https://play.poker.example';
const open = { REGISTRATION: 'open', SMTP_URL: sink.url, CORS_ORIGIN: DASHBOARD };
const platform = await TestPlatform.start(t, { ...PRODUCTION, ...open });

/** Somebody at an address of the network of their own, and with a mailbox. */
class Person {
  static #count = 0;
  readonly headers = { 'x-forwarded-for': `198.51.100.${++Person.#count}` };
  #mails = 0;

  constructor(readonly email: string) {}

  async register(name: string, email = this.email): Promise<Account> {
    const body = { name, email, terms_accepted: true };
    const told = await platform.api('POST', '/api/register', { body, headers: this.headers });
    return { agentId: field(told, 'agent_id'), key: field(told, 'api_key'), name, seqs: new Map() };
  }

  /** Asks for a link, with a key if it is given, and follows it. */
  async follow(key?: string) {
    const { headers, email } = this;
    const asked = { headers, body: { email }, ...(key === undefined ? {} : { key }) };
    const { status } = await platform.api('POST', '/api/auth/request-link', asked);
    if (status !== 202) throw new Error(`asking for a link answered ${status}`);
    const mails = await sink.mailsTo(email, ++this.#mails);
    const mail = mails.at(-1)!.text;
    const body = { token: tokenIn(mail) };
    const told = await platform.api('POST', '/api/auth/callback', { headers, body });
    return { mail, body: told.body, cookie: { ...headers, cookie: cookieOf(told.headers.get('set-cookie') ?? '') } };
  }
}

const me = (key: string) => platform.api('GET', '/api/me', { key });
const rotate = (headers: Record<string, string>, key?: string) =>
  platform.api('POST', '/api/me/regenerate-key', { headers, ...(key === undefined ? {} : { key }) });

async function connected(account: Account): Promise<Player> {
  const player = await Player.open(platform, account);
  await player.next('connected');
  return player;
}

await t.test('who registers with the address of another loses the agent to who reads its mail', async (t) => {
  const [ada, eve] = [new Person('ada@example.org'), new Person('eve@example.org')];
  const account = await eve.register('ada', ada.email);
  await platform.sql!`update agents set wallet_address = ${WALLET} where agent_id = ${account.agentId}`;
  const thief = await connected(account);

  const { body, cookie } = await ada.follow();
  t.match(body, { agent_id: account.agentId, agent_name: 'ada', key_ended: true });
  t.equal((await thief.closed).code, 4001, 'its socket ends');
  t.match(await me(account.key), UNAUTHORIZED);
  t.match(await rotate(eve.headers, account.key), UNAUTHORIZED);

  const key = field(await rotate(cookie), 'api_key');
  t.match((await me(key)).body, { agent_id: account.agentId, email_verified: true, wallet_address: null });
  t.match((await ada.follow()).body, { key_ended: false }, 'the second time nothing ends');
  t.equal((await me(key)).status, 200);
  const log = await platform.sql!`select subject, detail from audit_log where action = 'key_ended'`;
  t.match(log, [{ subject: account.agentId, detail: { wallet: WALLET } }]);
});

await t.test(
  'a link asked for with a key names its agent, and proves the address for no key from before',
  async (t) => {
    const bob = new Person('bob@example.org');
    const account = await bob.register('bob');
    const player = await connected(account);
    const { body, cookie, mail } = await bob.follow(account.key);
    t.match(
      mail,
      /^The agent bob asked for this link with its API key\. The address of this agent is not verified yet/m,
    );
    t.match(body, { agent_id: account.agentId, key_ended: true }, 'a stranger may have registered it, and asked');
    t.equal((await player.closed).code, 4001);
    t.match(await me(account.key), UNAUTHORIZED);
    const key = field(await rotate(cookie), 'api_key');
    t.match((await me(key)).body, { email_verified: true });
    const later = await bob.follow(key);
    t.match(later.mail, /^The agent bob asked for this link with its API key\.$/m);
    t.match(later.body, { key_ended: false }, 'a key from after the proof stays');
    t.equal((await me(key)).status, 200);

    const bad = { headers: bob.headers, body: { email: bob.email }, key: `${account.key}x` };
    t.match(await platform.api('POST', '/api/auth/request-link', bad), UNAUTHORIZED, 'a mistyped one is told at once');
  },
);

await t.test('strangers cannot use up what an agent asks for its own mailbox, over HTTP and SMTP', async (t) => {
  const gil = new Person('gil@example.org');
  const account = await gil.register('gil');
  const { cookie } = await gil.follow(account.key);
  const key = field(await rotate(cookie), 'api_key');
  const ask = (ip: string, more: object = {}) =>
    platform.api('POST', '/api/auth/request-link', {
      headers: { 'x-forwarded-for': ip },
      body: { email: gil.email },
      ...more,
    });
  for (let n = 1; n < 13; n++) await ask(`203.0.113.${n}`);
  const refused = await ask('203.0.113.99');
  t.match(refused, { status: 429, body: { detail: 'Too many sign-in links are being asked for; try again later' } });
  t.ok(Number(refused.headers.get('retry-after')) > 0);
  t.equal((await ask('203.0.113.99', { key })).status, 202, 'its key has a share of its own');
  const stranger = new Person('eve3@example.org');
  const squatter = await stranger.register('squatter', 'gil+squat@example.org');
  t.equal((await ask('203.0.113.99', { key: squatter.key })).status, 429, 'a key that has proven nothing has none');
  await platform.wrote('a quota of mails is full');
});

await t.test('the key of one agent does not keep that of another', async (t) => {
  const [cid, eve] = [new Person('cid@example.org'), new Person('eve2@example.org')];
  const taken = await eve.register('cid', cid.email);
  const own = await cid.register('cid_own', 'other@example.org');
  t.match((await cid.follow(own.key)).body, { agent_id: taken.agentId, key_ended: true });
  t.equal((await me(own.key)).status, 200);
});

await t.test('a lost or stolen key is not final: the session makes a new one', async (t) => {
  const dan = new Person('dan@example.org');
  const { cookie } = await dan.follow();
  t.match(await rotate(cookie), UNAUTHORIZED, 'nobody is registered yet');
  const account = await dan.register('dan');
  const player = await connected(account);
  t.match(await rotate(cookie, `${account.key}x`), UNAUTHORIZED, 'a key that is sent counts, not the session');
  t.match(await rotate({ ...cookie, origin: 'https://evil.example' }), { status: 403 });
  t.match(await rotate(dan.headers), UNAUTHORIZED, 'no session');

  const key = field(await rotate(cookie), 'api_key');
  t.equal((await player.closed).code, 4001);
  t.match(await me(account.key), UNAUTHORIZED);
  t.match((await me(key)).body, { name: 'dan', email_verified: true }, 'the session has shown the address');
  t.match((await dan.follow()).body, { key_ended: false });

  await platform.sql!`update agents set banned_at = now() where agent_id = ${account.agentId}`;
  t.match(await rotate(cookie), UNAUTHORIZED, 'nor for a banned agent');
});

await t.test(
  'a dashboard at CORS_ORIGIN acts for who is signed in, as a browser lets it, and no other page',
  async (t) => {
    const fay = new Person('fay@example.org');
    await fay.register('fay');
    const { cookie } = await fay.follow();
    const path = `${platform.url}/api/me/regenerate-key`;
    /** The headers that a browser wants before it lets a page send the session and read the answer. */
    const permits = ({ headers }: Response, origin: string) =>
      headers.get('access-control-allow-origin') === origin &&
      headers.get('access-control-allow-credentials') === 'true';
    const question = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' };
    const asked = (origin: string) => fetch(path, { method: 'OPTIONS', headers: { origin, ...question } });
    const sent = (origin: string) => fetch(path, { method: 'POST', headers: { ...cookie, origin } });

    for (const answer of [await asked(DASHBOARD), await sent(DASHBOARD)]) {
      t.ok(answer.ok);
      t.ok(permits(answer, DASHBOARD));
    }
    for (const origin of ['https://evil.example', 'https://poker.example.evil.example', 'null']) {
      t.notOk(permits(await asked(origin), origin));
      const answer = await sent(origin);
      t.equal(answer.status, 403);
      t.notOk(permits(answer, origin));
    }
  },
);

await t.test('an organizer who lost the key signs in and goes on', async (t) => {
  const olga = new Person('olga@example.org');
  const account = await olga.register('olga');
  const { cookie } = await olga.follow(account.key);
  const body = { name: 'Autumn cup', ends_at: new Date(Date.now() + 3_600_000).toISOString() };
  const made = await platform.api('POST', '/api/competitions', { headers: cookie, body });
  t.match(made, { status: 201, body: { organizer_id: account.agentId, is_organizer: true } });
  const here = `/api/competitions/${field(made, 'competition_id')}`;
  t.match(await platform.api('POST', `${here}/open-enrollment`, { headers: cookie }), { status: 200 });
  t.match(await platform.api('GET', `${here}/participants`, { headers: cookie }), { status: 200, body: { total: 0 } });
  t.match(await platform.api('POST', `${here}/cancel`, { headers: cookie }), { body: { status: 'cancelled' } });

  // A page of another origin does nothing in the name of who is signed in.
  const abroad = { ...cookie, origin: 'https://evil.example' };
  const of = 'competition_id';
  for (const { id, method, path, auth } of restSpecs) {
    if (auth !== 'owner' && auth !== 'optional') continue;
    const url = path.replace(`{${of}}`, field(made, of)).replace(/\{\w+\}/g, account.agentId);
    const told = await platform.api(method, url, { headers: abroad, ...(method === 'GET' ? {} : { body: {} }) });
    t.equal(told.status, 403, id);
  }
});
