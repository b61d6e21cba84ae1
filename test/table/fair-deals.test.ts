/** Fair deals: decks are committed to before the hand, and whoever looks catches a server that dealt from another one. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { verify } from '../../examples/verify.js';
import { differenceToDeck } from '../../src/admin/audit/records.js';
import { CommittedDeck, publicPermutation } from '../../src/cards/committed-deck.js';
import { duplicateDeck } from '../../src/cards/duplicate.js';
import { seededRandom, uniformBelow } from '../../src/cards/shuffle.js';
import type { ServerMessage, ServerMessageOf } from '../../src/protocol/server.js';
import { holePlaces } from '../../src/table/deal/deal.js';
import { NonceChain } from '../../src/table/deal/nonce-chain.js';
import { decodeRecord, encodeRecord } from '../../src/table/record/record-codec.js';
import { dealOf, dealtAsCommitted } from '../../src/table/record/stored-deal.js';
import { forgedDeal } from '../support/forged-deal.js';
import { FILE_MS } from '../support/limits.js';
import { ClientNonces } from '../support/nonce-chain.js';
import { Secrecy } from '../support/secrecy.js';
import { TableDriver, type Client } from '../support/table-driver.js';
import { verifyInPython } from '../support/verify-python.js';
import { SEED } from '../support/seed.js';

t.setTimeout(FILE_MS);

t.comment(`SEED=${SEED}`);
const UUID = '0190b2c4-8e2f-7a10-9f00-0000000000ff';
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Fresh randomness of a deck that somebody makes up. */
const secretOf = (text: string) => Buffer.from(sha256(text), 'hex');

/** A table where some send nonces, after so many hands of random play. */
function played(hands: number, options: ConstructorParameters<typeof TableDriver>[0] = {}, senders = 2) {
  const { driver, players } = TableDriver.ring('ada bob cyd dan', {
    seed: SEED,
    ...options,
    rules: { fairDeals: true, ...options.rules },
  });
  const nonces = new Map(players.slice(0, senders).map((client) => [client, new ClientNonces(client.player.name)]));
  const random = seededRandom(SEED + 1);
  while (driver.records.length < hands) {
    driver.deal();
    sendNonces(driver, nonces);
    while (driver.table.inHand) act(driver.actor, uniformBelow(20, random));
  }
  return { driver, players, nonces };
}

function sendNonces(driver: TableDriver, nonces: ReadonlyMap<Client, ClientNonces>): void {
  for (const [client, chain] of nonces) {
    const nonce = chain.after(client.last('hand_start'));
    if (nonce !== null) tell(driver, client, nonce);
  }
}

const tell = (driver: TableDriver, { agentId, socket }: Client, nonce: string) =>
  driver.do((now) => driver.table.nonce(now, agentId, socket, nonce));

function act(actor: Client, dice: number): void {
  const offered = actor.turn!.valid_actions.map(({ action }) => action);
  if (dice < 3 && offered.includes('fold')) actor.act('fold');
  else actor.act(offered.includes('check') ? 'check' : offered.includes('call') ? 'call' : 'fold');
}

/** The frames of a client from the beginning of a hand, or of the hand before, to its end. */
function framesOf(client: Client, nth: number, withBefore = true): ServerMessage[] {
  const starts = client.inbox.flatMap((frame, i) => (frame.type === 'hand_start' ? [i] : []));
  return client.inbox.slice(starts[withBefore ? Math.max(0, nth - 1) : nth], starts[nth + 1]);
}

void t.test('honest hands verify, in TypeScript and in Python, with nonces and without', (t) => {
  const { players } = played(40);
  const hands = players.flatMap((client) => Array.from({ length: 40 }, (_, nth) => framesOf(client, nth)));
  for (const hand of hands) t.same(verify(hand as object[]), []);
  t.same([...new Set(verifyInPython(hands))], ['ok'], 'the same in Python');
  const starts = players[0].all('hand_start');
  t.same(starts[0]!.deal_nonces, [], 'nothing counts in the first hand');
  t.same(starts[1]!.deal_nonces, [], 'what was sent in it is announced with the next');
  t.same(
    starts.slice(2, 20).map(({ deal_nonces }) => deal_nonces!.map(({ seat }) => seat)),
    Array.from({ length: 18 }, () => [0, 1]),
    'and from then on a nonce counts in every hand',
  );
  t.ok(
    players[0].all('deal_nonce_ack').some(({ counts }) => !counts),
    'the start of a chain does not count',
  );
  t.end();
});

