import type { Legal } from '../../holdem/types.js';
import type { ByteWriter } from './byte-writer.js';
import { asciiBytes, jsonAscii } from './byte-writer.js';
import type { HandInPlay } from '../hand/hand-in-play.js';
import type { Seat } from '../seats/seat.js';
import type { DrawnMix } from '../mix.js';
import type { Seats } from '../seats/seats.js';
import { writeDrawn } from './mix.js';
import { key, writeCards, writeIntOrNull } from './words.js';

/** Bodies of the frames that one player alone receives: what follows `"type":…` in the envelope, closing brace included. */

export function writeHoleCards(w: ByteWriter, play: HandInPlay, seat: number): void {
  w.ascii(',"cards":');
  writeCards(w, play.hand.hole, 2 * seat, 2 * seat + 2);
  w.ascii('}');
}

const FOLD = asciiBytes('{"action":"fold","amount":null,"min":null,"max":null}');
const CHECK = asciiBytes('{"action":"check","amount":null,"min":null,"max":null}');
const CALL = asciiBytes(',{"action":"call","amount":');
const RAISE = asciiBytes(',{"action":"raise","amount":null,"min":');
const ALL_IN = asciiBytes(',{"action":"all_in","amount":');
const NO_RANGE = asciiBytes(',"min":null,"max":null}');
const VALID_ACTIONS = key('valid_actions');
const COMMUNITY_CARDS = key('community_cards');
const TURN_TOKEN = key('turn_token');
const PLAYERS = asciiBytes(',"players":[');
const MIN_RAISE = asciiBytes('],"min_raise":');
const MAX_RAISE = key('max_raise');

const DEADLINE = asciiBytes('","deadline_ms":');
const TIME_BANK = key('time_bank_ms');

/** The tail of a turn: its token, the ms that are left of it, and the player's time bank. */
export function writeClock(w: ByteWriter, { turnToken, turnBankMs }: HandInPlay, leftMs: number): void {
  w.bytes(TURN_TOKEN)
    .ascii('"')
    .ascii(turnToken)
    .bytes(DEADLINE)
    .int(Math.max(0, Math.round(leftMs)));
  w.bytes(TIME_BANK);
  writeIntOrNull(w, turnBankMs === null ? null : Math.round(turnBankMs));
  w.ascii('}');
}

/** The actor's turn with so many ms left. `min_raise` and `max_raise` are 0 where no raise is offered. */
export function writeYourTurn(w: ByteWriter, play: HandInPlay, seat: number, legal: Legal, leftMs: number): void {
  const { hand } = play;
  w.ascii(',"seat":').int(seat);
  writeValidActions(w, legal);
  w.ascii(',"pot":').int(hand.pot).bytes(COMMUNITY_CARDS);
  writeCards(w, hand.boardCards, 0, play.boardCount);
  w.bytes(PLAYERS);
  for (let i = 0; i < play.players.length; i++) {
    w.bytes(play.turnEntries[i]!).int(hand.stack[play.players[i]!.seat]!).ascii('},');
  }
  // The last comma gives way.
  w.pos--;
  w.bytes(MIN_RAISE).int(legal.raiseMin).bytes(MAX_RAISE).int(legal.raiseMax);
  writeClock(w, play, leftMs);
}

/** `,"valid_actions":[…]`. */
export function writeValidActions(w: ByteWriter, legal: Legal): void {
  w.bytes(VALID_ACTIONS).ascii('[');
  w.bytes(legal.check ? CHECK : FOLD);
  if (legal.call > 0) w.bytes(CALL).int(legal.call).bytes(NO_RANGE);
  if (legal.raiseMax > 0) w.bytes(RAISE).int(legal.raiseMin).ascii(',"max":').int(legal.raiseMax).ascii('}');
  if (legal.allIn > 0) w.bytes(ALL_IN).int(legal.allIn).bytes(NO_RANGE);
  w.ascii(']');
}

/** A newcomer's first frame: its seat and all players, itself included. */
export function writeTableJoined(w: ByteWriter, seats: Seats, play: HandInPlay, { index, blinds }: Seat): void {
  const postsBigBlind = blinds.due;
  w.ascii(',"seat":').int(index);
  let before = ',"players":[{"seat":';
  for (const other of seats.present) {
    w.ascii(before).int(other.index).ascii(',"name":').ascii(other.nameJson);
    w.ascii(',"stack":').int(play.stackOf(other)).ascii('}');
    before = ',{"seat":';
  }
  w.ascii(postsBigBlind ? '],"posts_big_blind":true}' : ']}');
}

const CLIENT_ACTION_ID = key('client_action_id');
const ACCEPTED = asciiBytes(',"status":"accepted"');
const TAKEN_AS_CHECK = asciiBytes(',"status":"accepted","taken_as":"check"');

/** The parts of an accepted action that its acknowledgement tells. */
export interface TakenAction {
  freeFold: boolean;
  mix: DrawnMix | null;
}

/** A client that gave no id (loose form) reads null. */
export function writeAck(w: ByteWriter, clientId: string | null, { freeFold, mix }: TakenAction): void {
  w.bytes(CLIENT_ACTION_ID);
  if (clientId === null) w.ascii('null');
  else w.string(clientId);
  w.bytes(freeFold ? TAKEN_AS_CHECK : ACCEPTED);
  if (mix !== null) writeDrawn(w, mix);
  w.ascii('}');
}

/** `nearest`: the legal raise-to totals next to a fraction. `part`: the number of the part of a mix that is at fault. */
export interface RejectionDetails {
  nearest: readonly number[] | null;
  part: number | null;
}

/** `details` repeats the code, and the client's id so that the answer can be matched to the action. */
export function writeRejected(
  w: ByteWriter,
  code: string,
  reason: string,
  clientId: string | null,
  { nearest, part }: RejectionDetails,
): void {
  w.ascii(`,"code":"${code}","reason":`).string(reason).ascii(`,"details":{"code":"${code}"`);
  if (clientId !== null) w.bytes(CLIENT_ACTION_ID).string(clientId);
  if (nearest !== null) w.ascii(`,"nearest":[${nearest.join()}]`);
  if (part !== null) w.ascii(',"part":').int(part);
  w.ascii('}}');
}

/** A complete `error` frame; it has no envelope. */
export function writeError(w: ByteWriter, code: string, message: string): void {
  w.ascii(`{"type":"error","code":"${code}","message":${jsonAscii(message)}}`);
}

/** A complete `deal_nonce_ack` frame; it has no envelope. `next`: null where decks are not committed to. */
export function writeNonceAck(
  w: ByteWriter,
  nonce: string,
  next: { handNumber: number; commitment: string; counts: boolean } | null,
): void {
  w.ascii(`{"type":"deal_nonce_ack","nonce":"${nonce}","counts":${next?.counts ?? false},"hand_number":`);
  writeIntOrNull(w, next?.handNumber ?? null);
  w.ascii(next === null ? ',"deck_commitment":null}' : `,"deck_commitment":"${next.commitment}"}`);
}

/** A complete `chips_skimmed` frame; it has no envelope. */
export function writeChipsSkimmed(w: ByteWriter, excess: number, stack: number, balance: number): void {
  w.ascii('{"type":"chips_skimmed","excess":').int(excess).ascii(',"new_stack":').int(stack);
  w.ascii(',"new_balance":').int(balance).ascii('}');
}
