/** The own invitations over HTTP: their holder, and the answers without the mail's token. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { EmailSink } from '../support/email-sink.js';
import { TestPlatform, type Account, type Answer } from '../support/platform.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const sink = await EmailSink.open(t);
const platform = await TestPlatform.start(t, { SMTP_URL: sink.url, MAIL_FROM: 'dealer@poker.example' });
const sql = platform.sql!;
const refused = (status: number, detail: string) => ({ status, body: { detail } });
const NOT_FOUND = refused(404, 'Invitation not found');
const addressOf = ({ name }: Account) => `${name}@example.com`;

interface Listed {
  invitations: { invite_id: string; competition_id: string; status: string; accept_path: string | null }[];
  total: number;
  email_verified: boolean;
}

const list = async ({ key }: Account, query = '') =>
  (await platform.api('GET', `/api/me/competition-invitations${query}`, { key })).body as Listed;

const answer = (
  { key }: Account,
  what: 'accept' | 'decline',
  inviteId: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Answer> => {
  const more = body === undefined ? {} : { body };
  return platform.api('POST', `/api/me/competition-invitations/${inviteId}/${what}`, { key, headers, ...more });
};

/** A competition of olga's. */
class Cup {
  private constructor(
    readonly id: string,
    readonly olga: Account,
  ) {}

  static async open(rules: object = {}): Promise<Cup> {
    const olga = await platform.register('olga');
    const ends_at = new Date(Date.now() + 3_600_000).toISOString();
    const body = { name: 'Autumn cup', organization_name: 'Ada Ltd', starting_chips: 4000, ends_at, ...rules };
    const made = await platform.api('POST', '/api/competitions', { key: olga.key, body });
    return new Cup((made.body as { competition_id: string }).competition_id, olga);
  }

  ask(method: string, path: string, body?: object, who = this.olga): Promise<Answer> {
    const more = body === undefined ? {} : { body };
    return platform.api(method, `/api/competitions/${this.id}${path}`, { key: who.key, ...more });
  }

  /** Invites an address: the invitation's id. */
  async invite(email: string): Promise<string> {
    const { status, body } = await this.ask('POST', '/invitations', { emails: [email] });
    if (status !== 201) throw new Error(JSON.stringify(body));
    return (body as { invitations: { invite_id: string }[] }).invitations[0]!.invite_id;
  }

  async token(email: string): Promise<string> {
    const [mail] = await sink.mailsTo(email);
    return /X-Competition-Invite-Token: ([\w-]+)/.exec(mail!.text)![1]!;
  }
}

const byToken = ({ key }: Account, token: string) =>
  platform.api('POST', '/api/competition-invites/accept', { key, headers: { 'x-competition-invite-token': token } });

await t.test('who is invited sees it, and accepts it without the mail', async (t) => {
  const cup = await Cup.open();
  const ada = await platform.register('ada');
  t.same(await list(ada), { invitations: [], email_verified: true, total: 0, limit: 50, offset: 0 });
  const id = await cup.invite(addressOf(ada).toUpperCase());
  const shown = {
    invite_id: id,
    competition_id: cup.id,
    competition_name: 'Autumn cup',
    organizer_name: cup.olga.name,
    organization_name: 'Ada Ltd',
    status: 'pending',
    expires_at: String,
    created_at: String,
    answered_at: null,
  };
  t.match(await list(ada), {
    total: 1,
    invitations: [{ ...shown, competition_status: 'draft', accept_path: null }],
  });
  t.match(await answer(ada, 'accept', id), refused(409, 'Cannot enroll: the competition is draft'));
  await cup.ask('POST', '/open-enrollment');
  const [own] = (await list(ada)).invitations;
  t.match(own, { ...shown, competition_status: 'enrolling' });
  t.notMatch(JSON.stringify(own), /token|@/, 'nothing of the token, nor of addresses');
  t.equal(own!.accept_path, `/api/me/competition-invitations/${id}/accept`);

  const { key } = ada;
  const accepted = await platform.api('POST', own!.accept_path!, { key, body: { display_name: 'Ada the Great' } });
  t.match(accepted, {
    status: 200,
    body: { competition_id: cup.id, agent_id: ada.agentId, display_name: 'Ada the Great', status: 'enrolled' },
  });
  t.match(await answer(ada, 'accept', id), refused(409, 'The invitation is accepted'));
  t.match(await answer(ada, 'decline', id), refused(409, 'The invitation is accepted'));
  t.match(await list(ada), { invitations: [{ ...shown, status: 'accepted', answered_at: String, accept_path: null }] });
  const ledger =
    await sql`select type, amount from chip_ledger where pool_id = ${cup.id} and agent_id = ${ada.agentId}`;
  t.same([...ledger], [{ type: 'grant', amount: 4000 }]);
  const { body: invited } = await cup.ask('GET', '/invitations');
  t.match(invited, { invitations: [{ status: 'accepted', agent_id: ada.agentId }] });
  const { body: log } = await cup.ask('GET', '/audit?limit=1');
  t.match(log, { entries: [{ actor: ada.agentId, action: 'acceptOwnInvitation', detail: { invite_id: id } }] });
});