void t.test('a server that cheats is caught, by both verifiers', (t) => {
  const { driver, players } = played(30);
  const ada = players[0];
  // A hand that ada saw to a showdown, with two nonces in it.
  const nth = driver.records.findIndex((hand, i) => i > 3 && hand.players.filter(({ shown }) => shown).length >= 2);
  const frames = framesOf(ada, nth);
  const record = driver.records[nth]!;
  const start = frames.findLast((frame) => frame.type === 'hand_start')!;
  const { deck } = dealOf(record)!;
  const nonces = start.deal_nonces!;
  t.equal(nonces.length, 2);
  t.same(verify(frames as object[]), []);
  const change = <T extends ServerMessage['type']>(type: T, how: (frame: ServerMessageOf[T]) => object) =>
    frames.map((frame) =>
      frame.type === type && 'hand_id' in frame && frame.hand_id === start.hand_id
        ? { ...frame, ...how(frame as ServerMessageOf[T]) }
        : frame,
    );
  const proof = frames.find((frame) => frame.type === 'hand_result' && frame.hand_id === start.hand_id);
  const { deal_proof, own_opened, shown_cards } = proof as Required<ServerMessageOf['hand_result']>;
  const ground = new CommittedDeck(deck.tableId, deck.handNumber, secretOf('the best of many'));
  const twins = Array.from(deck.cards);
  const seats = record.players.map(({ seat }) => seat);
  twins[2 * seats.length] = twins[holePlaces(seats, record.button, 0)[0]]!;
  const dishonest = new CommittedDeck(deck.tableId, deck.handNumber, deck.secret, twins);
  const late = [nonces[0]!, { seat: 1, nonce: sha256('chosen when all others were known') }];
  const swapped = Object.entries(shown_cards).map(([seat, cards]) => [seat, [cards[1], cards[0]]]);
  t.same(
    verify(forgedDeal(frames.slice(frames.indexOf(start)), ground, nonces) as object[]),
    [],
    'taken alone, the hand from a ground deck is in order',
  );
  const cheats: [what: string, frames: object[], fault: RegExp][] = [
    ['grinds decks when it knows the nonces', forgedDeal(frames, ground, nonces), /another deck than was announced/],
    ['commits to a deck with a card twice', forgedDeal(frames, dishonest, nonces), /twice/],
    ['leaves out a nonce that it took', forgedDeal(frames, deck, nonces.slice(1)), /own nonce left out/],
    ['leaves out all nonces', forgedDeal(frames, deck, []), /own nonce left out/],
    ['lets a friend choose his nonce last', forgedDeal(frames, deck, late), /nonce of seat 1 was not fixed/],
    [
      'makes a nonce up',
      forgedDeal(frames, deck, [...nonces, { seat: 3, nonce: sha256('x') }]),
      /seat 3 was not fixed/,
    ],
    [
      'deals by another permutation than that of the nonces',
      change('hand_start', () => ({ deal_nonces: [...nonces].reverse() })),
      /not the cards of the deck/,
    ],
    [
      'swaps cards',
      change('hand_result', () => ({ shown_cards: Object.fromEntries(swapped) })),
      /seat . not|seat .: not/,
    ],
    ['deals one other cards', change('hole_cards', ({ cards }) => ({ cards: [...cards].reverse() })), /own cards: not/],
    ['swaps the board', change('community_cards', () => ({ cards: ['2c', '2d', '2h'] })), /board: not/],
    [
      'opens a wrong leaf',
      change('hand_result', () => ({
        deal_proof: { ...deal_proof, opened: deal_proof.opened.map((each) => ({ ...each, card: '2c' })) },
      })),
      /wrong leaf/,
    ],
    [
      'opens a leaf with another salt',
      change('hand_result', () => ({ own_opened: own_opened.map((each) => ({ ...each, salt: 'a'.repeat(32) })) })),
      /wrong leaf/,
    ],
    [
      'opens the leaf of another place',
      change('hand_result', () => ({ own_opened: own_opened.map((each) => ({ ...each, index: 10 })) })),
      /wrong leaf 10/,
    ],
    [
      'does not open what it showed',
      change('hand_result', () => ({ deal_proof: { ...deal_proof, opened: [] }, own_opened: [] })),
      /own cards: not/,
    ],
    [
      'tells other hashes',
      change('hand_result', () => ({ deal_proof: { ...deal_proof, rest: sha256('other cards below') } })),
      /not the committed deck/,
    ],
    [
      'moves the button',
      change('hand_start', (frame) => ({ dealer_seat: (frame.dealer_seat + 1) % 4 })),
      /not the cards/,
    ],
    ['takes another hand’s deck', change('hand_start', () => ({ hand_number: nth + 2 })), /not the committed deck/],
  ];
  const inPython = verifyInPython(cheats.map(([, forged]) => forged));
  for (const [i, [what, forged, fault]] of cheats.entries()) {
    t.match(verify(forged).join('; '), fault, what);
    t.match(inPython[i], fault, `${what}, in Python`);
  }
  t.end();
});

