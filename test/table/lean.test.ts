/**
 * Lean sockets (protocol.md, "Lean") read a hand's start, their own turns, acknowledgements and the result. These
 * frames tell them all that other sockets learn. The other sockets read the same bytes as without lean sockets.
 */
import t from 'tap';
import { Post } from '../../src/holdem/log.js';
import { CommittedDeck } from '../../src/cards/committed-deck.js';
import { seededRandom, uniformBelow } from '../../src/cards/shuffle.js';
import { Act, Street } from '../../src/holdem/types.js';
import type { ServerMessage, ServerMessageOf } from '../../src/protocol/server.js';
import type { TableRules } from '../../src/table/api.js';
import { Deal } from '../../src/table/deal/deal.js';
import { ActionReason, OutcomeKind, type EventOfHand, type ResultEvent } from '../../src/table/events.js';
import { ByteWriter } from '../../src/table/frames/byte-writer.js';
import { Envelope, FrameType } from '../../src/table/frames/envelope.js';
import { writeBody } from '../../src/table/frames/event.js';
import { mostBytes } from '../../src/table/replay/frames.js';
import { FILE_MS } from '../support/limits.js';
import { SEED } from '../support/seed.js';
import { TableDriver, type Client } from '../support/table-driver.js';

t.setTimeout(FILE_MS);
t.comment(`SEED=${SEED}`);

const NAMES = ['ada', 'bob', 'cyd', 'dot', 'eve', 'fay'] as const;

/** A table where those of `lean` read lean frames. */
function tableOf(lean: readonly string[], rules: Partial<TableRules> = {}, names: readonly string[] = NAMES) {
  const driver = new TableDriver({ rules, seed: SEED });
  const players = names.map((name) => driver.join(name, 1_000_000, {}, 0, lean.includes(name)));
  return { driver, players };
}

/** Any allowed action but all-in, which would end the game; repeatable. */
function playHands({ driver }: { driver: TableDriver }, hands: number, seed: number): void {
  const dice = seededRandom(seed);
  for (let n = 0; n < hands; n++) {
    driver.deal();
    while (driver.table.inHand) {
      const { actor } = driver;
      const choices = actor.turn!.valid_actions.filter(({ action }) => action !== 'all_in');
      const choice = choices[uniformBelow(choices.length, dice)]!;
      actor.act(choice.action, choice.action === 'raise' ? choice.min : null);
    }
  }
}

const textsOf = ({ driver }: { driver: TableDriver }, client: Client) =>
  driver.sent.filter(({ socket }) => socket === client.socket).map(({ text }) => text);
const isOf =
  <T extends ServerMessage['type']>(...types: T[]) =>
  (message: ServerMessage): message is ServerMessageOf[T] =>
    (types as string[]).includes(message.type);

await t.test('who is not lean reads the same bytes, whoever else is', (t) => {
  for (const fairDeals of [false, true]) {
    const plain = tableOf([], { fairDeals });
    const mixed = tableOf(['bob', 'eve'], { fairDeals });
    for (const table of [plain, mixed]) playHands(table, 30, SEED);
    for (const [i, name] of NAMES.entries()) {
      if (name === 'bob' || name === 'eve') continue;
      const [texts, same] = [textsOf(mixed, mixed.players[i]!), textsOf(plain, plain.players[i]!)];
      t.ok(texts.length > 300, `${name} reads ${texts.length} frames`);
      t.equal(texts.length, same.length, 'as many');
      t.equal(texts.findIndex((text, n) => text !== same[n]), -1, 'none is another'); // prettier-ignore
    }
  }
  t.end();
});

await t.test('a lean player reads nothing but the start, its turns, acknowledgements and the result', (t) => {
  const table = tableOf(['bob']);
  const bob = table.players[1]!;
  playHands(table, 30, SEED);
  const frames = table.driver.sent.filter(({ socket }) => socket === bob.socket);
  const [first, ...rest] = frames.map(({ message }) => message.type);
  t.equal(first, 'table_joined');
  t.same([...new Set(rest)].sort(), ['ack', 'hand', 'result', 'turn']);
  const count = (type: string) => rest.filter((each) => each === type).length;
  t.same([count('hand'), count('result')], [30, 30]);
  t.equal(count('turn'), count('ack'));
  const bytes = (client: Client) => textsOf(table, client).reduce((sum, text) => sum + text.length, 0);
  t.ok(bytes(bob) < bytes(table.players[0]!) / 10, `${bytes(bob)} bytes, another reads ${bytes(table.players[0]!)}`);
  t.end();
});

