import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { audit } from '../src/admin/audit/index.js';
import { matches } from '../src/competitions/guard.js';
import { dueStep, type Dates } from '../src/competitions/life.js';
import { COMPETITION_STATES, next, STEPS, type CompetitionState, type Step } from '../src/competitions/states.js';
import { COMPETITION_FIELDS, type FieldBounds } from '../src/protocol/rest/competition-fields.js';
import { createCompetition, updateCompetition } from '../src/protocol/rest/competitions.js';
import { competitionChecks } from '../src/admin/audit/competition-checks.js';
import { codeOf, transaction, type Queryable } from '../src/store/database.js';
import { CompetitionHouse, takePart, type CompetitionBody } from './support/competition-house.js';
import { stopCluster } from './support/database.js';
import { DatabaseGate } from './support/database-gate.js';
import { TestPlatform, type Answer } from './support/platform.js';

/** The life of competitions and their records (RULINGS §8): who may do what when, and what happens by itself. */

t.setTimeout(120_000);
t.teardown(stopCluster);

const HOUR = 3_600_000;
const CHECK_VIOLATION = '23514';
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

/** RULINGS §8, "Life". */
const LIFE: Readonly<Record<Step, readonly (readonly [CompetitionState, CompetitionState])[]>> = {
  open_enrollment: [
    ['draft', 'enrolling'],
    ['enrollment_closed', 'enrolling'],
  ],
  close_enrollment: [['enrolling', 'enrollment_closed']],
  start: [
    ['enrolling', 'active'],
    ['enrollment_closed', 'active'],
  ],
  pause: [['active', 'paused']],
  resume: [['paused', 'active']],
  end: [
    ['active', 'ending'],
    ['paused', 'ending'],
  ],
  close_play: [['ending', 'results_pending']],
  finalize: [['results_pending', 'finalized']],
  cancel: [
    ['draft', 'cancelled'],
    ['enrolling', 'cancelled'],
    ['enrollment_closed', 'cancelled'],
  ],
};

const words = (step: string) => step.replaceAll('_', ' ');

void t.test('the table of steps is the life of RULINGS: every step in every state', (t) => {
  for (const step of Object.keys(LIFE) as Step[]) {
    for (const state of COMPETITION_STATES) {
      const [, to = null] = LIFE[step].find(([from]) => from === state) ?? [];
      t.equal(next(state, step), to, `${step} of ${state}`);
    }
  }
  t.same(Object.keys(STEPS).sort(), Object.keys(LIFE).sort());
  t.end();
});

const anyDates = fc
  .record({
    state: fc.constantFrom<CompetitionState>('draft', 'enrolling', 'enrollment_closed', 'active', 'paused'),
    deadline: fc.option(fc.integer({ min: 0, max: 50 })),
    start: fc.option(fc.integer({ min: 0, max: 50 })),
    end: fc.integer({ min: 51, max: 100 }),
  })
  .map(({ state, deadline, start, end }): Dates => ({
    state,
    enrollment_deadline: deadline === null ? null : new Date(deadline),
    starts_at: start === null ? null : new Date(start),
    ends_at: new Date(end),
  }));

/** Where its dates alone lead, looked at in these moments. */
function livedThrough(dates: Dates, moments: readonly number[]): CompetitionState {
  let { state } = dates;
  for (const now of moments) {
    for (;;) {
      const due = dueStep({ ...dates, state });
      if (due === null || due.at > now) break;
      const to = next(state, due.step);
      if (to === null) throw new Error(`${due.step} is due in ${state}`);
      state = to;
    }
  }
  return state;
}

void t.test('a date brings about only what the state allows, whenever somebody looks', (t) => {
  fc.assert(
    fc.property(
      anyDates,
      fc.array(fc.integer({ min: 0, max: 100 })),
      fc.integer({ min: 0, max: 100 }),
      (dates, looks, end) => {
        const often = [...looks.filter((at) => at <= end).sort((a, b) => a - b), end];
        return livedThrough(dates, often) === livedThrough(dates, [end]);
      },
    ),
    { numRuns: 2000 },
  );
  t.end();
});

