/**
 * Participants that leave: withdrawals, removals, disqualifications and the ranks afterwards; rights to see and change
 * them.
 */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { FILE_MS } from '../support/limits.js';
import { PeopleHouse, refused } from '../support/people-house.js';

t.setTimeout(FILE_MS);

const openHouse = await PeopleHouse.host(t);

await t.test('who leaves gives up its seat, may come back, and has its chips once', async (t) => {
  const house = await openHouse();
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
const LIFE = [
  'draft',
  'enrolling',
  'enrollment_closed',
  'active',
  'paused',
  'ending',
  'results_pending',
  'finalized',
  'cancelled',
] as const;
// prettier-ignore
const open = ['enrolling', 'enrollment_closed', 'active', 'paused'];
const ALLOWED = {
  withdraw: { from: ['enrolled'], to: 'withdrawn', during: open },
  remove: { from: ['enrolled'], to: 'removed', during: open },
  disqualify: { from: ['enrolled'], to: 'disqualified', during: ['active', 'paused', 'ending', 'results_pending'] },
  restore: { from: ['removed', 'disqualified'], to: 'enrolled', during: [...open, 'ending', 'results_pending'] },
} as const;

await t.test('each change of a part, from each state and at each time of life', async (t) => {
  const house = await openHouse();
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
  const house = await openHouse();
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
  const house = await openHouse();
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
  const house = await openHouse();
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
  const house = await openHouse();
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
  const house = await openHouse();
  const [ada, bob] = [await house.participant(), await house.participant()];
  const table = randomUUID();
  await house.sql`
    insert into tables (table_id, pool_id, shard_no, seq_reserved) values (${table}, ${house.competitionId}, 0, 1)`;
  for (const [seat, agentId] of [ada, bob].entries()) {
    await house.sql`
      update entries set table_id = ${table}, seat_no = ${seat}, sitting = gen_random_uuid() where agent_id = ${agentId}`;
  }
  await house.sql`update competition_participants set state = 'removed' where agent_id = ${bob}`;
  await house.people.dismissOutsiders();
  t.same(house.dismissed, [`${bob} ${house.competitionId}`]);
});
