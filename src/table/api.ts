import type { RandomSource } from '../cards/random.js';
import type { ActionMessage } from '../protocol/client.js';
import type { StoredDeal } from './deal.js';
import type { Outbox } from './outbox.js';

/**
 * The seam between a table (pure) and the shard that hosts it. Time and randomness come in as arguments and through
 * TableEnv; whatever shall happen outside comes out of the outbox: finished frames addressed to sockets, and effects.
 */

/** A socket's number: unique in the process and never reused, so frames of an old session cannot reach a new one. */
export type SocketId = number;
/** No socket: the seat's player is disconnected. */
export const NO_SOCKET: SocketId = 0;

/** What is fixed for the life of a table. Times in ms, chips whole. */
export interface TableRules {
  seats: number;
  smallBlind: number;
  bigBlind: number;
  headsUpBlinds: 'standard' | 'ring';
  boardEvents: 'new' | 'cumulative';
  actionProtocol: 'strict' | 'loose';
  stateHash: boolean;
  actionTimeoutMs: number;
  betweenHandsMs: number;
  disconnectHoldMs: number;
  /** Consecutive hands in which every decision timed out, before the seat is marked away and removed. */
  missedHandsLimit: number;
  /** The replay window: at least the last `replayHands` hands, unless `replayBytes` is reached first. */
  replayHands: number;
  replayBytes: number;
  /** What a stack has above it after a hand goes back to the balance; null: stacks are not limited. */
  maxStack: number | null;
  /** Each deck is committed to before the hand and its opened cards are proven (deal.ts). */
  fairDeals: boolean;
  /** Not null in a duplicate pool: all its tables play the series of decks that comes of this secret. */
  duplicate: { secret: string } | null;
}

/** Who sits down, as the table needs to know them. */
export interface Player {
  agentId: string;
  name: string;
  avatarUrl: string | null;
  publicProfileSlug: string | null;
  isPro: boolean;
  isHouse: boolean;
  autoRebuy: boolean;
}

/** One stay of a player on a seat. `sitting` names the stay, so that buy-in and cash-out are idempotent. */
export interface Sitting {
  sitting: string;
  seat: number;
  player: Player;
  stack: number;
}

/** Everything a table starts from: a fresh one has no sittings; a reopened one has those stored at its last commit. */
export interface TableOpening {
  tableId: string;
  /** The season (or private pool) whose chips are played for. */
  poolId: string;
  rules: TableRules;
  /** Number of the last committed hand, 0 at first. */
  handNumber: number;
  /** Button and big blind of the last committed hand, -1 when there was none. */
  button: number;
  bigBlindSeat: number;
  /**
   * table_seq goes on above this number, which is at least the highest that was ever sent. Whoever opens the table has
   * stored `seqFloor + SEQ_STEP` (numbering.ts) as its new bound before.
   */
  seqFloor: number;
  /** Restored players count as disconnected; their hold runs from the opening. */
  sittings: Sitting[];
}

export interface TableEnv {
  random: RandomSource;
  out: Outbox;
}

/** Why a seat was given up, as player_left says it; `closed` when the whole table goes. */
export type LeaveReason = 'left' | 'disconnected' | 'busted' | 'closed';

/** One decision of a hand, as it is stored. */
export interface HandAction {
  seat: number;
  /** Codes of holdem/types Act. */
  act: number;
  /** As on the wire: chips added for call and all-in, raise-to total for raise, null otherwise. */
  amount: number | null;
  street: number;
  /** ms since the hand started. */
  at: number;
  timeout: boolean;
}

export interface HandPlayer {
  seat: number;
  agentId: string;
  sitting: string;
  name: string;
  stackStart: number;
  stackEnd: number;
  /** Chips put into the pots, the uncalled part taken off. */
  contributed: number;
  payout: number;
  hole: [number, number];
  /** True when the cards were shown to the table. */
  shown: boolean;
  isHouse: boolean;
}

/** All that is needed to store, explain and replay one finished hand. */
export interface HandRecord {
  handId: string;
  tableId: string;
  poolId: string;
  handNumber: number;
  button: number;
  bigBlindSeat: number;
  smallBlind: number;
  bigBlind: number;
  headsUpBlinds: 'standard' | 'ring';
  /** Epoch ms. */
  startedAt: number;
  endedAt: number;
  /** Dealt-in seats in seat order. */
  players: HandPlayer[];
  /** All five board cards of the deal that were drawn, and how many of them were opened. */
  board: number[];
  boardCount: number;
  actions: HandAction[];
  totalPot: number;
  /** table_seq may be used up to this number before another is stored: see TableEffect `reserve`. */
  seqReserved: number;
  /** Where decks are committed to. */
  deal?: StoredDeal;
}

