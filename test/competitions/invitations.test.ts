/**
 * Invitations to a competition by mail: their effect, their holder, their term, and the number of mails. Over its
 * routes, a real database and a real mail server.
 */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { FILE_MS } from '../support/limits.js';
import { DAY, PeopleHouse, MINUTE, PUBLIC_URL, refused, statuses, withToken } from '../support/people-house.js';

t.setTimeout(FILE_MS);

const openHouse = await PeopleHouse.host(t);
// prettier-ignore
await t.test('who is invited by mail looks at it, accepts it, and has its chips', async (t) => {
  const house = await openHouse({ starting_chips: 4000, description: 'For friends' });
  const ada = await house.agent({ email: 'Ada@Example.org' });
  const told = await house.invite('ada@example.org', 'bob@example.org', 'ADA@example.org');
  const again = [{ email: 'ADA@example.org', reason: 'already_invited' }];
  t.match(told, { status: 201, body: { refused: again } }, 'the second spelling is reported');
  const { invitations } = told.body as { invitations: { invite_id: string; email: string; expires_at: string }[] };
  t.same(invitations.map(({ email }) => email).sort(), ['ada@example.org', 'bob@example.org'], 'the first spelling');
  t.match(invitations[0], { status: 'pending', version: 1, sends: 1 });

  const [mail] = await house.sink.mailsTo('ada@example.org');
  const token = await house.token('ada@example.org');
  t.equal(mail!.subject, 'Invitation: Autumn Cup');
  t.match(mail!.text, `bot_1 (Ada Ltd) invites your bot to a private poker competition: "Autumn Cup"`);
  t.match(mail!.text, `${PUBLIC_URL}/invite#token=${token}`);
  t.match(mail!.text, 'Starting chips: 4,000, blinds 10/20');

  const preview = await house.ask('previewInvite', { headers: withToken(token) });
  t.match(preview, {
    status: 200,
    body: {
      kind: 'invitation', status: 'pending', email: 'a***@example.org', can_accept: true,
      competition: {
        name: 'Autumn Cup',
        organizer_name: 'bot_1',
        participant_count: 0,
        rules: { starting_chips: 4000 },
      },
    },
  });
  t.notMatch(JSON.stringify(preview.body), /deck_secret|ADA@/);

  t.match(await house.accept(ada, token, { name: 'Ada ♠ the Great' }), {
    status: 200,
    body: {
      agent_id: ada, name: 'bot_2', display_name: 'Ada ♠ the Great', status: 'enrolled', is_organizer: false,
    },
  });
  t.same(await house.chips(ada), {
    entries: [{ chip_balance: 4000, rebuys: 0 }],
    ledger: [{ type: 'grant', amount: 4000, balance_after: 4000 }],
  });
  t.match(await house.accept(ada, token), refused(409, 'The invitation is accepted'));
  t.match(await house.ask('previewInvite', { headers: withToken(token) }), {
    body: { status: 'accepted', can_accept: false, competition: { participant_count: 1 } },
  });
  const list = await house.about('listInvitations', { query: 'limit=1&offset=0' });
  t.match(list, { status: 200, body: { total: 2, limit: 1, offset: 0 } });
  const all = (await house.about('listInvitations')).body as { invitations: { email: string }[] };
  t.match(
    all.invitations.sort((a, b) => (a.email < b.email ? -1 : 1)),
    [
      { status: 'accepted', agent_id: ada, version: 2, answered_at: String },
      { status: 'pending', agent_id: null },
    ],
  );
  t.equal(house.sink.received.length, 2, 'one mail each');
});

await t.test('tokens are stored nowhere but as hashes, once the mail is gone', async (t) => {
  const house = await openHouse();
  await house.invite('ada@example.org');
  const tokens = [await house.token('ada@example.org'), (await house.link(2)).token];
  await house.accept(await house.agent(), tokens[1]!, { key: 'once' });
  const { sql } = house;
  await house.mailsAreSent();
  const tables = await sql<{ name: string }[]>`
    select c.oid::regclass::text as name from pg_class c where relkind = 'r' and relnamespace = 'public'::regnamespace`;
  t.ok(tables.length > 20);
  for (const { name } of tables) {
    for (const token of tokens) {
      const rows = await sql`select from ${sql.unsafe(name)} x where x::text like ${`%${token}%`}`;
      t.equal(rows.length, 0, name);
    }
  }
});

await t.test('of several addresses those are left out who are in already', async (t) => {
  const house = await openHouse();
  const addresses = ['ada', 'bob', 'cyd', 'dan'].map((name) => `${name}@example.org`);
  const [ada, bob, cyd] = await Promise.all(addresses.map((email) => house.agent({ email })));
  const { token } = await house.link(3);
  for (const agentId of [ada!, bob!, cyd!]) await house.accept(agentId, token);
  await house.about('removeParticipant', { params: { agent_id: bob! }, body: {} });
  await house.about('withdrawFromCompetition', { agentId: cyd! });
  await house.invite('eve@example.org');
  const { status, body } = await house.invite('eve@example.org', ...addresses);
  t.equal(status, 201);
  t.match(body, {
    invitations: [{ email: 'cyd@example.org' }, { email: 'dan@example.org' }],
    refused: [
      { email: 'eve@example.org', reason: 'already_invited' },
      { email: 'ada@example.org', reason: 'already_participates' },
      { email: 'bob@example.org', reason: 'removed' },
    ],
  });
  t.match(await house.invite('Eve@example.org', 'ada@example.org'), refused(409, /^Every one of these/));

  house.now += 20 * DAY;
  t.match(await house.invite('dan@example.org'), refused(409, 'Cannot invite: the competition is enrolling'));
});

