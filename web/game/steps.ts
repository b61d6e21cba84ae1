import type { TableView } from '../table/view.js';
import { callOf, newChair, potOf, potsOf, put, seatViews, type Chair } from './chairs.js';
import type { ActionWord, HandMove, ReplayHand, StreetName } from '../../src/formats/hand.js';

/** A hand as a list of views, each with what led to it. */
export interface Step {
  /** In the address: the number of the action, a street, or `result`; 0 is the deal. */
  id: string;
  street: StreetName | 'result';
  event: StepEvent;
  view: TableView;
}

export type Posted = Extract<HandMove, { kind: 'post' }>;

export type StepEvent =
  | { kind: 'deal'; handNumber: number | null; posts: readonly Posted[] }
  | ActionEvent
  | { kind: 'street'; street: StreetName; cards: readonly string[]; pot: number }
  | { kind: 'result'; moves: readonly HandMove[] };

export interface ActionEvent {
  kind: 'action';
  seat: number;
  action: ActionWord;
  chips: number;
  /** The whole bet of the street after it. */
  to: number;
  /** The price of a call before the action, at most the stack, and the chips that a call plays for. */
  price: number;
  pot: number;
  reason: 'timeout' | 'left' | null;
  allIn: boolean;
}

/**
 * All steps of a hand: the deal with its blinds, every action, every street, the result. With `hideOthers` cards lie
 * face down until their player shows them.
 */
export function stepsOf(hand: ReplayHand, { hideOthers = false } = {}): Step[] {
  const table = new Replay(hand, hideOthers);
  const posts = hand.moves.filter((move) => move.kind === 'post');
  for (const post of posts) table.post(post);
  const rest = hand.moves.filter(({ kind }) => kind !== 'post');
  // Where all are in, hands may be shown before the last cards come.
  const end = rest.findLastIndex(({ kind }) => kind === 'action' || kind === 'street' || kind === 'returned') + 1;
  const played = rest.slice(0, end);
  const closing = rest.slice(end);
  const steps: Step[] = [
    {
      id: '0',
      street: 'preflop',
      event: { kind: 'deal', handNumber: hand.handNumber, posts },
      view: table.view(played),
    },
  ];
  let actions = 0;
  for (const [i, move] of played.entries()) {
    const after = played.slice(i + 1);
    if (move.kind === 'action') {
      const event = table.act(move);
      steps.push({ id: String(++actions), street: table.street, event, view: table.view(after) });
    } else if (move.kind === 'street') {
      const { street, cards } = move;
      table.open(street, cards);
      const event = { kind: 'street' as const, street, cards, pot: table.pot };
      steps.push({ id: street, street, event, view: table.view(after) });
    } else if (move.kind === 'returned') {
      table.giveBack(move.seat, move.chips);
    } else if (move.kind === 'shown') {
      table.show(move);
    }
  }
  const early = played.filter(({ kind }) => kind === 'shown' || kind === 'mucked');
  table.settle([...early, ...closing]);
  const moves = [...played.filter(({ kind }) => kind === 'returned'), ...early, ...closing];
  steps.push({ id: 'result', street: 'result', event: { kind: 'result', moves }, view: table.view([]) });
  return steps;
}

/** The chips of each player, by place. */
class Replay {
  street: StreetName = 'preflop';
  readonly #chairs: Map<number, Chair>;
  #board: string[] = [];
  #pots: number[] | null = null;

  constructor(
    private readonly hand: ReplayHand,
    hideOthers: boolean,
  ) {
    this.#chairs = new Map(
      hand.players.map(({ seat, name, stack, slug, cards, own }) => {
        const seen = own || !hideOthers ? cards : null;
        const known = { dealt: true, slug, followed: own, cards: seen ?? ['??', '??'] };
        return [seat, { ...newChair(seat, name, stack), ...known }];
      }),
    );
  }

  get pot(): number {
    return potOf(this.#chairs.values());
  }

  post({ seat, chips, blind }: Posted): void {
    const chair = this.#chair(seat);
    put(chair, chips);
    // An ante and a dead blind lie in the middle from the start.
    if (blind === 'ante' || blind === 'dead') chair.bet -= chips;
    else chair.said = { word: blind, amount: null };
  }

  act({ seat, action, chips, reason }: Extract<HandMove, { kind: 'action' }>): ActionEvent {
    const chair = this.#chair(seat);
    const { price, pot } = callOf(this.#chairs.values(), chair, this.street === 'preflop' ? this.hand.bigBlind : 0);
    put(chair, chips);
    if (action === 'fold') chair.folded = true;
    const allIn = chips > 0 && chair.stack === 0;
    const amount = chips === 0 ? null : action === 'call' ? chips : chair.bet;
    chair.said = { word: allIn ? 'all_in' : action, amount };
    return { kind: 'action', seat, action, chips, to: chair.bet, price, pot, reason, allIn };
  }

  open(street: StreetName, cards: readonly string[]): void {
    this.#collect();
    for (const chair of this.#chairs.values()) if (chair.stack > 0) chair.said = null;
    this.street = street;
    this.#board = [...this.#board, ...cards];
  }

  giveBack(seat: number, chips: number): void {
    const chair = this.#chair(seat);
    if (chair.bet >= chips) chair.bet -= chips;
    chair.committed -= chips;
    chair.stack += chips;
  }

  show({ seat, cards, words }: Extract<HandMove, { kind: 'shown' }>): void {
    const chair = this.#chair(seat);
    [chair.cards, chair.note] = [cards, words];
  }

  settle(moves: readonly HandMove[]): void {
    this.#collect();
    this.#pots = potsOf(this.#chairs.values());
    for (const move of moves) {
      if (!('seat' in move)) continue;
      const chair = this.#chair(move.seat);
      if (move.kind === 'shown') this.show(move);
      else if (move.kind === 'mucked') [chair.folded, chair.said] = [true, null];
      else if (move.kind === 'returned') this.giveBack(move.seat, move.chips);
      else if (move.kind === 'won') {
        chair.won += move.chips;
        chair.stack += move.chips;
      }
    }
  }

  view(after: readonly HandMove[]): TableView {
    const { hand } = this;
    const chairs = [...this.#chairs.values()];
    const over = this.#pots !== null;
    const next = after.find(({ kind }) => kind === 'action' || kind === 'street');
    return {
      seats: seatViews(this.#chairs),
      board: this.#board,
      pot: this.pot,
      collected: over ? 0 : chairs.reduce((sum, { committed, bet }) => sum + committed - bet, 0),
      pots: this.#pots ?? potsOf(chairs),
      button: hand.button,
      actor: next?.kind === 'action' ? next.seat : null,
      clock: null,
      smallBlind: hand.smallBlind,
      bigBlind: hand.bigBlind,
      handNumber: hand.handNumber,
      waiting: null,
    };
  }

  #collect(): void {
    for (const chair of this.#chairs.values()) chair.bet = 0;
  }

  #chair(seat: number): Chair {
    const chair = this.#chairs.get(seat);
    if (chair === undefined) throw new RangeError(`seat ${seat + 1} is empty`);
    return chair;
  }
}
