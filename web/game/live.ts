import type { Static } from 'typebox';
import type { HoleCardsMessage } from '../../src/protocol/messages/hand.js';
import type { PublicTableStateSchema, ReplayedEvent } from '../../src/protocol/messages/state.js';
import { nextSeat } from '../../src/holdem/seats.js';
import type { TableView } from '../table/view.js';
import { callOf, newChair, potOf, potsOf, put, seatViews, type Chair } from './chairs.js';
import type { HandMove, StreetName } from '../../src/formats/hand.js';
import type { ActionEvent, Posted, StepEvent } from './steps.js';

/** Why no hand is in play, by the reason in `table_state`. */
const WAITING: Readonly<Record<string, string>> = {
  insufficient_players: 'Waiting for players',
  awaiting_rebuy: 'Waiting for a rebuy',
  awaiting_reconnect: 'Waiting for players to come back',
  all_players_disconnected: 'All players are offline',
  between_hands_delay: 'The next hand begins',
  awaiting_hand_start: 'The next hand begins',
  table_closing: 'The table closes',
};

/** The frames of a spectator (protocol.md, "Spectators"): a state first, then the public frames. */
export type WatchFrame =
  Static<typeof PublicTableStateSchema> | Static<typeof ReplayedEvent> | Static<typeof HoleCardsMessage>;
type Frame<T extends WatchFrame['type']> = Extract<WatchFrame, { type: T }>;

export type LiveEvent =
  | StepEvent
  | { kind: 'state' }
  | { kind: 'joined' | 'left'; seat: number; name: string }
  | { kind: 'closed'; reason: string };

const waitingWords = (reason: string | undefined) => (reason === undefined ? null : (WAITING[reason] ?? null));

/** A table as the frames so far tell it. */
export class LiveTable {
  handId: string | null = null;
  /** The last hand that came to its end, while its result is shown. */
  over = false;
  closed = false;
  readonly chairs = new Map<number, Chair>();
  /** The name of the reader's own bot: its owner alone gets its cards. */
  ownName: string | null = null;
  #smallBlind = 0;
  #bigBlind = 0;
  #button: number | null = null;
  #handNumber: number | null = null;
  #board: readonly string[] = [];
  #pot = 0;
  #actor: number | null = null;
  #waiting: string | null = null;
  #street: StreetName = 'preflop';
  /** All bets are known: the hand was seen from its start. */
  #whole = false;
  /** Bit mask of seats that have acted since the last raise of the street. */
  #acted = 0;

  /** Brings a frame in; what it says that a reader would want to see. */
  apply(frame: WatchFrame): LiveEvent {
    switch (frame.type) {
      case 'table_state':
        return this.#state(frame);
      case 'hand_start':
        return this.#start(frame);
      case 'player_action':
        return this.#action(frame);
      case 'community_cards':
        return this.#open(frame);
      case 'hand_result':
        return this.#result(frame);
      case 'hole_cards':
        if (this.ownName !== null) this.#deal(this.ownName, frame.cards);
        return { kind: 'state' };
      case 'player_joined':
        this.chairs.set(frame.seat, newChair(frame.seat, frame.name, frame.stack));
        return { kind: 'joined', seat: frame.seat, name: frame.name };
      case 'player_left':
        this.chairs.delete(frame.seat);
        return { kind: 'left', seat: frame.seat, name: frame.name };
      case 'table_closed':
        this.closed = true;
        return { kind: 'closed', reason: frame.reason };
    }
  }

  /** Turns the cards that the pool has opened after a hand, if its result is still shown. */
  open(handId: string, hands: ReadonlyMap<number, readonly string[]>): boolean {
    if (!this.over || this.handId !== handId) return false;
    let turned = false;
    for (const [seat, cards] of hands) {
      const chair = this.chairs.get(seat);
      if (chair === undefined || !chair.cards.includes('??')) continue;
      Object.assign(chair, { cards, opened: true });
      turned = true;
    }
    return turned;
  }

