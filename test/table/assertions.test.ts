/** Calls against the promises of a table throw AssertionFailed, and change no chips. */
import t from 'tap';
import { assert, AssertionFailed, assertWhole } from '../../src/ops/assert.js';
import { Numbering } from '../../src/table/numbering.js';
import { Seat } from '../../src/table/seats/seat.js';
import { Seats } from '../../src/table/seats/seats.js';
import { HandInPlay } from '../../src/table/hand/hand-in-play.js';
import { assertTable } from '../../src/table/deep-checks.js';
import { TableCore } from '../../src/table/core.js';
import { Outbox } from '../../src/table/outbox.js';
import { RiggedRandom } from '../../src/doctor/server/private-server.js';
import { FILE_MS } from '../support/limits.js';
import { TableDriver } from '../support/table-driver.js';
import { RULES } from '../support/table-rules.js';

t.setTimeout(FILE_MS);

const player = (name: string) => ({
  agentId: name,
  name,
  avatarUrl: null,
  publicProfileSlug: null,
  isPro: false,
  isHouse: false,
  autoRebuy: false,
});
const seatOf = (name: string, seat: number, stack = 100) =>
  new Seat({ sitting: `stay of ${name}`, seat, stack, player: player(name) }, 0);

void t.test('what was found is told', (t) => {
  t.doesNotThrow(() => assert(true, 'nothing'));
  t.throws(() => assert(false, 'a stack covers its excess', -5), { message: 'a stack covers its excess: -5' });
  for (const value of [-1, 0.5, NaN, 2 ** 53]) t.throws(() => assertWhole(value, 'a stack'), AssertionFailed);
  t.doesNotThrow(() => assertWhole(0, 'a stack'));
  t.end();
});

void t.test('a seat has one player, and a player one seat', (t) => {
  const seats = new Seats(6);
  seats.put(seatOf('ada', 0));
  t.throws(() => seats.put(seatOf('bob', 0)), AssertionFailed);
  t.throws(() => seats.put(seatOf('ada', 1)), AssertionFailed);
  seats.reserve('stay of cyd');
  t.throws(() => seats.put(seatOf('bob', 1)), AssertionFailed, 'the seat is kept for another');
  seats.put(seatOf('cyd', 1));
  t.equal(seats.occupied, 2);
  t.end();
});

void t.test('a stay ends once', (t) => {
  const seat = seatOf('ada', 0);
  t.throws(() => seat.cashOut(), AssertionFailed);
  seat.release('left');
  t.throws(() => seat.leave('left'), AssertionFailed);
  t.throws(() => seat.release('left'), AssertionFailed);
  seat.cashOut();
  t.throws(() => seatOf('bob', 1, -1), AssertionFailed);
  t.end();
});

void t.test('hands are numbered and played one after the other', (t) => {
  const numbers = new Numbering(0);
  t.throws(() => numbers.endHand(), AssertionFailed);
  numbers.beginHand('one');
  t.throws(() => numbers.beginHand('two'), AssertionFailed);
  const play = new HandInPlay();
  t.throws(() => play.end(), AssertionFailed);
  t.throws(() => play.begin('one', 1, 0, [seatOf('ada', 0)]), AssertionFailed, 'one player makes no hand');
  play.begin('one', 1, 0, [seatOf('ada', 0), seatOf('bob', 1)]);
  play.openTurn('token', 0, { ms: 10, bankMs: null });
  t.throws(() => play.openTurn('another', 0, { ms: 10, bankMs: null }), AssertionFailed);
  t.throws(() => play.store(1), AssertionFailed, 'a turn is open');
  t.end();
});

void t.test('a buy-in without a reserved seat is no player', (t) => {
  const { driver } = TableDriver.headsUp();
  const stay = { sitting: 'unreserved', seat: 4, stack: 100, player: player('cyd') };
  t.throws(() => driver.table.sit(driver.now, stay, 9), { name: 'AssertionFailed' });
  t.equal(driver.table.seatOf('cyd'), null);
  t.end();
});

void t.test('the dear checks find a seat that lost chips, and one that is listed twice', (t) => {
  const opening = { tableId: 'table', poolId: 'pool', handNumber: 0, button: -1, bigBlindSeat: -1, seqFloor: 0 };
  const core = new TableCore(
    { ...opening, rules: RULES, sittings: [] },
    { random: new RiggedRandom(1), out: new Outbox() },
  );
  core.seats.put(seatOf('ada', 0));
  t.doesNotThrow(() => assertTable(core));
  core.seats.present[0]!.stack = -1;
  t.throws(() => assertTable(core), { message: 'a stack is -1' });
  core.seats.present[0]!.stack = 1;
  core.seats.present = [...core.seats.present, ...core.seats.present];
  t.throws(() => assertTable(core), AssertionFailed);
  t.end();
});
