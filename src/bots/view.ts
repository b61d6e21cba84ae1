import { parseCard, type Card } from '../cards/card.js';
import type { ServerMessageOf } from '../protocol/server.js';
import type { ActionView, SeatView, StrategyView } from './strategy.js';

export type State = ServerMessageOf['table_state'] | ServerMessageOf['resync_response']['snapshot'];
type PlayerAction = ServerMessageOf['player_action'];

/**
 * The table as a player sees it, kept from the frames of its socket. States and actions come many times for each time
 * that a player acts, so they are kept as text, and read only when somebody looks.
 */
export class FrameView implements StrategyView {
  #state: State | string | null = null;
  #seats: SeatView[] | null = null;
  #cards: { hole: readonly [Card, Card]; board: readonly Card[] } | null = null;
  #actions: (PlayerAction | string)[] = [];

  /** A table_state. */
  tell(state: State | string): void {
    this.#state = state;
    this.#seats = null;
    this.#cards = null;
  }

  /** A hand_start: what was done before belongs to another hand. */
  begin(): void {
    this.#actions = [];
  }

  /** The text of a player_action. */
  add(action: string): void {
    this.#actions.push(action);
  }

  /** After a time without a socket: the present state, and what of its hand was missed. */
  resync({ snapshot, replayed_events: events }: ServerMessageOf['resync_response']): void {
    const known = new Map(this.#read().map((action) => [action.table_seq, action]));
    for (const event of events) if (event.type === 'player_action') known.set(event.table_seq, event);
    const ofHand = [...known.values()].filter((action) => action.hand_id === snapshot.hand_id);
    this.#actions = ofHand.sort((a, b) => a.table_seq - b.table_seq);
    this.tell(snapshot);
  }

  /** The last table_state; throws before the first. */
  get state(): State {
    if (this.#state === null) throw new Error('no table_state has come yet');
    if (typeof this.#state === 'string') this.#state = JSON.parse(this.#state) as State;
    return this.#state;
  }

  get seats(): readonly SeatView[] {
    this.#seats ??= this.state.seats.flatMap((entry) => {
      if (entry.name === null) return [];
      const { seat, name, stack, bet, in_hand: inHand } = entry;
      return [{ seat, name, stack, bet, inHand, folded: entry.in_hand && entry.folded }];
    });
    return this.#seats;
  }

  get holeCards(): readonly [Card, Card] {
    return this.#readCards().hole;
  }

  get board(): readonly Card[] {
    return this.#readCards().board;
  }

  get button(): number {
    return this.state.dealer_seat;
  }

  get smallBlind(): number {
    return this.state.small_blind;
  }

  get bigBlind(): number {
    return this.state.big_blind;
  }

  get pot(): number {
    return this.state.pot;
  }

  get actions(): readonly ActionView[] {
    return this.#read();
  }

  #readCards(): { hole: readonly [Card, Card]; board: readonly Card[] } {
    const [first, second] = this.state.hero?.hole_cards ?? [];
    if (first === undefined || second === undefined) throw new Error('the state shows no own cards');
    this.#cards ??= { hole: [parseCard(first), parseCard(second)], board: this.state.board.map(parseCard) };
    return this.#cards;
  }

  #read(): PlayerAction[] {
    this.#actions = this.#actions.map((action) =>
      typeof action === 'string' ? (JSON.parse(action) as PlayerAction) : action,
    );
    return this.#actions as PlayerAction[];
  }
}
