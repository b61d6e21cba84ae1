import { randomInt, randomUUID } from 'node:crypto';
import { Rulebook, type RulebookDecision } from '../../src/vectors/rulebook.js';
import type { ActionMessage } from '../../src/protocol/client.js';
import { settle, type Settlement } from './showdown.js';

export const SMALL_BLIND = 10;
export const BIG_BLIND = 20;
export const STREETS = ['preflop', 'flop', 'turn', 'river'] as const;
/** Board cards open by street. */
const OPEN = [0, 3, 4, 5] as const;
const DECK = [...'23456789TJQKA'].flatMap((rank) => [...'cdhs'].map((suit) => rank + suit));

export type ActionName = ActionMessage['action'];
export type StreetName = (typeof STREETS)[number];

export interface HandPlayer {
  seat: number;
  name: string;
  stack: number;
  /** On the street. */
  bet: number;
  /** In the hand. */
  put: number;
  folded: boolean;
  cards: string[];
}

/** An action that was taken, as player_action tells it. */
export interface Taken {
  player: HandPlayer;
  action: ActionName;
  amount: number | null;
  street: StreetName;
  potBefore: number;
  stackBefore: number;
  toCall: number;
  added: number;
}

/** One hand in plain objects; the betting follows the Rulebook, which is written for reading. */
export class NaiveHand {
  readonly id = randomUUID();
  readonly players: HandPlayer[];
  readonly actions: { seat: number; action: ActionName; amount: number | null; street: StreetName }[] = [];
  readonly startedAt = new Date();
  readonly board: string[];
  readonly posts: { seat: number; amount: number; kind: string }[];
  /** Index into STREETS. */
  street = 0;
  token: string = randomUUID();
  /** The actor's decision; null when the hand is over. */
  decision: RulebookDecision | null;
  readonly #rules: Rulebook;

  /** `seated` is in the order of seats, `button` is one of the seats, `cards` is a shuffled deck. */
  constructor(
    seated: readonly { seat: number; name: string; stack: number }[],
    readonly button: number,
    cards: readonly string[] = shuffled(),
  ) {
    const deck = [...cards];
    this.players = seated.map(({ seat, name, stack }) => {
      return { seat, name, stack, bet: 0, put: 0, folded: false, cards: deck.splice(0, 2) };
    });
    this.board = deck.splice(0, 5);
    const stacks = seated.map(({ stack }) => stack);
    const place = seated.findIndex(({ seat }) => seat === button);
    const blinds = { smallBlind: SMALL_BLIND, bigBlind: BIG_BLIND, shortBlindPrice: 'full' } as const;
    // Cards are settled here, by pokersolver.
    this.#rules = new Rulebook({ stacks, button: place, ...blinds, holes: [], board: [] });
    const small = seated.length === 2 ? place : (place + 1) % seated.length;
    const big = (small + 1) % seated.length;
    pay(this.players[small]!, SMALL_BLIND);
    pay(this.players[big]!, BIG_BLIND);
    this.posts = [
      { seat: this.players[small]!.seat, amount: this.players[small]!.bet, kind: 'small_blind' },
      { seat: this.players[big]!.seat, amount: this.players[big]!.bet, kind: 'big_blind' },
    ];
    this.decision = this.#rules.decision();
  }

  get actor(): HandPlayer | null {
    return this.decision === null ? null : this.players[this.decision.seat]!;
  }

  get pot(): number {
    return this.players.reduce((sum, { put }) => sum + put, 0);
  }

  get openBoard(): string[] {
    return this.board.slice(0, OPEN[this.street]);
  }

  /** The open decision as valid_actions: fold or check, call, raise, all_in. */
  get offers(): { action: ActionName; amount: number | null; min: number | null; max: number | null }[] {
    const { toCall, minTo, maxTo } = this.decision!;
    const { stack } = this.actor!;
    const none = { amount: null, min: null, max: null };
    return [
      { action: toCall > 0 ? ('fold' as const) : ('check' as const), ...none },
      ...(toCall > 0 ? [{ action: 'call' as const, ...none, amount: toCall }] : []),
      ...(minTo !== null ? [{ action: 'raise' as const, amount: null, min: minTo, max: maxTo }] : []),
      ...(minTo !== null || stack <= toCall ? [{ action: 'all_in' as const, ...none, amount: stack }] : []),
    ];
  }

  /** Carries out an action of the actor; null when it is not among the offers. */
  act(action: ActionName, amount: number | null): Taken | null {
    const offer = this.offers.find((candidate) => candidate.action === action);
    const player = this.actor!;
    const { toCall, minTo } = this.decision!;
    if (offer === undefined) return null;
    if (action === 'raise' && (amount === null || amount < offer.min! || amount > offer.max!)) return null;
    const before = { potBefore: this.pot, stackBefore: player.stack, street: STREETS[this.street]!, toCall };
    const to = action === 'raise' ? amount! : player.bet + player.stack;
    if (action === 'fold') {
      player.folded = true;
      this.#rules.play('fold');
    } else if (action === 'raise' || (action === 'all_in' && minTo !== null)) {
      this.#rules.play({ to });
      pay(player, to - player.bet);
    } else {
      this.#rules.play('checkOrCall');
      pay(player, toCall);
    }
    const added = before.stackBefore - player.stack;
    const told = action === 'raise' ? to : added > 0 ? added : null;
    this.actions.push({ seat: player.seat, action, amount: told, street: before.street });
    this.decision = this.#rules.decision();
    this.token = randomUUID();
    return { player, action, amount: told, added, ...before };
  }

  /** Opens the next street if it is due, and returns its cards; null when none is. */
  nextStreet(): string[] | null {
    const due = this.decision?.street ?? (this.live.length > 1 ? 3 : this.street);
    if (due === this.street) return null;
    for (const player of this.players) player.bet = 0;
    const open = OPEN[this.street];
    this.street++;
    return this.board.slice(open, OPEN[this.street]);
  }

  get live(): HandPlayer[] {
    return this.players.filter(({ folded }) => !folded);
  }

  /** Pays the pots out; only when the hand is over. */
  settle(): Settlement {
    const left = this.players.filter(({ seat }) => seat > this.button);
    const order = [...left, ...this.players.filter(({ seat }) => seat <= this.button)].map(({ seat }) => seat);
    const settlement = settle(this.players, this.board, order);
    for (const player of this.players) {
      const back = settlement.returned?.seat === player.seat ? settlement.returned.amount : 0;
      player.stack += back + (settlement.payouts.get(player.seat) ?? 0);
      player.put -= back;
      player.bet = 0;
    }
    return settlement;
  }
}

function pay(player: HandPlayer, chips: number): void {
  const paid = Math.min(chips, player.stack);
  player.stack -= paid;
  player.bet += paid;
  player.put += paid;
}

/** Fisher and Yates, with randomness that nobody can guess. */
function shuffled(): string[] {
  const deck = [...DECK];
  for (let i = deck.length - 1; i > 0; i--) {
    const j = randomInt(i + 1);
    [deck[i], deck[j]] = [deck[j]!, deck[i]!];
  }
  return deck;
}
