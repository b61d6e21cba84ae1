/** How many mails people may have sent to others: counted in one place, whoever asks at the same time. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { changeProfile } from '../../src/accounts/change.js';
import { admit, enqueueEmail, type EmailRequest } from '../../src/email/index.js';
import { transaction, type Database } from '../../src/store/database.js';
import { freshPool, stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

/** Asks for a mail to each of the addresses in one transaction, and queues those that may be sent. */
const send = (sql: Database, asked: EmailRequest, ...addresses: string[]) =>
  transaction(sql, async (tx) => {
    const full = await admit(tx, asked, addresses);
    const to = addresses.filter((_, i) => full[i] === null);
    const mails = to.map((each) => ({ dedupeKey: randomUUID(), to: each, subject: 's', text: 't' }));
    await enqueueEmail(tx, mails, asked);
    return full;
  });
const sent = (results: (string | null)[][]) => results.flat().filter((full) => full === null).length;

await t.test('a mailbox is one, whatever its case and +tag, and whoever writes at the same time', async (t) => {
  const sql = await freshPool(t, 10);
  const senders = Array.from({ length: 20 }, () => randomUUID());
  const results = await Promise.all(
    senders.map((sender, n) =>
      send(sql, { kind: 'invitation', sender }, `Ada+${n}@Example.org`, `ada+x${n}@example.org`),
    ),
  );
  t.equal(sent(results), 10);
  t.same(await send(sql, { kind: 'invitation', sender: senders[0]! }, 'ada@example.org'), ['mailbox']);
  t.same(await send(sql, { kind: 'wallet' }, 'ada@example.org'), [null], 'each kind has its own');
  await sql`update mail_outbox set created_at = created_at - interval '1 day'`;
  t.same(await send(sql, { kind: 'invitation', sender: senders[0]! }, 'ada@example.org'), [null]);
});

await t.test('of one sender 500 invitations a day go out, also where many are asked for at once', async (t) => {
  const sql = await freshPool(t, 10);
  const sender = randomUUID();
  const asked = { kind: 'invitation', sender } as const;
  const batch = (n: number) => Array.from({ length: 100 }, (_, i) => `p${n}_${i}@example.org`);
  const results = await Promise.all(Array.from({ length: 20 }, (_, n) => send(sql, asked, ...batch(n))));
  t.equal(sent(results), 500);
  t.same(await send(sql, { ...asked, sender: randomUUID() }, 'p@example.org'), [null], 'others have their own');
});

await t.test('sign-in links: so many to a domain, and in all', async (t) => {
  const sql = await freshPool(t, 4);
  const boxes = (domain: string, count: number) => Array.from({ length: count }, (_, n) => `p${n}@${domain}`);
  const asked = { kind: 'sign_in' } as const;
  const full = await send(sql, asked, ...boxes('catch-all.example', 320));
  t.equal(full.filter((each) => each === 'domain').length, 20);
  for (let n = 0; n < 6; n++) await send(sql, asked, ...boxes(`d${n}.example`, 300));
  t.same(await send(sql, asked, 'late@elsewhere.example'), ['all']);
});

await t.test('who changes its wallet again and again mails nobody for that, and changes it no more', async (t) => {
  const sql = await freshPool(t, 10);
  const agent = async (email: string) => {
    const agentId = randomUUID();
    await sql`
      insert into agents (agent_id, email, name, key_hash, terms_accepted_at)
      values (${agentId}, ${email}, ${`n_${agentId.slice(0, 8)}`}, sha256(${agentId}::bytea), now())`;
    return agentId;
  };
  const agents = await Promise.all(Array.from({ length: 8 }, (_, n) => agent(`victim+${n}@example.org`)));
  const wallet = `0x${'1'.repeat(40)}`;
  const changes = await Promise.allSettled(
    agents.map((agentId) => changeProfile(sql, agentId, { wallet }, () => Promise.resolve())),
  );
  t.equal(changes.filter(({ status }) => status === 'fulfilled').length, 5);
  for (const change of changes) if (change.status === 'rejected') t.match(change.reason, { status: 429 });
  t.equal((await sql`select from mail_outbox`).length, 5);
  t.equal((await sql`select from agents where wallet_address is not null`).length, 5, 'never unnoticed');
});
