import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { createPeople } from '../src/competitions/people-routes.js';
import { MailSender, smtpPost } from '../src/mail/index.js';
import { connect, type Database } from '../src/store/database.js';
import { addCompetition } from './support/competition-rows.js';
import { freshDatabase, silent, stopCluster } from './support/database.js';
import { MailSink } from './support/mail-sink.js';
import { asker, type Told } from './support/rest.js';

/** Who is invited to a competition, who comes, and who stays: over its routes, a real database and a real mail server. */

t.setTimeout(120_000);

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const PUBLIC_URL = 'https://poker.example';

const address = await freshDatabase({ teardown: () => undefined });
const sql = connect(address, { max: 8, name: 'test' });
const sink = await MailSink.open(t);
const sender = new MailSender({ sql, post: smtpPost(sink.url, 'dealer@poker.example'), log: silent, pollMs: 20 });
sender.start();
t.teardown(async () => {
  await sender.stop();
  await sql.end();
  await stopCluster();
});

async function mailsAreSent(): Promise<void> {
  while ((await sql`select from mail_outbox where status = 'waiting'`).length > 0) await sleep(5);
}

type Ask = ReturnType<typeof asker>;
type Rules = Parameters<typeof addCompetition>[2];

/** People on a database of their own. Time stands still unless a test moves it. */
class House {
  now = Date.now();
  readonly dismissed: string[] = [];
  readonly ask: Ask;
  readonly people: ReturnType<typeof createPeople>;
  organizer = '';
  competitionId = '';
  #agents = 0;

  private constructor(
    readonly sql: Database,
    readonly sink: MailSink,
    sender: MailSender,
  ) {
    this.people = createPeople({
      sql,
      floor: { dismiss: (agentId, competitionId) => void this.dismissed.push(`${agentId} ${competitionId}`) },
      now: () => this.now,
      publicUrl: () => PUBLIC_URL,
      mailed: () => sender.wake(),
    });
    this.ask = asker(this.people.routes);
  }

  /** An empty house. All share a database, for time's sake; mails of the one before have arrived. */
  static async open(rules: Rules = {}): Promise<House> {
    await mailsAreSent();
    await sql`truncate agents, pools, mail_outbox, audit_log, idempotency_keys cascade`;
    sink.received.length = 0;
    const house = new House(sql, sink, sender);
    house.organizer = await house.agent();
    house.competitionId = await addCompetition(sql, house.organizer, rules);
    return house;
  }

  async agent({ email = '', verified = true } = {}): Promise<string> {
    const agentId = randomUUID();
    const name = `bot_${++this.#agents}`;
    await this.sql`
      insert into agents (agent_id, email, name, key_hash, email_verified_at, terms_accepted_at)
      values (${agentId}, ${email || `${name}@example.org`}, ${name}, sha256(${agentId}::bytea),
        case when ${verified}::boolean then now() end, now())`;
    return agentId;
  }

  async agents(count: number): Promise<string[]> {
    return Promise.all(Array.from({ length: count }, () => this.agent()));
  }

  /** Asks as the organizer, or as `agentId`, about the competition. */
  about(id: string, { agentId = this.organizer, params = {}, ...more }: Parameters<Ask>[1] = {}): Promise<Told> {
    return this.ask(id, { agentId, params: { competition_id: this.competitionId, ...params }, ...more });
  }

  invite(...emails: string[]): Promise<Told> {
    return this.about('invitePeople', { body: { emails } });
  }

  /** The token of the nth mail to an address. */
  async token(email: string, nth = 1): Promise<string> {
    const mails = await this.sink.mailsTo(email, nth);
    return /X-Competition-Invite-Token: (\S+)/.exec(mails[nth - 1]!.text)![1]!;
  }

  async link(maxUses: number, more: object = {}): Promise<{ link_id: string; token: string; url: string }> {
    this.now++;
    const { status, body } = await this.about('createInviteLink', { body: { max_uses: maxUses, ...more } });
    if (status !== 201) throw new Error(JSON.stringify(body));
    return body as { link_id: string; token: string; url: string };
  }

