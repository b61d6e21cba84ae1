/** A finished hand as it is replayed, wherever it comes from: our own records, PHH and PokerStars files. */

export type StreetName = 'preflop' | 'flop' | 'turn' | 'river';
export type ActionWord = 'fold' | 'check' | 'call' | 'bet' | 'raise' | 'all_in';

export type PostWord = 'small_blind' | 'big_blind' | 'return' | 'straddle' | 'ante';

export interface HandPlayer {
  seat: number;
  name: string;
  stack: number;
  /** Null: never seen. */
  cards: readonly [string, string] | null;
  /** The cards are the reader's own, known from the deal on. */
  own: boolean;
  /** Where the agent's page is. */
  slug: string | null;
}

/** What happens in a hand, in order. Chips are those that move. */
export type Move =
  | { kind: 'post'; seat: number; chips: number; blind: PostWord }
  | { kind: 'action'; seat: number; action: ActionWord; chips: number; reason: 'timeout' | 'left' | null }
  | { kind: 'street'; street: StreetName; cards: readonly string[] }
  | { kind: 'returned'; seat: number; chips: number }
  | { kind: 'shown'; seat: number; cards: readonly string[]; words: string | null }
  | { kind: 'mucked'; seat: number }
  | { kind: 'won'; seat: number; chips: number };

export interface ReplayHand {
  /** Where it can be found on this platform; null in a file of another. */
  handId: string | null;
  tableId: string | null;
  /** As files name it. */
  title: string;
  handNumber: number | null;
  /** RFC 3339; null where the file does not say. */
  startedAt: string | null;
  smallBlind: number;
  bigBlind: number;
  button: number;
  /** In seat order. */
  players: readonly HandPlayer[];
  moves: readonly Move[];
}

export const STREETS: readonly StreetName[] = ['preflop', 'flop', 'turn', 'river'];
