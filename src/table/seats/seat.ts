import { assert, assertWhole } from '../../ops/assert.js';
import { isLean, NO_SOCKET, type LeaveReason, type Player, type Sitting, type SocketId } from '../api.js';
import { asciiBytes, jsonAscii } from '../frames/byte-writer.js';
import { FloodGuard } from './flood.js';
import { SeatBlinds } from './blinds.js';
import { NonceChain } from '../deal/nonce-chain.js';
import { Tempo } from './tempo.js';

/**
 * How far a player's stay has come, in this order; only a seat that is held may go back. `why` is the cause of the end.
 * `reason` is the reason in player_left, and may differ: a disconnected player may also have lost its last chips.
 */
export type Stay =
  | { readonly is: 'seated' }
  /** The player is disconnected; since when, and until when (epoch ms) the seat is kept for it. */
  | { readonly is: 'held'; readonly since: number; readonly until: number }
  /**
   * The seat will be given up at the end of its hand, which it folds at its turn. Or once its excess is back in the
   * balance: then it is out of the game already (`out`). `movesOn`: the reason of the table_closed that its player
   * reads in place of player_left.
   */
  | { readonly is: 'leaving'; readonly why: LeaveReason; readonly out: boolean; readonly movesOn: string | null }
  /** The shard was asked to cash it out; the seat is free when it answers. */
  | {
      readonly is: 'releasing';
      readonly why: LeaveReason;
      readonly reason: LeaveReason;
      readonly movesOn: string | null;
    }
  /** The chips are back, and the seat only waits for the rest of a closing table. */
  | { readonly is: 'cashed_out'; readonly why: LeaveReason };

const SEATED: Stay = { is: 'seated' };

export type SeatStatus = 'active' | 'away' | 'sitting_out' | 'disconnected';

/**
 * One player's stay on a seat, from buy-in to cash-out. `stack` is the settled stack: while its hand runs, the chips
 * in front of the player are the hand's.
 */
export class Seat {
  readonly sitting: string;
  readonly index: number;
  readonly player: Player;
  stack: number;
  #socket: SocketId = NO_SOCKET;
  #stay: Stay = SEATED;
  /** Chips above the maximum that the shard was asked to take back to the balance. */
  excess = 0;
  /** A socket took the seat over while there were no numbers left to tell it anything. */
  owedTurn = false;
  /** Marked away: too many missed hands running, or decisions. */
  away = false;
  /** Hands running in which every decision of the seat timed out. */
  missedHands = 0;
  /** Decisions running that timed out. */
  timedOut = 0;
  /** In a duplicate pool: no deck of this number or below may be dealt where this player sits. */
  decksSeen: number;
  readonly tempo: Tempo;
  /** The client reads this instead of player_left after the hand. Null: it stays. */
  partsWith: string | null = null;
  readonly flood = new FloodGuard();
  readonly blinds = new SeatBlinds();
  readonly nonces = new NonceChain();

  /** Actions of the hand in play that a lean socket has been sent. */
  actionsRead = 0;

  /** The name as a JSON string. */
  nameJson = '';
  /** The unchanging parts of its table_state entry: up to the bet, and on to the stack, for one who plays and not. */
  entryHead = asciiBytes('');
  entryMiddle = entriesOf('');
  /** Its entry in your_turn, up to the stack. */
  turnEntry = asciiBytes('');

  /** `fullBankMs`: the time bank of an unknown player. */
  constructor(sitting: Sitting, fullBankMs: number) {
    assertWhole(sitting.stack, 'a stack');
    assertWhole(sitting.decksSeen ?? 0, 'the number of the last deck seen');
    this.sitting = sitting.sitting;
    this.index = sitting.seat;
    this.player = { ...sitting.player };
    this.stack = sitting.stack;
    this.decksSeen = sitting.decksSeen ?? 0;
    this.tempo = new Tempo(sitting.tempo ?? { decisions: 0, meanMs: 0, bankMs: fullBankMs });
    this.prepare();
  }

  get stay(): Stay {
    return this.#stay;
  }