  accept(agentId: string, token: string, more: { name?: string; key?: string } = {}): Promise<Told> {
    const headers = { ...withToken(token), ...(more.key === undefined ? {} : { 'idempotency-key': more.key }) };
    return this.ask('acceptInvite', { agentId, headers, body: { display_name: more.name ?? null } });
  }

  /** An agent that takes part. */
  async participant(): Promise<string> {
    const agentId = await this.agent();
    const told = await this.accept(agentId, (await this.link(1)).token, { name: `The ${++this.#agents}th` });
    if (told.status !== 200) throw new Error(JSON.stringify(told.body));
    return agentId;
  }

  async enter(state: string): Promise<void> {
    await this.sql`update competitions set state = ${state} where competition_id = ${this.competitionId}`;
  }

  /** Entry and ledger of an agent. */
  async chips(agentId: string) {
    const { sql, competitionId } = this;
    const entries = await sql`
      select chip_balance, rebuys from entries where pool_id = ${competitionId} and agent_id = ${agentId}`;
    const ledger = await sql`
      select type, amount, balance_after from chip_ledger where pool_id = ${competitionId} and agent_id = ${agentId}`;
    return { entries: [...entries], ledger: [...ledger] };
  }

  async count(state: string): Promise<number> {
    const rows = await this.sql`
      select from competition_participants where competition_id = ${this.competitionId} and state = ${state}`;
    return rows.length;
  }
}

const withToken = (token: string) => ({ 'x-competition-invite-token': token });
const refused = (status: number, detail: string | RegExp) => ({ status, body: { detail } });
const statuses = (answers: readonly Told[]) =>
  Object.fromEntries([...new Set(answers.map(({ status }) => status))].map((s) => [s, answers.filter(({ status }) => status === s).length])); // prettier-ignore

