import type { ActionMessage } from '../protocol/client.js';
import type { BlindDebt } from './seats/blinds.js';
import type { KnownTempo } from './seats/tempo.js';

/**
 * The seam between a table (pure) and the shard that hosts it. Time and randomness are arguments or come from TableEnv.
 * Every effect leaves through the outbox: finished frames addressed to sockets, and effects.
 */

/** A socket's number: unique in the process and never reused, so frames of an old session cannot reach a new one. */
export type SocketId = number;
/** No socket: the seat's player is disconnected. */
export const NO_SOCKET: SocketId = 0;
/**
 * Sockets of the lean subprotocol (protocol.md, "Lean") have this bit in their number. So every table knows the format
 * of its viewers without another field.
 */
const LEAN = 0x8000_0000;
/** The largest number without that bit. */
export const MAX_SERIAL = 0x7fff_ffff;
export const leanSocket = (serial: number): SocketId => serial + LEAN;
export const isLean = (socket: SocketId): boolean => socket >= LEAN;
/** The fixed settings of a table. Times in ms, chips whole. */
export interface TableRules {
  seats: number;
  smallBlind: number;
  bigBlind: number;
  headsUpBlinds: 'standard' | 'ring';
  /** A player that left before its big blind and comes back soon posts one. */
  returnPost: boolean;
  /** A fold where checking is free is a check, or is refused. */
  freeFold: 'check' | 'reject';
  boardEvents: 'new' | 'cumulative';
  actionProtocol: 'strict' | 'loose';
  stateHash: boolean;
  actionTimeoutMs: number;
  /** A full time bank (protocol.md, "Time"); null: there is none. */
  timeBankMs: number | null;
  betweenHandsMs: number;
  disconnectHoldMs: number;
  /** Consecutive hands in which every decision timed out, before the seat is marked away and removed. */
  missedHandsLimit: number;
  /** The replay window: at least the last `replayHands` hands, unless `replayBytes` is reached first. */
  replayHands: number;
  replayBytes: number;
  /** The events of one resync are no more bytes: of a window that has more only the latest are given out. */
  resyncBytes: number;
  /** The part of a stack above this limit returns to the balance after a hand. Null: stacks have no limit. */
  maxStack: number | null;
  /** Each deck is committed to before the hand and its opened cards are proven (table/deal/deal.ts). */
  fairDeals: boolean;
  /** Not null in a duplicate pool: all its tables play the series of decks that comes of this secret. */
  duplicate: { secret: string } | null;
  /** Any connected agent may see the table as a spectator (resync_request). */
  spectators: boolean;
}

/** A player's public data. */
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
  /**
   * The highest hand number with a deck that the player has seen in this duplicate pool, at any table. Absent: none.
   */
  decksSeen?: number;
  /** The known decision times of the player. Absent: none. */
  tempo?: KnownTempo;
  /** The player left a table of this pool lately, by itself; absent: it did not. */
  left?: BlindDebt;
}

/** Everything a table starts from: a fresh one has no sittings; a reopened one has those stored at its last commit. */
export interface TableOpening {
  tableId: string;
  /** The season or private pool of the chips. */
  poolId: string;
  rules: TableRules;
  /** Number of the last committed hand, 0 at first. */
  handNumber: number;
  /** Button and big blind of the last committed hand, -1 when there was none. */
  button: number;
  bigBlindSeat: number;
  /**
   * table_seq goes on above this number, which is at least the highest that was ever sent. The opener has already
   * stored `seqFloor + SEQ_STEP` (numbering.ts) as the new bound.
   */
  seqFloor: number;
  /** Restored players count as disconnected; their hold runs from the opening. */
  sittings: Sitting[];
}

/** Why a seat was given up, as player_left says it; `closed` when the whole table goes. */
export type LeaveReason = 'left' | 'disconnected' | 'busted' | 'closed';

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
  /**
   * A socket (first after a restart, reconnect or takeover) takes its player's seat over: table_state, and your_turn to
   * the actor.
   */
  attach(now: number, agentId: string, socket: SocketId): void;
  /** The socket is gone; ignored unless it is the seat's present one. */
  detach(now: number, agentId: string, socket: SocketId): void;
  act(now: number, agentId: string, socket: SocketId, message: ActionMessage): void;
  leave(now: number, agentId: string, socket: SocketId): void;
  /**
   * A player that is alone with seats held for others gets its stack back and reads table_closed, while the table lives
   * on for those. Ignored where it is not alone, or a hand is running.
   */
  moveOn(now: number, agentId: string, reason: string): void;
  /** As moveOn, of a player who is not alone: once its hand is over. */
  part(now: number, agentId: string, reason: string): void;
  /** `rebuy` of a seated player: always refused, with a code that says why (protocol.md, "Rebuys"). */
  rebuy(now: number, agentId: string, socket: SocketId): void;
  /** The player's part in the next deck: deal_nonce_ack. */
  nonce(now: number, agentId: string, socket: SocketId, nonce: string): void;
  /** An invalid_message the gateway answered: counts for flood. */
  invalid(now: number, agentId: string, socket: SocketId): void;
  /** Reply to resync_request; an agent without a seat here (or null) is a spectator. */
  resync(now: number, agentId: string | null, socket: SocketId, lastTableSeq: number | null): void;
  /** The same as text, for an agent with a socket at another node. Null: it may not see the table, or sits here. */
  replayText(now: number, agentId: string, lastTableSeq: number | null): string | null;
  /**
   * A socket hub has spectators. `watch` (an id like a socket's) gets all public frames, the state first. With an agent
   * it also gets its hole cards. Repeated: the state once more, for newcomers.
   */
  watch(now: number, watch: SocketId, agentId: string | null): void;
  unwatch(now: number, watch: SocketId): void;
  /** Changed preferences or profile of a seated player. */
  update(
    now: number,
    agentId: string,
    change: Partial<Pick<Player, 'autoRebuy' | 'isPro' | 'name' | 'avatarUrl' | 'publicProfileSlug'>>,
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
  /** In this time (epoch ms) the platform stood still: it is added to all that runs out on a player. Each only once. */
  stood(now: number, from: number, to: number): void;
  /**
   * Call it before `tick`. Returns the socket of a player with an expired deadline (NO_SOCKET: it has none), so that
   * its messages are read first. Null: nothing does.
   */
  dueSocket(now: number): SocketId | null;
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
  /** Last sent stack of a seated agent, or null: GET /me/active-game; `leaving` lets a join_lobby queue, not be refused. */
  seatOf(agentId: string): { seat: number; stack: number; leaving: boolean } | null;
  /** The stay of a seated agent, or null; `leaving`: it ends already. */
  stayOf(agentId: string): { sitting: string; seat: number; leaving: boolean } | null;
}

/** A table as lobby and GET /tables know it: the last sent state. */
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
  players: SummaryPlayer[];
}

export interface SummaryPlayer {
  agentId: string;
  seat: number;
  isHouse: boolean;
  connected: boolean;
  leaving: boolean;
  /** How long each of its decisions since the summary before took, up to LONGEST_COUNTED_MS. */
  decisionsMs: readonly number[];
  /** The rest of its time bank. */
  bankMs: number;
}
