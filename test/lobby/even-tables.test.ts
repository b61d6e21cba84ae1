/** Tables of one size, for pools that compare hands between tables. Agents come and go in any order. */
import fc from 'fast-check';
import t from 'tap';
import { duplicateNote } from '../../src/competitions/results/duplicate.js';
import type { MatchRules } from '../../src/lobby/matching/plan.js';
import { World } from '../support/lobby-world.js';

const rules: MatchRules = { seats: 6, graceMs: 3000, separateOwners: false, even: true };

function crowd(players: number, seats = 6): World {
  const world = new World({ ...rules, seats });
  for (let n = 0; n < players; n++) world.join(`a${n}`);
  world.wait(60_000);
  return world;
}

void t.test('ten who come one after another sit five and five, not six and four', (t) => {
  t.same(crowd(10).sizes, [5, 5]);
  t.end();
});

void t.test('tables are as few as hold everybody, and of one size, or two that differ by one', (t) => {
  for (let players = 2; players <= 40; players++) {
    for (const seats of [3, 4, 6]) {
      const tables = Math.ceil(players / seats);
      const small = Math.floor(players / tables);
      const expected = Array.from({ length: tables }, (_, n) => (n < players % tables ? small + 1 : small));
      // At tables of three, four are two and two.
      t.same(crowd(players, seats).sizes, expected, `${players} at tables of ${seats}`);
    }
  }
  t.end();
});

void t.test('who comes seventh does not wait for an eighth', (t) => {
  const world = crowd(6);
  t.same(world.sizes, [6]);
  world.join('late');
  t.equal(world.waiting, 1, 'the six play on for the grace');
  world.wait(2000);
  t.same(world.sizes, [6]);
  world.wait(10_000);
  t.same(world.sizes, [4, 3]);
  t.end();
});

void t.test('a table that loses players is levelled again, and nobody is moved for one of difference', (t) => {
  const world = crowd(10);
  world.lose(0, false);
  world.wait(60_000);
  t.same(world.sizes, [5, 4]);
  for (let n = 0; n < 3; n++) world.lose(0, false);
  world.wait(60_000);
  t.same(world.sizes, [6], 'as many as fit one table play at one');
  t.end();
});

void t.test('after anything tables come to rest, level', (t) => {
  const step = fc.oneof(
    { arbitrary: fc.record({ kind: fc.constant('join' as const) }), weight: 3 },
    fc.record({ kind: fc.constantFrom('leave' as const, 'drop' as const), pick: fc.nat(40) }),
    fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(100, 1000, 5000, 130_000) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.constantFrom(2, 3, 5, 6), (steps, seats) => {
      const world = new World({ ...rules, seats });
      let agents = 0;
      for (const each of steps) {
        if (each.kind === 'join') world.join(`a${agents++}`);
        else if (each.kind === 'wait') world.wait(each.ms);
        else world.lose(each.pick, each.kind === 'drop');
      }
      world.wait(300_000);
      const { sizes, waiting } = world;
      const total = sizes.reduce((sum, size) => sum + size, waiting);
      const all = total === 1 || waiting === 0 ? sizes : [...sizes, waiting];
      if (total < 2) return sizes.length === 0;
      return all.length === Math.ceil(total / seats) && Math.max(...all) - Math.min(...all) <= 1;
    }),
    { numRuns: 500 },
  );
  t.pass('500 lobbies');
  t.end();
});

void t.test('what cannot be compared is said before it is missed', (t) => {
  const note = (participant_count: number, max_players = 6) =>
    duplicateNote({ duplicate: true, participant_count, max_players });
  t.equal(note(10), null);
  t.equal(note(12), null);
  t.equal(note(0), null);
  t.match(note(6), /All 6 fit one table: nothing can be compared before a deck comes again there, after 61 hands/);
  t.match(
    note(9),
    /9 sit at 1 table of 5 and 1 table of 4: hands are compared between tables of the same size only; a/,
  );
  t.equal(
    note(22),
    '22 sit at 2 tables of 6 and 2 tables of 5: hands are compared between tables of the same size only',
  );
  t.equal(duplicateNote({ duplicate: false, participant_count: 9, max_players: 6 }), null);
  t.end();
});