await t.test('what it reads tells what others were told, in every hand', (t) => {
  for (const players of [2, 3, 6]) {
    const table = tableOf(['bob'], {}, NAMES.slice(0, players));
    playHands(table, 40, SEED + players);
    const [ada, bob] = table.players as [Client, Client];
    for (const hand of bob.inbox.filter(isOf('hand'))) {
      const own = bob.inbox.filter(isOf('turn', 'result')).filter(({ hand_id }) => hand_id === hand.hand_id);
      const others = ada.inbox.filter((message) => 'hand_id' in message && message.hand_id === hand.hand_id);
      const result = others.find(isOf('hand_result'))!;
      const lean = own.at(-1) as ServerMessageOf['result'];
      t.same(
        own.flatMap(({ actions }) => actions),
        result.actions,
        'each action once, in its order',
      );
      t.ok(own.every(({ first }, i) => first === own.slice(0, i).flatMap(({ actions }) => actions).length)); // prettier-ignore
      t.same(lean.final_stacks, result.final_stacks);
      t.same(lean.shown_cards, result.shown_cards);
      t.same(lean.winners.map(({ seat, amount }) => ({ seat, amount })), result.winners.map(({ seat, amount }) => ({ seat, amount }))); // prettier-ignore
      t.same(lean.winners.map(({ seat, payout }) => ({ seat, amount: payout })), result.payouts); // prettier-ignore
      t.same(lean.board, others.filter(isOf('community_cards')).flatMap(({ cards }) => cards)); // prettier-ignore
      const state = others.find(isOf('table_state'))!;
      const dealt = state.seats.flatMap((entry) => (entry.name !== null && entry.in_hand ? [entry] : []));
      t.same(hand.players, dealt.map(({ seat, name, stack, bet }) => ({ seat, name, stack, bet })), 'blinds posted'); // prettier-ignore
      t.equal(hand.dealer_seat, state.dealer_seat);
      for (const turn of own.slice(0, -1) as ServerMessageOf['turn'][]) {
        const asked = others.filter(isOf('table_state')).findLast(({ actor_seat, table_seq }) => actor_seat === hand.seat && table_seq < turn.table_seq)!; // prettier-ignore
        t.same([turn.pot, turn.board], [asked.pot, asked.board]);
      }
    }
  }
  t.end();
});

await t.test('cards are the own ones, and nobody else’s before they are shown', (t) => {
  const table = tableOf(['bob', 'cyd']);
  const [, bob, cyd] = table.players as [Client, Client, Client];
  table.driver.deal();
  t.not(bob.last('hand').hole_cards.join(), cyd.last('hand').hole_cards.join());
  const seat = table.driver.records.length;
  table.driver.checkDown();
  const record = table.driver.records[seat]!;
  for (const client of [bob, cyd]) {
    const own = record.players.find(({ agentId }) => agentId === client.agentId)!;
    t.equal(client.last('hand').hole_cards.length, own.hole.length);
    t.same(client.last('result').shown_cards[String(own.seat)] ?? client.last('hand').hole_cards, client.last('hand').hole_cards); // prettier-ignore
  }
  t.end();
});

await t.test('whoever comes back in a hand reads it from its beginning, and its turn again', (t) => {
  const { driver, players } = tableOf(['ada'], {}, ['ada', 'bob', 'cyd']);
  const [ada, bob] = players as [Client, Client];
  driver.deal();
  const cards = ada.last('hand').hole_cards;
  ada.act('call');
  ada.take();
  ada.connect();
  t.match(ada.take(), [{ type: 'hand', hole_cards: cards }], 'a takeover while another thinks');
  bob.act('call');
  driver.actor.act('raise', 100);
  t.match(ada.take(), [{ type: 'turn', first: 0, actions: [{ seat: 0 }, { seat: 1 }, { seat: 2 }] }]);
  ada.drop();
  driver.advance(5_000);
  ada.connect();
  t.match(ada.take(), [
    { type: 'hand', hole_cards: cards },
    { type: 'turn', first: 0, actions: { length: 3 } },
  ]);
  ada.act('fold');
  t.same(ada.types(), ['ack']);
  driver.checkDown();
  t.match(ada.take(), [{ type: 'result', first: 3 }], 'the own fold is told with the rest');
  const answer = ada.resync(0);
  t.match(answer, { role: 'player', snapshot: { type: 'table_state' } }, 'a resync tells all, as ever');
  t.end();
});

await t.test('rejections and errors are as ever; a retry is acknowledged again', (t) => {
  const { driver, players } = tableOf(['ada'], {}, ['ada', 'bob']);
  const ada = players[0]!;
  driver.deal();
  ada.act('raise', 1);
  t.match(ada.last('action_rejected'), { code: 'invalid_action', table_id: 'table-1' });
  const message = ada.act('call');
  ada.send(message);
  t.match(ada.all('ack'), [{ client_action_id: message.client_action_id }, { client_action_id: message.client_action_id }]); // prettier-ignore
  t.end();
});

