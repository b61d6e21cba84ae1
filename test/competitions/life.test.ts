/**
 * The life of competitions (docs/reference/rest.md, "Competitions"): which step leads where, and what happens by
 * itself, whatever is away meanwhile.
 */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { audit } from '../../src/admin/audit/index.js';
import { dueStep, type Dates } from '../../src/competitions/life/due-steps.js';
import { COMPETITION_STATES, next, STEPS, type CompetitionState, type Step } from '../../src/competitions/states.js';
import { CompetitionHouse, type CompetitionBody } from '../support/competition-house.js';
import { stopCluster } from '../support/database.js';
import { DatabaseGate } from '../support/database-gate.js';
import { FILE_MS } from '../support/limits.js';
import { HOUR, LIFE } from '../support/competition-life.js';
import { untilWaiting } from '../support/locks.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

void t.test('the table of steps is the life of a competition: every step in every state', (t) => {
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

// Steps that happen by themselves.

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
  await house.lobby.until(({ call, poolId }) => call === 'resumePool' && poolId === id);
  t.equal(house.pools.of(id)?.state, 'active');
  await house.pass(1);
  await house.untilState(id, 'results_pending');
  const calls = house.lobby.calls.filter(({ poolId }) => poolId === id);
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
  await first.stop();
  await first.pass(2.5);
  t.equal(await first.stateOf(played), 'enrolling', 'nobody is there');

  const { clock, address } = first;
  const [second, third] = await Promise.all([
    CompetitionHouse.open(t, { address, clock }),
    CompetitionHouse.open(t, { address, clock }),
  ]);
  t.equal(await second.stateOf(played), 'active');
  t.match(second.lobby.calls, [{ call: 'windDown', poolId: paused }], 'what pauses deals no hands');
  await clock.advance(HOUR);
  for (const id of [played, paused]) await third.untilState(id, 'results_pending');
  await third.untilState(forgotten, 'cancelled');
  t.same(
    (await second.history(played)).slice(2),
    LIFE_BY_DATES.map((action) => ({ action, actor: 'system' })),
  );
  const [stored] = await second.sql`select version from competitions where competition_id = ${played}`;
  t.equal(stored?.['version'], 6, 'each step was taken once');
});

void t.test('a competition that was ending when the server went goes on ending', async (t) => {
  const first = await CompetitionHouse.open(t);
  const organizer = await first.agent();
  const { competition_id: id } = await first.created(organizer);
  await first.steps(id, organizer, 'openEnrollment', 'startCompetition');
  first.lobby.closing = new Promise(() => undefined);
  await first.steps(id, organizer, 'endCompetition');
  await first.lobby.until(({ call }) => call === 'closePool');
  t.match(first.lobby.calls.at(-1), { voidHands: false }, 'hands in progress are played out');
  await first.stop();
  t.equal(await first.stateOf(id), 'ending');
  const second = await CompetitionHouse.open(t, { address: first.address, clock: first.clock });
  await second.untilState(id, 'results_pending');
});

void t.test('who was stopped in the middle of a look ends nothing that it sees ending', async (t) => {
  const first = await CompetitionHouse.open(t);
  const organizer = await first.agent();
  const { competition_id: id } = await first.created(organizer, SCHEDULE(first));
  await first.steps(id, organizer, 'openEnrollment', 'startCompetition');
  const looked = await first.sql.begin(async (tx) => {
    await tx`lock table competitions`;
    // The timer of its end: the look waits for the lock.
    await first.pass(3);
    await untilWaiting(first.sql);
    await first.stop();
    await tx`update competitions set state = 'ending', version = version + 1 where competition_id = ${id}`;
    return first.lobby.calls.length;
  });
  const second = await CompetitionHouse.open(t, { address: first.address, clock: first.clock });
  await second.untilState(id, 'results_pending');
  t.match(second.lobby.calls.at(-1), { call: 'closePool', poolId: id }, 'whoever runs ends it');
  t.same(first.lobby.calls.slice(looked), [], 'and nobody else');
});

void t.test('an end that takes too long is hurried at the end date', async (t) => {
  const house = await CompetitionHouse.open(t);
  const organizer = await house.agent();
  const { competition_id: id } = await house.created(organizer);
  await house.steps(id, organizer, 'openEnrollment', 'startCompetition');
  let closed: () => void = () => undefined;
  house.lobby.closing = new Promise((resolve) => (closed = resolve));
  await house.steps(id, organizer, 'endCompetition');
  await house.lobby.until(({ call, voidHands }) => call === 'closePool' && voidHands === false);
  await house.pass(23);
  t.equal(await house.stateOf(id), 'ending');
  await house.pass(1);
  await house.lobby.until(({ call, voidHands }) => call === 'closePool' && voidHands === true);
  closed();
  await house.untilState(id, 'results_pending');
  t.equal(house.lobby.calls.filter(({ call }) => call === 'closePool').length, 2);
});

void t.test('what is due by a clock that is not certain waits until it is', async (t) => {
  const house = await CompetitionHouse.open(t);
  const organizer = await house.agent();
  const { competition_id: id } = await house.created(organizer, SCHEDULE(house));
  await house.steps(id, organizer, 'openEnrollment');
  const before = await house.stateOf(id);
  house.clock.certain = false;
  await house.pass(1.01);
  t.equal(await house.stateOf(id), before, 'no step is taken');
  house.clock.certain = true;
  await house.clock.advance(1000);
  await house.untilState(id, 'enrollment_closed');
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
  while (!house.log.includes('a competition waits for seats')) {
    await house.clock.advance(1000);
    await house.sql`select`;
  }
  t.equal(await house.stateOf(id), 'ending');
  await house.sql`update entries set table_id = null, seat_no = null, sitting = null where pool_id = ${id}`;
  await house.sql`update tables set status = 'closed', closed_at = now() where table_id = ${table}`;
  while ((await house.stateOf(id)) !== 'results_pending') await house.clock.advance(1000);
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
  await there.stop();
  await gate.cut();
  await t.rejects(house.step(other, organizer, 'pauseCompetition'), 'the organizer hears of it');
  await clock.advance(1.5 * HOUR);
  while (!house.log.includes('the database is away: competitions wait')) await clock.advance(0);
  // A step that the organizer was not told of may have happened.
  await there.sql`update competitions set state = 'paused', version = version + 1 where competition_id = ${other}`;
  await gate.mend();
  await there.untilState(id, 'enrollment_closed');
  await house.lobby.until(({ call, poolId }) => call === 'windDown' && poolId === other);
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
  const told = house.lobby.calls.filter(({ poolId }) => poolId === id).at(-1);
  t.equal(told?.call, state === 'active' ? 'resumePool' : 'windDown');
  // A player that waits for a competition is turned away when it is called off.
  const { competition_id: off } = await house.created(organizer);
  await house.steps(off, organizer, 'openEnrollment', 'cancelCompetition');
  t.match(house.lobby.calls.at(-1), { call: 'closePool', poolId: off });
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
