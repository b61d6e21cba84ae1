import type { LeaveReason } from '../api.js';

/**
 * How far a player's stay has come, in this order; only a seat that is held may go back. `why` is what ended it,
 * `reason` what player_left says of it, which may be another: who was given up as disconnected may have lost its last
 * chips.
 */
export type Stay =
  | { readonly is: 'seated' }
  /** The player is disconnected; since when, and until when (epoch ms) the seat is kept for it. */
  | { readonly is: 'held'; readonly since: number; readonly until: number }
  /**
   * To be given up: at the end of the hand it plays, which it folds when its turn comes, or once its excess is back in
   * the balance; then it is out of the game already (`out`). `movesOn`: what it reads in place of player_left.
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

export const SEATED: Stay = { is: 'seated' };