void t.test('an If-Match fits the version, however proxies and people write it', (t) => {
  for (const fits of [undefined, '*', '"3"', 'W/"3"', '3', '"2", "3"', ' "3" ']) t.ok(matches(fits, 3), String(fits));
  for (const stale of ['"2"', 'W/"2"', '"33"', '', '"', '"2", "4"', '"*"']) t.notOk(matches(stale, 3), stale);
  t.end();
});

// The bounds have one home.

const numbers = Object.entries(COMPETITION_FIELDS).filter(([, { type }]) => type === 'integer') as [
  string,
  FieldBounds & { minimum: number; maximum: number; default: number },
][];
const texts = Object.entries(COMPETITION_FIELDS).filter(([, { type }]) => type === 'string') as [
  string,
  FieldBounds & { maximum: number },
][];

void t.test('schemas, metadata and SQL know the same bounds and defaults', async (t) => {
  const house = await CompetitionHouse.open(t);
  const { body: metadata } = await house.ask('getCompetitionMetadata');
  t.match(metadata, {
    fields: COMPETITION_FIELDS,
    statuses: COMPETITION_STATES,
    competitions_at_once: 20,
    competitions_a_day: 50,
  });
  const { transitions } = metadata as { transitions: { step: Step; from: CompetitionState[]; to: CompetitionState }[] };
  for (const { step, from, to } of transitions)
    t.same(
      from.map((each) => [each, to]),
      LIFE[step],
      step,
    );

  const schemas = createCompetition.body.properties as unknown as Record<string, Record<string, unknown>>;
  t.same(Object.keys(schemas), Object.keys(COMPETITION_FIELDS));
  t.same(Object.keys(updateCompetition.body.properties), Object.keys(COMPETITION_FIELDS));
  for (const [name, { minimum, maximum, default: byDefault }] of numbers) {
    t.match(schemas[name], { minimum, maximum, default: byDefault }, name);
  }

  const organizer = await house.agent();
  const { competition_id: id, ...record } = await house.created(organizer);
  for (const [name, { default: byDefault }] of Object.entries(COMPETITION_FIELDS)) {
    if (name !== 'name' && name !== 'ends_at') t.equal(record[name as keyof typeof record], byDefault, name);
  }
  const store = (values: Record<string, unknown>) =>
    house.sql`update competitions set ${house.sql(values)} where competition_id = ${id}`.then(() => null, codeOf);
  /** What has to move along for a value to fit the others. */
  const around = (name: string, value: number) => ({
    ...(name === 'big_blind' ? { minimum_buy_in: 1_000_000, default_buy_in: 1_000_000, small_blind: 1 } : {}),
    ...(name === 'small_blind' ? { minimum_buy_in: 1_000_000, default_buy_in: 1_000_000, big_blind: 200_000 } : {}),
    ...(name.endsWith('buy_in') ? { minimum_buy_in: Math.min(20, value), default_buy_in: 20 + value / 2 } : {}),
    ...(name === 'starting_chips' ? { minimum_buy_in: 20 } : { starting_chips: 1_000_000 }),
    ...(name === 'max_rebuys' ? { rebuys_enabled: value > 0 } : {}),
    maximum_buy_in: 1_000_000,
  });
  for (const [name, { minimum, maximum }] of numbers) {
    for (const value of [minimum, maximum]) {
      const all = { ...around(name, value), [name]: value };
      if (name.endsWith('buy_in')) Object.assign(all, { minimum_buy_in: 20, default_buy_in: 20, [name]: value });
      if (name === 'minimum_buy_in') Object.assign(all, { default_buy_in: value });
      t.equal(await store(all), null, `${name} may be ${value}`);
    }
    for (const value of [minimum - 1, maximum + 1]) {
      t.equal(await store({ [name]: value }), CHECK_VIOLATION, `${name} may not be ${value}`);
    }
  }
  for (const [name, { maximum }] of texts) {
    t.equal(await store({ [name]: 'x'.repeat(maximum) }), null, `${name} of ${maximum} characters`);
    t.equal(await store({ [name]: 'x'.repeat(maximum + 1) }), CHECK_VIOLATION, `${name} of one more`);
  }
});