void t.test('mucked cards stay hidden: no proof opens them, no salt and no secret is told', (t) => {
  const { driver, players } = played(60);
  const secrecy = new Secrecy();
  const owners = new Map(players.map((client) => [client.socket, client.agentId]));
  for (const { socket, text, message } of driver.sent) secrecy.frame(owners.get(socket)!, message, text);
  const muckers = driver.records.flatMap(({ players }) => players.filter(({ shown }) => !shown));
  t.ok(muckers.length > 20, `${muckers.length} hands were mucked (SEED=${SEED})`);
  t.same(secrecy.judge(driver.records), []);

  const result = players[0].last('hand_result');
  const record = driver.records.at(-1)!;
  const doctored = {
    ...result,
    own_opened: dealOf(record)!.own({ seats: [0, 1, 2, 3], button: record.button, shown: 0, boardCount: 0 }, 2),
  };
  secrecy.frame(players[0].agentId, doctored, JSON.stringify(doctored));
  t.equal(secrecy.judge([record]).length, 1, 'the check finds another player’s places opened');
  t.end();
});

void t.test('a resync tells the proofs again, to each his own', (t) => {
  const { driver, players } = played(4);
  for (const client of players) {
    const live = driver.sent.filter(
      ({ socket, message }) => socket === client.socket && /^hand_(start|result)$/.test(message.type),
    );
    client.resync(null);
    const answer = driver.sent.at(-1)!.text;
    for (const { text } of live) t.ok(answer.includes(text), `${client.player.name}: ${text.slice(0, 80)}`);
  }
  driver.do((now) => driver.table.resync(now, null, players[0].socket, null));
  const spectator = driver.sent.at(-1)!.message as ServerMessageOf['resync_response'];
  const results = spectator.replayed_events.filter((event) => event.type === 'hand_result');
  t.ok(
    results.every(({ deal_proof, own_opened }) => deal_proof !== undefined && own_opened === undefined),
    'a spectator is opened what all saw',
  );
  t.end();
});

void t.test('a hand can be proven again from its record, and is by the audit', (t) => {
  const { driver, players } = played(8, { opening: { tableId: UUID, poolId: UUID } });
  for (const [i, record] of driver.records.entries()) {
    const ids = { players: record.players.map((player, n) => ({ ...player, agentId: UUID.replace(/ff$/, `0${n}`) })) };
    const stored = decodeRecord(encodeRecord({ ...record, ...ids }));
    const deal = dealOf(stored)!;
    t.equal(deal.deck.commitment, players[0].all('hand_start')[i]!.deck_commitment);
    t.ok(dealtAsCommitted(stored, deal));
    const [first, ...others] = stored.players;
    const swapped = {
      ...stored,
      players: [{ ...first!, hole: [first!.hole[1], first!.hole[0]] as [number, number] }, ...others],
    };
    t.notOk(dealtAsCommitted(swapped, dealOf(swapped)!), 'a swapped card is found');
  }
  t.end();
});

void t.test('a void hand or a table opened again begins anew, as everybody sees', (t) => {
  const { driver, players } = played(3);
  const announced = players[0].last('hand_start').next_deal!.deck_commitment;
  const again = played(2, { opening: { handNumber: 3, seqFloor: 10_000_000 }, seed: SEED + 5 }, 4);
  const start = again.players[0].all('hand_start')[0]!;
  t.equal(start.hand_number, 4);
  t.not(start.deck_commitment, announced, 'the announced deck is not used');
  t.same(start.deal_nonces, [], 'and no nonce counts in the first hand');
  t.equal(driver.records.length, 3);
  t.end();
});

void t.test('nonces: only what opens the announced one counts, and once', (t) => {
  const chain = new NonceChain();
  const [c, b] = [sha256('c'), sha256(sha256('c'))];
  const a = sha256(b);
  t.equal(chain.take(a), false, 'the first begins a chain');
  t.equal(chain.take(b), false, 'before it is announced nothing opens it: this begins another');
  t.equal(chain.spend(), null);
  t.equal(chain.announced, b);
  t.equal(chain.take(c), true);
  t.equal(chain.take(c), true, 'a repetition is answered alike');
  t.equal(chain.take(a), false, 'another one now begins a chain');
  t.equal(chain.spend(), c, 'and does not undo what counts');
  t.equal(chain.announced, a);
  t.equal(chain.spend(), null, 'who sends nothing does not take part');
  t.equal(chain.announced, a, 'and goes on with his chain later');
  t.equal(chain.take(b), true);
  t.end();
});

