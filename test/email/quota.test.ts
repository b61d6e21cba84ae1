/** How many mails people may have sent to others: counted in one place, and first against the asker. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { changeProfile } from '../../src/accounts/change.js';
import { WalletChanges } from '../../src/credits/index.js';
import { EmailQuota, enqueueEmail, retryAfter, type EmailRequest } from '../../src/email/index.js';
import { fullness } from '../../src/email/quota.js';
import { ipLimitKey } from '../../src/gateway/ip.js';
import { transaction, type Database } from '../../src/store/database.js';
import { freshPool, stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const said: object[] = [];
const quota = new EmailQuota({ warn: (detail: object) => void said.push(detail) } as never);

/** Asks for a mail to each of the addresses in one transaction, and queues those that may be sent. */
const send = (sql: Database, asked: EmailRequest, ...addresses: string[]) =>
  transaction(sql, async (tx) => {
    const full = await quota.admit(tx, asked, addresses);
    const to = addresses.filter((_, i) => full[i] === null);
    const mails = to.map((each) => ({ dedupeKey: randomUUID(), to: each, subject: 's', text: 't' }));
    await enqueueEmail(tx, mails, asked);
    return full;
  });
const sent = (results: (object | null)[][]) => results.flat().filter((full) => full === null).length;
const boxes = (domain: string, count: number) => Array.from({ length: count }, (_, n) => `p${n}@${domain}`);
const at = (n: number) => `198.51.${100 + (n >> 8)}.${n & 255}`;
const link = (ip: string | null, known?: string): EmailRequest => ({
  kind: 'sign_in',
  ip,
  ...(known === undefined ? {} : { known }),
});

await t.test('a quota is closed to newcomers only by as many askers as it has mails', (t) => {
  const limit = fc.integer({ min: 10, max: 60 }).map((most) => ({ most, each: Math.ceil(most / 10) }));
  fc.assert(
    fc.property(limit, fc.array(fc.integer({ min: 0, max: 99 }), { maxLength: 2000 }), ({ most, each }, asks) => {
      const of = new Map<number, number>();
      let all = 0;
      const ask = (asker: number) => {
        const own = of.get(asker) ?? 0;
        const whose = fullness({ most, each }, { all, own, askers: of.size });
        if (whose === null) of.set(asker, own + 1);
        if (whose === null) all++;
        return whose;
      };
      for (const asker of asks) ask(asker);
      const askers = of.size;
      const alone = [...of.values()].every((own) => own <= each);
      // A mail for each of so many askers, then what a fair part leaves over: a harmonic sum bounds it.
      return alone && all <= most * (2 + Math.log(most)) && (ask(-1) === null) === askers < most;
    }),
  );
  t.equal(fullness({ most: 300, each: 30 }, { all: 300, own: 5, askers: 60 }), 'everybody', 'its fair part is used up');
  t.equal(fullness({ most: 300, each: 30 }, { all: 300, own: 0, askers: 60 }), null);
  t.equal(fullness({ most: 300, each: 30 }, { all: 30, own: 30, askers: 1 }), 'own');
  t.equal(ipLimitKey('2001:db8:7::1'), ipLimitKey('2001:DB8:7:ffff:1::2'), 'a /48 is one asker');
  t.not(ipLimitKey('2001:db8:7::1'), ipLimitKey('2001:db8:8::1'));
  t.equal(ipLimitKey('198.51.100.7'), '198.51.100.7');
  t.end();
});

await t.test('a mailbox is one, whatever its case and +tag, and whoever writes at the same time', async (t) => {
  const sql = await freshPool(t, 10);
  const ask = (n = 0): EmailRequest => ({ kind: 'invitation', ip: at(n), sender: randomUUID() });
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, n) => send(sql, ask(), `Ada+${n}@Example.org`, `ada+x${n}@example.org`)),
  );
  t.equal(sent(results), 10);
  t.match(await send(sql, ask(0), 'ada@example.org'), [{ of: 'mailbox', own: true, minutes: 1440 }]);
  t.same(await send(sql, ask(1), 'a@example.org', 'ada@example.org', 'ADA@example.org'), [null, null, null]);
  t.same(await send(sql, { kind: 'wallet', ip: at(0) }, 'ada@example.org'), [null], 'each kind has its own');
  await sql`update mail_outbox set created_at = created_at - interval '1 day'`;
  t.same(await send(sql, ask(0), 'ada@example.org'), [null]);
});

