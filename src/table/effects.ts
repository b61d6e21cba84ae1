import type { StoredDeal } from './deal/deal.js';
import type { Mishap } from '../protocol/mishap.js';
import type { LeaveReason } from './api.js';
import type { DrawnMix } from './mix.js';
import type { BlindDebt } from './seats/blinds.js';

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
  /** Where the player mixed: what it was drawn of. */
  mix?: DrawnMix;
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
  /** Number of the table's hand before, where it is not the one below: duplicate pools skip decks. */
  handBefore?: number;
  button: number;
  bigBlindSeat: number;
  smallBlind: number;
  bigBlind: number;
  headsUpBlinds: 'standard' | 'ring';
  /** Bit mask of the seats that were to post a big blind as they came back; absent: none. */
  returns?: number;
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

/** A table's requests to its shard. Each answer comes back through the method named. */
export type TableEffect =
  /** Store the hand; then `handCommitted(handId)`. Nothing settled is sent before. */
  | { kind: 'commit'; record: HandRecord }
  /** Cash the stay out; then `released(sitting)`. `absent`: given up because its player was not there, or did nothing. */
  | {
      kind: 'release';
      sitting: string;
      seat: number;
      agentId: string;
      stack: number;
      reason: LeaveReason;
      absent: boolean;
      /** As in Sitting, now; 0 where decks are drawn anew. */
      decksSeen: number;
      /** The blinds that the pool remembers for so long. Null: none. */
      owes: (BlindDebt & { forMs: number }) | null;
    }
  /**
   * Take what the stack has above the maximum back to the balance; then `skimmed(sitting, balance)`. The hand it came
   * of, if known.
   */
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
  /** Something went wrong for an agent; its owner may read so. */
  | { kind: 'mishap'; agentId: string; mishap: Mishap }
  /**
   * The summary for lobby and GET /tables changed (at most one a flush); `mayWait`: in nothing but the hands that were
   * played. That a hand begins is not told: match-making asks for it of tables with one player who is connected only.
   */
  | { kind: 'summary'; mayWait: boolean }
  /** All stacks are back, table_closed was sent; the shard forgets the table after the replay linger. */
  | { kind: 'closed' };
