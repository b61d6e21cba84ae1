/**
 * The records of competitions (docs/reference/rest.md, "Competitions"): each field's values, its last time of
 * change, and the number of requests.
 */
import t from 'tap';
import { audit } from '../../src/admin/audit/index.js';
import { COMPETITION_STATES, type CompetitionState, type Step } from '../../src/competitions/states.js';
import { COMPETITION_FIELDS, type FieldBounds } from '../../src/protocol/rest/competition-fields.js';
import { createCompetition, updateCompetition } from '../../src/protocol/rest/competitions.js';
import { codeOf } from '../../src/store/database.js';
import { CompetitionHouse, type CompetitionBody } from '../support/competition-house.js';
import { stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { LIFE } from '../support/competition-life.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);
const CHECK_VIOLATION = '23514';

const numbers = Object.entries(COMPETITION_FIELDS).filter(([, { type }]) => type === 'integer') as [
  string,
  FieldBounds & { minimum: number; maximum: number; default: number | null },
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
    const schema = (schemas[name]!['anyOf'] as object[] | undefined)?.[0] ?? schemas[name];
    t.match(schema, { minimum, maximum, ...(byDefault === null ? {} : { default: byDefault }) }, name);
  }

  const organizer = await house.agent();
  const { competition_id: id, ...record } = await house.created(organizer);
  for (const [name, { default: byDefault }] of Object.entries(COMPETITION_FIELDS)) {
    if (name !== 'name' && name !== 'ends_at') t.equal(record[name as keyof typeof record], byDefault, name);
  }
  const store = (values: Record<string, unknown>) =>
    house.sql`update competitions set ${house.sql(values)} where competition_id = ${id}`.then(() => null, codeOf);
  /** Other fields that must move along for a value to fit. */
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
    name: 'Ünïcode Cup ♠',
    organization_name: 'Ada & Co',
    description: 'One\nTwo',
    reward_description: 'A cup',
    display_timezone: 'Europe/Berlin',
    participant_cap: 12,
    starting_chips: 8000,
    minimum_buy_in: 500,
    default_buy_in: 1000,
    maximum_buy_in: 4000,
    small_blind: 5,
    big_blind: 10,
    max_players: 4,
    minimum_hands: 30,
    rebuys_enabled: true,
    max_rebuys: 3,
    rebuy_chips: 2000,
    rebuy_score_penalty: 700,
    rebuy_cooldown_seconds: 60,
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
  // One of many with the same version wins.
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
