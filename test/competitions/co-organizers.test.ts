/** Co-organizers over HTTP: what they may, what they may not, and that it ends at once. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { wakeServer } from '../../src/admin/queries.js';
import { MAX_CO_ORGANIZERS } from '../../src/protocol/rest/co-organizers.js';
import { transaction } from '../../src/store/database.js';
import { takePart } from '../support/competition-house.js';
import { stopCluster } from '../support/database.js';
import { eventually, FILE_MS } from '../support/limits.js';
import { TestPlatform, type Account, type Answer } from '../support/platform.js';
import { untilWaiting } from '../support/locks.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const platform = await TestPlatform.shared(t);
const sql = platform.sql!;
const refused = (status: number, detail: string) => ({ status, body: { detail } });
const NOT_FOUND = refused(404, 'Competition not found');
const ORGANIZER_ONLY = refused(403, 'Organizer only');
const NOT_FOR_CO = refused(403, 'For the organizer alone, not for co-organizers');

/** A competition with its organizer, a co-organizer, a participant and a stranger. */
class Cup {
  private constructor(
    readonly id: string,
    readonly olga: Account,
    readonly carl: Account,
    readonly paul: Account,
    readonly sam: Account,
  ) {}

  static async open(): Promise<Cup> {
    const [olga, carl, paul, sam] = await Promise.all(
      ['olga', 'carl', 'paul', 'sam'].map((name) => platform.register(name)),
    );
    const body = { name: 'Autumn cup', ends_at: new Date(Date.now() + 3_600_000).toISOString() };
    const made = await platform.api('POST', '/api/competitions', { key: olga!.key, body });
    const cup = new Cup((made.body as { competition_id: string }).competition_id, olga!, carl!, paul!, sam!);
    await takePart(sql, cup.id, paul!.agentId, 5000);
    return cup;
  }

  ask(who: Account, method: string, path = '', body?: object, headers: Record<string, string> = {}): Promise<Answer> {
    const more = body === undefined ? {} : { body };
    return platform.api(method, `/api/competitions/${this.id}${path}`, { key: who.key, headers, ...more });
  }

  add(who: Account, body: object, headers: Record<string, string> = {}): Promise<Answer> {
    return this.ask(who, 'POST', '/co-organizers', body, headers);
  }

  remove(who: Account, { agentId }: { agentId: string }): Promise<Answer> {
    return this.ask(who, 'DELETE', `/co-organizers/${agentId}`);
  }
}

/** As the operator's command does it. */
async function ban({ agentId, key }: Account): Promise<void> {
  await sql`update agents set banned_at = now() where agent_id = ${agentId}`;
  await wakeServer(sql);
  await eventually('the ban', async () => (await platform.api('GET', '/api/me', { key })).status === 401);
}

/** Powers of organizers alone: method, path, body, and the success. */
const POWERS: readonly [method: string, path: string, body: object | undefined, status: number][] = [
  ['PATCH', '', { name: 'Winter cup' }, 200],
  ['POST', '/open-enrollment', undefined, 200],
  ['POST', '/invitations', { emails: ['ada@example.net'] }, 201],
  ['GET', '/invitations', undefined, 200],
  ['POST', '/invite-links', { max_uses: 2 }, 201],
  ['GET', '/invite-links', undefined, 200],
  ['GET', '/audit', undefined, 200],
  ['GET', '/co-organizers', undefined, 200],
  ['POST', '/enroll', { display_name: 'The second house' }, 200],
  ['POST', '/close-enrollment', undefined, 200],
  ['POST', '/start', undefined, 200],
  ['POST', '/pause', undefined, 200],
  ['POST', '/resume', undefined, 200],
  ['GET', '/leaderboard', undefined, 200],
  ['POST', '/end', undefined, 200],
];