/** What a table asks of its shard. Each answer comes back through the method named. */
export type TableEffect =
  /** Store the hand; then `handCommitted(handId)`. Nothing settled is told before. */
  | { kind: 'commit'; record: HandRecord }
  /** Cash the stay out; then `released(sitting)`. */
  | { kind: 'release'; sitting: string; seat: number; agentId: string; stack: number; reason: LeaveReason }
  /** Take what the stack has above the maximum back to the balance; then `skimmed(sitting, balance)`. The hand it came of, if known. */
  | {
      kind: 'skim';
      sitting: string;
      agentId: string;
      /** The stack as it is stored, and what goes. */
      stack: number;
      excess: number;
      handId: string | null;
    }
  /** table_seq is about to reach what is stored: store this higher bound; then `reserved(upTo)`. */
  | { kind: 'reserve'; upTo: number }
  /** The summary for lobby and GET /tables changed (at most one a flush). */
  | { kind: 'summary' }
  /** All stacks are back, table_closed was sent; the shard forgets the table after the replay linger. */
  | { kind: 'closed' };

/** What lobby and GET /tables know of a table: the last told state. */
export interface TableSummary {
  tableId: string;
  poolId: string;
  seats: number;
  smallBlind: number;
  bigBlind: number;
  handNumber: number;
  /** Taken seats, those being given up included. */
  occupied: number;
  /** A hand is running or its result is being stored. */
  inHand: boolean;
  /** True once no newcomer may sit down (closing or draining). */
  closing: boolean;
  players: { agentId: string; seat: number; isHouse: boolean; connected: boolean; leaving: boolean }[];
}

/**
 * A table over many hands. Every method takes `now` (epoch ms, may have fractions: the wire's ts has microseconds)
 * and leaves its frames and effects in the outbox. No method throws on what a client sent.
 */
export interface TableApi {
  readonly tableId: string;
  /** Keeps a seat for a buy-in under way; -1 when none is free or the table is closing. Freed by `sit` or `unreserve`. */
  reserveSeat(sitting: string): number;
  unreserveSeat(sitting: string): void;
  /** The buy-in is committed: table_joined and table_state to the newcomer, player_joined to the others. */
  sit(now: number, sitting: Sitting, socket: SocketId): void;
  /** A socket (first after a restart, reconnect or takeover) takes its player's seat over: table_state, and your_turn to the actor. */
  attach(now: number, agentId: string, socket: SocketId): void;
  /** The socket is gone; ignored unless it is the seat's present one. */
  detach(now: number, agentId: string, socket: SocketId): void;
  act(now: number, agentId: string, socket: SocketId, message: ActionMessage): void;
  leave(now: number, agentId: string, socket: SocketId): void;
  /** `rebuy` of a seated player: always refused, with the code RULINGS §6 gives. */
  rebuy(now: number, agentId: string, socket: SocketId): void;
  /** The player's part in the next deck: deal_nonce_ack. */
  nonce(now: number, agentId: string, socket: SocketId, nonce: string): void;
  /** An invalid_message the gateway answered: counts for flood. */
  invalid(now: number, agentId: string, socket: SocketId): void;
  /** Reply to resync_request; an agent without a seat here (or null) is a spectator. */
  resync(now: number, agentId: string | null, socket: SocketId, lastTableSeq: number | null): void;
  /** Changed preferences or profile of a seated player. */
  update(
    now: number,
    agentId: string,
    change: Partial<Pick<Player, 'autoRebuy' | 'isPro' | 'name' | 'avatarUrl'>>,
  ): void;
  /** An agent busted at this table waits for its rebuy (or no longer): waiting reason awaiting_rebuy. */
  rebuyPending(now: number, agentId: string, pending: boolean): void;
  /**
   * No new hands; after the one in progress all seats are released and table_closed is sent. `voidHand`: the one in
   * progress does not count, every stack is what it was before it (a season's end does not wait for it).
   */
  close(now: number, reason: string, voidHand?: boolean): void;
  /** No new hands, seats stay (shutdown, or the last minutes of a season); waiting reason table_closing. */
  drain(now: number): void;
  /** Undoes `drain`: hands go on after the usual delay. A table that closes stays closing. */
  resume(now: number): void;
  handCommitted(now: number, handId: string): void;
  released(now: number, sitting: string): void;
  /** The excess of a stay is back in the balance, which is this now: chips_skimmed to the player, the new state to all. */
  skimmed(now: number, sitting: string, balance: number): void;
  reserved(now: number, upTo: number): void;
  /** Runs every deadline that is due. */
  tick(now: number): void;
  /** Epoch ms of the next deadline, Infinity when there is none. */
  readonly nextDeadline: number;
  readonly inHand: boolean;
  summary(): TableSummary;
  /** The public (spectator) table_state as JSON text: GET /tables/{id}. */
  publicState(now: number): string;
  /** Last told stack of a seated agent, or null: GET /me/active-game; `leaving` lets a join_lobby queue, not be refused. */
  seatOf(agentId: string): { seat: number; stack: number; leaving: boolean } | null;
}

export type TableFactory = (now: number, opening: TableOpening, env: TableEnv) => TableApi;
