import { hash } from 'node:crypto';
import type { Legal } from '../../holdem/types.js';
import type { TableRules } from '../api.js';
import { asciiBytes, jsonAscii, type ByteWriter } from './byte-writer.js';
import type { Stamp } from '../numbering.js';
import type { HandInPlay } from '../hand/hand-in-play.js';
import type { Seat } from '../seats/seat.js';
import type { Seats } from '../seats/seats.js';
import { writeTimestamp } from './timestamp.js';
import type { WaitingState } from '../seats/waiting.js';
import { CARD_NAMES } from '../../cards/card.js';
import { key, STREET_NAMES, writeCards } from './words.js';

/** The content of a table_state. Everything is the last sent state, never an uncommitted result. */
export interface StateSource {
  seats: Seats;
  play: HandInPlay;
  /** The button of the running or last hand; 0 before a table's first. */
  dealer: number;
  /** Why no decision is open; null while one is. */
  waiting: WaitingState | null;
}

const STATUS = {
  active: asciiBytes(',"status":"active"}'),
  away: asciiBytes(',"status":"away"}'),
  sitting_out: asciiBytes(',"status":"sitting_out"}'),
  disconnected: asciiBytes(',"status":"disconnected"}'),
} as const;
const EMPTY_SEATS = [0, 1, 2, 3, 4, 5].map((seat) =>
  asciiBytes(`{"bet":0,"is_pro":false,"name":null,"seat":${seat},"stack":0,"status":"empty"}`),
);
const DEALER_SEAT = key('dealer_seat');
const HAND_ID = key('hand_id');
const SEATS = asciiBytes(',"seats":[');
const MAX_RAISE_TO = key('max_raise_to');
const MIN_RAISE_TO = key('min_raise_to');
const TYPE = asciiBytes(',"type":"table_state"');
const TABLE_SEQ = asciiBytes('","table_seq":');
const HAND_SEQ = key('hand_seq');
const STATE_HASH = key('state_hash');
const SHA256 = asciiBytes('"sha256:');
const STREETS = STREET_NAMES.map((name) => name as string);

/**
 * Writes table_state, one event for many viewers. Keys are sorted at every level, and the four keys that state_hash
 * leaves out come last. So the hash is taken over the very bytes that are sent. The parts that all viewers share are
 * encoded for the first and copied for the others:
 *
 *     head {"actor_seat"…"hand_id"…  · own ,"hero"… · middle ,"pot"…"table_id"… · own ,"to_call"… · tail ,"type"… · own hash
 *
 * Two viewers that are not to act read frames that differ in a few bytes at fixed places. The second frame is a copy of
 * the first with those bytes replaced.
 */
export class StateFrames {
  readonly #withHash: boolean;
  readonly #blinds: { small: Uint8Array; big: Uint8Array };
  readonly #tableId: Uint8Array;
  /** Where the shared parts of the event in hand stand in the writer; -1 before the first viewer. */
  #headStart = -1;
  #headEnd = 0;
  #middleStart = 0;
  #middleEnd = 0;
  #tailStart = 0;
  #tailEnd = 0;
  #endStart = 0;
  #endEnd = 0;
  /** A whole frame of the event in hand for somebody who is not to act, or null. */
  #plain: PlainFrame | null = null;

