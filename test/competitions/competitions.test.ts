/** Competitions over HTTP: who may do what when, and the audit that knows whether their books are right. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { audit } from '../../src/admin/audit/index.js';
import { matches } from '../../src/competitions/guard.js';
import { COMPETITION_STATES, next, type CompetitionState, type Step } from '../../src/competitions/states.js';
import { competitionChecks } from '../../src/admin/audit/competition-checks.js';
import { transaction, type Queryable } from '../../src/store/database.js';
import { CompetitionHouse, takePart, type CompetitionBody } from '../support/competition-house.js';
import { stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { TestPlatform, type Answer } from '../support/platform.js';
import { HOUR } from '../support/competition-life.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);
const NOBODY = '00000000-0000-4000-8000-000000000000';

/** The endpoints of the steps that organizers may take. */
const PATHS = {
  open_enrollment: 'open-enrollment',
  close_enrollment: 'close-enrollment',
  start: 'start',
  pause: 'pause',
  resume: 'resume',
  end: 'end',
  cancel: 'cancel',
  finalize: 'finalize',
} as const satisfies Partial<Record<Step, string>>;
type AskedStep = keyof typeof PATHS;
const ASKED = Object.keys(PATHS) as AskedStep[];

const words = (step: string) => step.replaceAll('_', ' ');

void t.test('an If-Match fits the version, however proxies and people write it', (t) => {
  for (const fits of [undefined, '*', '"3"', 'W/"3"', '3', '"2", "3"', ' "3" ']) t.ok(matches(fits, 3), String(fits));
  for (const stale of ['"2"', 'W/"2"', '"33"', '', '"', '"2", "4"', '"*"']) t.notOk(matches(stale, 3), stale);
  t.end();
});

