import { describeHand } from '../../cards/describe.js';
import { Act } from '../../holdem/types.js';
import { utc } from '../../protocol/common.js';
import { asciiBytes, type ByteWriter } from './byte-writer.js';
import type {
  ActionEvent,
  ActionLine,
  BoardEvent,
  HandStartEvent,
  JoinedEvent,
  LeftEvent,
  PublicEvent,
  ResultEvent,
  TurnTiming,
} from '../events.js';
import { writeDealStart, writeProof } from './deal.js';
import { ACTION_NAMES, key, POST_NAMES, STREET_NAMES, writeCards, writeIntOrNull } from './words.js';

/**
 * The bodies of the public events. A body follows `"type":…` in a frame and lacks the closing brace. So a viewer's own
 * tail (its seat, its action id) can be added to a copy.
 */

export function writeBody(w: ByteWriter, event: PublicEvent): void {
  switch (event.kind) {
    case 'hand_start':
      return writeHandStart(w, event);
    case 'player_action':
      return writeAction(w, event);
    case 'community_cards':
      return writeBoard(w, event);
    case 'hand_result':
      return writeResult(w, event);
    case 'player_joined':
      return writeJoined(w, event);
    case 'player_left':
      return writeLeft(w, event);
    case 'table_closed':
      w.ascii(',"reason":').string(event.reason);
  }
}

const DEALER_SEAT = key('dealer_seat');
const BLINDS = key('blinds');

function writeHandStart(w: ByteWriter, event: HandStartEvent): void {
  w.bytes(DEALER_SEAT).int(event.dealer);
  w.bytes(BLINDS).ascii('{"small_blind":').int(event.smallBlind).ascii(',"big_blind":').int(event.bigBlind).ascii('}');
  writePosts(w, event.posts);
  if (event.deal !== null) writeDealStart(w, event.deal);
}

const POST = POST_NAMES.map((name) => asciiBytes(`,"kind":"${name}"}`));

function writePosts(w: ByteWriter, posts: HandStartEvent['posts']): void {
  let before = ',"posts":[{"seat":';
  for (const { seat, amount, post } of posts) {
    w.ascii(before).int(seat).ascii(',"amount":').int(amount).bytes(POST[post]!);
    before = ',{"seat":';
  }
  w.ascii(']');
}

export { writeOwnOpened } from './deal.js';

/** The tail of a player's hand_start; a spectator's has none. */
export function writeViewerSeat(w: ByteWriter, seat: number): void {
  w.ascii(',"seat":').int(seat);
}

const ACTION = ACTION_NAMES.map((name) => asciiBytes(`,"action":"${name}","amount":`));
const STREET = STREET_NAMES.map((name) => asciiBytes(`,"street":"${name}","stack":`));
/** Up to the pot before: by the reason, for chips that are added, and for a raise to a total. */
const reasons = (mode: string) =>
  ['null', '"timeout"', '"left"'].map((reason) =>
    asciiBytes(`,"reason":${reason},"amount_mode":"${mode}","pot_before":`),
  );
const ADDED = reasons('incremental');
const RAISED = reasons('to_total');
const POT_AFTER = key('pot_after');
const TO_CALL_BEFORE = key('to_call_before');
const STACK_BEFORE = key('stack_before');
const STACK_AFTER = key('stack_after');
const CONTRIBUTION_DELTA = key('contribution_delta');
const PLAYER_STACK_BEFORE = key('player_stack_before');
const PLAYER_STACK_AFTER = key('player_stack_after');

function writeAction(w: ByteWriter, event: ActionEvent): void {
  const { potBefore, stackBefore, added } = event;
  const potAfter = potBefore + added;
  const stackAfter = stackBefore - added;
  w.ascii(',"seat":').int(event.seat).ascii(',"name":').ascii(event.nameJson);
  w.bytes(ACTION[event.act]!);
  writeIntOrNull(w, event.amount);
  w.bytes(STREET[event.street]!).int(stackAfter).ascii(',"pot":').int(potAfter);
  w.bytes((event.act === Act.raise ? RAISED : ADDED)[event.reason]!);
  w.int(potBefore).bytes(POT_AFTER).int(potAfter).bytes(TO_CALL_BEFORE);
  writeIntOrNull(w, event.toCall === 0 ? null : event.toCall);
  w.bytes(STACK_BEFORE).int(stackBefore).bytes(STACK_AFTER).int(stackAfter).bytes(CONTRIBUTION_DELTA).int(added);
  w.bytes(PLAYER_STACK_BEFORE).int(stackBefore).bytes(PLAYER_STACK_AFTER).int(stackAfter);
  if (event.timing !== null) writeTiming(w, event.timing);
}

function writeTiming(w: ByteWriter, { usedMs, serverLagMs, sentAt, deadlineAt }: TurnTiming): void {
  w.ascii(',"used_ms":').int(usedMs).ascii(',"server_lag_ms":').int(serverLagMs);
  w.ascii(`,"sent_at":"${utc(sentAt)}","deadline_at":"${utc(deadlineAt)}"`);
}

const ACTION_ID = key('action_id');

/** The tail of player_action: the actor's own id to itself, another to everybody else. */
export function writeActionId(w: ByteWriter, id: string): void {
  w.bytes(ACTION_ID).string(id);
}

