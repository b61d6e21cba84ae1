/**
 * Requests to join: who may ask, how many at once, and what an answer does. A flood of requests blocks nobody. Two
 * answers at once, and an answer beside the start of play, on a real database.
 */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { DAY, MINUTE, PeopleHouse, refused, statuses, withToken } from '../support/people-house.js';
import { FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);

const openHouse = await PeopleHouse.host(t);
type House = PeopleHouse;

const ask = (house: House, agentId: string, name: string | null = null, key?: string) =>
  house.about('askToJoin', {
    agentId,
    body: name === null ? {} : { display_name: name },
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  });
const withdraw = (house: House, agentId: string) => house.about('withdrawJoinRequest', { agentId });
const answer = (house: House, kind: 'accept' | 'decline', agent_id: string, by = house.organizer, headers = {}) =>
  house.about(`${kind}JoinRequest`, { params: { agent_id }, agentId: by, headers });
const list = async (house: House, query = '') =>
  (await house.about('listJoinRequests', { query })).body as {
    requests: { agent_id: string; status: string; name: string }[];
    total: number;
  };
const own = async (house: House, agentId: string, query = '') =>
  (await house.ask('listOwnJoinRequests', { agentId, query })).body as {
    requests: { status: string; slug: string }[];
    total: number;
  };
const audited = async (house: House) =>
  (
    await house.sql<{ action: string; actor: string; detail: Record<string, unknown> }[]>`
      select action, actor, detail from audit_log where subject = ${house.competitionId} order by entry_id`
  ).map(({ action, actor, detail }) => ({ action, actor, detail }));

await t.test('a bot asks, is accepted, and takes part as after an invitation', async (t) => {
  const house = await openHouse({ join_requests: true });
  const agentId = await house.agent();
  await house.sql`update agents set public_profile_slug = 'ada-bot' where agent_id = ${agentId}`;
  await house.sql`update agents set public_profile_slug = 'olga' where agent_id = ${house.organizer}`;
  t.match(await house.ask('previewInvite', { headers: withToken((await house.link(1)).token) }), {
    body: { competition: { join_requests: true, organizer_profile_slug: 'olga' } },
  });
  const told = await ask(house, agentId, 'Ada the Great');
  t.match(told, {
    status: 201,
    body: { agent_id: agentId, display_name: 'Ada the Great', status: 'open', public_profile_slug: 'ada-bot' },
  });
  t.match(await ask(house, agentId), refused(409, 'You have asked to join this competition already'));
  t.match(await own(house, agentId), {
    total: 1,
    requests: [
      {
        competition_id: house.competitionId,
        slug: `cup-${house.competitionId}`,
        competition_name: 'Autumn Cup',
        competition_status: 'enrolling',
        display_name: 'Ada the Great',
        status: 'open',
        answered_at: null,
      },
    ],
  });
  t.same((await own(house, agentId, 'slug=another')).requests, []);
  t.match(await list(house, 'status=open'), { total: 1, requests: [{ agent_id: agentId, status: 'open' }] });
  t.match(await answer(house, 'accept', agentId), {
    status: 200,
    body: { agent_id: agentId, display_name: 'Ada the Great', status: 'enrolled', is_organizer: false },
  });
  t.same(await house.chips(agentId), {
    entries: [{ chip_balance: 5000, rebuys: 0 }],
    ledger: [{ type: 'grant', amount: 5000, balance_after: 5000 }],
  });
  t.match(await list(house), { total: 1, requests: [{ status: 'accepted', answered_at: /^\d/ }] });
  t.match(await own(house, agentId), { requests: [{ status: 'accepted', answered_at: /^\d/ }] });
  t.match(await answer(house, 'accept', agentId), refused(409, 'The join request is accepted'));
  t.match(await answer(house, 'decline', agentId), refused(409, 'The join request is accepted'));
  t.match(await withdraw(house, agentId), refused(409, 'The join request is accepted'));
  t.match(await ask(house, agentId), refused(409, 'Already taking part in this competition'));
  t.match((await audited(house)).slice(1), [
    { action: 'askToJoin', actor: agentId, detail: { display_name: 'Ada the Great' } },
    { action: 'acceptJoinRequest', actor: house.organizer, detail: { agent_id: agentId } },
  ]);
});