await t.test('does what the organizer does, from the draft to the end, and each step bears its name', async (t) => {
  const cup = await Cup.open();
  const { olga, carl, paul, sam, id } = cup;
  for (const [method, path, body] of POWERS) {
    t.match(await cup.ask(carl, method, path, body), NOT_FOUND, `${method} ${path} before`);
    if (path !== '/leaderboard')
      t.match(await cup.ask(paul, method, path, body), ORGANIZER_ONLY, `${path} of a player`);
  }
  const added = await cup.add(olga, { name: carl.name.toUpperCase() });
  t.match(added, { status: 201, body: { competition_id: id, agent_id: carl.agentId, name: carl.name } });
  t.match(await cup.ask(carl, 'GET'), { body: { is_organizer: false, is_co_organizer: true, participation: null } });
  t.match(await cup.ask(olga, 'GET'), { body: { is_organizer: true, is_co_organizer: false } });
  const { body: own } = await platform.api('GET', '/api/competitions', { key: carl.key });
  t.match(own, { total: 1, competitions: [{ competition_id: id, is_co_organizer: true }] }, 'it is in the own list');

  for (const [method, path, body, status] of POWERS) {
    t.match(await cup.ask(carl, method, path, body), { status }, `${method} ${path}`);
  }
  await eventually('the results', async () => (await cup.ask(carl, 'GET', '/results')).status === 200);
  const { body: people } = await cup.ask(paul, 'GET', '/participants');
  t.match(people, {
    participants: [
      { agent_id: paul.agentId, is_organizer: false, is_co_organizer: false },
      { agent_id: carl.agentId, is_organizer: false, is_co_organizer: true },
    ],
  });
  const change = { reason: 'two bots of one owner' };
  const out = await cup.ask(carl, 'POST', `/participants/${paul.agentId}/disqualify`, change);
  t.match(out, { status: 200, body: { status: 'disqualified', ...change } });
  t.match(await cup.ask(carl, 'GET', '/results.csv'), { status: 200 });
  t.match(await cup.ask(carl, 'POST', '/finalize'), { status: 200, body: { status: 'finalized' } });
  t.match(await cup.ask(sam, 'GET'), NOT_FOUND, 'a stranger stays one');

  const { body: log } = await cup.ask(olga, 'GET', '/audit?limit=100');
  const { entries } = log as { entries: { actor: string; action: string; detail: object }[] };
  t.match(
    entries.find(({ action }) => action === 'addCoOrganizer'),
    { actor: olga.agentId, detail: { agent_id: carl.agentId, name: carl.name } },
  );
  for (const action of ['updateCompetition', 'startCompetition', 'invitePeople', 'finalizeCompetition']) {
    t.equal(entries.find((entry) => entry.action === action)?.actor, carl.agentId, action);
  }
});

await t.test('names nobody, removes nobody, and is no judge of the organizer', async (t) => {
  const cup = await Cup.open();
  const { olga, carl, paul, sam } = cup;
  await cup.add(olga, { agent_id: carl.agentId });
  await cup.add(olga, { agent_id: paul.agentId });
  t.match(await cup.add(carl, { agent_id: sam.agentId }), NOT_FOR_CO);
  t.match(await cup.remove(carl, paul), NOT_FOR_CO);
  t.match(await cup.remove(carl, olga), NOT_FOR_CO);
  t.match(await cup.remove(olga, olga), refused(404, 'Co-organizer not found'), 'nor does the organizer end itself');
  t.match(await cup.ask(carl, 'GET', '/co-organizers'), {
    status: 200,
    body: { maximum: 10, co_organizers: [{ agent_id: carl.agentId }, { agent_id: paul.agentId, name: paul.name }] },
  });
  t.match(await cup.add(sam, { agent_id: sam.agentId }), NOT_FOUND);
  t.match(await cup.remove(sam, carl), NOT_FOUND);
  t.match(await cup.remove(sam, sam), NOT_FOUND);
  t.match(await cup.ask(sam, 'GET', '/co-organizers'), NOT_FOUND);
  t.match(await cup.remove(paul, paul), { status: 200, body: { agent_id: paul.agentId } }, 'who has enough steps down');
  for (const told of [
    await cup.add(paul, { agent_id: sam.agentId }),
    await cup.remove(paul, carl),
    await cup.remove(paul, paul),
    await cup.ask(paul, 'GET', '/co-organizers'),
  ]) {
    t.match(told, ORGANIZER_ONLY, 'and is a participant again');
  }
});

await t.test('loses it at once: also what waits for its turn already', async (t) => {
  const cup = await Cup.open();
  const { olga, carl } = cup;
  await cup.add(olga, { name: carl.name });
  t.match(await cup.remove(olga, carl), { status: 200, body: { name: carl.name } });
  for (const [method, path, body] of POWERS) {
    t.match(await cup.ask(carl, method, path, body), NOT_FOUND, `${method} ${path}`);
  }
  t.match(await cup.remove(olga, carl), refused(404, 'Co-organizer not found'));

  await cup.add(olga, { name: carl.name });
  let late: Promise<Answer> | undefined;
  await transaction(sql, async (tx) => {
    await tx`select from competitions where competition_id = ${cup.id} for update`;
    late = cup.ask(carl, 'PATCH', '', { name: 'My cup' });
    await untilWaiting(sql, 1, '%competitions%');
    await tx`delete from competition_co_organizers where competition_id = ${cup.id}`;
  });
  t.match(await late!, NOT_FOUND);
  t.match(await cup.ask(olga, 'GET'), { body: { name: 'Autumn cup' } });
});