void t.test('over HTTP', async (t) => {
  const platform = await TestPlatform.start(t, { ACTION_TIMEOUT_MS: 1000 });
  const sql = platform.sql!;
  const inHours = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();
  const create = (key: string, body: object = {}) =>
    platform.api('POST', '/api/competitions', { key, body: { name: 'Autumn cup', ends_at: inHours(5), ...body } });
  const post = (id: string, path: string, key: string, headers: Record<string, string> = {}): Promise<Answer> =>
    platform.api('POST', `/api/competitions/${id}/${path}`, { key, headers });
  const idOf = ({ body }: Answer) => (body as CompetitionBody).competition_id;

  await t.test('each step in each state: it leads on, or 409 says where it is', async (t) => {
    const organizers = new Map<CompetitionState, { key: string; agentId: string; ids: Map<string, string> }>();
    for (const state of COMPETITION_STATES) {
      const { key, agentId } = await platform.register('org');
      const ids = new Map<string, string>();
      for (const each of ['stays', ...ASKED.filter((step) => next(state, step) !== null)]) {
        ids.set(each, idOf(await create(key)));
      }
      organizers.set(state, { key, agentId, ids });
    }
    // The ending one stays so, since a player is seated there.
    const ending = organizers.get('ending')!;
    const [table, seated] = [randomUUID(), ending.ids.get('stays')!];
    await sql`insert into tables (table_id, pool_id, shard_no, status, seq_reserved)
      values (${table}, ${seated}, 0, 'closed', 0)`;
    await sql`insert into entries (pool_id, agent_id, table_id, seat_no, sitting)
      values (${seated}, ${ending.agentId}, ${table}, 0, ${randomUUID()})`;
    for (const [state, { ids }] of organizers) {
      await sql`update competitions set state = ${state} where competition_id in ${sql([...ids.values()])}`;
    }
    for (const [state, { key, ids }] of organizers) {
      for (const step of ASKED.filter((each) => next(state, each) === null)) {
        const answer = await post(ids.get('stays')!, PATHS[step], key);
        const detail = `Cannot ${words(step)}: the competition is ${state}`;
        t.match(answer, { status: 409, body: { detail } }, `${step} of ${state}`);
      }
    }
    for (const [state, { key, ids }] of organizers) {
      for (const step of ASKED.filter((each) => next(state, each) !== null)) {
        const answer = await post(ids.get(step)!, PATHS[step], key);
        t.match(answer, { status: 200, body: { status: next(state, step) } }, `${step} of ${state}`);
        t.equal(answer.headers.get('etag'), '"2"');
      }
    }
    await sql`delete from entries where pool_id = ${seated}`;
  });

  await t.test('who neither organizes nor takes part sees nothing; who takes part may look', async (t) => {
    const [organizer, guest, stranger] = [
      await platform.register('org'),
      await platform.register('guest'),
      await platform.register('stranger'),
    ];
    const id = idOf(await create(organizer.key));
    await takePart(sql, id, guest.agentId, 5000);
    const calls: [method: string, path: string, body?: object][] = [
      ['PATCH', '', { name: 'My cup' }],
      ...ASKED.map((step): [string, string] => ['POST', `/${PATHS[step]}`]),
      ['GET', '/audit'],
    ];
    for (const [method, path, body] of calls) {
      const ask = (who: { key: string }, competition = id) =>
        platform.api(method, `/api/competitions/${competition}${path}`, { key: who.key, ...(body && { body }) });
      t.match(await ask(stranger), { status: 404, body: { detail: 'Competition not found' } }, `${method} ${path}`);
      t.match(await ask(organizer, NOBODY), { status: 404 });
      t.match(await ask(organizer, 'mine'), { status: 400, body: { detail: 'Invalid competition_id format' } });
      t.match(await ask(guest), { status: 403, body: { detail: 'Organizer only' } });
      if (method === 'GET') continue;
      const stale = { key: organizer.key, headers: { 'if-match': '"7"' }, ...(body && { body }) };
      t.match(await platform.api(method, `/api/competitions/${id}${path}`, stale), { status: 412 });
    }
    const see = (who: { key: string }, path = `/${id}`) => platform.api('GET', `/api/competitions${path}`, who);
    t.match(await see(organizer), { status: 200, body: { is_organizer: true, participation: null } });
    t.match(await see(guest), { status: 200, body: { is_organizer: false, participation: 'enrolled' } });
    t.match(await see(stranger), { status: 404, body: { detail: 'Competition not found' } });
    t.match(await see(stranger, '/mine'), { status: 400 });
    t.match(await see(guest, ''), { body: { total: 1, competitions: [{ competition_id: id, participant_count: 1 }] } });
    t.match(await see(stranger, ''), { status: 200, body: { competitions: [], total: 0, limit: 50, offset: 0 } });
    t.match(await see(guest, '?status=draft'), { body: { total: 1 } });
    t.match(await see(guest, '?status=active'), { body: { competitions: [], total: 0 } });
    t.match(await see(guest, `?status=${'x'.repeat(33)}`), { status: 422 });
    t.match(await see(guest, '?limit=101'), { status: 422 });
    t.match(await see(organizer, `/${id}/audit?limit=0`), { status: 422 });
    t.match(await platform.api('GET', '/api/competitions/metadata'), { status: 200 });
  });

  await t.test('a whole life leaves its trace: in the list, the record and the audit', async (t) => {
    const { key } = await platform.register('org');
    const dates = { enrollment_deadline: inHours(1), starts_at: inHours(2) };
    const texts = { organization_name: 'Ada', description: 'For all', reward_description: 'A cup' };
    const { body, headers } = await create(key, { ...dates, ...texts });
    const id = (body as CompetitionBody).competition_id;
    t.equal(headers.get('etag'), '"1"');
    const path = `/api/competitions/${id}`;
    const patch = { key, body: { name: 'Winter cup' }, headers: { 'if-match': '"1"', 'idempotency-key': 'p' } };
    t.match(await platform.api('PATCH', path, patch), { status: 200, body: { name: 'Winter cup', version: 2 } });
    t.match(await platform.api('PATCH', path, { ...patch, body: { name: 'X cup' } }), { status: 409 });
    for (const step of ['open_enrollment', 'start', 'pause', 'resume', 'end'] as const)
      await post(id, PATHS[step], key);
    let state = '';
    while (state !== 'results_pending') {
      const [row] = await sql<{ state: string }[]>`select state from competitions where competition_id = ${id}`;
      state = row!.state;
    }
    t.match(await post(id, 'finalize', key), { status: 200, body: { status: 'finalized' } });
    const cancelled = idOf(await create(key));
    await post(cancelled, 'cancel', key);
    for (const each of [id, cancelled]) {
      t.match(await platform.api('GET', `/api/competitions/${each}`, { key }), { status: 200 });
    }
    const list = await platform.api('GET', '/api/competitions?limit=2', { key });
    t.match(list.body, { total: 2, competitions: [{ competition_id: cancelled }, { competition_id: id }] });
    const page = await platform.api('GET', `${path}/audit?limit=3&offset=1`, { key });
    t.match(page.body, { total: 9, limit: 3, offset: 1, entries: [{ action: 'closePlay', actor: 'system' }, {}, {}] });
    t.same((await audit(sql)).problems, []);
  });
});

