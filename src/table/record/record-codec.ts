import { Buffer } from 'node:buffer';
import { DECK_SIZE } from '../../cards/card.js';
import { Act } from '../../holdem/types.js';
import type { StoredDeal } from '../deal/deal.js';
import type { DrawnMix } from '../mix.js';
import { Unpacker, writeVarint } from '../replay/packer.js';
import type { HandAction, HandPlayer, HandRecord } from '../effects.js';

/**
 * The stored form of a finished hand: bytes that hold all that is needed to replay and explain it, some 300 for six
 * players. Names, stays and table_seq are no part of the hand. Times are whole milliseconds.
 *
 * Layout of version 1 (v: unsigned LEB128; numbers in brackets: bytes):
 *
 *     version · hand, table, pool id (16 each) · v hand number · seats: button | big blind << 3 | ring << 6 ·
 *     v small blind · v big blind · v started at · v duration · board: count | opened << 3 · cards · v total pot ·
 *     player count · players · v action count · actions
 *     player: seat | shown << 3 | house << 4 | return post << 5 · agent id (16) · v stack at start · v stack at end ·
 *             v contributed · v payout · cards (2)
 *     action: seat | act << 3 | street << 6 · v (ms since the action before << 1 | timeout) ·
 *             v amount for call, raise and all-in
 *
 * Version 2 is for a hand with a committed deck. It continues:
 *
 *     secret (32) · nonce count | undealt << 3 | dice << 4 · nonces (seat and 32 each) · if undealt: count of cards left ·
 *     cards
 *
 * Version 3 is for a hand with mixed actions. It continues with 1 and the rest of version 2, or with 0:
 *
 *     v mix count · mixes
 *     mix: v number of the action · part | count << 3 · u as a double · parts: act, v amount for a raise, p as a double
 */
const PLAIN = 1;
const COMMITTED = 2;
const MIXED = 3;

/** A hand as it is stored. */
export type StoredHand = Omit<HandRecord, 'players' | 'seqReserved' | 'handBefore'> & {
  players: Omit<HandPlayer, 'name' | 'sitting'>[];
};

/** The bytes are no hand of a version we know. */
export class RecordError extends Error {
  override name = 'RecordError';
}

/** Acts above this code (call, raise, all-in) carry an amount. */
const CHECK = 1;
const ID_BYTES = 16;

// One record is written at a time; a thread has its own copy of the module.
let buffer = Buffer.alloc(4096);
let at = 0;

/** The bytes of a hand, in a buffer of its own. */
export function encodeRecord(hand: StoredHand): Buffer {
  at = 0;
  room(640 + 64 * hand.players.length + 192 * hand.actions.length);
  const mixes = hand.actions.flatMap(({ mix }) => (mix ? [mix] : []));
  byte(mixes.length > 0 ? MIXED : hand.deal === undefined ? PLAIN : COMMITTED);
  for (const id of [hand.handId, hand.tableId, hand.poolId]) uuid(id);
  varint(hand.handNumber);
  byte(bits(hand.button, 7) | (bits(hand.bigBlindSeat, 7) << 3) | (hand.headsUpBlinds === 'ring' ? 64 : 0));
  varint(hand.smallBlind);
  varint(hand.bigBlind);
  const startedAt = Math.round(hand.startedAt);
  varint(startedAt);
  varint(Math.round(hand.endedAt) - startedAt);
  byte(bits(hand.board.length, 5) | (bits(hand.boardCount, 5) << 3));
  for (const card of hand.board) byte(card);
  varint(hand.totalPot);
  byte(hand.players.length);
  for (const player of hand.players) writePlayer(player, hand.returns ?? 0);
  varint(hand.actions.length);
  let time = 0;
  for (const action of hand.actions) time = writeAction(action, time);
  if (mixes.length > 0) byte(hand.deal === undefined ? 0 : 1);
  if (hand.deal !== undefined) writeDeal(hand.deal);
  if (mixes.length > 0) writeMixes(mixes);
  return Buffer.from(buffer.subarray(0, at));
}