await t.test('an invitation that has run out makes room for another', async (t) => {
  const house = await openHouse({ ends_at: new Date(Date.now() + 60 * DAY) });
  const ada = await house.agent({ email: 'ada@example.org' });
  await house.invite('ada@example.org');
  const old = await house.token('ada@example.org');
  house.now += 14 * DAY;
  t.match(await house.accept(ada, old), refused(409, 'The invitation is expired'));
  t.match(await house.ask('previewInvite', { headers: withToken(old) }), {
    body: { status: 'expired', can_accept: false },
  });
  t.match(await house.invite('ada@example.org'), { status: 201, body: { refused: [] } });
  t.match(await house.accept(ada, old), refused(409, 'The invitation is revoked'));
  t.match(await house.accept(ada, await house.token('ada@example.org', 2)), { status: 200 });
});

await t.test('with an Idempotency-Key people are invited once, however often it is asked', async (t) => {
  const house = await openHouse();
  const headers = { 'idempotency-key': 'k' };
  const emails = ['ada@example.org', 'bob@example.org'];
  const ask = (body: object) => house.about('invitePeople', { body, headers });
  const [first, ...others] = await Promise.all(Array.from({ length: 8 }, () => ask({ emails })));
  t.equal(first!.status, 201);
  for (const other of others) t.same(other.body, first!.body);
  t.match(await ask({ emails: ['cyd@example.org'] }), refused(409, 'Idempotency-Key was used with another request'));
  await house.invite('last@example.org');
  await house.token('last@example.org');
  t.same(house.sink.received.map(({ to }) => to[0]).sort(), [...emails, 'last@example.org']);
  t.match(await house.invite(), { status: 422 });
  t.match(await house.invite('nobody'), { status: 422, body: { detail: [{ loc: ['body', 'emails', 0] }] } });
  t.match(await house.about('invitePeople', { body: { emails, role: 'judge' } }), { status: 422 });
});

await t.test('invitations that race for one address leave one of them', async (t) => {
  const house = await openHouse();
  const answers = await Promise.all(Array.from({ length: 12 }, () => house.invite('ada@example.org')));
  t.same(statuses(answers), { 201: 1, 409: 11 });
});

await t.test('nobody mails strangers at will', async (t) => {
  const house = await openHouse();
  const emails = Array.from({ length: 100 }, (_, n) => `p${n}@example.org`);
  for (let n = 0; n < 5; n++) {
    t.equal((await house.invite(...emails.map((email) => `${n}${email}`))).status, 201);
  }
  const late = await house.invite('one@example.org');
  t.match(late, { ...refused(429, 'Too many invitations in 24 hours'), headers: { 'retry-after': '3600' } });
  t.match(await house.invite(...emails, 'one@example.org'), { status: 422 }, 'a hundred at once');
  await house.sql`update mail_outbox set created_at = created_at - interval '1 day'`;
  const tags = Array.from({ length: 12 }, (_, n) => `victim+${n}@example.org`);
  const { body } = await house.invite(...tags);
  const full = { email: tags[10], reason: 'mailbox_full' };
  t.match(
    body,
    { invitations: { length: 10 }, refused: [full, { ...full, email: tags[11] }] },
    'one mailbox, whatever tag',
  );
  t.match(await house.invite('Victim@example.org'), refused(429, 'Too many invitations in 24 hours'));
  await house.sql`update agents set email_verified_at = null where agent_id = ${house.organizer}`;
  t.match(await house.invite('one@example.org'), refused(403, /^email_not_verified/));
});

