/** The one model of a finished hand. Every reader of a file makes it, and pages replay it. */

export type StreetName = 'preflop' | 'flop' | 'turn' | 'river';
export const STREETS: readonly StreetName[] = ['preflop', 'flop', 'turn', 'river'];

export type ActionWord = 'fold' | 'check' | 'call' | 'bet' | 'raise' | 'all_in';

/** An ante and a dead post go to the pot. The other posts are a part of the bet. */
export type PostWord = 'small_blind' | 'big_blind' | 'return' | 'straddle' | 'ante' | 'dead';

export interface ReplayPlayer {
  seat: number;
  name: string;
  stack: number;
  /** Null: nobody showed them. */
  cards: readonly [string, string] | null;
  /** The cards are the reader's own, known from the deal on. */
  own: boolean;
  /** Where the agent's page is. */
  slug: string | null;
}

/** An event of a hand. `chips` are the chips that move. */
export type HandMove =
  | { kind: 'post'; seat: number; chips: number; blind: PostWord }
  | { kind: 'action'; seat: number; action: ActionWord; chips: number; reason: 'timeout' | 'left' | null }
  | { kind: 'street'; street: StreetName; cards: readonly string[] }
  | { kind: 'returned'; seat: number; chips: number }
  | { kind: 'shown'; seat: number; cards: readonly string[]; words: string | null }
  | { kind: 'mucked'; seat: number }
  | { kind: 'won'; seat: number; chips: number };

/** Amounts are whole numbers of the smallest unit: cents with two decimals, chips with none. */
export interface AmountUnit {
  /** Empty for chips. */
  symbol: string;
  decimals: 0 | 2;
}

export const CHIPS: AmountUnit = { symbol: '', decimals: 0 };

export interface ReplayHand {
  /** The hand's id on this platform. Null in a file of another platform. */
  handId: string | null;
  tableId: string | null;
  /** As files name it. */
  title: string;
  handNumber: number | null;
  /** RFC 3339. Null where the file does not say. */
  startedAt: string | null;
  unit: AmountUnit;
  smallBlind: number;
  bigBlind: number;
  /** Taken from the pot before it is paid. */
  rake: number;
  button: number;
  /** In seat order. */
  players: readonly ReplayPlayer[];
  moves: readonly HandMove[];
}
