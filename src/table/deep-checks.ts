import { assert, assertWhole } from '../ops/assert.js';
import type { TableCore } from './core.js';
import type { Seat } from './seats/seat.js';

/**
 * Invariants of a table after each call. It passes over all seats, so it runs only with DEEP_CHECKS: in the simulator
 * and in tests.
 */
export function assertTable({ seats, play, numbers, rules }: TableCore): void {
  assertSeats(seats.all, seats.present);
  for (let index = 0; index < seats.size; index++)
    assert(seats.reservedBy(index) === null || seats.all[index] === null, 'a reserved seat is free', index);
  assert(numbers.handId === (play.inHand ? play.handId : null), 'numbers belong to the hand in play', play.handId);
  assert((play.phase === 'betting') === (play.turnToken !== ''), 'a turn is open during a hand', play.phase);
  assert((play.turnDeadline === Infinity) === (play.turnToken === ''), 'an open turn has an end', play.turnDeadline);
  if (rules.maxStack !== null)
    for (const { stack, excess } of seats.present) assert(excess <= stack, 'a stack covers its excess', excess);
  if (play.inHand) assertHand({ seats, play });
}

/** Each player sits once, where its seat says, and has whole chips. */
function assertSeats(all: readonly (Seat | null)[], present: readonly Seat[]): void {
  let before = -1;
  for (const seat of present) {
    assert(seat.index > before, 'seats are listed in order', seat.index);
    before = seat.index;
    assert(all[seat.index] === seat, 'a seat is listed where it is', seat.index);
    assertWhole(seat.stack, 'a stack');
    assertWhole(seat.excess, 'an excess');
  }
  assert(present.length === all.filter((seat) => seat !== null).length, 'all seats are listed', present.length);
  assert(new Set(present.map(({ player }) => player.agentId)).size === present.length, 'an agent has one seat');
  assert(new Set(present.map(({ sitting }) => sitting)).size === present.length, 'a stay has one seat');
}

/** The players of the hand keep their seats and their settled stacks. Chips move between stacks and bets alone. */
function assertHand({ seats, play }: Pick<TableCore, 'seats' | 'play'>): void {
  const { hand, players } = play;
  let [before, inFront, putIn] = [0, 0, 0];
  for (const { seat: index, agentId } of players) {
    const seat = seats.all[index] ?? null;
    assert(seat !== null && play.seats[index] === seat, 'a player keeps its seat until the hand is stored', index);
    assert(seat.player.agentId === agentId, 'a player of the hand is the one that was dealt in', agentId);
    assert(seat.stack === hand.setup.stacks[index], 'a settled stack changes with the result', index);
    assertWhole(hand.stack[index]!, 'a stack in a hand');
    before += seat.stack;
    inFront += hand.stack[index]!;
    putIn += hand.committed[index]!;
  }
  assert(inFront + putIn === before, 'a hand conserves the chips of its players', inFront + putIn - before);
  const { actor } = play;
  if (play.phase === 'betting') assert(actor?.staying === true, 'the turn is of a player that stays', actor?.index);
}
