/** The page behind the mailed link: from the mail to an API key, with nothing but a browser. */
import t, { type Test } from 'tap';
import { signInPage } from '../../src/accounts/sign-in-page.js';
import { createInviteCode } from '../../src/accounts/index.js';
import { stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { EmailSink } from '../support/email-sink.js';
import { PRODUCTION, TestPlatform } from '../support/platform.js';
import { Player } from '../support/player.js';
import { cookieOf } from '../support/sign-in.js';
import { WebPage, type PageAnswer, type PageRequest } from '../support/web-page.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const PARTS = ['enter', 'register', 'invited', 'renew', 'key'];
const PUBLIC = PRODUCTION['PUBLIC_URL'] as string;

/** Somebody with a mailbox and a browser that keeps cookies, at an address of the network of its own. */
class Browser {
  static #count = 0;
  #cookie = '';
  #mails = 0;
  readonly #ip = `198.51.100.${++Browser.#count}`;

  constructor(
    private readonly platform: TestPlatform,
    private readonly sink: EmailSink,
    private readonly email: string,
  ) {}

  /** Asks for a link and opens that of the mail. */
  async openMail(): Promise<WebPage> {
    const { status } = await this.#api('/api/auth/request-link', 'POST', { email: this.email });
    if (status !== 202) throw new Error(`asking for a link answered ${status}`);
    const mails = await this.sink.mailsTo(this.email, ++this.#mails);
    return this.open(/^https:\S+$/m.exec(mails.at(-1)!.text)![0]);
  }

  async open(url: string): Promise<WebPage> {
    const { pathname } = new URL(url);
    const { body } = await this.platform.api('GET', pathname, { headers: this.#headers() });
    return new WebPage(String(body), url, (path, request) => this.#fetch(path, request));
  }

  async #fetch(path: string, { method = 'GET', body }: PageRequest = {}): Promise<PageAnswer> {
    const { status, body: told } = await this.#api(path, method, body);
    return { ok: status < 300, status, json: () => Promise.resolve(told) };
  }

  async #api(path: string, method: string, body: unknown) {
    const headers = { ...this.#headers(), ...(method === 'GET' ? {} : { origin: PUBLIC }) };
    const told = await this.platform.api(method, path, { headers, ...(body === undefined ? {} : { body }) });
    const set = told.headers.get('set-cookie');
    if (set !== null) this.#cookie = cookieOf(set);
    return told;
  }

  #headers(): Record<string, string> {
    return { 'x-forwarded-for': this.#ip, ...(this.#cookie === '' ? {} : { cookie: this.#cookie }) };
  }
}

async function house(t: Test, env: Record<string, string> = {}) {
  const sink = await EmailSink.open(t);
  const platform = await TestPlatform.start(t, { ...PRODUCTION, SMTP_URL: sink.url, ...env });
  return { platform, browser: (email: string) => new Browser(platform, sink, email) };
}

const told = (page: WebPage) => page.at('say').textContent;

async function register(page: WebPage, name: string): Promise<void> {
  page.at('name').value = name;
  page.at('terms').checked = true;
  await page.at('register').fire('submit');
}

await t.test('in production, from the mail to the table', async (t) => {
  const { platform, browser } = await house(t);
  const ada = browser('ada@example.org');
  const page = await ada.openMail();
  t.equal(page.address, '/api/auth/callback', 'the token leaves the address at once');
  t.same(page.shown(...PARTS), ['enter'], 'to open the page uses nothing up');
  await page.at('enter').fire('click');
  t.equal(told(page), 'You are signed in as ada@example.org. Register your bot:');
  t.same(page.shown(...PARTS), ['register']);

  page.at('name').value = 'ada';
  await page.at('register').fire('submit');
  t.equal(told(page), 'You must accept the Terms of Service.');
  await register(page, 'a');
  t.match(told(page), /at least 3/);
  t.same(page.shown(...PARTS), ['register'], 'nothing is lost by a mistake');
  await register(page, ' ada ');
  t.match(told(page), /^ada is registered\. .* shown this once/);
  t.same(page.shown(...PARTS), ['key']);
  const key = page.at('secret').textContent;
  const player = await Player.open(platform, { agentId: '', name: 'ada', key, seqs: new Map() });
  t.match(await player.next('connected'), { name: 'ada' }, 'the key plays');

  await t.test('who comes back later makes a new key there', async (t) => {
    const later = await ada.open(`${PUBLIC}/api/auth/callback`);
    while (later.shown('renew').length === 0) await new Promise(setImmediate);
    t.match(told(later), /Your agent is ada\. If its API key is lost or stolen, make a new one/);
    await later.at('renew').fire('click');
    t.same(later.shown(...PARTS), ['key']);
    t.equal((await player.closed).code, 4001);
    t.equal((await platform.api('GET', '/api/me', { key: later.at('secret').textContent })).status, 200);
  });

  await t.test('the link is spent', async (t) => {
    await page.at('enter').fire('click');
    t.equal(told(page), 'Invalid or expired sign-in link.');
  });
});

await t.test('behind the beta gate the page asks for the invite code when it is needed', async (t) => {
  const { platform, browser } = await house(t, { BETA_GATE: 'on' });
  const page = await browser('bob@example.org').openMail();
  await page.at('enter').fire('click');
  await register(page, 'bob');
  t.equal(told(page), 'Invalid invite code.');
  t.same(page.shown(...PARTS), ['register', 'invited']);
  page.at('invite').value = await createInviteCode(platform.sql!, { maxUses: 1, expiresAt: null });
  await register(page, 'bob');
  t.same(page.shown('register', 'key'), ['key']);
});

await t.test('whose key ended by the verification is told so', async (t) => {
  const { platform, browser } = await house(t, { REGISTRATION: 'open' });
  const body = { name: 'cid', email: 'cid@example.org', terms_accepted: true };
  t.equal((await platform.api('POST', '/api/register', { body })).status, 201);
  const page = await browser('cid@example.org').openMail();
  await page.at('enter').fire('click');
  t.match(told(page), /Your agent is cid\. Its API key was made before this address was verified/);
  t.same(page.shown(...PARTS), ['renew']);
});

await t.test('says what went wrong', async (t) => {
  const open = (fetch: () => Promise<PageAnswer>) =>
    new WebPage(signInPage.text, `${PUBLIC}/api/auth/callback#token=abc`, fetch);
  const busy = open(async () => ({ ok: false, status: 429, json: async () => ({ detail: 'Too many requests' }) }));
  await busy.at('enter').fire('click');
  t.match(told(busy), /Too many attempts/);
  const away = open(() => Promise.reject(new Error('away')));
  await away.at('enter').fire('click');
  t.match(told(away), /cannot be reached/);
  for (const page of [busy, away]) t.notOk(page.at('enter').disabled, 'and may be tried again');
});