function writeBoard(w: ByteWriter, event: BoardEvent): void {
  w.ascii(',"cards":');
  writeCards(w, event.cards, 0, event.cards.length);
  w.ascii(',"street":"').ascii(STREET_NAMES[event.street]).ascii('"');
}

function writeJoined(w: ByteWriter, event: JoinedEvent): void {
  w.ascii(',"seat":').int(event.seat).ascii(',"name":').ascii(event.nameJson).ascii(',"stack":').int(event.stack);
}

function writeLeft(w: ByteWriter, event: LeftEvent): void {
  w.ascii(',"seat":').int(event.seat).ascii(',"name":').ascii(event.nameJson);
  w.ascii(',"reason":"').ascii(event.reason).ascii('"');
}

const TRANSFERABLE_POT = key('transferable_pot');
const NET_POT = key('net_pot_after_rake');
const NO_RAKE = asciiBytes(',"pot_kind":"transferable","rake":0,"rake_settled":0');
const OUTCOME_KINDS = ['win', 'split', 'multiple_winners'] as const;

function writeResult(w: ByteWriter, event: ResultEvent): void {
  const pot = writeWinners(w, event);
  w.ascii(',"pot":').int(pot).ascii(',"total_pot":').int(totalPot(event));
  w.bytes(TRANSFERABLE_POT).int(pot).bytes(NET_POT).int(pot);
  writeFinalStacks(w, event);
  w.bytes(NO_RAKE);
  writeShownCards(w, event);
  writeActionLines(w, event.actions);
  writePayouts(w, event);
  w.ascii(',"outcome_kind":"').ascii(OUTCOME_KINDS[event.outcome]).ascii('"');
  writeProof(w, event);
}

/** Writes the seats with a payout and returns the sum of what they gained: the chips that changed hands. */
function writeWinners(w: ByteWriter, event: ResultEvent): number {
  let pot = 0;
  let first = true;
  w.ascii(',"winners":[');
  for (const { seat, nameJson } of event.players) {
    const payout = event.payouts[seat]!;
    if (payout === 0) continue;
    const gain = gainOf(event, seat);
    pot += gain;
    w.ascii(first ? '{"seat":' : ',{"seat":')
      .int(seat)
      .ascii(',"name":')
      .ascii(nameJson);
    w.ascii(',"stack":').int(event.finalStacks[seat]!).ascii(',"amount":').int(gain);
    w.ascii(',"hand_description":').string(describe(event, seat)).ascii('}');
    first = false;
  }
  w.ascii(']');
  return pot;
}

/** The seats with a payout: `amount` is the net gain, as in hand_result. */
export function writeWins(w: ByteWriter, event: ResultEvent): void {
  let before = ',"winners":[{"seat":';
  for (const { seat } of event.players) {
    const payout = event.payouts[seat]!;
    if (payout === 0) continue;
    w.ascii(before).int(seat).ascii(',"amount":').int(gainOf(event, seat));
    w.ascii(',"payout":').int(payout).ascii('}');
    before = ',{"seat":';
  }
  w.ascii(']');
}

/** The chips that a seat won from others. */
const gainOf = (event: ResultEvent, seat: number) => Math.max(0, event.payouts[seat]! - event.contributed[seat]!);

function describe(event: ResultEvent, seat: number): string {
  if (!event.showdown) return 'Uncontested';
  const { hole, board } = event;
  return describeHand([hole[2 * seat]!, hole[2 * seat + 1]!, board[0]!, board[1]!, board[2]!, board[3]!, board[4]!]);
}

function totalPot(event: ResultEvent): number {
  let total = 0;
  for (const { seat } of event.players) total += event.payouts[seat]!;
  return total;
}

export function writeFinalStacks(w: ByteWriter, event: ResultEvent): void {
  let before = ',"final_stacks":{"';
  for (const { seat } of event.players) {
    w.ascii(before).int(seat).ascii('":').int(event.finalStacks[seat]!);
    before = ',"';
  }
  w.ascii('}');
}

export function writeShownCards(w: ByteWriter, event: ResultEvent): void {
  w.ascii(',"shown_cards":{');
  let before = '"';
  for (const { seat } of event.players) {
    if ((event.shown & (1 << seat)) === 0) continue;
    w.ascii(before).int(seat).ascii('":');
    writeCards(w, event.hole, 2 * seat, 2 * seat + 2);
    before = ',"';
  }
  w.ascii('}');
}

const LINE_STREET = STREET_NAMES.map((name) => asciiBytes(`,"street":"${name}"}`));

function writeActionLines(w: ByteWriter, actions: readonly ActionLine[]): void {
  let before = ',"actions":[{"seat":';
  if (actions.length === 0) w.ascii(',"actions":[');
  for (const line of actions) {
    w.ascii(before).int(line.seat).bytes(ACTION[line.act]!);
    writeIntOrNull(w, line.amount);
    w.bytes(LINE_STREET[line.street]!);
    before = ',{"seat":';
  }
  w.ascii(']');
}

function writePayouts(w: ByteWriter, event: ResultEvent): void {
  let before = ',"payouts":[{"seat":';
  for (const { seat } of event.players) {
    if (event.payouts[seat] === 0) continue;
    w.ascii(before).int(seat).ascii(',"amount":').int(event.payouts[seat]!).ascii('}');
    before = ',{"seat":';
  }
  w.ascii(']');
}
