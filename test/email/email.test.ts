/** The outbox: a mail arrives once, as it was written, whatever mail server, process and database do meanwhile. */
import t, { type Test } from 'tap';
import { failureOf } from '../../src/email/sender.js';
import {
  enqueueEmail,
  logTransport,
  EmailSender,
  smtpTransport,
  type Email,
  type EmailSenderOptions,
  type EmailTransport,
} from '../../src/email/index.js';
import { CONCURRENCY } from '../../src/email/transport.js';
import { claimEmails } from '../../src/email/queries.js';
import { transaction, type Database } from '../../src/store/database.js';
import { readConfig } from '../../src/ops/config.js';
import { freshDatabase, freshPool, leadership, openPool, stopCluster } from '../support/database.js';
import { DatabaseGate } from '../support/database-gate.js';
import { eventually, FILE_MS } from '../support/limits.js';
import { EmailSink } from '../support/email-sink.js';
import { ForkedPlatform } from '../support/forked-platform.js';

t.setTimeout(FILE_MS);

const FROM = 'Agent Poker <dealer@poker.example>';
const mail = (name: string, more: Partial<Email> = {}): Email => ({
  dedupeKey: `test:${name}`,
  to: `${name}@example.org`,
  subject: `For ${name}`,
  text: `Hello ${name}.\n\nA long line: ${'x'.repeat(200)}; and a ♠.`,
  ...more,
});

/** The messages of a sender, beside a log that says nothing. */
function listening() {
  const said: string[] = [];
  const note = (_detail: object, message?: string) => void said.push(message ?? '');
  return { said, log: { info: note, warn: note, error: note } as unknown as EmailSenderOptions['log'] };
}

function sending(t: Test, sql: Database, transport: EmailTransport, more: Partial<EmailSenderOptions> = {}) {
  const { said, log } = listening();
  const sender = new EmailSender({ sql, leadership, transport, log, retryMs: 20, restMs: 20, pollMs: 10, ...more });
  sender.start();
  t.teardown(() => sender.stop());
  return { sender, said };
}

const rows = (sql: Database) =>
  sql<{ recipient: string; status: string; attempts: number; body: string; last_error: string | null }[]>`
    select recipient, status, attempts, body, last_error from mail_outbox order by mail_id`;

/** Waits until the outbox looks so: what is sent is noted a moment after it has arrived. */
async function until(sql: Database, fits: (found: Awaited<ReturnType<typeof rows>>) => boolean) {
  return eventually(`the outbox with ${String(fits)}`, async () => {
    const found = await rows(sql);
    return fits(found) ? found : null;
  });
}

const none = (found: readonly { status: string }[]) => found.every(({ status }) => status !== 'waiting');

await t.test('while the clock is not certain no mail goes, and none expires', async (t) => {
  const sql = await freshPool(t);
  const sink = await EmailSink.open(t);
  const clock = { certain: false };
  const { sender } = sending(t, sql, smtpTransport(sink.url, FROM), { clock });
  await transaction(sql, (tx) => enqueueEmail(tx, [mail('ada'), mail('bob')]));
  // As if the database's clock were far ahead.
  await sql`update mail_outbox set expires_at = now() - interval '1 hour' where recipient like 'bob%'`;
  let woken = 0;
  await eventually('a few rounds', () => {
    sender.wake();
    return ++woken > 5;
  });
  t.same((await rows(sql)).map(({ status, attempts }) => [status, attempts]), [['waiting', 0], ['waiting', 0]]); // prettier-ignore
  clock.certain = true;
  await until(sql, none);
  await sink.mailsTo('ada@example.org');
});

await t.test('a mail arrives as it was written, once its transaction is committed', async (t) => {
  const sql = await freshPool(t);
  const sink = await EmailSink.open(t);
  sending(t, sql, smtpTransport(sink.url, FROM));
  await t.rejects(
    transaction(sql, async (tx) => {
      await enqueueEmail(tx, [mail('never')]);
      throw new Error('rolled back');
    }),
    { message: 'rolled back' },
  );
  await transaction(sql, (tx) => enqueueEmail(tx, [mail('ada'), mail('bob')]));
  const [received] = await sink.mailsTo('ada@example.org');
  t.match(received, { from: 'dealer@poker.example', to: ['ada@example.org'], subject: 'For ada' });
  t.equal(received?.text, mail('ada').text);
  await sink.mailsTo('bob@example.org');
  t.match(await until(sql, none), [
    { status: 'sent', attempts: 1 },
    { status: 'sent', attempts: 1 },
  ]);
  t.equal(sink.received.length, 2);
});

