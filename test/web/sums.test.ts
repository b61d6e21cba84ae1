/**
 * The chips of the pages are those of the engine. Both replay random hands action by action. Stacks, bets, the pot, the
 * price of each call and its pot are compared.
 */
import t from 'tap';
import { Hand } from '../../src/holdem/hand.js';
import { buildPots } from '../../src/holdem/pots.js';
import { Settlement } from '../../src/holdem/settlement.js';
import { MAX_SEATS, Street, type Act } from '../../src/holdem/types.js';
import { SPECTATOR } from '../../src/history/index.js';
import { handBody, NO_HANDS_BESIDE, type ShownHand } from '../../src/public/hands.js';
import type { HandRecord } from '../../src/table/effects.js';
import { decodeRecord, encodeRecord } from '../../src/table/record/record-codec.js';
import { setupOf } from '../../src/table/record/stored-hand.js';
import { fromPublicHand, type PublicHandAnswer } from '../../web/game/public-hand.js';
import { stepsOf, type ActionEvent } from '../../web/game/steps.js';
import { FILE_MS, inSuite } from '../support/limits.js';
import { SEED } from '../support/seed.js';
import { wildHands } from '../support/wild-hands.js';

t.setTimeout(FILE_MS);
t.comment(`SEED=${SEED}`);

const { hands } = wildHands(inSuite(1000), SEED);

const shown = (record: HandRecord) => {
  const faceOf = (seat: number) => ({ name: `p_${seat}`, slug: null, avatarUrl: null });
  const faces = new Map(record.players.map(({ agentId, seat }) => [agentId, faceOf(seat)]));
  const view = { record: encodeRecord(record), poolId: record.poolId, competition: null, takesPart: false, later: 0 };
  const body = handBody(
    { stored: decodeRecord(view.record), sight: SPECTATOR, view, faces } as unknown as ShownHand,
    NO_HANDS_BESIDE,
  );
  return stepsOf(fromPublicHand(body as unknown as PublicHandAnswer));
};

/** The chips that a caller can win by the platform's own pots: those that it is eligible for, less its own call. */
function winnable(engine: Hand, seat: number, price: number): number {
  const pots = new Settlement();
  let live = 0;
  for (let at = 0; at < MAX_SEATS; at++) {
    pots.contributed[at] = engine.committed[at]! + (at === seat ? price : 0);
    pots.totalPot += pots.contributed[at]!;
    if ((engine.dealt & ~engine.folded & (1 << at)) !== 0) live |= 1 << at;
  }
  buildPots(pots, live);
  let sum = 0;
  for (let at = 0; at < pots.potCount; at++) {
    if ((pots.potEligible[at]! & (1 << seat)) !== 0) sum += pots.potAmount[at]!;
  }
  return sum - price;
}

void t.test(`${hands.length} hands, action by action`, (t) => {
  const wrong: string[] = [];
  const engine = new Hand();
  let calls = 0;
  for (const record of hands) {
    const stored = decodeRecord(encodeRecord(record));
    const steps = shown(record);
    const actions = steps.filter(({ event }) => event.kind === 'action');
    engine.start(setupOf(stored));
    for (const [i, { seat, act, amount }] of stored.actions.entries()) {
      const { call } = engine.legal();
      const step = actions[i]!;
      const event = step.event as ActionEvent;
      const expected = winnable(engine, seat, call);
      if (event.price !== call || event.pot !== expected) {
        wrong.push(`${record.handId} action ${i}: price ${event.price} of ${call}, pot ${event.pot} of ${expected}`);
      }
      calls += Number(call > 0);
      engine.act(act as Act, amount ?? 0);
      const { seats, pot } = step.view;
      for (const { seat: at } of stored.players) {
        // The end of the betting collects the bets and gives back what nobody called. Both are steps of their own.
        if (engine.over || step.street === 'result' || engine.street !== Street[step.street]) continue;
        if (seats[at]!.stack !== engine.stack[at]! || seats[at]!.bet !== engine.bet[at]! || pot !== engine.pot) {
          wrong.push(`${record.handId} action ${i}, seat ${at}: stack ${seats[at]!.stack} of ${engine.stack[at]}`);
        }
      }
    }
  }
  t.same(wrong.slice(0, 3), []);
  t.ok(calls > hands.length, 'calls were priced');
  t.end();
});