function writePlayer(player: StoredHand['players'][number], returns: number): void {
  const comesBack = (returns & (1 << player.seat)) !== 0;
  byte(bits(player.seat, 7) | (player.shown ? 8 : 0) | (player.isHouse ? 16 : 0) | (comesBack ? 32 : 0));
  uuid(player.agentId);
  varint(player.stackStart);
  varint(player.stackEnd);
  varint(player.contributed);
  varint(player.payout);
  byte(player.hole[0]);
  byte(player.hole[1]);
}

/** Returns the action's time, from which the next one's is counted. */
function writeAction({ seat, act, street, amount, at: when, timeout }: HandAction, before: number): number {
  if (act > CHECK !== (amount !== null)) throw new RangeError(`act ${act} with amount ${amount}`);
  const time = Math.max(before, Math.round(when));
  byte(bits(seat, 7) | (bits(act, 7) << 3) | (bits(street, 3) << 6));
  varint((time - before) * 2 + (timeout ? 1 : 0));
  if (amount !== null) varint(amount);
  return time;
}

function writeDeal({ secret, nonces, undealt, hasDice }: StoredDeal): void {
  bytes32(secret);
  byte(bits(nonces.length, 7) | (undealt === null ? 0 : 8) | (hasDice ? 16 : 0));
  for (const { seat, nonce } of nonces) {
    byte(seat);
    bytes32(nonce);
  }
  if (undealt === null) return;
  byte(bits(undealt.length, DECK_SIZE));
  for (const card of undealt) byte(card);
}

function writeMixes(mixes: readonly DrawnMix[]): void {
  varint(mixes.length);
  for (const { number, part, u, parts } of mixes) {
    varint(number);
    byte(bits(part, 7) | (bits(parts.length, 8) << 3));
    double(u);
    for (const { act, amount, p } of parts) {
      if ((act === Act.raise) !== (amount !== null)) throw new RangeError(`act ${act} with amount ${amount}`);
      byte(bits(act, 7));
      if (amount !== null) varint(amount);
      double(p);
    }
  }
}

function double(value: number): void {
  at = buffer.writeDoubleBE(value, at);
}

function room(bytes: number): void {
  if (buffer.length < bytes) buffer = Buffer.alloc(2 * bytes);
}

function byte(value: number): void {
  buffer[at++] = bits(value, 255);
}

/** The value, which must fit the few bits it gets. */
function bits(value: number, max: number): number {
  if (!Number.isInteger(value) || value < 0 || value > max) throw new RangeError(`${value} is not from 0 to ${max}`);
  return value;
}

