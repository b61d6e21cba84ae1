/**
 * The TypeScript kit over the lean subprotocol: its hand at each turn is the one that the same player has over the full
 * one, worked out from what lean frames tell; also after it came back in the middle of a hand.
 */
import t from 'tap';
import type { ServerMessage } from '../../sdk/typescript/src/generated/messages.js';
import type { Hand } from '../../sdk/typescript/src/hand.js';
import { LeanReader } from '../../sdk/typescript/src/lean.js';
import { Table } from '../../sdk/typescript/src/table.js';
import { Bot } from '../../sdk/typescript/src/index.js';
import { seededRandom, uniformBelow } from '../../src/cards/shuffle.js';
import { FILE_MS } from '../support/limits.js';
import { SEED } from '../support/seed.js';
import { TableDriver } from '../support/table-driver.js';

t.setTimeout(FILE_MS);
t.comment(`SEED=${SEED}`);

/** The hands that a kit has at its turns, from the frames of one seat. */
class Follower {
  readonly hands: object[] = [];
  readonly results: unknown[] = [];
  readonly #reader = new LeanReader();
  readonly #table: Table;

  constructor(seat: number) {
    this.#table = new Table('table-1', seat);
  }

  /** What the socket has read since the last call. */
  read(frames: readonly object[]): void {
    for (const frame of frames) for (const each of this.#reader.read(frame as ServerMessage)) this.#hear(each);
  }

  #hear(message: ServerMessage): void {
    if (!('table_seq' in message) || message.type === 'action_ack') return;
    if (!this.#table.isNews(message.table_seq)) throw new Error(`${message.type} ${message.table_seq} is no news`);
    this.#table.tell(message);
    if (message.type === 'hand_result') this.results.push([message.final_stacks, message.shown_cards]);
    if (message.type !== 'your_turn') return;
    const { turn_token: token, hand_id: handId, valid_actions: actions } = message;
    this.hands.push(seenBy(this.#table.hand({ token, handId, actions, timeoutSeconds: null }, 0)));
  }
}

/** Of those who play the hand; why the server acted for somebody, lean does not tell. */
function seenBy(hand: Hand): object {
  const players = hand.players
    .filter(({ inHand, folded }) => inHand || folded)
    .map(({ seat, name, stack, bet, folded }) => ({ seat, name, stack, bet, folded }));
  const actions = hand.actions.map((action) => ({ ...action, reason: null }));
  const { handId, seat, street, hole, board, pot, pots, toCall, stack, bet, button, position, minRaise, maxRaise } =
    hand;
  return { ...{ handId, seat, street, hole, board, pot, pots, toCall, stack, bet, button, position }, minRaise, maxRaise, players, actions }; // prettier-ignore
}

/** The same game twice, once with a lean player on the first seat: what it makes of its frames each time. */
function twice(
  players: number,
  hands: number,
  seed: number,
  disturb?: (dice: () => number, drive: () => void) => void,
) {
  return [true, false].map((lean) => {
    const driver = new TableDriver({ seed });
    const clients = Array.from({ length: players }, (_, i) => driver.join(`p${i}`, 3000 + 700 * i, {}, 0, lean && i === 0)); // prettier-ignore
    const [hero] = clients;
    const follower = new Follower(0);
    const random = seededRandom(seed);
    const chance = () => uniformBelow(100, random);
    hero!.take();
    for (let n = 0; n < hands && clients.every(({ player }) => driver.table.seatOf(player.agentId) !== null); n++) {
      driver.deal();
      while (driver.table.inHand) {
        disturb?.(chance, () => hero!.connect());
        const { actor } = driver;
        const choices = actor.turn!.valid_actions.filter(({ action }) => action !== 'all_in' || chance() < 3);
        const choice = choices[chance() % choices.length]!;
        actor.act(choice.action, choice.action === 'raise' ? choice.min : null);
        follower.read(hero!.take());
      }
    }
    return follower;
  }) as [Follower, Follower];
}

await t.test('at each turn the hand is the one of the full protocol', (t) => {
  let turns = 0;
  for (let round = 0; round < 12; round++) {
    const [lean, full] = twice(2 + (round % 5), 30, SEED + round);
    t.same(lean.hands, full.hands, `${lean.hands.length} turns of ${2 + (round % 5)} players`);
    t.same(lean.results, full.results);
    turns += lean.hands.length;
  }
  t.ok(turns > 300, `${turns} turns`);
  t.end();
});

await t.test('also where another socket of it came in the middle of a hand', (t) => {
  const disturb = (chance: () => number, reconnect: () => void) => {
    if (chance() < 15) reconnect();
  };
  let turns = 0;
  for (let round = 0; round < 8; round++) {
    // A turn is told again to the new socket: each counts once.
    const last = (hands: object[]) => hands.filter((hand, i) => JSON.stringify(hand) !== JSON.stringify(hands[i + 1]));
    const [lean, full] = twice(3, 30, SEED + 50 + round, disturb);
    t.same(last(lean.hands).length > 0, true);
    t.same(last(lean.hands), last(full.hands));
    turns += lean.hands.length;
  }
  t.ok(turns > 150, `${turns} turns`);
  t.end();
});

await t.test('a turn that comes twice is told once', (t) => {
  const driver = new TableDriver({ seed: SEED });
  const clients = ['ada', 'bob', 'cyd'].map((name, i) => driver.join(name, 3000, {}, 0, i === 0));
  const [hero] = clients;
  const states = (times: number) => {
    const reader = new LeanReader();
    return frames
      .flatMap((frame) => Array.from({ length: times }, () => frame))
      .flatMap((frame) => reader.read(frame as unknown as ServerMessage))
      .filter(({ type }) => type === 'table_state')
      .map((state) => JSON.stringify(state, ['pot', 'seats', 'seat', 'stack', 'bet', 'street', 'board']));
  };
  hero!.take();
  driver.deal();
  let raises = 2;
  while (driver.table.inHand) {
    const { actor } = driver;
    const raise = actor.turn!.valid_actions.find(({ action }) => action === 'raise');
    if (raises > 0 && actor !== hero && raise !== undefined) {
      raises--;
      actor.act('raise', raise.min);
    } else actor.act(actor.turn!.valid_actions.some(({ action }) => action === 'check') ? 'check' : 'call', null);
  }
  const frames = hero!.take();
  t.ok(frames.filter(({ type }) => (type as string) === 'turn').length >= 4, 'a turn on each street at least');
  t.same([...new Set(states(2))], [...new Set(states(1))]);
  t.end();
});

await t.test('lean frames have nothing to check deals by', (t) => {
  t.throws(() => new Bot({ decide: (hand) => hand.fold(), lean: true, nonces: true }), /give lean or nonces/);
  t.end();
});