await t.test('what fits no schema', async (t) => {
  const house = await openHouse({ join_requests: true });
  const agentId = await house.agent();
  const params = { competition_id: 'x' };
  for (const id of ['askToJoin', 'withdrawJoinRequest', 'listJoinRequests']) {
    const body = id === 'askToJoin' ? { body: {} } : {};
    t.match(await house.ask(id, { agentId, params, ...body }), { status: 400 }, id);
  }
  t.match(await house.about('listJoinRequests', { query: 'limit=0' }), { status: 422 });
  t.match(await house.ask('listOwnJoinRequests', { agentId, query: 'limit=0' }), { status: 422 });
  t.match(await house.about('askToJoin', { agentId, body: { display_name: 'x' } }), { status: 422 });
});

await t.test('a request can be declined or withdrawn, and a bot does not insist', async (t) => {
  const house = await openHouse({ join_requests: true });
  const [ada, bob] = await house.agents(2);
  await ask(house, ada!);
  t.match(await answer(house, 'decline', ada!), { status: 200, body: { status: 'declined', answered_at: /^\d/ } });
  t.match(await ask(house, ada!), refused(409, 'The organizer has declined your request'));
  t.match(await answer(house, 'accept', ada!), refused(409, 'The join request is declined'));
  await ask(house, bob!);
  t.match(await withdraw(house, bob!), { status: 200, body: { agent_id: bob, status: 'withdrawn' } });
  t.match(await withdraw(house, bob!), refused(409, 'The join request is withdrawn'));
  t.match(await answer(house, 'accept', bob!), refused(409, 'The join request is withdrawn'));
  house.now += 9 * MINUTE;
  const soon = await ask(house, bob!);
  t.match(soon, refused(429, 'You have asked to join this competition a moment ago'));
  t.equal(soon.headers['retry-after'], '60');
  house.now += MINUTE;
  t.match(await ask(house, bob!), { status: 201 });
  t.match(await withdraw(house, await house.agent()), refused(404, 'Join request not found'));
  t.match(await answer(house, 'decline', await house.agent()), refused(404, 'Join request not found'));
  t.match(await answer(house, 'accept', randomUUID()), refused(404, 'Join request not found'));
  // A declined bot may still be invited, and that settles nothing twice.
  t.match(await house.accept(ada!, (await house.link(1)).token), { status: 200 });
  t.match(await house.accept(bob!, (await house.link(1)).token), { status: 200 });
  const states = (await list(house)).requests.map(({ agent_id, status }) => [agent_id, status]);
  t.same(new Map(states as [string, string][]), new Map([[ada, 'declined'], [bob, 'accepted']])); // prettier-ignore
});

await t.test('requests only while the competition takes people, and takes requests', async (t) => {
  const deadline = new Date(Date.now() + DAY / 2);
  const house = await openHouse({ join_requests: true, enrollment_deadline: deadline });
  const [early, late] = await house.agents(2);
  await ask(house, early!);
  t.match(await ask(house, late!, null, 'first'), { status: 201 });
  t.match(await ask(house, late!, null, 'first'), { status: 201 }, 'a repetition');
  await withdraw(house, late!);
  house.now += 11 * MINUTE;
  t.match(await ask(house, late!, 'Another', 'first'), refused(409, 'Idempotency-Key was used with another request'));
  for (const state of [
    'enrollment_closed',
    'active',
    'paused',
    'ending',
    'results_pending',
    'finalized',
    'cancelled',
  ]) {
    await house.enter(state);
    t.match(await ask(house, late!), refused(409, `Cannot ask to join: the competition is ${state}`));
    t.match(await answer(house, 'accept', early!), refused(409, 'The join request is lapsed'), state);
    t.match(await answer(house, 'decline', early!), refused(409, 'The join request is lapsed'), state);
    t.match(await own(house, early!), { requests: [{ status: 'lapsed' }] });
    t.match(await list(house, 'status=lapsed'), { total: 1, requests: [{ agent_id: early, status: 'lapsed' }] });
    t.same((await list(house, 'status=open')).requests, []);
  }
  await house.enter('draft');
  t.match(await ask(house, late!), refused(404, 'Competition not found'));
  await house.enter('enrolling');
  const { now } = house;
  house.now = deadline.getTime();
  t.match(await ask(house, late!), refused(409, 'Cannot ask to join: the competition is enrollment_closed'));
  house.now = now;
  await house.sql`update competitions set join_requests = false`;
  t.match(await ask(house, late!), refused(409, 'This competition takes no requests to join'));
  t.match(await answer(house, 'accept', early!), { status: 200 }, 'those that are there can be answered');
  t.match(await house.ask('askToJoin', { agentId: late!, params: { competition_id: randomUUID() }, body: {} }), {
    status: 404,
  });
});

