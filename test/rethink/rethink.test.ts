/**
 * Recorded hands asked again over a real socket. The bot reads the hands as they were, and its answers are compared.
 * Timeouts and rejections of the record come again.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { playBot, type Action, type Hand, type Mix } from '../../sdk/typescript/src/index.js';
import type { ServerMessage } from '../../sdk/typescript/src/generated/messages.js';
import { parseCard } from '../../src/cards/card.js';
import { seededRandom } from '../../src/cards/shuffle.js';
import { BotLine } from '../../src/rethink/bot-line.js';
import { prepared } from '../../src/rethink/prepare.js';
import { handsOfFile, handsOfText, rejectionsOf, type RecordedHand } from '../../src/rethink/recorded.js';
import { rethinkPage, rethinkReportOf, rethinkText } from '../../src/rethink/report.js';
import { rethink, type RethinkOptions } from '../../src/rethink/run.js';
import type { Rethought } from '../../src/rethink/compare.js';
import { actionWorth, stateAfter } from '../../src/rethink/worth.js';
import { uuid7 } from '../../src/table/uuid.js';
import { FILE_MS, PATIENCE_MS } from '../support/limits.js';
import { recordedHands } from '../support/recorded-hands.js';
import { ownTemporaryFolder } from '../support/temporary.js';

t.setTimeout(FILE_MS);

const START = Date.UTC(2026, 0, 31, 12);

const ownActions = (hand: RecordedHand) => hand.actions.filter(({ seat }) => seat === hand.seat);

/** The recorded action at this turn: the number of the hand's actions so far names it. */
function asRecorded(hands: readonly RecordedHand[], hand: Hand): Action {
  const record = hands.find(({ hand_id }) => hand_id === hand.handId)!;
  const { action, amount } = record.actions[hand.actions.length]!;
  return action === 'raise' ? { action, amount: amount! } : { action };
}

async function ask(
  decide: (hand: Hand) => Action | Mix,
  hands: readonly RecordedHand[],
  { lean = false, ...more }: Partial<RethinkOptions> & { lean?: boolean } = {},
) {
  const line = await BotLine.listen('again');
  const stop = new AbortController();
  const frames: ServerMessage[] = [];
  const hear = (frame: ServerMessage) => void frames.push(frame);
  const types = [
    'hand_start',
    'hole_cards',
    'hand_result',
    'action_rejected',
    'player_action',
    'table_joined',
    'table_closed',
    'busted',
  ] as const;
  const bot = playBot({
    wsUrl: `${line.url.replace('http', 'ws')}/ws`,
    apiKey: line.key,
    decide,
    lean,
    signal: stop.signal,
    on: { ...Object.fromEntries(types.map((type) => [type, hear])), log: () => undefined },
  });
  const result = await rethink({ line, hands, rejections: [], answerMs: PATIENCE_MS, seatMs: PATIENCE_MS, ...more });
  stop.abort();
  await bot;
  await line.close();
  const all = <T extends ServerMessage['type']>(type: T) =>
    frames.filter((frame): frame is Extract<ServerMessage, { type: T }> => frame.type === type);
  return { result, all, report: rethinkReportOf('again', result) };
}

await t.test('a bot that acts as recorded agrees everywhere, and reads the hands as they were', async (t) => {
  const hands = recordedHands(40, 7);
  for (const lean of [false, true]) {
    const { result, report, all } = await ask((hand) => asRecorded(hands, hand), hands, { lean });
    const decisions = hands.reduce((sum, hand) => sum + ownActions(hand).length, 0);
    t.same([report.decisions, report.otherwise, report.agreement], [decisions, 0, 1]);
    t.same([result.hands, result.leftOut, result.ended], [hands.length, {}, null]);
    if (lean) continue;
    t.same(
      all('hand_start').map(({ hand_id }) => hand_id),
      hands.map(({ hand_id }) => hand_id),
    );
    t.same(
      all('hole_cards').map(({ cards }) => cards),
      hands.map(({ hole_cards }) => hole_cards),
    );
    for (const [n, outcome] of all('hand_result').entries()) {
      const { players, shown_cards, actions } = hands[n]!;
      t.same(outcome.final_stacks, Object.fromEntries(players.map(({ seat, stack_end }) => [seat, stack_end])));
      t.same(outcome.shown_cards, shown_cards);
      t.same(
        outcome.actions,
        actions.map(({ seat, action, amount, street }) => ({ seat, action, amount, street })),
      );
    }
    t.equal(all('table_joined').length, 1 + all('busted').length, 'one stay, until a bust');
  }
});