/** A whole number up to 2^53, also beyond the 32 bits of the bit operators. */
function varint(value: number): void {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is no whole number from 0`);
  at = writeVarint(buffer, at, value);
}

function uuid(id: string): void {
  const written = buffer.write(id.replaceAll('-', ''), at, ID_BYTES, 'hex');
  if (written !== ID_BYTES) throw new RangeError(`${id} is no UUID`);
  at += ID_BYTES;
}

function bytes32(hex: string): void {
  if (hex.length !== 64 || buffer.write(hex, at, 32, 'hex') !== 32) throw new RangeError('not 32 bytes in hex');
  at += 32;
}

/** The hand of stored bytes. Throws RecordError when they are not exactly one. */
export function decodeRecord(bytes: Uint8Array): StoredHand {
  const reader = new RecordReader(bytes);
  const version = reader.byte();
  if (version < PLAIN || version > MIXED) throw new RecordError(`unknown version ${version}`);
  const [handId, tableId, poolId] = [reader.uuid(), reader.uuid(), reader.uuid()];
  const handNumber = reader.uint();
  const seats = reader.byte();
  const [smallBlind, bigBlind, startedAt, duration] = [reader.uint(), reader.uint(), reader.uint(), reader.uint()];
  const counts = reader.byte();
  const board = reader.list(counts & 7, () => reader.byte());
  const totalPot = reader.uint();
  let returns = 0;
  const players = reader.list(reader.byte(), () => {
    const { comesBack, ...player } = readPlayer(reader);
    if (comesBack) returns |= 1 << player.seat;
    return player;
  });
  let time = 0;
  const actions = reader.list(reader.uint(), () => {
    const action = readAction(reader, time);
    time = action.at;
    return action;
  });
  const committed = version === COMMITTED || (version === MIXED && reader.byte() === 1);
  const deal = committed ? { deal: readDeal(reader) } : {};
  if (version === MIXED) readMixes(reader, actions);
  reader.end();
  return {
    handId,
    tableId,
    poolId,
    handNumber,
    button: seats & 7,
    bigBlindSeat: (seats >> 3) & 7,
    smallBlind,
    bigBlind,
    headsUpBlinds: seats & 64 ? 'ring' : 'standard',
    startedAt,
    endedAt: startedAt + duration,
    players,
    board,
    boardCount: counts >> 3,
    actions,
    totalPot,
    ...(returns !== 0 && { returns }),
    ...deal,
  };
}

function readDeal(reader: RecordReader): StoredDeal {
  const secret = reader.hex32();
  const flags = reader.byte();
  const nonces = reader.list(flags & 7, () => ({ seat: reader.byte(), nonce: reader.hex32() }));
  const undealt = flags & 8 ? reader.list(reader.byte(), () => reader.byte()) : null;
  return { secret, nonces, undealt, ...((flags & 16) !== 0 && { hasDice: true as const }) };
}

/** Puts each mix to its action. */
function readMixes(reader: RecordReader, actions: HandAction[]): void {
  for (let left = reader.uint(); left > 0; left--) {
    const number = reader.uint();
    const counts = reader.byte();
    const u = reader.number();
    const parts = reader.list(counts >> 3, () => {
      const act = reader.byte() as Act;
      return { act, amount: act === Act.raise ? reader.uint() : null, p: reader.number() };
    });
    const action = actions[number];
    if (action === undefined) throw new RecordError('a mix is of no action');
    action.mix = { parts, number, u, part: counts & 7 };
  }
}

function readPlayer(reader: RecordReader): StoredHand['players'][number] & { comesBack: boolean } {
  const flags = reader.byte();
  const agentId = reader.uuid();
  const [stackStart, stackEnd, contributed, payout] = [reader.uint(), reader.uint(), reader.uint(), reader.uint()];
  const hole: [number, number] = [reader.byte(), reader.byte()];
  const [shown, isHouse, comesBack] = [(flags & 8) !== 0, (flags & 16) !== 0, (flags & 32) !== 0];
  return { seat: flags & 7, agentId, stackStart, stackEnd, contributed, payout, hole, shown, isHouse, comesBack };
}

function readAction(reader: RecordReader, before: number): HandAction {
  const code = reader.byte();
  const act = (code >> 3) & 7;
  const step = reader.uint();
  const amount = act > CHECK ? reader.uint() : null;
  return { seat: code & 7, act, amount, street: code >> 6, at: before + Math.floor(step / 2), timeout: step % 2 === 1 };
}

class RecordReader extends Unpacker {
  readonly #bytes: Buffer;

  constructor(bytes: Uint8Array) {
    const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    super(whole);
    this.#bytes = whole;
  }

  protected override broken(how: string): never {
    throw new RecordError(`the record ${how}`);
  }

  byte(): number {
    return this.#bytes[this.pos++] ?? this.broken('breaks off');
  }

  uuid(): string {
    const hex = this.#bytes.toString('hex', this.pos, this.pos + ID_BYTES);
    this.pos += ID_BYTES;
    if (this.pos > this.#bytes.length) this.broken('breaks off');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }

  hex32(): string {
    const hex = this.#bytes.toString('hex', this.pos, this.pos + 32);
    this.pos += 32;
    if (this.pos > this.#bytes.length) this.broken('breaks off');
    return hex;
  }

  list<T>(count: number, item: () => T): T[] {
    if (count > this.#bytes.length) throw new RecordError('a list is longer than the record');
    return Array.from({ length: count }, item);
  }

  end(): void {
    if (this.pos !== this.#bytes.length) throw new RecordError('something follows the record');
  }
}