void t.test('what does not fit is refused, field by field', async (t) => {
  const house = await CompetitionHouse.open(t, { env: { COMPETITIONS_AT_ONCE: '1000', COMPETITIONS_A_DAY: '1000' } });
  const organizer = await house.agent();
  const { competition_id: id } = await house.created(organizer);
  const cases: [why: string, body: Record<string, unknown>, field: string][] = [
    ['an unknown key', { colour: 'red' }, 'colour'],
    ['blinds upside down', { small_blind: 20, big_blind: 10 }, 'big_blind'],
    ['a buy-in below the blind', { big_blind: 2000 }, 'minimum_buy_in'],
    ['nobody could buy in', { starting_chips: 500 }, 'minimum_buy_in'],
    ['a default buy-in out of range', { default_buy_in: 6000 }, 'default_buy_in'],
    ['a range upside down', { maximum_buy_in: 900 }, 'maximum_buy_in'],
    ['rebuys without a number', { rebuys_enabled: true }, 'max_rebuys'],
    ['a number without rebuys', { max_rebuys: 3 }, 'max_rebuys'],
    ['a rebuy that does not buy in', { rebuys_enabled: true, max_rebuys: 1, minimum_buy_in: 1500 }, 'rebuy_chips'],
    ['a deadline after the start', { enrollment_deadline: house.in(3), starts_at: house.in(2) }, 'enrollment_deadline'],
    ['a deadline after the end', { enrollment_deadline: house.in(25) }, 'enrollment_deadline'],
    ['an end before the start', { starts_at: house.in(24) }, 'ends_at'],
    ['a start in the past', { starts_at: house.in(-1) }, 'starts_at'],
    ['an end in the past', { ends_at: house.in(-1) }, 'ends_at'],
    ['no date at all', { ends_at: 'tomorrow' }, 'ends_at'],
    ['a date that is none', { ends_at: '2027-02-30T00:00:00Z' }, 'ends_at'],
    ['a date without its zone', { ends_at: '2027-02-03T00:00:00' }, 'ends_at'],
    ['no time zone', { display_timezone: 'Atlantis/Poseidonis' }, 'display_timezone'],
    ['a blank name', { name: '     ' }, 'name'],
    ['control characters', { name: 'Autumn\u0000cup' }, 'name'],
    ['a line break in a name', { organization_name: 'a\nb' }, 'organization_name'],
    ['letters of many code points', { name: '👩‍👩‍👧‍👧'.repeat(40) }, 'name'],
    ...numbers.flatMap(([name, { minimum, maximum }]): [string, Record<string, unknown>, string][] => [
      [`${name} too low`, { [name]: minimum - 1 }, name],
      [`${name} too high`, { [name]: maximum + 1 }, name],
      [`half a ${name}`, { [name]: minimum + 0.5 }, name],
    ]),
    ...texts.map(([name, { maximum }]): [string, Record<string, unknown>, string] => [
      `${name} too long`,
      { [name]: 'x'.repeat(maximum + 1) },
      name,
    ]),
  ];
  for (const [why, body, field] of cases) {
    const refused = { status: 422, body: { detail: [{ loc: ['body', field], msg: String, type: String }] } };
    t.match(await house.create(organizer, body), refused, `create: ${why}`);
    t.match(await house.update(id, organizer, body), refused, `update: ${why}`);
  }
  t.match(await house.create(organizer, { name: undefined }), { status: 422 }, 'a name is needed');
  t.equal((await house.history(id)).length, 1, 'nothing of it was done');
  const { version } = await house.steps(id, organizer, 'openEnrollment');
  t.equal(version, 2);
});