await t.test('differences are told by street and kind, and the hand goes on as recorded', async (t) => {
  const hands = recordedHands(30, 11);
  const { report, all } = await ask((hand) => hand.fold(), hands);
  t.ok(report.otherwise > 0);
  t.equal(
    report.by_street.reduce((sum, { otherwise }) => sum + otherwise, 0),
    report.otherwise,
  );
  t.ok(Object.keys(report.by_street[0]!.kinds).some((kind) => /now fold$/.test(kind)));
  t.equal(all('hand_result').length, hands.length);
  const [first] = report.differences;
  const record = hands.find(({ hand_id }) => hand_id === first!.hand_id)!;
  t.equal(record.actions[first!.number]!.seat, record.seat);
  t.match(rethinkText(report), /preflop +\d+ +\d+ +\d+\.\d % +[+-]?\d+\.\d/);
  const mixed = await ask(
    (hand) => ({
      mix: [
        { ...asRecorded(hands, hand), p: 0.75 },
        { ...hand.fold(), p: 0.25 },
      ],
    }),
    hands,
  );
  t.ok(mixed.report.agreement >= 0.75 && mixed.report.agreement < 1);
  t.ok(mixed.report.differences.every(({ kind }) => /now mixed$/.test(kind)));
});

await t.test('the value function tells what other actions are worth', async (t) => {
  const hands = recordedHands(30, 11);
  const { result, report } = await ask((hand) => hand.fold(), hands);
  const near = (a: number, b: number) => Math.abs(a - b) < 1e-9;
  const sumOf = (all: readonly { gain_bb: number | null }[]) => all.reduce((sum, each) => sum + (each.gain_bb ?? 0), 0);
  t.ok(near(sumOf(report.differences), report.gain_bb) && near(sumOf(report.by_street), report.gain_bb));
  for (const { gain_bb: gain, kinds } of report.by_street) t.ok(near(sumOf(Object.values(kinds)), gain));
  t.ok(report.unequal > 20 && report.gain_bb !== 0, 'folds are told from other actions');
  t.ok(result.decisions.some(({ at, street }) => at.ends && street === 'river'));
  t.ok(result.decisions.some(({ at, street }) => !at.ends && street === 'river'));
  for (const { handId, number, at, recorded } of result.decisions) {
    const { actions } = hands.find(({ hand_id }) => hand_id === handId)!;
    if (recorded.action === 'call' || recorded.action === 'check') t.equal(at.ends, number === actions.length - 1);
    const found = report.differences.find((each) => each.hand_id === handId && each.number === number);
    if (found?.given?.[0]?.action !== 'fold') continue;
    t.ok(near(found.given_bb!, -at.state.committed[at.seat]! / at.state.setup.bigBlind), 'a fold loses what is in');
    t.ok(near(found.gain_bb!, found.given_bb! - found.recorded_bb!));
  }
  const [gains, losses] = [report.gains, report.losses].map((list) => list.map(({ gain_bb: gain }) => gain!));
  const all = report.differences.map(({ gain_bb: gain }) => gain!).sort((a, b) => b - a);
  t.same(gains, all.filter((gain) => gain > 0).slice(0, 10));
  t.same(
    losses,
    all
      .filter((gain) => gain < 0)
      .reverse()
      .slice(0, 10),
  );
  t.ok(losses!.length === 10);
  const shown = [rethinkText(report), rethinkPage(report)];
  for (const text of shown) {
    t.match(text, /Largest losses/);
    t.match(text, report.losses[0]!.hand_id);
    t.match(text, /knows the own cards only/);
  }
});

await t.test('actions are worth the state after them, by their probabilities', (t) => {
  // Aces on the button against a bet of half the pot on a dry flop, one of two others folded.
  const state = {
    committed: Int32Array.of(40, 40, 100, 0, 0, 0),
    stack: Int32Array.of(1960, 1960, 1900, 0, 0, 0),
    dealt: 7,
    folded: 2,
    street: 1 as const,
    boardCards: Uint8Array.from(['2c', '7d', 'Jh', '3s', '4s'].map(parseCard)),
    boardCount: 3,
    setup: { button: 0, bigBlind: 20 },
  };
  const at = {
    seat: 0,
    hole: [parseCard('As'), parseCard('Ah')] as const,
    stack: 1960,
    bet: 0,
    legal: { fold: true, check: false, call: 60, raiseMin: 120, raiseMax: 1960, allIn: 1960 },
    state,
    ends: false,
  };
  const worth = (given: Rethought['given'], recorded: Rethought['recorded']) =>
    actionWorth({ handId: 'a hand', street: 'flop', number: 3, timedOut: false, agrees: 0, recorded, given, at });
  const fold = { action: 'fold' as const, amount: null };
  const call = { action: 'call' as const, amount: null };
  const raise = { action: 'raise' as const, amount: 300 };
  const whole = { p: 1, isLegal: true };
  const better = worth([{ ...call, ...whole }], fold)!;
  t.equal(better.recorded, -2);
  t.ok(better.given > 3 && better.given < 100, `aces win ${better.given}`);
  const half = worth(
    [
      { ...call, p: 0.5, isLegal: true },
      { ...fold, p: 0.5, isLegal: true },
    ],
    fold,
  )!;
  t.ok(Math.abs(half.given - (better.given - 2) / 2) < 1e-9, 'a mix counts by its probabilities');
  const same = worth([{ ...raise, ...whole }], call)!;
  t.equal(same.given, same.recorded, 'a raise that nobody has called is a call');
  t.equal(worth([{ ...raise, amount: 1960, ...whole }], call)!.given, same.given, 'all chips, too');
  t.same(stateAfter(at, raise).committed[0], 340);
  // On the river the call is worth its part of the pot, less what is in: here the best hand of all.
  const royal = Uint8Array.from(['Ks', 'Qs', 'Js', 'Ts', '2d'].map(parseCard));
  const river = { ...at, ends: true, state: { ...state, street: 3 as const, boardCards: royal, boardCount: 5 } };
  const whenOver = { handId: 'a hand', street: 'river' as const, number: 9, timedOut: false, agrees: 0, at: river };
  t.same(actionWorth({ ...whenOver, recorded: fold, given: [{ ...call, ...whole }] }), { recorded: -2, given: 7 });
  t.same([worth(null, fold), worth([{ ...raise, p: 1, isLegal: false }], fold)], [null, null], 'no answer has none');
  t.end();
});

