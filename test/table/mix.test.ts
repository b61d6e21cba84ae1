/** Mixed actions: one part is drawn by dice that the deck's commitment covers, once, and everybody else reads an action. */
import t from 'tap';
import { Deals, verify } from '../../sdk/typescript/src/fair.js';
import type { ServerMessage as KitMessage } from '../../sdk/typescript/src/generated/messages.js';
import { differenceToDeck } from '../../src/admin/audit/records.js';
import { drawFrom, drawOf } from '../../src/cards/dice.js';
import { seededRandom } from '../../src/cards/shuffle.js';
import { handProof } from '../../src/history/proof.js';
import { historyItem } from '../../src/history/item.js';
import { MIX_SUM } from '../../src/protocol/codes.js';
import type { ActionMessage } from '../../src/protocol/client.js';
import type { HandRecord } from '../../src/table/effects.js';
import { decodeRecord, encodeRecord } from '../../src/table/record/record-codec.js';
import { partAt } from '../../src/table/mix.js';
import { FILE_MS } from '../support/limits.js';
import { TableDriver } from '../support/table-driver.js';
import { verifyInPython } from '../support/verify-python.js';

t.setTimeout(FILE_MS);

const UUID = '0190b2c4-8e2f-7a10-9f00-0000000000ff';
const FAIR = { rules: { fairDeals: true } };
const mixOf = (...mix: object[]) => ({ mix }) as unknown as ActionMessage['action'];
const HALF = mixOf({ action: 'call', p: 0.5 }, { action: 'raise', amount: 60, p: 0.5 });

/** A hand heads-up in which ada mixes in each of her turns. */
function mixedHand(options = FAIR) {
  const driver = new TableDriver({ ...options, opening: { tableId: UUID, poolId: UUID } });
  const ada = driver.join('ada', 2000, { agentId: `${UUID.slice(0, -1)}0` });
  const bob = driver.join('bob', 2000, { agentId: `${UUID.slice(0, -1)}1` });
  driver.forget();
  driver.deal();
  const sent = new Map<string, ActionMessage>();
  while (driver.table.inHand) {
    const { actor } = driver;
    const offered = actor.turn!.valid_actions.map(({ action }) => action);
    const passive = offered.includes('check') ? 'check' : 'call';
    if (actor === ada) {
      const message = actor.act(mixOf({ action: passive, p: 0.75 }, { action: 'fold', p: 0.25 }));
      sent.set(message.client_action_id!, message);
    } else actor.act(passive);
  }
  return { driver, ada, bob, sent, record: driver.records[0]! };
}

const stored = (record: HandRecord) => decodeRecord(encodeRecord(record));

void t.test('the acknowledgement tells what was drawn, and others read the action alone', (t) => {
  const { driver, ada, bob } = TableDriver.headsUp(FAIR);
  driver.deal();
  const message = ada.act(HALF);
  const { drawn } = ada.last('action_ack');
  t.equal(drawn?.number, 0);
  t.equal(drawn!.part, drawn!.u < 0.5 ? 0 : 1);
  t.same([drawn!.action, drawn!.amount], drawn!.part === 0 ? ['call', undefined] : ['raise', 60]);
  const [own, other] = [ada, bob].map((client) => client.last('player_action'));
  t.equal(other!.action, drawn!.action);
  t.same({ ...own, action_id: '' }, { ...other, action_id: '' });
  t.notMatch(JSON.stringify(bob.inbox), /"u"|mix|drawn/);
  t.same(ada.all('action_ack').length, 1);
  ada.send(message);
  const [ack, repeated] = ada.all('action_ack');
  t.same({ ...repeated, table_seq: 0, hand_seq: 0, ts: '' }, { ...ack, table_seq: 0, hand_seq: 0, ts: '' });
  t.equal(bob.all('player_action').length, 1, 'nothing is drawn anew');
  const conflict = (action: ActionMessage['action'], amount: number | null = null) => {
    ada.send({ ...message, action, amount });
    return ada.last('action_rejected').code;
  };
  t.equal(conflict(mixOf({ action: 'call', p: 1 })), 'action_id_conflict');
  t.equal(conflict(mixOf({ action: 'call', p: 0.4 }, { action: 'raise', amount: 60, p: 0.6 })), 'action_id_conflict');
  t.equal(
    conflict(drawn!.action, drawn!.amount ?? null),
    'action_id_conflict',
    'not even for the action that was drawn',
  );
  const again = ada.resync(0).replayed_events.filter((event) => event.type === 'player_action');
  t.equal(again.length, 1);
  t.notMatch(JSON.stringify(again), /"u"|mix|drawn/);
  t.end();
});

