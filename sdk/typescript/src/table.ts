import type {
  HandStartMessage,
  PlayerActionMessage,
  ResyncResponseMessage,
  ResyncSnapshot,
  ServerMessage,
  StateAction,
  TableStateMessage,
  TurnAction,
  YourTurnMessage,
} from './generated/messages.js';
import { behind, Hand, positionOf, potsOf, STREETS, type PlayedAction, type Player, type Street } from './hand.js';

type State = TableStateMessage | ResyncSnapshot;

/** A turn as `your_turn` asks for it, or a resync's snapshot. */
export interface AskedTurn {
  token: string;
  handId: string;
  actions: readonly (TurnAction | StateAction)[];
  /** The ms left of the turn when it was sent; null if the server does not say. */
  leftMs: number | null;
  /** The time bank of the player, in ms; null: it has none, or the server does not say. */
  bankMs: number | null;
}

/** The turn that `your_turn` asks for. */
export function turnOf(message: YourTurnMessage): AskedTurn {
  const { turn_token: token, hand_id: handId, valid_actions: actions } = message;
  // An older server says nothing of its clock.
  const { deadline_ms: leftMs = null, time_bank_ms: bankMs = null } = message as Partial<YourTurnMessage>;
  return { token, handId, actions, leftMs, bankMs };
}

/** The turn that is open for the reader of a snapshot, or null. */
export function turnIn({ hero, hand_id: handId }: ResyncSnapshot): AskedTurn | null {
  if (hero?.turn_token === undefined || handId === null) return null;
  return { token: hero.turn_token, handId, actions: hero.valid_actions ?? [], leftMs: null, bankMs: null };
}

/** Frames that a turn may follow at once. */
const MOVES: readonly string[] = ['hand_start', 'player_action', 'community_cards'];

/** One stay at a table, as its frames tell it. A frame without a higher number has no news. */
export class Table {
  /** The highest table_seq that was read: what a resync asks from. */
  lastSeq = 0;
  #handId: string | null = null;
  #state: State | null = null;
  #hole: readonly string[] = [];
  #actions: PlayerActionMessage[] = [];
  /** The posts before the cards by seat, once they are known. */
  #posted = new Map<number, number>();
  /** When the last thing happened in the hand, by the server's clock in ms. */
  #moved: number | null = null;
  /** Whether all actions of the hand are known. */
  #whole = false;

  constructor(
    readonly id: string,
    public seat: number,
  ) {}

  /** Notes the number of a frame of this table. False where it does not rise. */
  isNews(seq: number): boolean {
    if (seq <= this.lastSeq) return false;
    this.lastSeq = seq;
    return true;
  }

  tell(message: ServerMessage): void {
    switch (message.type) {
      case 'hand_start':
        this.#begin(message.hand_id, true);
        this.#post(message);
        break;
      case 'hole_cards':
        this.#hole = message.cards;
        break;
      case 'player_action':
        this.#add(message);
        break;
      case 'table_state':
        this.#look(message);
        break;
      case 'resync_response':
        this.#catchUp(message);
        break;
      default:
        break;
    }
    if (MOVES.includes(message.type) && 'ts' in message) this.#moved = Date.parse(message.ts);
  }

  /** The connection is gone: from here on something may be missing, until a resync. */
  lost(): void {
    this.#whole = false;
  }

  /** Whether a state of this hand was read. */
  shows(handId: string): boolean {
    return this.#state?.hand_id === handId;
  }

  /** For how many ms the turn of a snapshot has been open: since what came last, by the server's clock. */
  openFor({ ts }: ResyncSnapshot): number {
    return this.#moved === null ? 0 : Math.max(0, Date.parse(ts) - this.#moved);
  }

  /** The hand in this turn. Its state was read. */
  hand({ handId, actions, bankMs: timeBankMs }: AskedTurn, deadline: number): Hand {
    const state = this.#state;
    if (state === null || state.hand_id !== handId) throw new Error(`no state of hand ${handId} was read`);
    const players = playersOf(state);
    const own = players.find(({ seat }) => seat === this.seat);
    const offers = new Map(actions.map((offer) => [offer.action, offer]));
    const [call, raise] = [offers.get('call'), offers.get('raise')];
    return new Hand({
      handId,
      tableId: this.id,
      seat: this.seat,
      street: streetOf(state),
      deadline,
      timeBankMs,
      hole: this.#hole,
      board: state.board,
      pot: state.pot,
      pots: potsOf(this.#contributions(), new Set(players.filter(({ folded }) => folded).map(({ seat }) => seat))),
      toCall: call !== undefined && 'amount' in call ? (call.amount ?? 0) : 0,
      stack: own?.stack ?? 0,
      bet: own?.bet ?? 0,
      button: state.dealer_seat,
      position: positionOf(this.seat, state.dealer_seat, dealtIn(state)),
      smallBlind: state.small_blind,
      bigBlind: state.big_blind,
      players,
      canCheck: offers.has('check'),
      canCall: offers.has('call'),
      canRaise: offers.has('raise'),
      canFold: offers.has('fold'),
      canAllIn: offers.has('all_in'),
      minRaise: raise !== undefined && 'min' in raise ? (raise.min ?? 0) : 0,
      maxRaise: raise !== undefined && 'max' in raise ? (raise.max ?? 0) : 0,
      history: this.#history(),
    });
  }

  // ---- what frames change

  #begin(handId: string, whole: boolean): void {
    this.#handId = handId;
    this.#whole = whole;
    this.#hole = [];
    this.#actions = [];
    this.#posted = new Map();
  }