await t.test('of mails with one key only the first is sent, whoever queues them', async (t) => {
  const sql = await freshPool(t);
  const sink = await EmailSink.open(t);
  await Promise.all(Array.from({ length: 20 }, () => enqueueEmail(sql, [mail('ada')])));
  await enqueueEmail(sql, [mail('ada', { subject: 'again' }), mail('ada')]);
  sending(t, sql, smtpTransport(sink.url, FROM));
  await until(sql, none);
  await enqueueEmail(sql, [mail('ada'), mail('last')]);
  await sink.mailsTo('last@example.org');
  t.equal(sink.received.length, 2);
});

await t.test('an address is one recipient, whatever it looks like', async (t) => {
  const sql = await freshPool(t);
  const sink = await EmailSink.open(t);
  sending(t, sql, smtpTransport(sink.url, FROM));
  await enqueueEmail(sql, [mail('list', { to: 'cid@example.org, eve@example.net' })]);
  await enqueueEmail(sql, [mail('quoted', { to: '"eve@example.net"@example.org' }), mail('ada')]);
  const found = await until(sql, none);
  t.match(found, [{ status: 'given_up' }, { status: 'given_up', last_error: /cannot be sent to/ }, { status: 'sent' }]);
  t.same(sink.attempts, ['ada@example.org']);
});

await t.test('mails wait out an outage of the mail server, and arrive once each', async (t) => {
  const sql = await freshPool(t);
  const sink = await EmailSink.open(t);
  await sink.down();
  const { sender, said } = sending(t, sql, smtpTransport(sink.url, FROM));
  const names = Array.from({ length: 20 }, (_, n) => `bot${n}`);
  await enqueueEmail(
    sql,
    names.map((name) => mail(name)),
  );
  await until(sql, (found) => found.some(({ attempts }) => attempts >= 2));
  await eventually('they are counted', () => sender.waiting > 0);
  t.equal(said.filter((line) => line.includes('cannot be used')).length, 1, 'told once');
  await sink.up();
  const found = await until(sql, none);
  t.ok(found.every(({ status, last_error }) => status === 'sent' && last_error === null));
  t.same(sink.received.flatMap(({ to }) => to).sort(), names.map((name) => `${name}@example.org`).sort());
  t.ok(said.includes('the mail server takes mails again'));
});

await t.test('a conversation that breaks off before the yes is begun again under the same Message-ID', async (t) => {
  const sql = await freshPool(t);
  const sink = await EmailSink.open(t);
  const ids: string[] = [];
  sink.accepting = async (received) => {
    ids.push(received.messageId);
    if (ids.length === 1) await sink.down();
    return null;
  };
  sending(t, sql, smtpTransport(sink.url, FROM));
  await enqueueEmail(sql, [mail('ada')]);
  await until(sql, ([row]) => row?.last_error !== null);
  await sink.up();
  await until(sql, none);
  t.equal(ids.length, 2);
  t.match(ids[0], /^<[0-9a-f]{32}@poker\.example>$/);
  t.equal(ids[0], ids[1]);
});

await t.test('4xx is tried again, 5xx is not; the others do not wait for either', async (t) => {
  const sql = await freshPool(t);
  const sink = await EmailSink.open(t);
  let greylisted = 2;
  sink.refuse = (to) => {
    if (to.startsWith('nobody')) return { code: 550, message: 'no such user' };
    if (to.startsWith('grey') && greylisted-- > 0) return { code: 451, message: 'try again later' };
    return null;
  };
  sink.accepting = async ({ to }) => (to[0]?.startsWith('spam') ? { code: 554, message: 'looks like spam' } : null);
  const { said } = sending(t, sql, smtpTransport(sink.url, FROM));
  await enqueueEmail(sql, [mail('nobody'), mail('grey'), mail('spam'), mail('ada')]);
  const found = await until(sql, none);
  t.match(found, [
    { status: 'given_up', attempts: 1, last_error: /no such user/ },
    { status: 'sent', attempts: 3, last_error: null },
    { status: 'given_up', attempts: 1, last_error: /spam/ },
    { status: 'sent', attempts: 1 },
  ]);
  t.notOk(
    said.some((line) => line.includes('cannot be used')),
    'no outage',
  );
});