void t.test('a part that is not legal refuses the whole mix before anything is drawn', (t) => {
  const { driver, ada, bob } = TableDriver.headsUp(FAIR);
  driver.deal();
  const refused: [ActionMessage['action'], string, object][] = [
    [mixOf({ action: 'call', p: 0.5 }, { action: 'raise', amount: 60, p: 0.4 }), MIX_SUM, {}],
    [mixOf({ action: 'call', p: 0.5 }, { action: 'raise', amount: 60, p: 0.500002 }), MIX_SUM, {}],
    [
      mixOf({ action: 'call', p: 0.9999 }, { action: 'check', p: 0.0001 }),
      'Cannot check: there is a bet to call',
      { part: 1 },
    ],
    [mixOf({ action: 'raise', amount: 21, p: 1 }), 'Raise is below the minimum', { part: 0 }],
    [mixOf({ action: 'raise', p: 1 }), 'Raise needs an amount in whole chips', { part: 0 }],
    [
      mixOf({ action: 'fold', p: 0.5 }, { action: 'raise', amount: 60.5, p: 0.5 }),
      'Raise needs an amount in whole chips',
      { part: 1, nearest: [60, 61] },
    ],
  ];
  for (const [action, reason, details] of refused) {
    ada.act(action);
    const rejected = ada.last('action_rejected');
    t.same([rejected.code, rejected.reason], ['invalid_action', reason]);
    t.match(rejected.details, details);
  }
  t.equal(bob.all('player_action').length, 0);
  ada.act(mixOf({ action: 'call', p: 0.5 }, { action: 'all_in', amount: 7, p: 0.5000005 }));
  t.ok(ada.last('action_ack').drawn, 'the turn stayed open; an amount is read for a raise only');
  t.end();
});

void t.test('a fold where checking is free is a check in a mix too', (t) => {
  const { driver, ada, bob } = TableDriver.headsUp(FAIR);
  driver.deal();
  ada.act('call');
  bob.act(mixOf({ action: 'fold', p: 1 }));
  t.match(bob.last('action_ack'), { taken_as: 'check', drawn: { action: 'fold', part: 0 } });
  t.equal(ada.last('player_action').action, 'check');
  const strict = TableDriver.headsUp({ rules: { freeFold: 'reject' } });
  strict.driver.deal();
  strict.ada.act('call');
  strict.bob.act(mixOf({ action: 'check', p: 0.5 }, { action: 'fold', p: 0.5 }));
  t.match(strict.bob.last('action_rejected'), { code: 'invalid_action', details: { part: 1 } });
  t.end();
});

void t.test('a lean socket reads what was drawn in its ack', (t) => {
  const driver = new TableDriver(FAIR);
  const [ada, bob] = [driver.join('ada', 2000, {}, 0, true), driver.join('bob')];
  driver.forget();
  driver.deal();
  ada.act(HALF);
  const { drawn } = ada.last('ack');
  t.equal(drawn?.action, bob.last('player_action').action);
  driver.checkDown();
  t.notMatch(JSON.stringify(ada.last('result')), /dice/);
  t.end();
});

void t.test('draws follow from the committed dice: proven by frames and by the proof, in both languages', (t) => {
  let mixes = 0;
  for (let hands = 0; hands < 10; hands++) {
    const { driver, ada, bob, sent, record } = mixedHand({ ...FAIR, seed: hands } as typeof FAIR);
    const deals = new Deals();
    mixes += sent.size;
    const verdicts = ada.inbox.flatMap((frame) => {
      if (frame.type === 'action_ack') deals.sent(sent.get(frame.client_action_id!) as never);
      const { verified } = deals.read(frame as KitMessage);
      return verified === undefined ? [] : [verified];
    });
    t.same(
      verdicts.map(({ faults }) => faults),
      [[]],
    );
    t.equal(bob.last('hand_result').own_dice, undefined, 'a player that named its actions is told nothing more');
    t.equal(differenceToDeck(stored(record), undefined), null);
    const proof = handProof(stored(record), 0)!;
    t.same(proof.own_dice, ada.last('hand_result').own_dice);
    t.same(verify(proof as never), []);
    t.same(verifyInPython([proof, ada.inbox.filter(({ type }) => type !== 'resync_response')]), ['ok', 'ok']);
    t.equal(handProof(stored(record), 1)!.own_dice, undefined);
    driver.forget();
  }
  t.ok(mixes > 10, `${mixes} mixes`);
  t.end();
});

