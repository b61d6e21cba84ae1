/**
 * How people come into a competition, by links and by mails: never more than fit, each once, under a name that is its
 * own.
 */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { FILE_MS } from '../support/limits.js';
import { DAY, PeopleHouse, MINUTE, PUBLIC_URL, refused, statuses, withToken } from '../support/people-house.js';

t.setTimeout(FILE_MS);

const openHouse = await PeopleHouse.host(t);

await t.test('people enroll while enrollment is open, and not a moment longer', async (t) => {
  const deadline = new Date(Date.now() + DAY / 2);
  const house = await openHouse({ state: 'draft', enrollment_deadline: deadline });
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
  const house = await openHouse({ participant_cap: 200 });
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
  const house = await openHouse();
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
  const house = await openHouse();
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
  const house = await openHouse({ participant_cap: 8 });
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
  const house = await openHouse();
  const { token } = await house.link(50);
  const [ada, bob, cyd, dan] = await house.agents(4);
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
  for (const name of ['Agent Poker', 'ADM1N', 'D-e-a-l-e-r', 'аdmin', 'House 3', 'house_9 ♠', 'Organizer']) {
    t.match(await house.accept(bob!, token, { name }), refused(409, 'Display name is reserved'), name);
  }
  t.match(await house.accept(bob!, token, { name: '😀😀😀' }), { status: 200 });
  t.match(await house.accept(cyd!, token, { name: '='.repeat(64) }), { status: 200 }, 'odd, but seen');
  t.match(await house.accept(dan!, token, { name: 'House of Cards' }), { status: 200 }, 'and no house bot');
});

await t.test('the organizer plays along like anybody', async (t) => {
  const house = await openHouse();
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
