/** The time of dates: readings of the database's clock, and clocks that jump or differ. */
import fc from 'fast-check';
import t from 'tap';
import { clockOf } from '../../src/lobby/index.js';
import { DatabaseClock } from '../../src/store/node/database-clock.js';
import { SEED } from '../support/seed.js';

const DAY = 86_400_000;
const RENEWAL = 1700;
const START = 1_800_000_000_000;

/** A machine and a database with clocks that can be set. */
class World {
  steady = 5000;
  /** The difference of the wall clocks to the steady clock. */
  wall = START;
  database = START;
  readonly said: { level: string; detail: Record<string, number>; message: string }[] = [];
  readonly clock = new DatabaseClock(
    {
      error: (detail, message) => this.said.push({ level: 'error', detail: { ...detail }, message }),
      info: (detail, message) => this.said.push({ level: 'info', detail: { ...detail }, message }),
    },
    { steady: () => this.steady, wall: () => this.wall + this.steady },
  );

  read(roundMs = 10): void {
    const asked = this.clock.asking();
    this.steady += roundMs / 2;
    const time = this.database + this.steady;
    this.steady += roundMs / 2;
    this.clock.read(time, asked);
  }

  /** Renews the lease for this time. */
  pass(ms: number): void {
    for (const end = this.steady + ms; this.steady < end; this.steady += RENEWAL) this.read();
  }

  get ahead(): number {
    return this.clock.now() - START - this.steady;
  }
}

void t.test('clocks that agree are certain from the first reading on, and say nothing', async (t) => {
  const world = new World();
  world.pass(10 * 60_000);
  t.same([world.clock.certain, world.said], [true, []]);
});

void t.test(
  'a machine whose clock is 20 days ahead for 5 s: dates are as they were, and nothing is done',
  async (t) => {
    const world = new World();
    world.pass(10_000);
    world.wall += 20 * DAY;
    world.read();
    t.equal(world.clock.certain, false);
    t.equal(Math.round(world.ahead), 0, 'dates do not follow');
    t.match(world.said, [
      { level: 'error', detail: { own_jumped_seconds: 1_728_000, database_ahead_seconds: -1_728_000 } },
    ]);
    world.pass(5000);
    world.wall -= 20 * DAY;
    world.read();
    t.match(world.said.at(-1), {
      level: 'error',
      detail: { own_jumped_seconds: -1_728_000, database_ahead_seconds: 0 },
    });
    world.pass(58_000);
    t.equal(world.clock.certain, false, 'not within the minute');
    world.pass(5000);
    t.equal(world.clock.certain, true);
    t.match(world.said.at(-1), { level: 'info', message: /agree again/ });
    t.equal(world.said.length, 3, 'each once');
  },
);

void t.test(
  'both clocks jump, as alone with the embedded database: the course is kept until a minute agrees',
  async (t) => {
    const world = new World();
    world.pass(10_000);
    for (const clock of ['wall', 'database'] as const) world[clock] += 20 * DAY;
    world.read();
    t.match(world.said, [
      { level: 'error', detail: { database_jumped_seconds: 1_728_000 }, message: /^a clock has jumped: / },
    ]);
    t.equal(Math.round(world.ahead), 0);
    world.pass(70_000);
    t.same([world.clock.certain, Math.round(world.ahead / DAY)], [true, 20], 'then the clock holds, whatever it says');
    t.match(world.said.at(-1), { detail: { moved_seconds: 1_728_000 } });
  },
);

void t.test(
  'clocks that differ from the start: the database has the date, after a minute, and it is said again',
  async (t) => {
    const world = new World();
    world.wall -= 3 * DAY;
    world.read();
    t.match(world.said, [
      { level: 'error', detail: { database_ahead_seconds: 259_200 }, message: /^the clocks differ: / },
    ]);
    t.same([world.clock.certain, Math.round(world.ahead)], [false, 0]);
    world.pass(65_000);
    t.equal(world.clock.certain, true);
    world.pass(3_700_000);
    t.same(world.said.map(({ level }) => level), ['error', 'info', 'error'], 'once an hour'); // prettier-ignore
  },
);

void t.test('slow answers move the clock by no more than they leave open, and drift is followed', (t) => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 1700 }), { minLength: 1, maxLength: 50 }), (rounds) => {
      const world = new World();
      world.read();
      for (const round of rounds) {
        world.database += 2;
        world.read(round);
        world.steady += RENEWAL;
      }
      const off = world.clock.now() - (world.database + world.steady);
      return world.clock.certain && Math.abs(off) <= 2 * rounds.length + 10;
    }),
    { seed: SEED },
  );
  t.end();
});

void t.test('what waits for a date waits until the clock is certain of it, and can be taken back', async (t) => {
  const dates = { time: 0, now: () => dates.time, certain: false };
  const clock = clockOf(dates);
  // The clock's own timers keep no process alive.
  const keepAlive = setInterval(() => undefined, 1000);
  const done = new Promise<void>((resolve) => clock.at(-1, resolve));
  const cancel = clock.at(-1, () => t.fail('it was taken back'));
  cancel();
  const early = await Promise.race([done.then(() => 'ran'), new Promise((resolve) => clock.after(50, () => resolve('waits')))]); // prettier-ignore
  t.equal(early, 'waits');
  dates.certain = true;
  await done;
  clearInterval(keepAlive);
});