  /** A socket has the seat: the newcomer's, or one that takes over. */
  connect(socket: SocketId): void {
    assert(socket !== NO_SOCKET, 'a seat connects to a socket');
    this.#socket = socket;
    this.actionsRead = 0;
    if (this.#stay.is === 'held') this.#stay = SEATED;
  }

  /** Its socket is gone since then; a seat that is not on its way out is held until then (epoch ms). */
  disconnect(since: number, until: number): void {
    assert(until >= since, 'a hold ends after it began', until - since);
    this.#socket = NO_SOCKET;
    if (this.staying) this.#stay = { is: 'held', since, until };
  }

  /** In this time nobody could come back: what of it fell into the hold is added to it. */
  stood(from: number, to: number): void {
    if (this.#stay.is !== 'held') return;
    const { since, until } = this.#stay;
    assert(to >= from, 'a standstill ends after it began', to - from);
    this.#stay = { is: 'held', since, until: until + Math.max(0, to - Math.max(from, since)) };
  }

  /** It shall be given up; the first cause stays. See Stay for `out` and `movesOn`. */
  leave(
    why: LeaveReason,
    { out = false, movesOn = this.#movesOn }: { out?: boolean; movesOn?: string | null | undefined } = {},
  ): void {
    assert(!this.#isGivenUp, 'a seat that is given up does not leave again', this.#stay.is);
    this.#stay = { is: 'leaving', why: this.why ?? why, out, movesOn };
  }

  /** The shard is asked for its chips. */
  release(reason: LeaveReason, movesOn: string | null = this.#movesOn): void {
    assert(!this.#isGivenUp, 'a stay is cashed out once', this.#stay.is);
    assert(this.excess === 0, 'a stack is cashed out once its excess is back', this.excess);
    assertWhole(this.stack, 'the stack that is cashed out');
    this.#stay = { is: 'releasing', why: this.why ?? reason, reason, movesOn };
  }

  get #isGivenUp(): boolean {
    return this.#stay.is === 'releasing' || this.#stay.is === 'cashed_out';
  }

  get #movesOn(): string | null {
    return this.#stay.is === 'leaving' ? this.#stay.movesOn : null;
  }

  /** Its chips are back. */
  cashOut(): void {
    assert(this.#stay.is === 'releasing', 'a stay that is cashed out was released', this.#stay.is);
    this.#stay = { is: 'cashed_out', why: this.#stay.why };
  }

  get socket(): SocketId {
    return this.#socket;
  }

  get connected(): boolean {
    return this.#socket !== NO_SOCKET;
  }

  /** Its socket speaks the lean subprotocol. */
  get lean(): boolean {
    return isLean(this.#socket);
  }

  /** True until the seat starts to be given up. */
  get staying(): boolean {
    return this.#stay.is === 'seated' || this.#stay.is === 'held';
  }

  /** The cause of the end; null while the player stays. */
  get why(): LeaveReason | null {
    return this.#stay.is === 'seated' || this.#stay.is === 'held' ? null : this.#stay.why;
  }

  /** Epoch ms at which a held seat is given up; Infinity for others. */
  get heldUntil(): number {
    return this.#stay.is === 'held' ? this.#stay.until : Infinity;
  }

  /** Chips or seat are on their way to the database. */
  get inTransit(): boolean {
    return this.#stay.is === 'releasing' || this.#stay.is === 'cashed_out' || this.excess > 0;
  }

  /**
   * Out of the game: the client's next frame is its own player_left. It gets no state that shows it leaving
   * (protocol.md, "Leaving"): some clients would ask to leave again. When the whole table closes, its players go on
   * reading.
   */
  get dismissed(): boolean {
    const stay = this.#stay;
    return stay.is === 'leaving' ? stay.out : stay.is === 'releasing' && stay.reason !== 'closed';
  }

  /** Given up because its player did not come back, or missed too much. */
  get absent(): boolean {
    return this.away || this.why === 'disconnected';
  }

  get status(): SeatStatus {
    if (this.away) return 'away';
    if (!this.connected) return 'disconnected';
    return this.staying ? 'active' : 'sitting_out';
  }

  /** May be dealt into a new hand. */
  get eligible(): boolean {
    return this.connected && this.staying && !this.away && this.stack > 0;
  }

  /** Out of chips (protocol.md, "Bust, rebuy, season end"): with auto-rebuy on below a big blind already. */
  isBust(bigBlind: number): boolean {
    return this.stack < (this.player.autoRebuy ? bigBlind : 1);
  }

  /** The deck of a hand was dealt, wholly or in part, before the eyes of this player. */
  sees(handNumber: number): void {
    this.decksSeen = Math.max(this.decksSeen, handNumber);
  }

  /** Encodes what changes only with the player's profile; keys in the sorted order that state_hash wants. */
  prepare(): void {
    const { name, avatarUrl, publicProfileSlug, isPro, isHouse } = this.player;
    this.nameJson = jsonAscii(name);
    const avatar = avatarUrl === null ? '' : `"avatar_url":${jsonAscii(avatarUrl)},`;
    const house = isHouse ? '"is_house":true,' : '';
    const slug = publicProfileSlug === null ? '' : `,"public_profile_slug":${jsonAscii(publicProfileSlug)}`;
    this.entryHead = asciiBytes(`{${avatar}"bet":`);
    this.entryMiddle = entriesOf(
      `,${house}"is_pro":${isPro},"name":${this.nameJson}${slug},"seat":${this.index},"stack":`,
    );
    this.turnEntry = asciiBytes(`{"seat":${this.index},"name":${this.nameJson},"stack":`);
  }
}

/** The start of an entry, by the seat's state in the hand. */
const entriesOf = (rest: string) => ({
  inHand: asciiBytes(`,"folded":false,"in_hand":true${rest}`),
  folded: asciiBytes(`,"folded":true,"in_hand":true${rest}`),
  notInHand: asciiBytes(`,"in_hand":false${rest}`),
});