void t.test('a draft is what was asked for, and changes by what is given alone', async (t) => {
  const house = await CompetitionHouse.open(t);
  const organizer = await house.agent();
  const asked = {
    ...{ name: 'Ünïcode Cup ♠', organization_name: 'Ada & Co', description: 'One\nTwo', reward_description: 'A cup' },
    ...{ display_timezone: 'Europe/Berlin', participant_cap: 12, starting_chips: 8000, minimum_buy_in: 500 },
    ...{ default_buy_in: 1000, maximum_buy_in: 4000, small_blind: 5, big_blind: 10, max_players: 4, minimum_hands: 30 },
    ...{ rebuys_enabled: true, max_rebuys: 3, rebuy_chips: 2000, rebuy_score_penalty: 700, rebuy_cooldown_seconds: 60 },
    duplicate: true,
  };
  const dates = { enrollment_deadline: house.in(1), starts_at: house.in(2), ends_at: house.in(5) };
  const created = await house.created(organizer, { ...asked, ...dates });
  t.match(created, { ...asked, status: 'draft', version: 1, is_organizer: true, participation: null });
  for (const [name, at] of Object.entries(dates)) t.equal(+new Date(String(created[name as 'ends_at'])), +new Date(at));
  t.match(created.slug, /^unicode-cup-[0-9a-f]{10}$/);
  const id = created.competition_id;
  t.match(house.pools.of(id), { state: 'draft', max_players: 4, duplicate: true, deck_secret: /^[0-9a-f]{64}$/ });
  t.notMatch(JSON.stringify(created), house.pools.of(id)!.deck_secret, 'the secret of the decks stays here');

  const cleared = { organization_name: null, description: null, reward_description: null, starts_at: null };
  const { body: changed, headers } = await house.update(id, organizer, { ...cleared, rebuys_enabled: false });
  t.match(changed, { ...cleared, rebuys_enabled: false, max_rebuys: 0, rebuy_chips: 2000, version: 2 });
  t.equal(headers.etag, '"2"');
  const { body: same } = await house.update(id, organizer, { max_players: 4 });
  t.equal((same as CompetitionBody).version, 2, 'nothing has changed');
  t.same(
    (await house.history(id)).map(({ action }) => action),
    ['createCompetition', 'updateCompetition'],
  );
  t.equal(house.pools.of(id)?.rebuys_enabled, false, 'play knows');
});

void t.test('each field may change until its time is over', async (t) => {
  const house = await CompetitionHouse.open(t);
  const organizer = await house.agent();
  const { competition_id: id } = await house.created(organizer, { starts_at: house.in(5) });
  const change = async (body: object) => (await house.update(id, organizer, body)).status;
  const all = async (expected: { rule: number; date: number; end: number; text: number }, when: string) => {
    const n = await house.history(id);
    t.equal(await change({ big_blind: 20 + n.length }), expected.rule, `a rule when ${when}`);
    t.equal(await change({ starts_at: house.in(6 + n.length / 60) }), expected.date, `the start when ${when}`);
    t.equal(await change({ participant_cap: 30 + n.length }), expected.date, `the cap when ${when}`);
    t.equal(await change({ ends_at: house.in(10 + n.length / 60) }), expected.end, `the end when ${when}`);
    t.equal(await change({ description: `now ${n.length}` }), expected.text, `a text when ${when}`);
  };
  await all({ rule: 200, date: 200, end: 200, text: 200 }, 'it is a draft');
  await house.steps(id, organizer, 'openEnrollment');
  await all({ rule: 200, date: 200, end: 200, text: 200 }, 'nobody has enrolled');
  for (let n = 0; n < 3; n++) await house.join(id, await house.agent());
  await all({ rule: 409, date: 200, end: 200, text: 200 }, 'somebody has enrolled');
  t.match(await house.update(id, organizer, { big_blind: 500 }), {
    body: { detail: 'The rules of play cannot change any more: somebody has accepted them' },
  });
  t.match(await house.update(id, organizer, { participant_cap: 2 }), { status: 422 }, 'three are enrolled');
  await house.steps(id, organizer, 'startCompetition');
  await all({ rule: 409, date: 409, end: 200, text: 200 }, 'it is played');
  await house.steps(id, organizer, 'endCompetition');
  await house.untilState(id, 'results_pending');
  await all({ rule: 409, date: 409, end: 409, text: 200 }, 'it is over');
  await house.steps(id, organizer, 'finalizeCompetition');
  await all({ rule: 409, date: 409, end: 409, text: 409 }, 'it is final');
  t.match(await house.update(id, organizer, { name: 'Another cup' }), {
    body: { detail: 'Cannot change name: the competition is finalized' },
  });
  t.same((await audit(house.sql)).problems, []);
});