  constructor(tableId: string, rules: TableRules) {
    this.#withHash = rules.stateHash;
    this.#blinds = {
      big: asciiBytes(`"big_blind":${rules.bigBlind},"board":`),
      small: asciiBytes(`],"small_blind":${rules.smallBlind},"stream":"state","street":"`),
    };
    this.#tableId = asciiBytes(`","table_id":${jsonAscii(tableId)}`);
  }

  /** The next frames tell another event: the shared parts are written anew. */
  newEvent(): void {
    this.#headStart = -1;
    this.#plain = null;
  }

  /**
   * Writes the frame of one viewer (null: a spectator) and returns where it starts; it ends at `w.pos`. `legal` is what
   * the viewer may do if it is the actor, `token` its turn token (only in the snapshot of a resync), else null.
   */
  write(
    w: ByteWriter,
    source: StateSource,
    stamp: Stamp,
    viewer: Seat | null,
    legal: Legal | null,
    token: string | null,
  ): number {
    const isPlain = viewer !== null && legal === null && token === null;
    if (isPlain && this.#plain?.dealt === source.play.has(viewer)) return this.#rewrite(w, source.play, viewer);
    const first = this.#headStart < 0;
    const start = w.pos;
    if (first) this.#writeHead(w, source, stamp);
    else w.copy(this.#headStart, this.#headEnd);
    const heroStart = w.pos;
    if (viewer !== null) writeHero(w, source.play, viewer, legal, token);
    const heroEnd = w.pos;
    if (legal !== null && legal.raiseMax > 0) {
      w.bytes(MAX_RAISE_TO).int(legal.raiseMax).bytes(MIN_RAISE_TO).int(legal.raiseMin);
    }
    if (first) this.#writeMiddle(w, source);
    else w.copy(this.#middleStart, this.#middleEnd);
    if (legal !== null) w.ascii(',"to_call":').int(legal.call);
    if (first) this.#writeTail(w, source.waiting);
    else w.copy(this.#tailStart, this.#tailEnd);
    const bodyEnd = w.pos;
    const digest = this.#withHash ? hashOf(w, start) : null;
    if (first) this.#writeEnd(w, stamp);
    else w.copy(this.#endStart, this.#endEnd);
    if (digest === null) w.ascii('null}');
    else w.bytes(SHA256).ascii(digest).ascii('"}');
    if (isPlain) this.#plain = { dealt: source.play.has(viewer), start, heroStart, heroEnd, bodyEnd, end: w.pos };
    return start;
  }

  /** The plain frame again, for another viewer: its cards, its seat and its hash in the place of the first one's. */
  #rewrite(w: ByteWriter, play: HandInPlay, viewer: Seat): number {
    const { dealt, start: from, heroStart, heroEnd, bodyEnd, end } = this.#plain!;
    const start = w.pos;
    w.copy(from, end);
    const { buffer } = w;
    const moved = start - from;
    if (dealt) {
      const { hole } = play.hand;
      const cards = heroStart + moved + FIRST_CARD;
      putCard(buffer, cards, hole[2 * viewer.index]!);
      putCard(buffer, cards + NEXT_CARD, hole[2 * viewer.index + 1]!);
    }
    buffer[heroEnd + moved - 2] = ZERO + viewer.index;
    if (!this.#withHash) return start;
    const close = bodyEnd + moved;
    buffer[close] = BRACE;
    const digest = sha256(w, start, close + 1);
    buffer[close] = COMMA;
    buffer.write(digest, w.pos - 2 - digest.length, 'latin1');
    return start;
  }

  #writeHead(w: ByteWriter, { play, dealer }: StateSource, stamp: Stamp): void {
    this.#headStart = w.pos;
    const { actor } = play;
    w.ascii('{');
    if (actor !== null) w.ascii('"actor_seat":').int(actor.index).ascii(',');
    w.bytes(this.#blinds.big);
    writeCards(w, play.hand.boardCards, 0, play.inHand ? play.boardCount : 0);
    w.bytes(DEALER_SEAT).int(dealer).bytes(HAND_ID);
    if (stamp.handId === null) w.ascii('null');
    else w.ascii('"').ascii(stamp.handId).ascii('"');
    this.#headEnd = w.pos;
  }

  #writeMiddle(w: ByteWriter, { seats, play }: StateSource): void {
    this.#middleStart = w.pos;
    w.ascii(',"pot":')
      .int(play.inHand ? play.hand.pot : 0)
      .bytes(SEATS);
    for (let index = 0; index < seats.size; index++) {
      if (index > 0) w.ascii(',');
      const seat = seats.all[index]!;
      if (seat === null) w.bytes(EMPTY_SEATS[index]!);
      else writeSeat(w, play, seat);
    }
    w.bytes(this.#blinds.small)
      .ascii(play.inHand ? STREETS[play.street]! : 'idle')
      .bytes(this.#tableId);
    this.#middleEnd = w.pos;
  }

  #writeTail(w: ByteWriter, waiting: WaitingState | null): void {
    this.#tailStart = w.pos;
    w.bytes(TYPE);
    if (waiting !== null) writeWaiting(w, waiting);
    this.#tailEnd = w.pos;
  }

  #writeEnd(w: ByteWriter, stamp: Stamp): void {
    this.#endStart = w.pos;
    writeTimestamp(w, stamp.micros);
    w.bytes(TABLE_SEQ).int(stamp.tableSeq).bytes(HAND_SEQ);
    if (stamp.handSeq === 0) w.ascii('null');
    else w.int(stamp.handSeq);
    w.bytes(STATE_HASH);
    this.#endEnd = w.pos;
  }
}

/** Where parts of a frame stand that was written: what is its viewer's own, and where the hashed part ends. */
interface PlainFrame {
  /** Whether its viewer was dealt in: with the cards in it or without. */
  dealt: boolean;
  start: number;
  /** `,"hero":{"hole_cards":["As","Kd"],"seat":3}` */
  heroStart: number;
  heroEnd: number;
  bodyEnd: number;
  end: number;
}

const FIRST_CARD = ',"hero":{"hole_cards":["'.length;
const NEXT_CARD = 'As","'.length;
const ZERO = 48;
const COMMA = 44;
const BRACE = 125;

function putCard(buffer: Uint8Array, at: number, card: number): void {
  const name = CARD_NAMES[card]!;
  buffer[at] = name.charCodeAt(0);
  buffer[at + 1] = name.charCodeAt(1);
}

/** The hash of the object written so far: closed for the moment by a brace that the next bytes overwrite. */
function hashOf(w: ByteWriter, start: number): string {
  w.ascii('}');
  const digest = sha256(w, start, w.pos);
  w.pos--;
  return digest;
}

const sha256 = ({ block }: ByteWriter, start: number, end: number): string =>
  hash('sha256', new Uint8Array(block, start, end - start), 'hex');

function writeSeat(w: ByteWriter, play: HandInPlay, seat: Seat): void {
  w.bytes(seat.entryHead).int(play.betOf(seat));
  const { inHand, folded, notInHand } = seat.entryMiddle;
  if (!play.has(seat)) w.bytes(notInHand);
  else w.bytes((play.hand.folded & (1 << seat.index)) !== 0 ? folded : inHand);
  w.int(play.stackOf(seat)).bytes(STATUS[seat.status]);
}

const HERO_CARDS = asciiBytes(',"hero":{"hole_cards":');
const HERO_SEAT = asciiBytes(',"hero":{"seat":');

function writeHero(w: ByteWriter, play: HandInPlay, seat: Seat, legal: Legal | null, token: string | null): void {
  if (play.has(seat)) {
    w.bytes(HERO_CARDS);
    writeCards(w, play.hand.hole, 2 * seat.index, 2 * seat.index + 2);
    w.ascii(',"seat":').int(seat.index);
  } else w.bytes(HERO_SEAT).int(seat.index);
  if (token !== null) w.ascii(',"turn_token":"').ascii(token).ascii('"');
  if (legal !== null) writeLegal(w, legal);
  w.ascii('}');
}

const CHECK = asciiBytes(',"valid_actions":[{"action":"check"}');
const FOLD = asciiBytes(',"valid_actions":[{"action":"fold"}');
const CALL = asciiBytes(',{"action":"call","amount":');
const RAISE = asciiBytes(',{"action":"raise","max":');
const ALL_IN = asciiBytes(',{"action":"all_in","amount":');

/** Here keys that do not apply are left out; in your_turn they are null (private.ts). */
function writeLegal(w: ByteWriter, legal: Legal): void {
  w.bytes(legal.check ? CHECK : FOLD);
  if (legal.call > 0) w.bytes(CALL).int(legal.call).ascii('}');
  if (legal.raiseMax > 0) {
    w.bytes(RAISE).int(legal.raiseMax).ascii(',"min":').int(legal.raiseMin).ascii('}');
  }
  if (legal.allIn > 0) w.bytes(ALL_IN).int(legal.allIn).ascii('}');
  w.ascii(']');
}

function writeWaiting(w: ByteWriter, waiting: WaitingState): void {
  w.ascii(',"waiting_details":{"active_players":').int(waiting.active);
  w.ascii(',"away_players":').int(waiting.away);
  if (waiting.delaySeconds !== null) w.ascii(',"configured_delay_seconds":').int(waiting.delaySeconds);
  w.ascii(',"connected_players":').int(waiting.connected);
  w.ascii(',"disconnected_players":').int(waiting.disconnected);
  w.ascii(',"eligible_players":').int(waiting.eligible);
  w.ascii(',"min_required":').int(waiting.minRequired);
  w.ascii(',"player_count":').int(waiting.playerCount);
  if (waiting.remainingSeconds !== null) w.ascii(',"remaining_seconds":').int(waiting.remainingSeconds);
  w.ascii('},"waiting_reason":"').ascii(waiting.reason).ascii('"');
}