await t.test('of one sender 500 invitations a day go out, also where many are asked for at once', async (t) => {
  const sql = await freshPool(t, 10);
  const asked = { kind: 'invitation', ip: at(0), sender: randomUUID() } as const;
  const batch = (n: number) => Array.from({ length: 100 }, (_, i) => `p${n}_${i}@d${n}.example`);
  const results = await Promise.all(Array.from({ length: 10 }, (_, n) => send(sql, asked, ...batch(n))));
  t.equal(sent(results), 500);
  t.match(await send(sql, { ...asked, ip: at(1) }, 'p@example.org'), [{ of: 'sender' }], 'from wherever it asks');
  t.same(await send(sql, { ...asked, sender: randomUUID() }, 'p@example.org'), [null], 'others have their own');
});

await t.test('one asker has a tenth of a mail domain and of the whole', async (t) => {
  const sql = await freshPool(t, 4);
  const full = await send(sql, link(at(0)), ...boxes('gmail.example', 40));
  t.equal(sent([full]), 30);
  t.match(full.at(-1), { of: 'domain', own: true });
  t.same(retryAfter(full.at(-1)!), { 'retry-after': '3600' });
  for (let n = 0; n < 6; n++) await send(sql, link(at(0)), ...boxes(`d${n}.example`, 30));
  t.match(await send(sql, link(at(0)), 'late@elsewhere.example'), [{ of: 'all', own: true }]);
  t.same(await send(sql, link(at(1)), 'late@elsewhere.example'), [null]);
  const [a, b] = ['2001:db8:1:1::1', '2001:db8:1:2::1'];
  t.equal(sent([await send(sql, link(a), ...boxes('six.example', 20))]), 20);
  t.equal(sent([await send(sql, link(b), ...boxes('six.example', 20))]), 10, 'networks of one /48 are one asker');
});

await t.test('strangers from many networks close a domain to themselves, and to nobody else', async (t) => {
  const sql = await freshPool(t, 4);
  const asks = (n: number) => boxes('gmail.example', 5).map((box) => `n${n}_${box}`);
  for (let n = 0; n < 60; n++) await send(sql, link(at(n)), ...asks(n));
  t.match(await send(sql, link(at(0)), 'p@gmail.example'), [{ of: 'domain', own: false }]);
  t.same(await send(sql, link(at(900)), 'honest@gmail.example'), [null], 'a newcomer is written to');
  const refused = [...quota.refused.keys()].sort();
  for (const key of ['invitation mailbox asker', 'sign_in domain asker', 'sign_in domain everybody']) {
    t.ok(refused.includes(key), `${key} is counted`);
  }
  const lines = said.filter((line) => (line as { of: string }).of === 'domain');
  t.match(lines, [{ kind: 'sign_in', share: 'asker' }, { share: 'everybody' }], 'and logged, once a minute');
  t.equal(lines.length, 2);
});

await t.test('what strangers ask for a mailbox uses nothing up of who has shown that it is theirs', async (t) => {
  const sql = await freshPool(t, 4);
  for (let n = 0; n < 12; n++) await send(sql, link(at(n)), ...Array<string>(5).fill('ada@example.org'));
  t.match(await send(sql, link(at(99)), 'ada@example.org'), [{ of: 'mailbox', own: false, minutes: 15 }]);
  for (const known of ['browser a', 'browser b', 'agent a']) {
    const links = await send(sql, link(at(0), known), ...Array<string>(4).fill('ada@example.org'));
    t.equal(sent([links]), 3, known);
    t.match(links.at(-1), { of: 'mailbox', own: true });
  }
});

await t.test('who changes its wallet again and again mails nobody for that, and changes it no more', async (t) => {
  const sql = await freshPool(t, 10);
  const agent = async (email: string, verified: boolean) => {
    const agentId = randomUUID();
    await sql`
      insert into agents (agent_id, email, name, key_hash, terms_accepted_at, email_verified_at)
      values (${agentId}, ${email}, ${`n_${agentId.slice(0, 8)}`}, sha256(${agentId}::bytea), now(),
        case when ${verified}::boolean then now() end)`;
    return agentId;
  };
  const walletChanges = new WalletChanges({ holdHours: 24, publicUrl: () => 'https://poker.example', quota });
  const renamed = () => Promise.resolve();
  const wallet = `0x${'1'.repeat(40)}`;
  const name = (agentId: string, ip = at(0)) => changeProfile(sql, agentId, { wallet }, { renamed, walletChanges, ip });
  const agents = await Promise.all(Array.from({ length: 8 }, (_, n) => agent(`victim+${n}@example.org`, false)));
  const changes = await Promise.allSettled(agents.map((agentId) => name(agentId)));
  t.equal(changes.filter(({ status }) => status === 'fulfilled').length, 5);
  for (const change of changes) if (change.status === 'rejected') t.match(change.reason, { status: 429 });
  t.equal((await sql`select from mail_outbox`).length, 5);
  t.equal((await sql`select from agents where wallet_address is not null`).length, 5, 'never unnoticed');
  t.ok(await name(await agent('victim@example.org', true)), 'the owner of the mailbox changes its own');
});