await t.test('who is invited by mail looks at it, accepts it, and has its chips', async (t) => {
  const house = await House.open({ starting_chips: 4000, description: 'For friends' });
  const ada = await house.agent({ email: 'Ada@Example.org' });
  const told = await house.invite('ada@example.org', 'bob@example.org', 'ADA@example.org');
  t.match(told, { status: 201, body: { refused: [] } });
  const { invitations } = told.body as { invitations: { invite_id: string; email: string; expires_at: string }[] };
  t.same(invitations.map(({ email }) => email).sort(), ['ADA@example.org', 'bob@example.org'], 'each address once');
  t.match(invitations[0], { status: 'pending', version: 1, sends: 1 });

  const [mail] = await house.sink.mailsTo('ADA@example.org');
  const token = await house.token('ADA@example.org');
  t.equal(mail!.subject, 'Invitation: Autumn Cup');
  t.match(mail!.text, `bot_1 (Ada Ltd) invites your bot to a private poker competition: "Autumn Cup"`);
  t.match(mail!.text, `${PUBLIC_URL}/invite#token=${token}`);
  t.match(mail!.text, 'Starting chips: 4,000, blinds 10/20');

  const preview = await house.ask('previewInvite', { headers: withToken(token) });
  t.match(preview, {
    status: 200,
    body: {
      ...{ kind: 'invitation', status: 'pending', email: 'A***@example.org', can_accept: true },
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
      ...{ agent_id: ada, name: 'bot_2', display_name: 'Ada ♠ the Great', status: 'enrolled', is_organizer: false },
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
  const house = await House.open();
  await house.invite('ada@example.org');
  const tokens = [await house.token('ada@example.org'), (await house.link(2)).token];
  await house.accept(await house.agent(), tokens[1]!, { key: 'once' });
  const { sql } = house;
  await mailsAreSent();
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
  const house = await House.open();
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
  const house = await House.open({ ends_at: new Date(Date.now() + 60 * DAY) });
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
  const house = await House.open();
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
  const house = await House.open();
  const answers = await Promise.all(Array.from({ length: 12 }, () => house.invite('ada@example.org')));
  t.same(statuses(answers), { 201: 1, 409: 11 });
});

await t.test('nobody mails strangers at will', async (t) => {
  const house = await House.open();
  const emails = Array.from({ length: 100 }, (_, n) => `p${n}@example.org`);
  for (let n = 0; n < 5; n++) {
    t.equal((await house.invite(...emails.map((email) => `${n}${email}`))).status, 201);
  }
  const late = await house.invite('one@example.org');
  t.match(late, { ...refused(429, 'Too many invitations in 24 hours'), headers: { 'retry-after': '3600' } });
  t.match(await house.invite(...emails, 'one@example.org'), { status: 422 }, 'a hundred at once');
  await house.sql`update agents set email_verified_at = null where agent_id = ${house.organizer}`;
  t.match(await house.invite('one@example.org'), refused(403, /^email_not_verified/));
});

await t.test('sent again, an invitation has a new token; too often it is not', async (t) => {
  const house = await House.open();
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
    ...{ status: 200, headers: { etag: '"2"' } },
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

await t.test('a revoked invitation is good for nothing', async (t) => {
  const house = await House.open();
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
  const house = await House.open();
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
  const house = await House.open();
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

await t.test('people enroll while enrollment is open, and not a moment longer', async (t) => {
  const deadline = new Date(Date.now() + DAY / 2);
  const house = await House.open({ state: 'draft', enrollment_deadline: deadline });
  const agentId = await house.agent();
  const { token } = await house.link(1);
  await house.sql`update competition_links set expires_at = now() + interval '1 day'`;
  for (const state of [
    'draft',
    'enrollment_closed',
    'active',
    'paused',
    'ending',
    'results_pending',
    'finalized',
    'cancelled',
  ]) {
    await house.enter(state);
    t.match(await house.accept(agentId, token), refused(409, `Cannot enroll: the competition is ${state}`));
    t.match(
      await house.about('enrollInCompetition', { body: {} }),
      refused(409, `Cannot enroll: the competition is ${state}`),
    );
    const invites = await house.invite(`${state}@example.org`);
    if (state === 'draft') t.equal(invites.status, 201, 'a draft invites');
    else t.match(invites, refused(409, `Cannot invite: the competition is ${state}`));
  }
  await house.enter('enrolling');
  house.now = deadline.getTime();
  t.match(await house.accept(agentId, token), refused(409, 'Cannot enroll: the competition is enrollment_closed'));
  house.now -= 1;
  t.match(await house.accept(agentId, token), { status: 200 });
});

await t.test('a link lets in exactly so many, however many come at once', async (t) => {
  const house = await House.open({ participant_cap: 200 });
  const { token, url, link_id } = await house.link(5);
  t.equal(url, `${PUBLIC_URL}/invite#token=${token}`);
  t.match(await house.ask('previewInvite', { headers: withToken(token) }), {
    body: { kind: 'link', status: 'open', email: null, can_accept: true },
  });
  const agents = await house.agents(100);
  const answers = await Promise.all(agents.map((agentId) => house.accept(agentId, token)));
  t.same(statuses(answers), { 200: 5, 409: 95 });
  t.match(
    answers.find(({ status }) => status === 409),
    refused(409, 'The invite link is used_up'),
  );
  t.equal(await house.count('enrolled'), 5);
  const [chips] = await house.sql`select count(*) as entries, sum(chip_balance)::integer as chips from entries`;
  t.same(chips, { entries: 5, chips: 25_000 });
  t.match(await house.about('listInviteLinks'), {
    body: { links: [{ link_id, uses: 5, max_uses: 5, status: 'used_up', revoked_at: null }], total: 1 },
  });
  t.notMatch(JSON.stringify((await house.about('listInviteLinks')).body), token);
  const inside = agents[answers.findIndex(({ status }) => status === 200)]!;
  const { token: other } = await house.link(1);
  t.match(await house.accept(inside, other), refused(409, 'Already taking part in this competition'));
  t.match(await house.accept(agents.find((id) => id !== inside && answers[agents.indexOf(id)]!.status === 409)!, other), { status: 200 }, 'which took no use'); // prettier-ignore
});

await t.test('an agent that accepts many times at once is in once', async (t) => {
  const house = await House.open();
  const [agentId] = await house.agents(1);
  const { token } = await house.link(50);
  const answers = await Promise.all(Array.from({ length: 20 }, () => house.accept(agentId!, token)));
  t.same(statuses(answers), { 200: 1, 409: 19 });
  t.same((await house.chips(agentId!)).ledger, [{ type: 'grant', amount: 5000, balance_after: 5000 }]);
  const [other] = await house.agents(1);
  const keyed = await Promise.all(Array.from({ length: 10 }, () => house.accept(other!, token, { key: 'again' })));
  t.same(statuses(keyed), { 200: 10 }, 'with a key each gets the first answer');
  const [link] = await house.sql`select uses from competition_links`;
  t.same(link, { uses: 2 });
  t.match(await house.accept(other!, token, { key: 'again', name: 'Other' }), refused(409, /^Idempotency-Key/));
});

await t.test('links end: by revocation, by time, and are not too many', async (t) => {
  const house = await House.open();
  const agentId = await house.agent();
  const soon = new Date(house.now + MINUTE).toISOString();
  const [revoked, short] = [await house.link(3), await house.link(3, { expires_at: soon })];
  const revoke = (link_id: string) => house.about('revokeInviteLink', { params: { link_id } });
  t.match(await revoke(revoked.link_id), { status: 200, body: { status: 'revoked', revoked_at: String } });
  t.match(await revoke(revoked.link_id), refused(409, 'The invite link is revoked'));
  t.match(await revoke(randomUUID()), refused(404, 'Invite link not found'));
  t.match(await house.accept(agentId, revoked.token), refused(409, 'The invite link is revoked'));
  house.now += MINUTE;
  t.match(await house.accept(agentId, short.token), refused(409, 'The invite link is expired'));
  const create = (body: object) => house.about('createInviteLink', { body });
  for (const expires_at of [soon, '2026-02-30T12:00:00Z', new Date(house.now + 2 * DAY).toISOString()]) {
    t.match(
      await create({ expires_at }),
      { status: 422, body: { detail: [{ loc: ['body', 'expires_at'] }] } },
      expires_at,
    );
  }
  for (const max_uses of [0, 101, 1.5, '5']) t.match(await create({ max_uses }), { status: 422 });
  for (let n = 0; n < 100; n++) await house.link(1);
  t.match(await create({}), refused(409, 'Too many invite links are open; revoke one first'));
  t.match(await house.about('listInviteLinks', { query: 'limit=100&offset=100' }), {
    body: { total: 102, limit: 100, offset: 100, links: [{ status: 'expired' }, { status: 'revoked' }] },
  });
  t.match(await house.ask('declineInvite', { agentId, headers: withToken(short.token) }), {
    status: 200,
    body: { kind: 'link', status: 'declined' },
  });
  await house.enter('finalized');
  t.match(await create({}), refused(409, 'Cannot invite: the competition is finalized'));
});

await t.test('there are never more participants than the cap, whichever way they come', async (t) => {
  const house = await House.open({ participant_cap: 8 });
  const agents = await house.agents(30);
  const removed = await Promise.all([house.participant(), house.participant(), house.participant()]);
  for (const agent_id of removed) await house.about('removeParticipant', { params: { agent_id }, body: {} });
  const emails = agents.slice(15).map((_, n) => `bot_${n + 17}@example.org`);
  await house.invite(...emails);
  const tokens = await Promise.all(emails.map((email) => house.token(email)));
  const { token } = await house.link(100);
  const answers = await Promise.all([
    ...agents.slice(0, 15).map((agentId) => house.accept(agentId, token)),
    ...agents.slice(15).map((agentId, n) => house.accept(agentId, tokens[n]!)),
    ...removed.map((agent_id) => house.about('restoreParticipant', { params: { agent_id }, body: {} })),
    house.about('enrollInCompetition', { body: {} }),
  ]);
  t.same(statuses(answers), { 200: 8, 409: 26 });
  t.match(
    answers.find(({ status }) => status === 409),
    refused(409, 'The competition is full'),
  );
  t.equal(await house.count('enrolled'), 8);
  t.match(await house.ask('previewInvite', { headers: withToken(token) }), {
    body: { status: 'open', can_accept: false },
  });
  const late = await house.about('enrollInCompetition', { body: {} });
  t.match(late, refused(409, /^(The competition is full|Already taking part in this competition)$/));
});

await t.test('names are shown to people: each is seen, and nobody takes another one’s', async (t) => {
  const house = await House.open();
  const { token } = await house.link(50);
  const [ada, bob, cyd] = await house.agents(3);
  t.match(await house.accept(ada!, token, { name: 'Ada' }), { status: 200 });
  t.match(
    await house.accept(bob!, token, { name: 'ADA' }),
    refused(409, 'Display name already taken in this competition'),
  );
  t.match(
    await house.accept(bob!, token, { name: 'bot_2' }),
    refused(409, 'Display name already taken in this competition'),
  );
  const invisible = [
    'A\u200bda',
    'Ada\u202e',
    ' Ada2',
    'Ada2 ',
    'A\nb c',
    'Ada\u00a02',
    'ab',
    'x'.repeat(65),
    '\u3164\u3164\u3164',
  ];
  for (const name of invisible)
    t.match(await house.accept(bob!, token, { name }), { status: 422 }, JSON.stringify(name));
  t.match(await house.accept(bob!, token, { name: '😀😀😀' }), { status: 200 });
  t.match(await house.accept(cyd!, token, { name: '='.repeat(64) }), { status: 200 }, 'odd, but seen');
});

await t.test('the organizer plays along like anybody', async (t) => {
  const house = await House.open();
  const headers = { 'idempotency-key': 'me' };
  const enroll = (body: object, more = {}) => house.about('enrollInCompetition', { body, ...more });
  t.match(await enroll({ display_name: 'The Boss' }, { headers }), {
    status: 200,
    body: { agent_id: house.organizer, is_organizer: true, display_name: 'The Boss', status: 'enrolled' },
  });
  t.match(await enroll({ display_name: 'The Boss' }, { headers }), { status: 200 });
  t.match(await enroll({}), refused(409, 'Already taking part in this competition'));
  const other = await house.participant();
  t.match(await enroll({}, { agentId: other }), refused(403, 'Organizer only'));
  t.match(await enroll({}, { agentId: await house.agent() }), refused(404, 'Competition not found'));
});

await t.test('who leaves gives up its seat, may come back, and has its chips once', async (t) => {
  const house = await House.open();
  const agentId = await house.participant();
  const upper = { competition_id: house.competitionId.toUpperCase() };
  t.match(await house.about('withdrawFromCompetition', { agentId, params: upper }), {
    status: 200,
    body: { status: 'withdrawn', agent_id: agentId },
  });
  t.same(house.dismissed, [`${agentId} ${house.competitionId}`], 'told to the lobby by the ids it knows');
  t.match(
    await house.about('withdrawFromCompetition', { agentId }),
    refused(409, 'Cannot withdraw: the participant is withdrawn'),
  );
  t.match(await house.about('withdrawFromCompetition'), refused(404, 'Participant not found'));
  t.match(
    await house.about('withdrawFromCompetition', { agentId: await house.agent() }),
    refused(404, 'Competition not found'),
  );
  t.match(await house.accept(agentId, (await house.link(1)).token, { name: 'Again' }), { status: 200 });
  t.same((await house.chips(agentId)).ledger, [{ type: 'grant', amount: 5000, balance_after: 5000 }]);
});

const PARTS = ['enrolled', 'withdrawn', 'removed', 'disqualified'] as const;
const LIFE = ['draft', 'enrolling', 'enrollment_closed', 'active', 'paused', 'ending', 'results_pending', 'finalized', 'cancelled'] as const; // prettier-ignore
const open = ['enrolling', 'enrollment_closed', 'active', 'paused'];
const ALLOWED = {
  withdraw: { from: ['enrolled'], to: 'withdrawn', during: open },
  remove: { from: ['enrolled'], to: 'removed', during: open },
  disqualify: { from: ['enrolled'], to: 'disqualified', during: ['active', 'paused', 'ending', 'results_pending'] },
  restore: { from: ['removed', 'disqualified'], to: 'enrolled', during: [...open, 'ending', 'results_pending'] },
} as const;

await t.test('each change of a part, from each state and at each time of life', async (t) => {
  const house = await House.open();
  const agent_id = await house.participant();
  const ask = (kind: keyof typeof ALLOWED) =>
    kind === 'withdraw'
      ? house.about('withdrawFromCompetition', { agentId: agent_id })
      : house.about(`${kind}Participant`, { params: { agent_id }, body: { reason: 'as the rules say' } });
  for (const kind of Object.keys(ALLOWED) as (keyof typeof ALLOWED)[]) {
    const { from, to, during } = ALLOWED[kind];
    for (const part of PARTS) {
      for (const state of LIFE) {
        await house.enter(state);
        await house.sql`update competition_participants set state = ${part}`;
        house.dismissed.length = 0;
        const what = `${kind} of one ${part} while ${state}`;
        const told = await ask(kind);
        if (!(from as readonly string[]).includes(part)) {
          t.match(told, refused(409, `Cannot ${kind}: the participant is ${part}`), what);
        } else if (!(during as readonly string[]).includes(state)) {
          t.match(told, refused(409, `Cannot ${kind}: the competition is ${state}`), what);
        } else {
          t.match(
            told,
            { status: 200, body: { status: to, ...(kind === 'withdraw' ? {} : { reason: 'as the rules say' }) } },
            what,
          );
          t.equal(house.dismissed.length, to === 'enrolled' ? 0 : 1, what);
        }
      }
    }
  }
});

await t.test('whoever is disqualified before the results are final loses its rank, and gets it back', async (t) => {
  const house = await House.open();
  const [ada, bob] = [await house.participant(), await house.participant()];
  await house.sql`update entries set chip_balance = 9000 where agent_id = ${ada}`;
  await house.enter('results_pending');
  const ranks = async () => {
    const rows = await house.sql<{ agent_id: string; final_rank: number | null; final_score: number }[]>`
      select agent_id, final_rank, final_score from competition_participants`;
    return [ada, bob]
      .map((id) => rows.find(({ agent_id }) => agent_id === id))
      .map((r) => [r?.final_rank, r?.final_score]);
  };
  const change = (kind: string) => house.about(`${kind}Participant`, { params: { agent_id: ada }, body: {} });
  await change('disqualify');
  t.same(await ranks(), [[null, 9000], [1, 5000]]); // prettier-ignore
  await change('restore');
  t.same(await ranks(), [[1, 9000], [2, 5000]]); // prettier-ignore
});

await t.test('a removed one stays out until the organizer restores it', async (t) => {
  const house = await House.open();
  const agent_id = await house.participant();
  await house.sql`update entries set rebuy_due_at = now() where agent_id = ${agent_id}`;
  const change = (kind: string, body: object = {}, agentId = house.organizer) =>
    house.about(`${kind}Participant`, { params: { agent_id }, body, agentId });
  t.match(await change('remove', { reason: 'Two bots of one owner' }), { body: { status: 'removed' } });
  t.same(
    [...(await house.sql`select rebuy_due_at from entries where agent_id = ${agent_id}`)],
    [{ rebuy_due_at: null }],
  );
  t.match(await house.accept(agent_id, (await house.link(1)).token), refused(403, /^The organizer has removed you/));
  const other = await house.participant();
  for (const kind of ['remove', 'disqualify', 'restore']) {
    t.match(await change(kind, {}, other), refused(403, 'Organizer only'));
    t.match(await change(kind, {}, await house.agent()), refused(404, 'Competition not found'));
    const nobody = { params: { agent_id: randomUUID() }, body: {} };
    t.match(await house.about(`${kind}Participant`, nobody), refused(404, 'Participant not found'));
    t.match(await change(kind, { reason: 'x'.repeat(501) }), { status: 422 });
    const [headers, rest] = [{ 'idempotency-key': `of ${kind}` }, { params: { agent_id: other } }];
    if (kind !== 'restore') continue;
    t.match(await house.about('removeParticipant', { ...rest, headers, body: {} }), { status: 200 });
    t.match(await house.about('removeParticipant', { ...rest, headers, body: {} }), { status: 200 }, 'a repetition');
  }
  const seenBy = async (agentId: string, query = '') => {
    const { body } = await house.about('listParticipants', { agentId, query });
    return (body as { participants: { agent_id: string; reason: string | null }[] }).participants;
  };
  const reason = async (agentId: string) => (await seenBy(agentId)).find((each) => each.agent_id === agent_id)?.reason;
  t.equal(await reason(house.organizer), 'Two bots of one owner');
  t.equal(await reason(agent_id), 'Two bots of one owner');
  t.equal(await reason(other), null, 'nobody else’s business');
  t.match(await change('restore'), { body: { status: 'enrolled', reason: null } });
  t.equal(house.dismissed.length, 2, 'a repetition dismisses nobody');
  t.match(await seenBy(house.organizer, 'status=removed'), [{ agent_id: other }]);
  t.match(await house.about('listParticipants', { query: 'limit=1&offset=1' }), {
    body: { total: 2, limit: 1, offset: 1, participants: [{ agent_id: other }] },
  });
  t.match(
    await house.about('listParticipants', { agentId: await house.agent() }),
    refused(404, 'Competition not found'),
  );
  t.match(await house.about('listParticipants', { query: 'status=gone' }), { status: 422 });
});

await t.test('invitations and links are the organizer’s business', async (t) => {
  const house = await House.open();
  const [inside, outside] = [await house.participant(), await house.agent()];
  const params = { invite_id: randomUUID(), link_id: randomUUID() };
  const lists = ['listInvitations', 'listInviteLinks', 'listParticipants'];
  for (const id of lists) t.match(await house.about(id, { query: 'limit=101' }), { status: 422 });
  const names = ['listParticipants', 'enrollInCompetition', 'withdrawFromCompetition', 'removeParticipant', 'disqualifyParticipant', 'restoreParticipant']; // prettier-ignore
  for (const id of names) {
    const malformed = { agentId: inside, params: { competition_id: 'cup', agent_id: inside }, body: {} };
    t.match(await house.ask(id, malformed), refused(400, 'Invalid competition_id format'), id);
  }
  t.match(await house.about('enrollInCompetition', { body: { display_name: 7 } }), { status: 422 });
  const ids = ['listInvitations', 'invitePeople', 'resendInvitation', 'revokeInvitation', 'listInviteLinks', 'createInviteLink', 'revokeInviteLink']; // prettier-ignore
  for (const id of ids) {
    const body = id === 'invitePeople' ? { emails: ['ada@example.org'] } : {};
    t.match(await house.about(id, { agentId: inside, params, body }), refused(403, 'Organizer only'), id);
    t.match(await house.about(id, { agentId: outside, params, body }), refused(404, 'Competition not found'), id);
    const malformed = await house.ask(id, { agentId: inside, params: { ...params, competition_id: 'cup' }, body });
    t.match(malformed, refused(400, 'Invalid competition_id format'), id);
  }
});

await t.test('everything that is done is written down, without a token', async (t) => {
  const house = await House.open();
  const ada = await house.agent({ email: 'ada@example.org' });
  await house.invite('ada@example.org');
  const token = await house.token('ada@example.org');
  await house.accept(ada, token, { name: 'Ada' });
  await house.about('disqualifyParticipant', { params: { agent_id: ada }, body: {} });
  await house.about('removeParticipant', { params: { agent_id: ada }, body: { reason: 'none' } });
  const entries = await house.sql<{ actor: string; action: string; detail: Record<string, unknown> }[]>`
    select actor, action, detail from audit_log where subject = ${house.competitionId} order by entry_id`;
  t.match(
    [...entries],
    [
      { actor: house.organizer, action: 'invitePeople', detail: { invited: ['ada@example.org'] } },
      { actor: ada, action: 'acceptInvite', detail: { invite_id: String, display_name: 'Ada' } },
      { actor: house.organizer, action: 'removeParticipant', detail: { agent_id: ada, reason: 'none' } },
    ],
    'what was refused is not among it',
  );
  t.notMatch(JSON.stringify(entries), token);
});

await t.test('whoever lost its part while nobody could tell its table is dismissed at the start', async (t) => {
  const house = await House.open();
  const [ada, bob] = [await house.participant(), await house.participant()];
  const table = randomUUID();
  await house.sql`
    insert into tables (table_id, pool_id, shard_no, seq_reserved) values (${table}, ${house.competitionId}, 0, 1)`;
  for (const [seat, agentId] of [ada, bob].entries()) {
    await house.sql`
      update entries set table_id = ${table}, seat_no = ${seat}, sitting = gen_random_uuid() where agent_id = ${agentId}`;
  }
  await house.sql`update competition_participants set state = 'removed' where agent_id = ${bob}`;
  await house.people.start();
  t.same(house.dismissed, [`${bob} ${house.competitionId}`]);
});