  view(): TableView {
    const chairs = [...this.chairs.values()];
    const bets = chairs.reduce((sum, { bet }) => sum + bet, 0);
    const pots = this.#whole ? potsOf(chairs) : [];
    return {
      seats: seatViews(this.chairs),
      board: this.#board,
      pot: this.#pot,
      collected: this.over ? 0 : this.#pot - bets,
      pots: pots.length > 1 ? pots : [this.#pot],
      button: this.#button,
      actor: this.#actor,
      clock: null,
      waiting: this.#waiting,
      smallBlind: this.#smallBlind,
      bigBlind: this.#bigBlind,
      handNumber: this.#handNumber,
    };
  }

  #state(frame: Frame<'table_state'>): LiveEvent {
    this.#smallBlind = frame.small_blind;
    this.#bigBlind = frame.big_blind;
    const known = this.handId !== null && this.handId === frame.hand_id;
    // Between hands, or as the settled state before the result: what lies on the table stays until the next deal.
    if (frame.street === 'idle') this.#takeSeats(frame, true);
    else {
      // Nothing else is known of a hand that began unseen.
      if (!known) this.chairs.clear();
      this.#takeSeats(frame, false);
      this.#whole &&= known;
      this.over = false;
      this.#board = frame.board;
      this.#pot = frame.pot;
      this.#street = frame.street;
      this.#actor = frame.actor_seat ?? null;
      this.#button = frame.dealer_seat;
      this.#waiting = null;
      this.handId = frame.hand_id;
    }
    if (frame.street === 'idle' && !known && !this.over) this.#waiting = waitingWords(frame.waiting_reason);
    return { kind: 'state' };
  }

