import { NO_SOCKET, type LeaveReason, type Player, type Sitting, type SocketId } from './api.js';
import { asciiBytes, jsonAscii } from './bytes.js';
import { FloodGuard } from './flood.js';
import { NonceChain } from './nonces.js';

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
  socket: SocketId;
  /** Epoch ms until which a disconnected player's seat is held; Infinity while connected. */
  heldUntil = Infinity;
  /** Set once the seat shall be given up; in a hand it is folded when its turn comes and given up at the end. */
  leaving: LeaveReason | null = null;
  /** Set once the shard was asked to cash the stay out; the seat is free when it answers. */
  releasing: LeaveReason | null = null;
  /** Chips above the maximum that the shard was asked to take back to the balance. */
  excess = 0;
  /** The chips are back, and the seat only waits for the rest of a closing table. */
  cashedOut = false;
  /** Marked away: too many missed hands running. */
  away = false;
  /** Hands running in which every decision of the seat timed out. */
  missedHands = 0;
  readonly flood = new FloodGuard();
  readonly nonces = new NonceChain();

  /** The name as a JSON string. */
  nameJson = '';
  /** The unchanging parts of its table_state entry: up to the bet, and from in_hand to the stack. */
  entryHead = asciiBytes('');
  entryMiddle = asciiBytes('');

  constructor(sitting: Sitting, socket: SocketId) {
    this.sitting = sitting.sitting;
    this.index = sitting.seat;
    this.player = { ...sitting.player };
    this.stack = sitting.stack;
    this.socket = socket;
    this.prepare();
  }

  get connected(): boolean {
    return this.socket !== NO_SOCKET;
  }

  /** True until the seat starts to be given up. */
  get staying(): boolean {
    return this.leaving === null && this.releasing === null;
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

  /** Out of chips by the rule of RULINGS §6: with auto-rebuy on, less than a big blind is a bust already. */
  isBust(bigBlind: number): boolean {
    return this.stack < (this.player.autoRebuy ? bigBlind : 1);
  }

  /** Encodes what changes only with the player's profile; keys in the sorted order that state_hash wants. */
  prepare(): void {
    const { name, avatarUrl, publicProfileSlug, isPro, isHouse } = this.player;
    this.nameJson = jsonAscii(name);
    const avatar = avatarUrl === null ? '' : `"avatar_url":${jsonAscii(avatarUrl)},`;
    const house = isHouse ? '"is_house":true,' : '';
    const slug = publicProfileSlug === null ? '' : `,"public_profile_slug":${jsonAscii(publicProfileSlug)}`;
    this.entryHead = asciiBytes(`{${avatar}"bet":`);
    this.entryMiddle = asciiBytes(
      `,${house}"is_pro":${isPro},"name":${this.nameJson}${slug},"seat":${this.index},"stack":`,
    );
  }
}