await t.test('a seat at another table is left and taken, and a bust is a bust', async (t) => {
  const hands = [...recordedHands(3, 3), ...recordedHands(3, 5, '0190b2c4-8e2f-7a10-9f00-0000000000ee')].map(
    (hand, n) => ({
      ...hand,
      hand_id: uuid7(START + 1000 * n, seededRandom(n)),
    }),
  );
  const { result, all } = await ask((hand) => hand.call(), hands);
  t.equal(result.hands, 6);
  t.same(
    [...new Set(all('table_joined').map(({ table_id }) => table_id))],
    [...new Set(hands.map(({ table_id }) => table_id))],
  );
  t.ok(all('table_closed').length + all('busted').length > 0);
});

await t.test('a timeout and a rejection of the record come again', async (t) => {
  const hands = recordedHands(20, 13);
  const late = hands.findIndex((hand) => ownActions(hand).some(({ action }) => action === 'fold'));
  const changed = hands.map((hand, n) =>
    n === late
      ? {
          ...hand,
          actions: hand.actions.map((each) =>
            each.seat === hand.seat && each.action === 'fold' ? { ...each, timeout: true } : each,
          ),
        }
      : hand,
  );
  const other = hands.find((hand, n) => n !== late && ownActions(hand).length > 0)!;
  const sent = JSON.stringify({
    type: 'action',
    action: 'raise',
    amount: 1,
    client_action_id: 'x',
    turn_token: 'y',
    hand_id: other.hand_id,
  });
  const mishaps = JSON.stringify({
    mishaps: [
      { kind: 'rejected', hand_id: other.hand_id, sent },
      { kind: 'timeout', hand_id: other.hand_id, sent: null },
    ],
  });
  const rejections = rejectionsOf(mishaps);
  t.same(rejections, [{ handId: other.hand_id, sent: { action: 'raise', amount: 1 } }]);
  const { report, all } = await ask((hand) => hand.call(), changed, { rejections });
  t.same([report.timeouts, report.rejections], [1, 1]);
  const timedOut = all('player_action').filter(({ reason }) => reason === 'timeout');
  t.same(
    timedOut.map(({ hand_id, action }) => [hand_id, action]),
    [[hands[late]!.hand_id, 'fold']],
  );
  const rejected = all('action_rejected');
  t.same(rejected.filter(({ code }) => code === 'invalid_action').length, 1);
  t.equal(rejected.length, 2, 'the answer after the timeout is rejected, too');
});

await t.test('a bot that does not come ends it early', async (t) => {
  const line = await BotLine.listen('again');
  const { ended, hands } = await rethink({
    line,
    hands: recordedHands(1, 1),
    rejections: [],
    answerMs: 10,
    seatMs: 10,
  });
  t.match([ended, hands], [/took no seat/, 0]);
  await line.close();
});

await t.test(
  'hands are read from lists, lines and files; unseen cards are dealt so that the hand ends as it ended',
  (t) => {
    const hands = recordedHands(200, 17);
    t.same(handsOfText(JSON.stringify({ hands: [...hands].reverse() })), hands, 'the oldest first');
    t.same(handsOfText(hands.map((hand) => JSON.stringify(hand)).join('\n')), hands);
    const path = join(ownTemporaryFolder('rethink'), 'hands.json');
    writeFileSync(path, JSON.stringify(hands));
    t.same(handsOfFile(path), hands);
    t.throws(() => handsOfText('[{"hand_id":1}]'), { name: 'NoHands' });
    t.throws(() => handsOfText('no JSON'), { name: 'NoHands' });
    t.throws(() => handsOfFile(`${path}.gone`), { name: 'NoHands' });
    t.ok(readFileSync(path).length > 0);
    const ready = hands.map((hand) => prepared(hand));
    t.same([...new Set(ready.filter((each) => typeof each === 'string'))], []);
    t.same(prepared(hands[0]!), ready[0], 'the same cards each time');
    t.equal(prepared({ ...hands[0]!, posts: [{ seat: 0, amount: 20, kind: 'return' }] }), 'return_post');
    t.equal(prepared({ ...hands[0]!, actions: hands[0]!.actions.slice(1) }), 'other_rules');
    t.end();
  },
);