  /** A hand_start made of lean frames does not tell its posts: the state that follows does. */
  #post({ posts }: Partial<Pick<HandStartMessage, 'posts'>>): void {
    this.#posted = new Map();
    for (const { seat, amount } of posts ?? []) this.#posted.set(seat, (this.#posted.get(seat) ?? 0) + amount);
  }

  #look(state: State): void {
    if (state.hand_id !== null && state.hand_id !== this.#handId) this.#begin(state.hand_id, false);
    this.#state = state;
    this.#hole = state.hero?.hole_cards ?? this.#hole;
    if (state.street !== 'preflop' || !this.#whole || this.#posted.size > 0) return;
    const putIn = sums(this.#actions);
    const bets = state.seats.filter((entry) => 'in_hand' in entry && entry.in_hand);
    this.#posted = new Map(bets.map(({ seat, bet }) => [seat, bet - (putIn.get(seat) ?? 0)]));
  }

  #add(action: PlayerActionMessage): void {
    const isKnown = this.#actions.some(({ hand_seq: seq }) => seq === action.hand_seq);
    if (action.hand_id === this.#handId && !isKnown) this.#actions.push(action);
  }

  /** After a time without a connection: what of the hand was missed, and how it stands. */
  #catchUp({ snapshot, replayed_events: events }: ResyncResponseMessage): void {
    if (snapshot.hand_id !== null && snapshot.hand_id !== this.#handId) this.#begin(snapshot.hand_id, true);
    for (const event of events) {
      if (MOVES.includes(event.type)) this.#moved = Date.parse(event.ts);
      if (event.type === 'hand_start' && event.hand_id === snapshot.hand_id) this.#post(event);
      if (event.type === 'player_action') this.#add(event);
    }
    this.#actions.sort((a, b) => a.hand_seq - b.hand_seq);
    this.#whole = true;
    this.#look(snapshot);
    if (this.#posted.size === 0) this.#posted = blindsOf(snapshot, this.#actions);
  }

  // ---- what a hand is made of

  #contributions(): Map<number, number> {
    if (this.#posted.size === 0) return new Map();
    const putIn = sums(this.#actions);
    for (const [seat, chips] of this.#posted) putIn.set(seat, (putIn.get(seat) ?? 0) + chips);
    return putIn;
  }

  #history(): Readonly<Record<Street, readonly PlayedAction[]>> {
    const of = (street: Street) => this.#actions.filter((action) => action.street === street).map(played);
    return Object.fromEntries(STREETS.map((street) => [street, of(street)])) as Record<Street, PlayedAction[]>;
  }
}

function streetOf({ street, hand_id: handId }: State): Street {
  if (street === 'idle') throw new Error(`hand ${String(handId)} is over`);
  return street;
}

function playersOf(state: State): Player[] {
  return state.seats.flatMap((entry) => {
    if (entry.name === null) return [];
    const { seat, name, stack, bet, status, in_hand: isDealtIn } = entry;
    const folded = isDealtIn && entry.folded;
    return [{ seat, name, stack, bet, status, inHand: isDealtIn && !folded, folded }];
  });
}

const dealtIn = (state: State): number[] =>
  state.seats.filter((entry) => 'in_hand' in entry && entry.in_hand).map(({ seat }) => seat);

const played = (message: PlayerActionMessage): PlayedAction => {
  const { seat, name, action, amount, street, stack, pot, reason } = message;
  return { seat, name, action, amount, street, stack, pot, reason };
};

/** The chips of each seat's actions, without blinds. */
function sums(actions: readonly PlayerActionMessage[]): Map<number, number> {
  const sum = new Map<number, number>();
  for (const { seat, contribution_delta: chips } of actions) sum.set(seat, (sum.get(seat) ?? 0) + chips);
  return sum;
}

/**
 * The blinds of a hand with an unseen beginning, by the places behind the button. A blind that was posted short is the
 * rest of the pot, from the blind without chips.
 */
function blindsOf(state: State, actions: readonly PlayerActionMessage[]): Map<number, number> {
  const order = dealtIn(state).sort((a, b) => behind(a, state.dealer_seat + 1) - behind(b, state.dealer_seat + 1));
  const [small, big] = order.length === 2 ? [order[1], order[0]] : order;
  if (small === undefined || big === undefined) return new Map();
  const posted = new Map(order.map((seat) => [seat, 0])).set(small, state.small_blind).set(big, state.big_blind);
  const all = [...posted.values(), ...sums(actions).values()].reduce((sum, chips) => sum + chips, 0);
  let excess = all - state.pot;
  for (const seat of [big, small]) {
    const isBroke = state.seats.some((entry) => entry.seat === seat && entry.stack === 0);
    if (excess <= 0 || !isBroke) continue;
    const short = Math.min(excess, posted.get(seat)! - 1);
    posted.set(seat, posted.get(seat)! - short);
    excess -= short;
  }
  return posted;
}