void t.test('a nonce is answered whatever the table does with it', (t) => {
  const plain = TableDriver.ring('ada bob');
  tell(plain.driver, plain.players[0], sha256('a'));
  t.match(plain.players[0].last('deal_nonce_ack'), { counts: false, hand_number: null, deck_commitment: null });
  const stranger = { agentId: 'nobody', socket: plain.players[1].socket } as Client;
  tell(plain.driver, stranger, sha256('a'));
  t.equal(plain.players[1].last('error').code, 'not_at_table');
  t.end();
});

void t.test('nonces of players who are not dealt in do not count', (t) => {
  const { driver, players, nonces } = played(4);
  const bob = players[1];
  driver.deal();
  sendNonces(driver, nonces);
  bob.drop();
  driver.checkDown();
  driver.deal();
  t.same(players[0].last('hand_start').deal_nonces!.map(({ seat }) => seat), [0]); // prettier-ignore
  t.end();
});

void t.test('a duplicate pool commits to its own decks, which nonces do not change', (t) => {
  const secret = sha256('pool');
  const { driver, players } = played(5, { rules: { duplicate: { secret } }, opening: { tableId: UUID, poolId: UUID } });
  for (const [i, record] of driver.records.entries()) {
    const deck = new Uint8Array(52);
    duplicateDeck(deck, secret, i + 1);
    t.same(record.board, [...deck.subarray(8, 13)]);
    t.same(verify(framesOf(players[0], i) as object[]), []);
    const deal = dealOf(record)!;
    t.same(Array.from(deal.deck.cards), [...deck]);
    t.equal(deal.deck.commitment, players[0].all('hand_start')[i]!.deck_commitment, 'also from the record alone');
  }
  t.ok(
    players[0].all('deal_nonce_ack').every(({ counts }) => !counts),
    'no nonce counts',
  );
  for (const record of driver.records) {
    t.equal(differenceToDeck(record, secret), null, 'the audit knows the deck');
    t.equal(differenceToDeck(record, sha256('another')), 'deck than that of its pool');
  }
  const plain = played(3, { seed: SEED + 9, rules: { duplicate: { secret }, fairDeals: false } });
  t.same(
    plain.driver.records.map(({ players }) => players.map(({ hole }) => hole)),
    driver.records.slice(0, 3).map(({ players }) => players.map(({ hole }) => hole)),
    'another table deals the same to the same places',
  );
  t.same(plain.driver.records.map(({ board }) => board), driver.records.slice(0, 3).map(({ board }) => board)); // prettier-ignore
  t.end();
});

void t.test(
  'the permutation: all cards, changed by every bit of what it is made of, none likelier than another',
  (t) => {
    const hex32 = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex'));
    const nonces = fc.array(fc.record({ seat: fc.nat({ max: 5 }), nonce: hex32 }), { minLength: 1, maxLength: 6 });
    const order = (commitment: string, from: { seat: number; nonce: string }[]) =>
      [...publicPermutation(commitment, from)!].join();
    fc.assert(
      fc.property(hex32, nonces, fc.nat({ max: 5 }), (commitment, from, which) => {
        const cards = [...publicPermutation(commitment, from)!];
        if (new Set(cards).size !== 52 || Math.max(...cards) !== 51) return false;
        const at = which % from.length;
        const other = from.map((each, i) => (i === at ? { ...each, nonce: sha256(each.nonce) } : each));
        return order(commitment, other) !== cards.join() && order(sha256(commitment), from) !== cards.join();
      }),
      { seed: SEED, numRuns: 200 },
    );
    t.equal(publicPermutation(sha256('root'), []), null, 'without nonces the deck stays as it is');

    const runs = 20_000;
    const counts = new Float64Array(52 * 52);
    for (let i = 0; i < runs; i++) {
      const cards = publicPermutation(sha256('root'), [{ seat: 1, nonce: sha256(`fixed ${i}`) }])!;
      for (let from = 0; from < 52; from++) counts[52 * from + cards[from]!]!++;
    }
    const expected = runs / 52;
    const chi = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    // 51 · 51 degrees of freedom: mean 2601, standard deviation 72. The nonces are fixed, so this cannot fail by
    // chance.
    t.ok(Math.abs(chi - 2601) < 5 * 72, `chi-square ${chi.toFixed(0)}`);
    t.end();
  },
);