void t.test('a key does its work once, a stale version nothing', async (t) => {
  const house = await CompetitionHouse.open(t);
  const organizer = await house.agent();
  const key = { 'idempotency-key': 'once' };
  const [first, second] = await Promise.all([house.create(organizer, {}, key), house.create(organizer, {}, key)]);
  t.same(first, second, 'also at the same moment');
  const id = (first.body as CompetitionBody).competition_id;
  t.match(await house.create(organizer, { name: 'Another cup' }, key), { status: 409 });

  const fresh = { 'if-match': '"1"', ...key };
  const opened = await house.step(id, organizer, 'openEnrollment', fresh);
  t.match(opened, { status: 200, body: { status: 'enrolling', version: 2 }, headers: { etag: '"2"' } });
  t.same(await house.step(id, organizer, 'openEnrollment', fresh), opened, 'a repetition, though its version is old');
  const { competition_id: other } = await house.created(organizer, { name: 'Another cup' });
  t.match(await house.step(other, organizer, 'openEnrollment', key), { status: 409 }, 'the key was for another one');
  for (const operation of ['closeEnrollment', 'startCompetition', 'cancelCompetition']) {
    t.match(await house.step(id, organizer, operation, { 'if-match': '"1"' }), { status: 412 }, operation);
  }
  t.match(await house.update(id, organizer, { name: 'Late cup' }, { 'if-match': '"1"' }), { status: 412 });
  t.match(await house.update(id, organizer, { name: 'Next cup' }, { 'if-match': '"2"' }), {
    status: 200,
    body: { name: 'Next cup', version: 3 },
  });
  // Of many who saw the same version one wins.
  const racing = Array.from({ length: 8 }, (_, n) =>
    house.update(id, organizer, { name: `Cup of ${n}` }, { 'if-match': '"3"' }),
  );
  const statuses = (await Promise.all(racing)).map(({ status }) => status);
  t.same(statuses.sort(), [200, ...Array.from({ length: 7 }, () => 412)]);
});

void t.test('an organizer has so many alive, and makes so many a day', async (t) => {
  const house = await CompetitionHouse.open(t, { env: { COMPETITIONS_AT_ONCE: '3', COMPETITIONS_A_DAY: '5' } });
  const organizer = await house.agent();
  const made = await Promise.all(Array.from({ length: 10 }, () => house.create(organizer)));
  t.equal(made.filter(({ status }) => status === 201).length, 3);
  t.match(
    made.find(({ status }) => status === 409),
    {
      body: { detail: 'Too many competitions at once; finalize or cancel one first' },
    },
  );
  const ids = made.flatMap(({ status, body }) => (status === 201 ? [(body as CompetitionBody).competition_id] : []));
  for (const id of ids) await house.steps(id, organizer, 'cancelCompetition');
  await house.pass(1);
  await house.created(organizer);
  await house.created(organizer);
  const refused = await house.create(organizer);
  t.match(refused, { status: 429, body: { detail: 'Too many competitions created in 24 hours' } });
  t.equal(refused.headers['retry-after'], String(23 * 3600));
  t.match(await house.create(await house.agent()), { status: 201 }, 'another one may');
  await house.pass(23);
  await house.created(organizer);
});

// What happens by itself.

/** Its dates, in hours from now. */
const SCHEDULE = (house: CompetitionHouse) => ({
  enrollment_deadline: house.in(1),
  starts_at: house.in(2),
  ends_at: house.in(3),
});

const LIFE_BY_DATES = ['closeEnrollment', 'startCompetition', 'endCompetition', 'closePlay'];

void t.test('deadline, start and end come by themselves, each at its moment', async (t) => {
  const house = await CompetitionHouse.open(t);
  const organizer = await house.agent();
  const { competition_id: id } = await house.created(organizer, SCHEDULE(house));
  await house.steps(id, organizer, 'openEnrollment');
  await house.join(id, organizer);
  await house.pass(0.99);
  t.equal(await house.stateOf(id), 'enrolling', 'not before its time');
  await house.pass(0.02);
  await house.untilState(id, 'enrollment_closed');
  await house.pass(1);
  await house.untilState(id, 'active');
  await house.floor.until(({ call, poolId }) => call === 'resumePool' && poolId === id);
  t.equal(house.pools.of(id)?.state, 'active');
  await house.pass(1);
  await house.untilState(id, 'results_pending');
  const calls = house.floor.calls.filter(({ poolId }) => poolId === id);
  t.match(calls.at(-1), { call: 'closePool', reason: 'competition_ended', voidHands: true }, 'hands are void');
  const done = (await house.history(id)).slice(2);
  t.same(
    done,
    LIFE_BY_DATES.map((action) => ({ action, actor: 'system' })),
  );
  const { body } = await house.ask('getCompetition', { agentId: organizer, params: { competition_id: id } });
  const { started_at, ended_at } = body as CompetitionBody;
  t.equal(+new Date(ended_at!) - +new Date(started_at!), HOUR);
  const [row] = await house.sql`select final_rank, final_score from competition_participants`;
  t.match(row, { final_rank: 1, final_score: 5000 }, 'the standings are taken down');
  t.same((await audit(house.sql)).problems, []);
});