void t.test('the audit knows a competition whose books are right from one whose are not', async (t) => {
  const house = await CompetitionHouse.open(t);
  const organizer = await house.agent();
  const { competition_id: id } = await house.created(organizer, {
    participant_cap: 2,
    rebuys_enabled: true,
    max_rebuys: 1,
  });
  await house.steps(id, organizer, 'openEnrollment');
  await house.join(id, organizer);
  await house.join(id, await house.agent());
  const stranger = await house.agent();
  await house.steps(id, organizer, 'startCompetition', 'endCompetition');
  await house.untilState(id, 'results_pending');
  const found = async (sql: Queryable) => (await Promise.all(competitionChecks.map((check) => check.find(sql)))).flat();
  t.same(await found(house.sql), []);
  await house.sql`alter table chip_ledger disable trigger all`;
  const faults: [says: RegExp, plant: (sql: Queryable) => PromiseLike<unknown>][] = [
    [/takes part without an entry/, (sql) => sql`insert into competition_participants values (${id}, ${stranger})`],
    [
      /has an entry without taking part/,
      (sql) => sql`insert into entries (pool_id, agent_id) values (${id}, ${stranger})`,
    ],
    [/brought 0 times, 0 chips/, (sql) => sql`delete from chip_ledger where agent_id = ${organizer}`],
    [/brought 1 times, 5001 chips/, (sql) => sql`update chip_ledger set amount = amount + 1`],
    [/with 2 of 1 rebuys/, (sql) => sql`update entries set rebuys = 2`],
    [/waits for a rebuy/, (sql) => sql`update entries set rebuy_due_at = now()`],
    [/2 enrolled of 1/, (sql) => sql`alter table competitions drop constraint competitions_participant_cap_check`],
    [
      /has rank 2 and score 5000, its entry says 1 and 5000/,
      (sql) => sql`
      update competition_participants set accepted_at = 'epoch' where final_rank = 2`,
    ],
    [
      /has rank 1 and score 4999, its entry says 1 and 5000/,
      (sql) => sql`
      update competition_participants set final_score = 4999 where final_rank = 1`,
    ],
  ];
  for (const [says, plant] of faults) {
    const problems = await transaction(house.sql, async (tx) => {
      await plant(tx);
      if (/enrolled of/.test(says.source)) await tx`update competitions set participant_cap = 1`;
      throw Object.assign(new Error('planted'), { found: await found(tx) });
    }).catch((error: unknown) => (error as { found?: string[] }).found ?? [String(error)]);
    t.match(problems.join('\n'), says);
  }
});