void t.test('a server that draws otherwise is caught, in both languages', (t) => {
  const { record, ada } = mixedHand();
  const proof = { ...handProof(stored(record), 0)!, actions: ada.last('hand_result').actions };
  const dice = proof.own_dice!;
  const [mix] = dice.mixes;
  const other = (hex: string) => (hex.startsWith('0') ? '1' : '0') + hex.slice(1);
  const cheats: [string, object, RegExp][] = [
    ['other dice', { seed: other(dice.seed) }, /not the own dice; action \d: not the draw of the dice/],
    ['another leaf', { hashes: dice.hashes.map(other) }, /not the committed dice/],
    ['another draw', { mixes: [{ ...mix, u: mix!.u / 2 }] }, /not the draw of the dice/],
    ['another part', { mixes: [{ ...mix, part: 1 - mix!.part }] }, /not the part that was drawn/],
    ['another number', { mixes: [{ ...mix, number: mix!.number + 1 }] }, /not the draw of the dice/],
    ['another mix', { mixes: [{ ...mix, parts: [...mix!.parts].reverse() }] }, /not the part|not the action/],
  ];
  for (const [what, change, fault] of cheats) {
    const forged = { ...proof, own_dice: { ...dice, ...change } };
    t.match(verify(forged as never).join('; '), fault, what);
    t.match(verifyInPython([forged])[0], fault, `${what}, in Python`);
  }
  const told = { number: mix!.number, u: mix!.u, part: mix!.part };
  const known = (draw: object) => verify({ ...proof, draws: [{ ...told, ...draw }] } as never).join();
  t.equal(known({}), '');
  t.match(known({ u: 0.5 }), /another draw than was acknowledged/);
  t.match(known({ parts: [{ action: 'call', p: 1 }] }), /another mix than was sent/);
  t.match(verify({ ...proof, own_dice: undefined, draws: [told] } as never).join(), /own dice left out/);
  t.end();
});

void t.test('the owner reads the mix in its history; others do not', (t) => {
  const { record, ada } = mixedHand();
  const hand = stored(record);
  const item = (seat: number) =>
    historyItem(
      {
        ...record,
        ...hand.players.find((player) => player.seat === seat)!,
        startedAt: new Date(),
        endedAt: new Date(),
      } as never,
      hand,
    );
  const [own, other] = [item(0), item(1)];
  t.same(
    own.actions.flatMap(({ mix }) => mix ?? []),
    ada.last('hand_result').own_dice!.mixes,
  );
  t.same(
    other.actions.flatMap(({ mix }) => mix ?? []),
    [],
  );
  t.end();
});

void t.test('without commitments the platform draws by its own randomness, and stores the draw', (t) => {
  const { record, ada } = mixedHand({ rules: { fairDeals: false } });
  const mixes = stored(record).actions.flatMap(({ mix }) => mix ?? []);
  t.ok(mixes.length > 0);
  for (const { parts, u, part } of mixes) t.equal(part, partAt(parts, u));
  t.equal(ada.last('hand_result').own_dice, undefined);
  t.end();
});

void t.test('a table that plays the same hand again draws the same', (t) => {
  const [first, again] = [mixedHand(), mixedHand()].map(({ record }) => record.actions.map(({ mix }) => mix));
  t.same(first, again);
  t.end();
});

/** Chi-square of draws in 100 equal cells. */
function chiSquare(draws: readonly number[]): number {
  const counts = new Array<number>(100).fill(0);
  for (const u of draws) counts[Math.floor(u * 100)]!++;
  const expected = draws.length / counts.length;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

void t.test('draws are uniform, of the dice and of plain randomness', (t) => {
  const random = seededRandom(43);
  const seed = '30bad432d4d75d15b407681e35ff8445';
  const dice = Array.from({ length: 20_000 }, (_, number) => drawOf('00'.repeat(32), seed, number, []));
  const plain = Array.from({ length: 20_000 }, () => drawFrom(random));
  for (const draws of [dice, plain]) {
    t.ok(
      draws.every((u) => u >= 0 && u < 1),
      'from 0 up to 1',
    );
    const chi = chiSquare(draws);
    t.ok(chi > 61 && chi < 149, `chi-square ${chi.toFixed(1)} of 99 degrees: inside 99.9 %`);
  }
  const parts = [0.1, 0.2, 0.7].map((p) => ({ p }));
  const counts = [0, 0, 0];
  for (const u of dice) counts[partAt(parts, u)]!++;
  const chi = parts.reduce((sum, { p }, i) => sum + (counts[i]! - 20_000 * p) ** 2 / (20_000 * p), 0);
  t.ok(chi < 13.8, `parts as often as they say: chi-square ${chi.toFixed(2)} of 2 degrees`);
  t.same([partAt(parts, 0), partAt(parts, 1 - 2 ** -53)], [0, 2]);
  t.not(drawOf('00'.repeat(32), seed, 0, []), drawOf('00'.repeat(32), seed, 0, [{ seat: 1, nonce: 'ff'.repeat(32) }]));
  t.end();
});