void t.test('what was due while no server ran happens when one does, in order, once, whoever looks', async (t) => {
  const first = await CompetitionHouse.open(t);
  const organizer = await first.agent();
  const made = [];
  for (let n = 0; n < 3; n++) made.push(await first.created(organizer, SCHEDULE(first)));
  const [played, paused, forgotten] = made.map((each) => each.competition_id) as [string, string, string];
  await first.steps(played, organizer, 'openEnrollment');
  await first.steps(paused, organizer, 'openEnrollment', 'startCompetition', 'pauseCompetition');
  first.stop();
  await first.pass(2.5);
  t.equal(await first.stateOf(played), 'enrolling', 'nobody is there');

  const { clock, address } = first;
  const [second, third] = await Promise.all([
    CompetitionHouse.open(t, { address, clock }),
    CompetitionHouse.open(t, { address, clock }),
  ]);
  t.equal(await second.stateOf(played), 'active');
  t.match(second.floor.calls, [{ call: 'windDown', poolId: paused }], 'what pauses deals no hands');
  await clock.advance(HOUR);
  for (const id of [played, paused]) await third.untilState(id, 'results_pending');
  await third.untilState(forgotten, 'cancelled');
  t.same(
    (await second.history(played)).slice(2),
    LIFE_BY_DATES.map((action) => ({ action, actor: 'system' })),
  );
  const { version } = second.pools.of(played)!;
  t.equal(version, 6, 'each step was taken once');
});

void t.test('a competition that was ending when the server went goes on ending', async (t) => {
  const first = await CompetitionHouse.open(t);
  const organizer = await first.agent();
  const { competition_id: id } = await first.created(organizer);
  await first.steps(id, organizer, 'openEnrollment', 'startCompetition');
  first.floor.closing = new Promise(() => undefined);
  await first.steps(id, organizer, 'endCompetition');
  await first.floor.until(({ call }) => call === 'closePool');
  t.match(first.floor.calls.at(-1), { voidHands: false }, 'hands in progress are played out');
  first.stop();
  t.equal(await first.stateOf(id), 'ending');
  const second = await CompetitionHouse.open(t, { address: first.address, clock: first.clock });
  await second.untilState(id, 'results_pending');
});

void t.test('an end that takes too long is hurried at the end date', async (t) => {
  const house = await CompetitionHouse.open(t);
  const organizer = await house.agent();
  const { competition_id: id } = await house.created(organizer);
  await house.steps(id, organizer, 'openEnrollment', 'startCompetition');
  let closed: () => void = () => undefined;
  house.floor.closing = new Promise((resolve) => (closed = resolve));
  await house.steps(id, organizer, 'endCompetition');
  await house.floor.until(({ call, voidHands }) => call === 'closePool' && voidHands === false);
  await house.pass(23);
  t.equal(await house.stateOf(id), 'ending');
  await house.pass(1);
  await house.floor.until(({ call, voidHands }) => call === 'closePool' && voidHands === true);
  closed();
  await house.untilState(id, 'results_pending');
  t.equal(house.floor.calls.filter(({ call }) => call === 'closePool').length, 2);
});