await t.test('its own end at the table, and the table’s, are told; those of others are not', (t) => {
  const { driver, players } = tableOf(['ada', 'dot'], {}, ['ada', 'bob', 'cyd', 'dot']);
  const [ada, bob, , dot] = players as [Client, Client, Client, Client];
  bob.leave();
  ada.leave();
  t.same(
    dot.types().filter((type) => type !== 'table_joined'),
    [],
  );
  t.match(ada.last('player_left'), { seat: 0, reason: 'left' });
  driver.do((now) => driver.table.close(now, 'season_ended'));
  t.match(dot.last('table_closed'), { reason: 'season_ended' });
  t.end();
});

await t.test('a hand that the blinds decide has a start and a result', (t) => {
  const driver = new TableDriver({ seed: SEED });
  const ada = driver.join('ada', 10, {}, 0, true);
  driver.join('bob', 20);
  driver.forget();
  driver.deal();
  const [hand, result, ...rest] = ada.take();
  t.match(hand, {
    type: 'hand',
    players: [
      { stack: 0, bet: 10 },
      { stack: 0, bet: 20 },
    ],
  });
  t.match(result, { type: 'result', first: 0, actions: [], board: { length: 5 } });
  t.same(rest.filter(isOf('turn', 'hand', 'result')), []);
  t.end();
});

await t.test('where all are lean, who asks is told all that was written for nobody', (t) => {
  for (const fairDeals of [false, true]) {
    const [plain, lean] = [tableOf([], { fairDeals }), tableOf(NAMES, { fairDeals })];
    for (const table of [plain, lean]) playHands(table, 12, SEED);
    const [told, same] = [plain, lean].map(({ players }) => players[0]!.resync(0).replayed_events);
    t.ok(told!.length > 200, `${told!.length} events`);
    t.same(same, told);
  }
  t.end();
});

await t.test('an event that is not written counts as no fewer bytes than it would take', (t) => {
  const most = Number.MAX_SAFE_INTEGER;
  const six = <T>(of: (seat: number) => T): T[] => [0, 1, 2, 3, 4, 5].map(of);
  const players = six((seat) => ({ seat, agentId: `agent-${seat}`, nameJson: `"${'n'.repeat(64)}"` }));
  const deck = new CommittedDeck('7e1a1f0c-6d5e-4a6b-9d0e-0c6f3a3f9b10', 2 ** 31 - 1, new Uint8Array(32).fill(7));
  const nonces = six((seat) => ({ seat, nonce: 'f'.repeat(64) }));
  const { commitment } = deck;
  const deal = { handNumber: 2 ** 31 - 1, commitment, nonces, next: { commitment, anchors: nonces } };
  const hole = Array.from({ length: 12 }, (_, i) => 4 * i);
  const [seat, nameJson, amount] = [5, players[5]!.nameJson, most];
  const line = { seat, act: Act.allIn, amount, street: Street.preflop };
  const sums = { potBefore: most, toCall: most, stackBefore: most, added: 0 };
  const result: ResultEvent = {
    kind: 'hand_result',
    players,
    payouts: six(() => 2 ** 49),
    contributed: six(() => 1),
    finalStacks: six(() => most),
    outcome: OutcomeKind.multipleWinners,
    showdown: true,
    shown: 63,
    hole,
    board: [1, 5, 9, 13, 17],
    boardCount: 5,
    actions: Array.from({ length: 200 }, () => line),
    button: 0,
    deal: new Deal(deck, nonces),
  };
  const posts = six((seat) => ({ seat, amount: most, post: Post.smallBlind }));
  const events: EventOfHand[] = [
    { kind: 'hand_start', dealer: 5, smallBlind: most, bigBlind: most, posts, players, deal },
    { kind: 'hand_start', dealer: 5, smallBlind: most, bigBlind: most, posts, players, deal: null },
    { kind: 'player_action', ...line, nameJson, reason: ActionReason.timeout, ...sums, turnToken: '', clientId: null, freeFold: false, requested: null, mix: null, timing: { usedMs: most, serverLagMs: most, sentAt: 8e14, deadlineAt: 8e14 } }, // prettier-ignore
    { kind: 'community_cards', street: Street.river, cards: [1, 5, 9, 13, 17] },
    result,
    { ...result, deal: null, actions: [] },
  ];
  const id = 'f'.repeat(36);
  for (const event of events) {
    const w = new ByteWriter();
    const stamp = { handId: id, tableSeq: most, handSeq: most, micros: 4e15 };
    new Envelope(id).open(w, stamp, FrameType[event.kind]);
    writeBody(w, event);
    t.ok(w.pos <= mostBytes(event), `${event.kind}: ${w.pos} of ${mostBytes(event)}`);
  }
  t.end();
});