await t.test('who is banned is no co-organizer; a banned organizer leaves the others to go on', async (t) => {
  const cup = await Cup.open();
  const { olga, carl, sam } = cup;
  await cup.add(olga, { name: carl.name });
  const dora = await platform.register('dora');
  await cup.add(olga, { name: dora.name });
  t.match(await cup.ask(dora, 'GET', '/audit'), { status: 200 });
  await ban(dora);
  t.match(await cup.ask(dora, 'GET', '/audit'), { status: 401 });
  t.match(await cup.ask(dora, 'PATCH', '', { name: 'My cup' }), { status: 401 });
  await ban(sam);
  t.match(await cup.add(olga, { name: sam.name }), refused(409, 'This agent is banned'));
  await ban(olga);
  t.match(await cup.ask(olga, 'POST', '/cancel'), { status: 401 });
  t.match(await cup.ask(carl, 'POST', '/open-enrollment'), { status: 200 });
  t.match(await cup.add(carl, { name: 'nobody' }), NOT_FOR_CO, 'and has no more rights than before');
  t.match(await cup.ask(carl, 'POST', '/cancel'), { status: 200, body: { status: 'cancelled' } });
});

await t.test('sends no mails before its own address is known to be its own', async (t) => {
  const cup = await Cup.open();
  const { olga, carl } = cup;
  await cup.add(olga, { name: carl.name });
  const invite = () => cup.ask(carl, 'POST', '/invitations', { emails: ['ada@example.net'] });
  const verify = async ({ agentId }: Account, at: Date | null) =>
    void (await sql`update agents set email_verified_at = ${at} where agent_id = ${agentId}`);
  for (const who of [carl, olga]) {
    await verify(who, null);
    t.match(await invite(), refused(403, 'email_not_verified: verify your email address first'));
    await verify(who, new Date());
  }
  t.match(await invite(), { status: 201 });
  const own = await sql`select from mail_outbox where sender = ${olga.agentId}`;
  t.equal(own.length, 1, 'it counts as one of the organizer’s');
});

await t.test('there are ten at most, each once, racing or not; a key does its work once', async (t) => {
  const cup = await Cup.open();
  const { olga, carl } = cup;
  const others = await Promise.all(
    Array.from({ length: MAX_CO_ORGANIZERS + 2 }, (_, n) => platform.register(`co${n}`)),
  );
  const told = await Promise.all(others.map(({ agentId }) => cup.add(olga, { agent_id: agentId })));
  t.equal(told.filter(({ status }) => status === 201).length, MAX_CO_ORGANIZERS);
  for (const each of told.filter(({ status }) => status !== 201)) {
    t.match(each, refused(409, 'Too many co-organizers; remove one first'));
  }
  const inside = others[told.findIndex(({ status }) => status === 201)]!;
  t.match(await cup.add(olga, { name: inside.name }), refused(409, 'Already an organizer of this competition'));
  t.match(await cup.add(olga, { name: olga.name }), refused(409, 'Already an organizer of this competition'));
  await cup.remove(olga, inside);
  const once = { 'idempotency-key': 'once' };
  const first = await cup.add(olga, { name: carl.name }, once);
  t.equal(first.status, 201, 'a place is free again');
  t.same((await cup.add(olga, { name: carl.name }, once)).body, first.body);
  t.match(await cup.add(olga, { name: 'other' }, once), refused(409, 'Idempotency-Key was used with another request'));
  const end = ({ agentId }: Account) =>
    cup.ask(olga, 'DELETE', `/co-organizers/${agentId}`, undefined, { 'idempotency-key': 'end' });
  const ended = await end(carl);
  t.equal(ended.status, 200);
  t.same((await end(carl)).body, ended.body);
  t.match(await end(olga), refused(409, 'Idempotency-Key was used with another request'));
  await t.rejects(
    sql`insert into competition_co_organizers (competition_id, agent_id, place)
      values (${cup.id}, ${cup.sam.agentId}, ${MAX_CO_ORGANIZERS + 1})`,
    { code: '23514' },
    'the database has the bound, too',
  );
});

await t.test('what is no agent is none', async (t) => {
  const cup = await Cup.open();
  const { olga } = cup;
  t.match(await cup.add(olga, { agent_id: randomUUID() }), refused(404, 'Agent not found'));
  t.match(await cup.add(olga, { name: 'no_such_agent' }), refused(404, 'Agent not found'));
  const both = { agent_id: cup.carl.agentId, name: cup.carl.name };
  for (const body of [
    {},
    both,
    { name: 'a b' },
    { name: 'x\u0000y' },
    { agent_id: 'carl' },
    { ...both, role: 'judge' },
  ]) {
    t.match(await cup.add(olga, body), { status: 422 }, JSON.stringify(body));
  }
  for (const [method, path] of [
    ['GET', ''],
    ['POST', ''],
    ['DELETE', `/${olga.agentId}`],
  ] as const) {
    const body = method === 'POST' ? { body: { name: 'abc' } } : {};
    const told = await platform.api(method, `/api/competitions/mine/co-organizers${path}`, { key: olga.key, ...body });
    t.match(told, refused(400, 'Invalid competition_id format'));
  }
  t.match(await cup.remove(olga, { agentId: 'carl' }), refused(400, 'Invalid agent_id format'));
});