void t.test('while somebody is still seated the end waits', async (t) => {
  const house = await CompetitionHouse.open(t);
  const organizer = await house.agent();
  const { competition_id: id } = await house.created(organizer);
  await house.steps(id, organizer, 'openEnrollment');
  await house.join(id, organizer);
  await house.steps(id, organizer, 'startCompetition');
  const table = randomUUID();
  await house.sql`insert into tables (table_id, pool_id, shard_no, seq_reserved) values (${table}, ${id}, 0, 0)`;
  await house.sql`
    update entries set table_id = ${table}, seat_no = 0, sitting = ${randomUUID()} where pool_id = ${id}`;
  await house.steps(id, organizer, 'endCompetition');
  while (!house.log.includes('a competition waits for seats')) await house.clock.advance(0);
  t.equal(await house.stateOf(id), 'ending');
  await house.sql`update entries set table_id = null, seat_no = null, sitting = null where pool_id = ${id}`;
  await house.clock.advance(5000);
  await house.untilState(id, 'results_pending');
});

void t.test('a database that is away delays what is due, and loses none of it', async (t) => {
  const there = await CompetitionHouse.open(t);
  const gate = await DatabaseGate.open(t, there.address);
  const { clock } = there;
  const house = await CompetitionHouse.open(t, { address: gate.address, clock });
  const organizer = await there.agent();
  const { competition_id: id } = await house.created(organizer, SCHEDULE(house));
  const { competition_id: other } = await house.created(organizer);
  await house.steps(id, organizer, 'openEnrollment');
  await house.steps(other, organizer, 'openEnrollment', 'startCompetition');
  there.stop();
  await gate.cut();
  await t.rejects(house.step(other, organizer, 'pauseCompetition'), 'the organizer hears of it');
  await clock.advance(1.5 * HOUR);
  while (!house.log.includes('the database is away: competitions wait')) await clock.advance(0);
  // What the organizer was not told of may have happened.
  await there.sql`update competitions set state = 'paused', version = version + 1 where competition_id = ${other}`;
  await gate.mend();
  await there.untilState(id, 'enrollment_closed');
  await house.floor.until(({ call, poolId }) => call === 'windDown' && poolId === other);
  t.equal(house.pools.of(other)?.state, 'paused');
});

void t.test('the tables follow the state that holds, in whatever order they hear of it', async (t) => {
  const house = await CompetitionHouse.open(t);
  const organizer = await house.agent();
  const { competition_id: id } = await house.created(organizer);
  await house.steps(id, organizer, 'openEnrollment', 'startCompetition');
  await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      house.step(id, organizer, n % 2 === 0 ? 'pauseCompetition' : 'resumeCompetition'),
    ),
  );
  const state = await house.stateOf(id);
  t.equal(house.pools.of(id)?.state, state);
  const told = house.floor.calls.filter(({ poolId }) => poolId === id).at(-1);
  t.equal(told?.call, state === 'active' ? 'resumePool' : 'windDown');
  // Who waits for one that is called off is turned away.
  const { competition_id: off } = await house.created(organizer);
  await house.steps(off, organizer, 'openEnrollment', 'cancelCompetition');
  t.match(house.floor.calls.at(-1), { call: 'closePool', poolId: off });
  t.equal(house.pools.of(off), undefined);
});

void t.test('enrollment does not open for a date that has passed', async (t) => {
  const house = await CompetitionHouse.open(t);
  const organizer = await house.agent();
  const { competition_id: id } = await house.created(organizer, { enrollment_deadline: house.in(1) });
  await house.steps(id, organizer, 'openEnrollment');
  await house.pass(2);
  await house.untilState(id, 'enrollment_closed');
  t.match(await house.step(id, organizer, 'openEnrollment'), {
    status: 409,
    body: { detail: 'Cannot open enrollment: enrollment_deadline or starts_at has passed; move it first' },
  });
  await house.update(id, organizer, { enrollment_deadline: house.in(1) });
  await house.steps(id, organizer, 'openEnrollment');
  await house.pass(2);
  await house.untilState(id, 'enrollment_closed');
  const { competition_id: moved } = await house.created(organizer, { starts_at: house.in(1) });
  await house.steps(moved, organizer, 'openEnrollment');
  await house.update(moved, organizer, { starts_at: house.in(2) });
  await house.pass(1.5);
  t.equal(await house.stateOf(moved), 'enrolling', 'a start that was moved waits for its new time');
  await house.pass(1);
  await house.untilState(moved, 'active');
});

// Over HTTP.

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
    // What is ending stays so, since somebody is seated there.
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