await t.test('an invitation is nobody else’s, and nobody learns that it is there', async (t) => {
  const cup = await Cup.open();
  await cup.ask('POST', '/open-enrollment');
  const [ada, eve] = [await platform.register('ada'), await platform.register('eve')];
  const id = await cup.invite(addressOf(ada));
  t.match(await list(eve), { invitations: [], total: 0 });
  t.match(await list(cup.olga), { invitations: [], total: 0 }, 'the organizer has a list of its own for that');
  for (const what of ['accept', 'decline'] as const) {
    t.match(await answer(eve, what, id), NOT_FOUND);
    t.match(await answer(cup.olga, what, id), NOT_FOUND);
    t.match(await answer(ada, what, randomUUID()), NOT_FOUND, 'the same as one that is not');
    t.match(await answer(ada, what, 'mine'), refused(400, 'Invalid invite_id format'));
  }
  t.match(await answer(ada, 'accept', id, { display_name: 7 }), { status: 422 });
  for (const query of ['?limit=101', '?offset=-1']) {
    t.match(await platform.api('GET', `/api/me/competition-invitations${query}`, { key: ada.key }), { status: 422 });
  }
  const known = await cup.ask('POST', '/invitations', { emails: [addressOf(eve)] });
  const unknown = await cup.ask('POST', '/invitations', { emails: ['nobody_at_all@example.com'] });
  const shape = ({ status, body }: Answer) => [
    status,
    JSON.stringify(body).replace(/"(invite_id|email|expires_at|created_at|sent_at)":"[^"]*"/g, '$1'),
  ];
  t.same(shape(known), shape(unknown), 'an invitation does not tell whether the address has an agent');
});

await t.test('an address that nobody has shown to be its own is nobody’s', async (t) => {
  const cup = await Cup.open();
  await cup.ask('POST', '/open-enrollment');
  const ada = await platform.register('ada');
  await sql`update agents set email_verified_at = null where agent_id = ${ada.agentId}`;
  const id = await cup.invite(addressOf(ada));
  t.match(await list(ada), { invitations: [], total: 0, email_verified: false });
  t.match(await answer(ada, 'accept', id), NOT_FOUND);
  t.match(await answer(ada, 'decline', id), NOT_FOUND);
  await sql`update agents set email_verified_at = now() where agent_id = ${ada.agentId}`;
  t.match(await list(ada), { invitations: [{ invite_id: id }], total: 1, email_verified: true });
  t.match(await answer(ada, 'accept', id), { status: 200 });
});

await t.test('another +tag is another address: there the token of the mail is needed', async (t) => {
  const cup = await Cup.open();
  await cup.ask('POST', '/open-enrollment');
  const ada = await platform.register('ada');
  const tagged = `${ada.name}+cup@example.com`;
  const id = await cup.invite(tagged);
  t.match(await list(ada), { invitations: [], total: 0 });
  t.match(await answer(ada, 'accept', id), NOT_FOUND);
  t.match(await byToken(ada, await cup.token(tagged)), { status: 200 });
  t.match(await list(ada), { invitations: [{ invite_id: id, status: 'accepted', accept_path: null }], total: 1 });
  t.match(await answer(ada, 'accept', id), refused(409, 'The invitation is accepted'));
});