await t.test('sent again, an invitation has a new token; too often it is not', async (t) => {
  const house = await openHouse();
  const ada = await house.agent({ email: 'ada@example.org' });
  const { invitations } = (await house.invite('ada@example.org')).body as { invitations: { invite_id: string }[] };
  const params = { invite_id: invitations[0]!.invite_id };
  const resend = (headers: Record<string, string> = {}) => house.about('resendInvitation', { params, headers });
  const first = await house.token('ada@example.org');
  t.match(await resend(), {
    ...refused(429, 'This invitation was sent a moment ago'),
    headers: { 'retry-after': '60' },
  });
  house.now += MINUTE;
  t.match(await resend({ 'if-match': '"7"' }), refused(412, /^The invitation has changed/));
  t.match(await resend({ 'if-match': '"1"', 'idempotency-key': 'a' }), {
    status: 200,
    headers: { etag: '"2"' },
    body: { version: 2, sends: 2 },
  });
  t.match(
    await resend({ 'if-match': '"1"', 'idempotency-key': 'a' }),
    { status: 200, body: { sends: 2 } },
    'a repetition',
  );
  const second = await house.token('ada@example.org', 2);
  t.not(second, first);
  t.match(await house.accept(ada, first), refused(404, /^This invitation does not exist/));
  for (let sends = 3; sends <= 5; sends++) {
    house.now += MINUTE;
    t.match(await resend(), { body: { sends } });
  }
  house.now += MINUTE;
  t.match(await resend(), refused(409, 'The invitation was sent 5 times; invite anew'));
  t.match(await house.accept(ada, await house.token('ada@example.org', 5)), { status: 200 });
  t.match(await resend(), refused(409, 'The invitation is accepted'));
  t.match(
    await house.about('resendInvitation', { params: { invite_id: randomUUID() } }),
    refused(404, 'Invitation not found'),
  );
  await house.enter('active');
  t.match(await resend(), refused(409, 'Cannot invite: the competition is active'));
  await house.sql`update agents set email_verified_at = null where agent_id = ${house.organizer}`;
  await house.enter('enrolling');
  t.match(await resend(), refused(403, /^email_not_verified/));
});

await t.test('a mailbox that is full gets none again either, and the mail before stays good', async (t) => {
  const house = await openHouse();
  const ada = await house.agent({ email: 'ada+0@example.org' });
  const tags = Array.from({ length: 10 }, (_, n) => `ada+${n}@example.org`);
  const { invitations } = (await house.invite(...tags)).body as { invitations: { invite_id: string; email: string }[] };
  const params = { invite_id: invitations.find(({ email }) => email === 'ada+0@example.org')!.invite_id };
  house.now += MINUTE;
  t.match(await house.about('resendInvitation', { params }), {
    ...refused(429, 'Too many invitations in 24 hours'),
    headers: { 'retry-after': '3600' },
  });
  t.equal((await house.sql`select from mail_outbox`).length, 10, 'nothing is sent');
  t.match(await house.accept(ada, await house.token('ada+0@example.org')), { status: 200 });
});

await t.test('a revoked invitation is good for nothing', async (t) => {
  const house = await openHouse();
  const ada = await house.agent({ email: 'ada@example.org' });
  const { invitations } = (await house.invite('ada@example.org')).body as { invitations: { invite_id: string }[] };
  const params = { invite_id: invitations[0]!.invite_id };
  const revoke = (headers: Record<string, string> = {}) => house.about('revokeInvitation', { params, headers });
  const token = await house.token('ada@example.org');
  t.match(await revoke({ 'if-match': '"2"' }), refused(412, /^The invitation has changed/));
  t.match(await revoke({ 'if-match': '"1"' }), { status: 200, headers: { etag: '"2"' }, body: { status: 'revoked' } });
  t.match(await revoke(), refused(409, 'The invitation is revoked'));
  t.match(await house.accept(ada, token), refused(409, 'The invitation is revoked'));
  t.match(
    await house.about('revokeInvitation', { params: { invite_id: randomUUID() } }),
    refused(404, 'Invitation not found'),
  );
});

await t.test('an invitation is for the agent of that mailbox alone', async (t) => {
  const house = await openHouse();
  const [bob, unverified, tagged] = [
    await house.agent(),
    await house.agent({ email: 'ada@example.org', verified: false }),
    await house.agent({ email: 'Ada+bot@example.org' }),
  ];
  await house.invite('ada@example.org');
  const token = await house.token('ada@example.org');
  const decline = (agentId: string) => house.ask('declineInvite', { agentId, headers: withToken(token) });
  for (const answer of [house.accept.bind(house), decline]) {
    t.match(await answer(bob, token), refused(403, 'This invitation is for another email address'));
    t.match(await answer(unverified, token), refused(403, /^email_not_verified/));
  }
  t.equal(await house.count('enrolled'), 0);
  t.match(await decline(tagged), { status: 200, body: { kind: 'invitation', status: 'declined' } });
  t.match(await decline(tagged), refused(409, 'The invitation is declined'));
  t.match(await house.accept(tagged, token), refused(409, 'The invitation is declined'));
  t.match(await house.invite('ada@example.org'), { status: 201 }, 'may be asked once more');
  t.match(await house.accept(tagged, await house.token('ada@example.org', 2)), { status: 200 });
});

await t.test('a token must be there, and open something', async (t) => {
  const house = await openHouse();
  const agentId = await house.agent();
  for (const [id, more] of [
    ['previewInvite', {}],
    ['acceptInvite', { agentId, body: {} }],
    ['declineInvite', { agentId }],
  ] as const) {
    t.match(await house.ask(id, more), refused(400, 'Header X-Competition-Invite-Token missing'));
    for (const token of ['short', 'x'.repeat(43)]) {
      t.match(await house.ask(id, { ...more, headers: withToken(token) }), refused(404, /^This invitation does not/));
    }
  }
});
