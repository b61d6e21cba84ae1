/**
 * The contents of a table's picture. It knows no poker: every figure and word is given, and the same view gives the
 * same picture.
 */
export interface TableView {
  /** Only these are drawn. */
  seats: readonly SeatView[];
  /** Names of the open cards. */
  board: readonly string[];
  /** All chips of the hand, those before the plates included. */
  pot: number;
  /** The chips in the middle. */
  collected: number;
  /** Main pot first; one where there is no side pot. */
  pots: readonly number[];
  /** Seat that has the button. */
  button: number | null;
  /** The seat in turn. */
  actor: number | null;
  /** The actor's time; null where it is not known. */
  clock: ClockView | null;
  smallBlind: number;
  bigBlind: number;
  handNumber: number | null;
  /** In the middle where no cards are: why no hand is played. */
  waiting: string | null;
}

export interface SeatView {
  seat: number;
  /** Null: nobody sits there. */
  name: string | null;
  stack: number;
  /** Chips before the plate. */
  bet: number;
  /** None, or two names; `??` is a card that lies face down. */
  cards: readonly string[];
  /** Out of the hand, or not in it. */
  faded: boolean;
  /** Its last action on this street. */
  said: Said | null;
  /** Why it is not playing. */
  status: 'away' | 'sitting_out' | 'disconnected' | null;
  /** Words under the plate: the hand at the showdown. */
  note: string | null;
  /** Chips that it takes from the pots; 0 while nobody has won. */
  won: number;
  /** The seat that the reader follows. */
  followed: boolean;
  /** The cards were not shown, but opened after the hand: they are drawn faintly. */
  opened?: boolean;
}

export interface Said {
  word:
    | 'fold'
    | 'check'
    | 'call'
    | 'bet'
    | 'raise'
    | 'all_in'
    | 'small_blind'
    | 'big_blind'
    | 'return'
    | 'straddle'
    | 'ante'
    | 'dead';
  /** The amount beside the word; null for none. */
  amount: number | null;
}

/** In ms. */
export interface ClockView {
  total: number;
  left: number;
}