await t.test('it is answered once: by its token or its id, racing or not', async (t) => {
  const cup = await Cup.open();
  await cup.ask('POST', '/open-enrollment');
  const ada = await platform.register('ada');
  const id = await cup.invite(addressOf(ada));
  const token = await cup.token(addressOf(ada));
  const told = await Promise.all([
    ...[1, 2, 3].map(() => answer(ada, 'accept', id)),
    ...[1, 2, 3].map(() => byToken(ada, token)),
  ]);
  t.same(told.map(({ status }) => status).sort(), [200, 409, 409, 409, 409, 409]);

  const bob = await platform.register('bob');
  const his = await cup.invite(addressOf(bob));
  const once = { 'idempotency-key': 'once' };
  const first = await answer(bob, 'accept', his, { display_name: 'Bob' }, once);
  t.equal(first.status, 200);
  t.same((await answer(bob, 'accept', his, { display_name: 'Bob' }, once)).body, first.body);
  const reused = refused(409, 'Idempotency-Key was used with another request');
  t.match(await answer(bob, 'accept', his, { display_name: 'Bobby' }, once), reused);
});

await t.test('declined, revoked, expired: it is told, and not to be accepted', async (t) => {
  const ada = await platform.register('ada');
  const cups = [await Cup.open(), await Cup.open(), await Cup.open()] as const;
  const ids: string[] = [];
  for (const cup of cups) {
    await cup.ask('POST', '/open-enrollment');
    ids.push(await cup.invite(addressOf(ada)));
  }
  const [declined, revoked, expired] = ids as [string, string, string];
  t.match(await answer(ada, 'decline', declined), {
    status: 200,
    body: { kind: 'invitation', competition_id: cups[0].id, status: 'declined' },
  });
  t.match(await byToken(ada, await cups[0].token(addressOf(ada))), refused(409, 'The invitation is declined'));
  t.match(await cups[1].ask('DELETE', `/invitations/${revoked}`), { status: 200 });
  await sql`update competition_invitations set expires_at = now() where invite_id = ${expired}`;
  const { invitations, total } = await list(ada);
  t.same(
    invitations.map(({ invite_id: id, status, accept_path: path }) => [id, status, path]),
    [
      [expired, 'expired', null],
      [revoked, 'revoked', null],
      [declined, 'declined', null],
    ],
    'latest first',
  );
  t.equal(total, 3);
  t.match(await list(ada, '?limit=1&offset=1'), { total: 3, invitations: { length: 1, 0: { invite_id: revoked } } });
  for (const [id, status] of [
    [declined, 'declined'],
    [revoked, 'revoked'],
    [expired, 'expired'],
  ] as const) {
    t.match(await answer(ada, 'accept', id), refused(409, `The invitation is ${status}`));
  }
});

await t.test('who was removed, and who comes too late, does not come in by the list', async (t) => {
  const cup = await Cup.open({ participant_cap: 2 });
  await cup.ask('POST', '/open-enrollment');
  const people = await Promise.all(['ada', 'bob', 'cyd'].map((name) => platform.register(name)));
  const [ada, bob, cyd] = people as [Account, Account, Account];
  const ids = new Map<Account, string>();
  for (const who of people) ids.set(who, await cup.invite(addressOf(who)));
  for (const who of [ada, bob]) t.match(await answer(who, 'accept', ids.get(who)!), { status: 200 });
  t.match(await list(cyd), { invitations: [{ status: 'pending', accept_path: null }] });
  t.match(await answer(cyd, 'accept', ids.get(cyd)!), refused(409, 'The competition is full'));

  t.match(await cup.ask('POST', '/withdraw', undefined, bob), { status: 200 });
  t.match(await cup.ask('POST', `/participants/${ada.agentId}/remove`, {}), { status: 200 });
  await sql`update competition_invitations set state = 'pending' where invite_id = ${ids.get(ada)!}`;
  t.match(await list(ada), { invitations: [{ status: 'pending', accept_path: null }] });
  t.match(
    await answer(ada, 'accept', ids.get(ada)!),
    refused(403, 'The organizer has removed you from this competition'),
  );
  const again = await cup.invite(addressOf(bob));
  t.match((await list(bob)).invitations[0], { invite_id: again, accept_path: String });
  t.match(await answer(bob, 'accept', again), { status: 200 }, 'who withdrew may come back');
});