await t.test('a mail that is still refused when it is old is given up', async (t) => {
  const sql = await freshPool(t);
  const sink = await EmailSink.open(t);
  sink.refuse = () => ({ code: 450, message: 'mailbox busy' });
  sending(t, sql, smtpTransport(sink.url, FROM));
  await enqueueEmail(sql, [mail('ada')]);
  await until(sql, ([row]) => row!.attempts > 1);
  await sql`update mail_outbox set created_at = created_at - interval '3 days'`;
  t.match(await until(sql, none), [{ status: 'given_up', last_error: /mailbox busy/ }]);
});

await t.test('a mail with an expiry is not sent after it, and its text is forgotten in any case', async (t) => {
  const sql = await freshPool(t);
  const sink = await EmailSink.open(t);
  const inAMinute = new Date(Date.now() + 60_000);
  await enqueueEmail(sql, [
    mail('late', { expiresAt: new Date(Date.now() - 1000) }),
    mail('soon', { expiresAt: inAMinute }),
    mail('nobody', { expiresAt: inAMinute }),
    mail('ada'),
  ]);
  sink.refuse = (to) => (to.startsWith('nobody') ? { code: 550, message: 'no such user' } : null);
  sending(t, sql, smtpTransport(sink.url, FROM));
  t.match(await until(sql, none), [
    { status: 'given_up', attempts: 0, body: '', last_error: /expired/ },
    { status: 'sent', body: '' },
    { status: 'given_up', body: '' },
    { status: 'sent', body: mail('ada').text },
  ]);
  t.notOk(sink.attempts.includes('late@example.org'));
  await sql`update mail_outbox set expires_at = now() - interval '2 days' where expires_at is not null`;
  const again = sending(t, sql, smtpTransport(sink.url, FROM));
  again.sender.wake();
  await until(sql, (found) => found.length === 1);
});

await t.test('no more than a few mails are on their way at once', async (t) => {
  const sql = await freshPool(t);
  const sink = await EmailSink.open(t);
  // Nobody is let go before four are there.
  let here: (() => void)[] = [];
  sink.accepting = async () => {
    await new Promise<void>((resolve) => {
      if (here.push(resolve) < CONCURRENCY) return;
      for (const go of here) go();
      here = [];
    });
    return null;
  };
  sending(t, sql, smtpTransport(sink.url, FROM));
  await enqueueEmail(
    sql,
    Array.from({ length: 60 }, (_, n) => mail(`bot${n}`)),
  );
  await until(sql, none);
  t.equal(sink.received.length, 60);
  t.equal(sink.busiest, CONCURRENCY);
});

await t.test('what a dead process had claimed is due again when its lease ends', async (t) => {
  const sql = await freshPool(t);
  const sink = await EmailSink.open(t);
  await enqueueEmail(sql, [mail('ada'), mail('bob')]);
  t.equal(
    (await claimEmails(sql, leadership, { limit: 4, leaseMs: 600_000, holding: [] })).length,
    2,
    'and then it dies',
  );
  const { sender } = sending(t, sql, smtpTransport(sink.url, FROM));
  await enqueueEmail(sql, [mail('cyd')]);
  await sink.mailsTo('cyd@example.org');
  t.match(await rows(sql), [{ attempts: 1 }, { attempts: 1 }, { attempts: 1 }], 'they are held while it lasts');
  t.equal(sink.received.length, 1);
  await sql`update mail_outbox set due_at = now() where status = 'waiting'`;
  sender.wake();
  await until(sql, none);
  t.equal(sink.received.length, 3);
});

await t.test('what was sent is noted when the database comes back, and not sent twice', async (t) => {
  const address = await freshDatabase(t);
  const gate = await DatabaseGate.open(t, address);
  const sql = openPool(t, gate.address);
  const direct = openPool(t, address);
  const sink = await EmailSink.open(t);
  sink.accepting = async () => {
    await gate.cut();
    return null;
  };
  const { said } = sending(t, sql, smtpTransport(sink.url, FROM), { leaseMs: 50 });
  await enqueueEmail(direct, [mail('ada')]);
  await sink.mailsTo('ada@example.org');
  await eventually('it met the cut', () => said.includes('mails wait: the outbox cannot be read'));
  t.match(await rows(direct), [{ status: 'waiting' }], 'nobody could note it');
  await gate.mend();
  await until(direct, none);
  t.equal(sink.received.length, 1);
  t.notOk(said.includes('the state of a mail could not be stored'));
});