await t.test('banned, unverified and removed bots, and taken names', async (t) => {
  const house = await openHouse({ join_requests: true });
  t.match(await ask(house, await house.agent({ verified: false })), refused(403, /^email_not_verified/));
  t.match(await ask(house, await house.agent(), 'Agent Poker'), refused(409, 'Display name is reserved'));
  t.match(await ask(house, await house.agent(), 'x'.repeat(65)), { status: 422 });

  const [first, second, third, banned, changed] = await house.agents(5);
  const WIDEST = 'W'.repeat(32);
  t.match(await ask(house, first!, WIDEST), { status: 201 });
  t.match(await ask(house, second!, WIDEST), { status: 201 }, 'a request reserves no name');
  t.match(await answer(house, 'accept', first!), { status: 200, body: { display_name: WIDEST } });
  t.match(await answer(house, 'accept', second!), refused(409, /^The name of this agent is taken/));
  t.match(await ask(house, third!, WIDEST), refused(409, 'Display name already taken in this competition'));
  const [named] = await house.sql<{ name: string }[]>`select name from agents where agent_id = ${third!}`;
  const taker = await house.agent();
  await ask(house, taker, named!.name.toUpperCase());
  t.match(await answer(house, 'accept', taker), { status: 200 });
  t.match(await ask(house, third!), refused(409, /^Your name is taken in this competition/));

  await ask(house, banned!);
  await house.sql`update agents set banned_at = now() where agent_id = ${banned!}`;
  t.match(await answer(house, 'accept', banned!), refused(409, 'This agent is banned'));
  await ask(house, changed!);
  await house.sql`update agents set email_verified_at = null where agent_id = ${changed!}`;
  t.match(await answer(house, 'accept', changed!), refused(409, 'This agent has not verified its email address'));
  t.same((await house.chips(banned!)).entries, []);

  const removed = await house.participant();
  await house.about('removeParticipant', { params: { agent_id: removed }, body: {} });
  t.match(await ask(house, removed), refused(403, /^The organizer has removed you/));
});

await t.test('organizers alone see and answer them', async (t) => {
  const house = await openHouse({ join_requests: true });
  const [asker, stranger, helper] = await house.agents(3);
  const participant = await house.participant();
  await ask(house, asker!);
  for (const [who, told] of [
    [participant, refused(403, 'Organizer only')],
    [stranger!, refused(404, 'Competition not found')],
    [asker!, refused(404, 'Competition not found')],
  ] as const) {
    t.match(await house.about('listJoinRequests', { agentId: who }), told);
    t.match(await answer(house, 'accept', asker!, who), told);
    t.match(await answer(house, 'decline', asker!, who), told);
  }
  await house.sql`
    insert into competition_co_organizers (competition_id, agent_id, place)
    values (${house.competitionId}, ${helper!}, 1)`;
  t.match(await answer(house, 'accept', asker!, helper!), { status: 200 });
  const headers = { 'idempotency-key': 'once' };
  const [again] = await house.agents(1);
  await ask(house, again!);
  t.match(await answer(house, 'decline', again!, house.organizer, headers), { status: 200 });
  t.match(await answer(house, 'decline', again!, house.organizer, headers), { status: 200 }, 'a repetition');
  t.match(
    await answer(house, 'decline', asker!, house.organizer, headers),
    refused(409, 'Idempotency-Key was used with another request'),
  );
  t.match(
    await answer(house, 'accept', asker!, house.organizer, headers),
    refused(409, 'Idempotency-Key was used with another request'),
  );
  await ask(house, stranger!);
  const keyed = { agentId: stranger!, headers };
  t.match(await house.about('withdrawJoinRequest', keyed), { status: 200 });
  t.match(await house.about('withdrawJoinRequest', keyed), { status: 200 }, 'a repetition');
});

await t.test('the cap holds, and a place is given once', async (t) => {
  const house = await openHouse({ join_requests: true, participant_cap: 2 });
  const agents = await house.agents(6);
  for (const agentId of agents) t.equal((await ask(house, agentId)).status, 201);
  const answers = await Promise.all(agents.map((agentId) => answer(house, 'accept', agentId)));
  t.same(statuses(answers), { 200: 2, 409: 4 });
  t.match(
    answers.find(({ status }) => status === 409),
    refused(409, 'The competition is full'),
  );
  t.equal(await house.count('enrolled'), 2);
  t.match(await list(house, 'status=open'), { total: 4 });
});

