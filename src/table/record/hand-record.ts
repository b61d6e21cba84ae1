import { assert } from '../../ops/assert.js';
import type { HandOutcome } from '../../holdem/types.js';
import type { TableCore } from '../core.js';
import type { HandInPlay } from '../hand/hand-in-play.js';
import { OutcomeKind, type ResultEvent } from '../events.js';
import type { HandPlayer, HandRecord } from '../effects.js';

/** The finished hand as it is stored: all that is needed to explain and to replay it. */
export function handRecordOf(core: TableCore, outcome: HandOutcome): HandRecord {
  const { play, rules } = core;
  const { hand } = play;
  assertConserved(play, outcome);
  const cards = 2 * play.players.length;
  return {
    handId: play.handId,
    tableId: core.tableId,
    poolId: core.poolId,
    handNumber: play.handNumber,
    ...(play.handNumber !== core.last.handNumber + 1 && { handBefore: core.last.handNumber }),
    button: hand.setup.button,
    bigBlindSeat: hand.bigBlindSeat,
    smallBlind: rules.smallBlind,
    bigBlind: rules.bigBlind,
    headsUpBlinds: rules.headsUpBlinds,
    ...(hand.setup.returns !== 0 && { returns: hand.setup.returns }),
    startedAt: play.startedAt,
    endedAt: core.now,
    players: play.players.map(({ seat }) => playerOf(core, outcome, seat)),
    board: Array.from(play.deck.subarray(cards, cards + 5)),
    boardCount: hand.boardCount,
    actions: play.actions,
    totalPot: outcome.totalPot,
    seqReserved: core.numbers.withHand,
    ...(play.deal && { deal: play.deal.stored(rules.duplicate === null ? null : cards + 5) }),
  };
}

/** A hand makes no chips and loses none: what was put in is paid out, and stacks change by the difference. */
function assertConserved({ hand, seats, players }: HandInPlay, outcome: HandOutcome): void {
  let [putIn, paid, before, after] = [0, 0, 0, 0];
  for (const { seat } of players) {
    assert(seats[seat] !== null, 'a player of the hand has its seat', seat);
    assert(outcome.finalStacks[seat]! >= 0, 'no stack is below 0', outcome.finalStacks[seat]);
    putIn += outcome.contributed[seat]!;
    paid += outcome.payouts[seat]!;
    before += hand.setup.stacks[seat]!;
    after += outcome.finalStacks[seat]!;
  }
  assert(putIn === outcome.totalPot, 'the pot is what the players put in', putIn - outcome.totalPot);
  assert(paid === putIn, 'a hand pays out what was put in', paid - putIn);
  assert(after === before, 'a hand conserves the chips of its players', after - before);
}

function playerOf({ play }: TableCore, outcome: HandOutcome, seat: number): HandPlayer {
  const { hand } = play;
  const { player, sitting } = play.seats[seat]!;
  return {
    seat,
    agentId: player.agentId,
    sitting,
    name: player.name,
    stackStart: hand.setup.stacks[seat]!,
    stackEnd: outcome.finalStacks[seat]!,
    contributed: outcome.contributed[seat]!,
    payout: outcome.payouts[seat]!,
    hole: [hand.hole[2 * seat]!, hand.hole[2 * seat + 1]!],
    shown: (outcome.shown & (1 << seat)) !== 0,
    isHouse: player.isHouse,
  };
}

/** The finished hand as it is sent. */
export function resultEventOf({ play }: TableCore, outcome: HandOutcome): ResultEvent {
  const { hand } = play;
  return {
    kind: 'hand_result',
    players: play.players,
    payouts: outcome.payouts,
    contributed: outcome.contributed,
    finalStacks: outcome.finalStacks,
    outcome: outcomeKind(outcome),
    showdown: outcome.showdown,
    shown: outcome.shown,
    hole: hand.hole,
    board: hand.boardCards,
    boardCount: hand.boardCount,
    actions: play.actions,
    button: hand.setup.button,
    deal: play.deal,
  };
}

/** One winner: win. Every pot shared by those who win: split. Some pot won alone beside others: multiple_winners. */
export function outcomeKind(outcome: HandOutcome): OutcomeKind {
  assert(outcome.pots.length > 0, 'a hand has a pot');
  const winners = outcome.pots.reduce((mask, pot) => mask | pot.winners, 0);
  const alone = (mask: number) => (mask & (mask - 1)) === 0;
  if (alone(winners)) return OutcomeKind.win;
  return outcome.pots.some((pot) => alone(pot.winners)) ? OutcomeKind.multipleWinners : OutcomeKind.split;
}