await t.test(
  'kill -9 while mails are being sent loses none; only one in the middle may come twice, and tells',
  async (t) => {
    const sink = await EmailSink.open(t);
    let arrived: () => void = () => undefined;
    const inTheMiddle = new Promise<void>((resolve) => (arrived = resolve));
    let killed: () => void = () => undefined;
    const dead = new Promise<void>((resolve) => (killed = resolve));
    sink.accepting = async ({ to }) => {
      if (!to.includes('ada@example.org')) return null;
      arrived();
      // The yes is on its way to nobody.
      await dead;
      return null;
    };
    const platform = await ForkedPlatform.start(t, { SMTP_URL: sink.url });
    const sql = platform.sql!;
    const names = ['ada', 'bob', 'cid', 'dan', 'eve', 'fay'];
    await enqueueEmail(
      sql,
      names.map((name) => mail(name)),
    );
    await inTheMiddle;
    await platform.kill();
    killed();
    await sink.mailsTo('ada@example.org');
    t.match(await sql`select status from mail_outbox where recipient = 'ada@example.org'`, [{ status: 'waiting' }]);

    await platform.launch();
    await sql`update mail_outbox set due_at = now() where status = 'waiting'`;
    await until(sql, none);
    const ids = (await sink.mailsTo('ada@example.org')).map(({ messageId }) => messageId);
    t.equal(ids.length, 2);
    t.equal(ids[0], ids[1]);
    for (const name of names.slice(1)) {
      const copies = new Set(
        sink.received.filter(({ to }) => to[0]?.startsWith(name)).map(({ messageId }) => messageId),
      );
      t.equal(copies.size, 1, name);
    }
    await platform.stop();
  },
);

await t.test('errors are judged by what they speak of', async (t) => {
  const error = (code: string, command: string, responseCode?: number) =>
    Object.assign(new Error(code), { code, command, ...(responseCode === undefined ? {} : { responseCode }) });
  t.equal(failureOf(error('ECONNECTION', 'CONN')), 'outage');
  t.equal(failureOf(error('EAUTH', 'AUTH PLAIN', 535)), 'outage', 'our own trouble');
  t.equal(failureOf(error('EENVELOPE', 'MAIL FROM', 550)), 'outage', 'we are not welcome, whoever the mail is for');
  t.equal(failureOf(error('EENVELOPE', 'RCPT TO', 421)), 'outage');
  t.equal(failureOf(error('EENVELOPE', 'RCPT TO', 450)), 'later');
  t.equal(failureOf(error('EENVELOPE', 'RCPT TO', 550)), 'never');
  t.equal(failureOf(error('EMESSAGE', 'DATA', 452)), 'later');
  t.equal(failureOf(error('EENVELOPE', 'API')), 'never', 'the address cannot be sent at all');
  t.equal(failureOf('odd'), 'outage');
});

await t.test('in development mails go to the log', async (t) => {
  const sql = await freshPool(t);
  const said: object[] = [];
  sending(
    t,
    sql,
    logTransport({ info: (detail: object) => void said.push(detail) } as Parameters<typeof logTransport>[0]),
  );
  await enqueueEmail(sql, [mail('ada')]);
  await until(sql, none);
  t.match(said, [{ to: 'ada@example.org', subject: 'For ada', text: /Hello ada/ }]);
});

await t.test('production does not start without what mails need', async (t) => {
  const env = {
    NODE_ENV: 'production',
    SMTP_URL: 'smtps://user:secret@mail.example.com',
    MAIL_FROM: 'Poker <a@b.example>',
    PUBLIC_URL: 'https://poker.example',
  };
  t.equal(readConfig(env).SMTP_URL, env.SMTP_URL);
  for (const name of ['SMTP_URL', 'MAIL_FROM', 'PUBLIC_URL']) {
    t.throws(() => readConfig({ ...env, [name]: '' }), { message: new RegExp(`^production needs ${name} \\(`) });
  }
  t.throws(() => readConfig({ ...env, PUBLIC_URL: 'http://poker.example' }), { message: /must begin with https:/ });
  t.throws(() => readConfig({ ...env, SMTP_URL: 'mail.example.com:secret' }), {
    message: /^SMTP_URL=\(hidden\) is not valid/,
  });
  t.throws(() => readConfig({ ...env, MAIL_FROM: 'Poker' }), { message: /^MAIL_FROM="Poker" is not valid/ });
  t.equal(readConfig({}).SMTP_URL, undefined);
});

t.teardown(stopCluster);