await t.test('two accept the same request at once, and play starts meanwhile', async (t) => {
  const house = await openHouse({ join_requests: true });
  const [ada, bob] = await house.agents(2);
  await ask(house, ada!);
  const answers = await Promise.all(Array.from({ length: 8 }, () => answer(house, 'accept', ada!)));
  t.same(statuses(answers), { 200: 1, 409: 7 });
  t.same((await house.chips(ada!)).ledger.length, 1);

  // The start holds the record: an acceptance that waits for it sees the competition that plays.
  await ask(house, bob!);
  let accepting: ReturnType<typeof answer> | null = null;
  await house.sql.begin(async (tx) => {
    await tx`select from competitions where competition_id = ${house.competitionId} for update`;
    accepting = answer(house, 'accept', bob!);
    await tx`update competitions set state = 'active', started_at = now() where competition_id = ${house.competitionId}`;
  });
  t.match(await accepting!, refused(409, 'The join request is lapsed'));
  t.same((await house.chips(bob!)).entries, []);
  const both = await Promise.all([withdraw(house, bob!), withdraw(house, bob!)]);
  t.same(statuses(both), { 200: 1, 409: 1 });
});

await t.test('one owner has five open requests in all, whatever its bots and +tags', async (t) => {
  const house = await openHouse({ join_requests: true });
  const bots = await Promise.all(Array.from({ length: 8 }, (_, n) => house.agent({ email: `Eve+${n}@evil.example` })));
  const answers = await Promise.all(bots.map((agentId) => ask(house, agentId)));
  t.same(statuses(answers), { 201: 5, 409: 3 });
  t.match(
    answers.find(({ status }) => status === 409),
    refused(409, 'Too many requests to join are open; withdraw one first'),
  );
  const asked = bots[answers.findIndex(({ status }) => status === 201)]!;
  const waiting = bots[answers.findIndex(({ status }) => status === 409)]!;
  await withdraw(house, asked);
  t.match(await ask(house, waiting), { status: 201 });
  // Requests of a competition that takes nobody any more do not count.
  await house.sql`update competitions set state = 'finalized'`;
  const [other] = await house.sql<{ id: string }[]>`
    insert into pools (pool_id, kind) values (gen_random_uuid(), 'competition') returning pool_id as id`;
  await house.sql`
    insert into competitions ${house.sql({
      ...(await house.sql`select * from competitions where competition_id = ${house.competitionId}`)[0]!,
      competition_id: other!.id,
      slug: 'another-cup',
      state: 'enrolling',
    })}`;
  const there = { params: { competition_id: other!.id }, agentId: bots[0]!, body: {} };
  t.match(await house.ask('askToJoin', there), { status: 201 });
});

await t.test('a flood from one mail domain keeps out nobody else', async (t) => {
  const house = await openHouse({ join_requests: true, participant_cap: 2000 });
  const flood = await Promise.all(
    Array.from({ length: 201 }, (_, n) => house.agent({ email: `bot${n}@evil.example` })),
  );
  for (const agentId of flood.slice(0, 200)) {
    house.now++;
    t.equal((await ask(house, agentId)).status, 201);
  }
  const full = await ask(house, flood[200]!);
  t.match(full, refused(429, /^Too many requests to join this competition are open/));
  t.equal(full.headers['retry-after'], '3600');
  const honest = await house.agents(3);
  for (const agentId of honest) {
    house.now++;
    t.match(await ask(house, agentId), { status: 201 });
  }
  t.match(await list(house, 'status=open'), { total: 200 });
  t.match(await list(house, 'status=lapsed'), {
    total: 3,
    requests: flood.slice(0, 3).map((agent_id) => ({ agent_id })),
  });
  t.match((await audited(house)).at(-1), { actor: honest[2], detail: { displaced: flood[2] } });
  const last = await list(house, 'status=open&offset=197&limit=3');
  t.same(
    last.requests.map(({ agent_id }) => agent_id),
    honest,
    'the honest ones stand at the end of the list',
  );
  t.match(await answer(house, 'accept', honest[0]!), { status: 200 });
});