  /** `idle`: the hand's chips and cards are kept as they lie. */
  #takeSeats({ seats }: Frame<'table_state'>, idle: boolean): void {
    for (const entry of seats) {
      if (entry.name === null) {
        this.chairs.delete(entry.seat);
        continue;
      }
      const present = this.chairs.get(entry.seat);
      const same = present?.name === entry.name;
      const chair = same ? present : newChair(entry.seat, entry.name, entry.stack);
      chair.slug = 'public_profile_slug' in entry ? (entry.public_profile_slug ?? null) : null;
      chair.status = entry.status === 'active' ? null : entry.status;
      if (!idle) {
        [chair.stack, chair.bet] = [entry.stack, entry.bet];
        const dealt = 'in_hand' in entry && entry.in_hand;
        chair.dealt = dealt;
        chair.folded = dealt && 'folded' in entry && entry.folded;
        if (dealt && chair.cards.length === 0) chair.cards = ['??', '??'];
      } else if (!same || !chair.dealt) chair.stack = entry.stack;
      this.chairs.set(entry.seat, chair);
    }
  }

  #start(frame: Frame<'hand_start'>): LiveEvent {
    this.handId = frame.hand_id;
    this.#handNumber = frame.hand_number ?? null;
    this.#button = frame.dealer_seat;
    this.#smallBlind = frame.blinds.small_blind;
    this.#bigBlind = frame.blinds.big_blind;
    [this.#board, this.#pot, this.#street, this.over, this.#waiting] = [[], 0, 'preflop', false, null];
    [this.#whole, this.#acted] = [true, 0];
    for (const [seat, chair] of this.chairs) {
      const dealt = chair.status === null && chair.stack > 0;
      const fresh = { ...newChair(seat, chair.name, chair.stack), slug: chair.slug, status: chair.status };
      this.chairs.set(seat, { ...fresh, dealt, cards: dealt ? ['??', '??'] : [] });
    }
    const posts = this.#post(frame.posts);
    return { kind: 'deal', handNumber: this.#handNumber, posts };
  }

  /** Posts have no frame of their own. */
  #post(posts: Frame<'hand_start'>['posts']): Posted[] {
    const posted = posts.flatMap(({ seat, amount: chips, kind: blind }): Posted[] => {
      const chair = this.chairs.get(seat);
      if (chair === undefined) return [];
      put(chair, chips);
      chair.said = { word: blind, amount: null };
      return [{ kind: 'post', seat, chips, blind }];
    });
    this.#pot = potOf(this.chairs.values());
    let dealt = 0;
    for (const { seat, dealt: isDealt } of this.chairs.values()) if (isDealt) dealt |= 1 << seat;
    const big = posts.find(({ kind }) => kind === 'big_blind');
    this.#actor = dealt === 0 || big === undefined ? null : nextSeat(dealt, big.seat);
    return posted;
  }

  #action(frame: Frame<'player_action'>): ActionEvent {
    const chair = this.chairs.get(frame.seat) ?? newChair(frame.seat, frame.name, frame.stack_before);
    this.chairs.set(frame.seat, chair);
    if (!chair.dealt) [chair.dealt, chair.cards] = [true, ['??', '??']];
    const chips = frame.contribution_delta;
    // The chips of players that acted unseen are not known.
    const call = this.#whole
      ? callOf(this.chairs.values(), chair, this.#street === 'preflop' ? this.#bigBlind : 0)
      : { price: Math.min(frame.to_call_before ?? 0, frame.stack_before), pot: frame.pot_before };
    put(chair, chips);
    if (frame.amount_mode === 'to_total' && frame.amount !== null) chair.bet = frame.amount;
    chair.stack = frame.stack_after;
    this.#pot = frame.pot_after;
    const opens = frame.action === 'raise' && frame.to_call_before === null;
    const action = opens ? 'bet' : frame.action;
    if (action === 'fold') chair.folded = true;
    const allIn = chips > 0 && chair.stack === 0;
    const amount = chips === 0 ? null : action === 'call' ? chips : chair.bet;
    chair.said = { word: allIn ? 'all_in' : action, amount };
    const raised =
      chips > 0 && [...this.chairs.values()].every(({ seat, bet }) => seat === frame.seat || bet < chair.bet);
    this.#acted = (raised ? 0 : this.#acted) | (1 << frame.seat);
    this.#actor = this.#nextAfter(frame.seat);
    return {
      kind: 'action',
      seat: frame.seat,
      action,
      chips,
      to: chair.bet,
      ...call,
      reason: frame.reason,
      allIn,
    };
  }

  #open(frame: Frame<'community_cards'>): LiveEvent {
    for (const chair of this.chairs.values()) {
      chair.bet = 0;
      if (chair.stack > 0) chair.said = null;
    }
    this.#street = frame.street;
    this.#acted = 0;
    this.#actor = this.#button === null ? null : this.#nextAfter(this.#button);
    const cards = frame.cards.filter((card) => !this.#board.includes(card));
    this.#board = [...this.#board, ...cards];
    return { kind: 'street', street: frame.street, cards, pot: this.#pot };
  }

  #result(frame: Frame<'hand_result'>): LiveEvent {
    const words = new Map(frame.winners.map(({ seat, hand_description: text }) => [seat, text]));
    const shown = Object.entries(frame.shown_cards).map(([seat, cards]): Extract<HandMove, { kind: 'shown' }> => {
      return { kind: 'shown', seat: Number(seat), cards, words: words.get(Number(seat)) ?? null };
    });
    const won = frame.payouts.map(({ seat, amount }) => ({ kind: 'won' as const, seat, chips: amount }));
    const returned = this.#returned(frame);
    this.#pot = frame.total_pot;
    this.#actor = null;
    for (const chair of this.chairs.values()) {
      chair.bet = 0;
      chair.stack = frame.final_stacks[String(chair.seat)] ?? chair.stack;
      const hidden = shown.length > 0 && !(String(chair.seat) in frame.shown_cards);
      if (hidden) chair.folded = true;
    }
    for (const { seat, cards, words: text } of shown) this.#edit(seat, { cards, note: text });
    for (const { seat, chips } of won) this.#edit(seat, { won: chips });
    this.over = true;
    return { kind: 'result', moves: [...returned, ...shown, ...won] };
  }

  /** An uncalled bet has no frame: it is what the pot of the last action had more. */
  #returned({ total_pot: total }: Frame<'hand_result'>): HandMove[] {
    const chips = this.#pot - total;
    const live = [...this.chairs.values()].filter(({ dealt, folded }) => dealt && !folded);
    const [most] = live.sort((a, b) => b.committed - a.committed);
    if (chips <= 0 || most === undefined) return [];
    most.committed -= chips;
    return [{ kind: 'returned', seat: most.seat, chips }];
  }

  #deal(name: string, cards: readonly string[]): void {
    for (const chair of this.chairs.values()) if (chair.name === name) chair.cards = cards;
  }

  /** The probable next seat until the next frame: no frame of a spectator names the actor. */
  #nextAfter(seat: number): number | null {
    const live = [...this.chairs.values()].filter(({ dealt, folded }) => dealt && !folded);
    const price = Math.max(0, ...live.map(({ bet }) => bet));
    const able = live.filter(({ stack }) => stack > 0);
    const asked = able.filter((chair) => chair.bet < price || (this.#acted & (1 << chair.seat)) === 0);
    const alone = live.length < 2 || (able.length < 2 && able.every(({ bet }) => bet === price));
    if (alone || asked.length === 0) return null;
    return nextSeat(
      asked.reduce((mask, chair) => mask | (1 << chair.seat), 0),
      seat,
    );
  }

  #edit(seat: number, change: Partial<Chair>): void {
    const chair = this.chairs.get(seat);
    if (chair !== undefined) Object.assign(chair, change);
  }

  get street(): StreetName {
    return this.#street;
  }
}
