/** The plan of seats, as properties: sound in whatever situation, and at rest in the end. */
import * as fc from 'fast-check';
import t from 'tap';
import { matchmake } from '../../src/lobby/matching/matchmake.js';
import type { OpenTable } from '../../src/lobby/matching/plan.js';
import { FILE_MS } from '../support/limits.js';
import { World } from '../support/lobby-world.js';
import { groups, joins, planAt, rules, sits, situation, table } from '../support/match-situations.js';

t.setTimeout(FILE_MS);

const owners = ['ann', 'bob', 'cid', 'dan'].map((name) => [`mail ${name}`]);
const anyone = fc.record({
  pro: fc.boolean(),
  house: fc.boolean(),
  connected: fc.boolean(),
  owner: fc.constantFrom(...owners, []),
  pace: fc.constantFrom(null, 0, 1, 2),
});

/** All waits for similar players or for held seats are over. */
const LONG_AGO = -5000;

const anySituation = fc
  .record({
    waiting: fc.array(anyone, { maxLength: 20 }),
    tables: fc.array(fc.record({ players: fc.array(anyone, { maxLength: 6 }), leaving: fc.nat(3) }), { maxLength: 6 }),
    returning: fc.nat(2),
    shards: fc.nat(2),
  })
  .map(({ waiting, tables, returning, shards }) =>
    situation({
      waiting: waiting.map((one, i) => joins(`w${i}`, { ...one, since: LONG_AGO, owner: one.house ? [] : one.owner })),
      tables: tables.map(({ players, leaving }, i) =>
        table(
          `t${i}`,
          players.map((one, seat) => sits(`t${i}s${seat}`, one)),
          { leaving: Math.min(leaving, 6 - players.length) },
        ),
      ),
      returning,
      shards: Array.from({ length: shards + 1 }, (_, shard) => ({ shard, players: shard })),
    }),
  );

void t.test('whatever the situation, a plan is sound and leaves nobody waiting for nothing', (t) => {
  fc.assert(
    fc.property(anySituation, fc.boolean(), (given, separateOwners) => {
      const plan = matchmake(given, { ...rules, separateOwners });
      const placed = [...plan.sit.map(({ agentId }) => agentId), ...groups(plan).flat()];
      if (new Set(placed).size !== placed.length) throw new Error('somebody is seated twice');

      for (const { tableId, players, leaving } of given.tables) {
        const coming = plan.sit.filter((sit) => sit.tableId === tableId).length;
        if (players.length + leaving + coming > 6) throw new Error(`${tableId} is over-full`);
        if (coming > 0 && plan.close.includes(tableId)) throw new Error(`${tableId} is filled and closed`);
      }
      for (const group of groups(plan)) {
        if (group.length < 2 || group.length > 6) throw new Error(`a new table of ${group.length}`);
      }

      const left = given.waiting.filter(({ agentId, house }) => !house && !placed.includes(agentId));
      if (left.length > 1) throw new Error('two wait though they are partners');
      const open = given.tables.some(({ tableId, players, leaving }) => {
        const coming = plan.sit.filter((sit) => sit.tableId === tableId).length;
        return players.length > 0 && players.length + leaving + coming < 6;
      });
      const short = groups(plan).some((group) => group.length < 6);
      if (left.length > 0 && (open || short)) throw new Error('somebody waits beside an open seat');
    }),
    { numRuns: 2000 },
  );
  t.pass('2000 situations');
  t.end();
});

void t.test('whatever the situation, a table that plays is closed only for one that is no worse', (t) => {
  const connected = ({ players }: OpenTable) => players.filter((player) => player.connected).length;
  let closed = 0;
  fc.assert(
    fc.property(anySituation, (given) => {
      const { close } = planAt(9000, { ...given, waiting: [], returning: 0 });
      const stay = given.tables.filter(({ tableId, players }) => players.length > 0 && !close.includes(tableId));
      for (const each of given.tables.filter((each) => close.includes(each.tableId) && connected(each) >= 2)) {
        closed++;
        if (!stay.some((other) => connected(other) >= Math.min(2, other.players.length))) {
          throw new Error(`${each.tableId} is closed for one where nobody plays`);
        }
      }
    }),
    { numRuns: 2000 },
  );
  t.ok(closed > 0, 'some are closed');
  t.end();
});

void t.test('in a living lobby nobody starves, and no two short tables that fit one stay for ever', (t) => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('join' as const), owner: fc.nat(5), pro: fc.boolean() }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('leave' as const), pick: fc.nat(1000) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('drop' as const), pick: fc.nat(1000) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(5000) }) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), fc.boolean(), fc.nat(3), (steps, separateOwners, house) => {
      const world = new World({ ...rules, separateOwners });
      for (let i = 0; i < house; i++) world.join(`house${i}`, { house: true });
      let agents = 0;
      for (const each of steps) {
        if (each.kind === 'join') {
          world.join(`a${agents++}`, { pro: each.pro, owner: each.owner === 0 ? [] : [`mail ${each.owner}`] });
        } else if (each.kind === 'wait') world.wait(each.ms);
        else world.lose(each.pick, each.kind === 'drop');
      }
      // Holds run out after 120 s; every merge takes a grace.
      world.wait(300_000);
      world.checkAtRest();
    }),
    { numRuns: 500 },
  );
  t.pass('500 lobbies');
  t.end();
});
