import { Account } from '../account.js';
import { dealingOrder } from '../places.js';
import type { HandMove, ReplayHand, ReplayPlayer } from '../hand.js';

/** The fields of a section besides the hand. */
export interface PhhOptions {
  /** The name of the section: a number. */
  section: number;
  /** Fields of our own, as `_season_id`. */
  own: Readonly<Record<string, string>>;
}

/**
 * A hand in the public PHH format (TOML), as a section of a .phhs file. Players are counted in the order of dealing: p1
 * sits left of the button. Cards that the hand does not have are `??`. @throws {RangeError} for a dead post, which the
 * format does not have
 */
export const writePhh = (hand: ReplayHand, options: PhhOptions): string => new PhhWriter(hand).text(options);

class PhhWriter {
  /** The button last. */
  readonly #players: readonly ReplayPlayer[];
  readonly #account: Account;
  readonly #bets = new Map<number, number>();
  /** A big blind that is posted short leaves the price as it is. */
  #price: number;

  constructor(private readonly hand: ReplayHand) {
    const order = dealingOrder(hand.players.map(({ seat }) => seat), hand.button); // prettier-ignore
    this.#players = order.map((seat) => hand.players.find((player) => player.seat === seat)!);
    this.#account = new Account(hand);
    this.#price = hand.bigBlind;
  }

  text({ section, own }: PhhOptions): string {
    const { hand } = this;
    const players = this.#players;
    const amounts = (of: (player: ReplayPlayer) => number) => list(players.map((player) => this.#number(of(player))));
    const heroes = players.flatMap((player, i) => (player.own ? [i + 1] : []));
    const { symbol } = hand.unit;
    return [
      `[${section}]`,
      `variant = 'NT'`,
      `antes = ${list(this.#owed((move) => (move.blind === 'ante' ? move.chips : 0)))}`,
      `blinds_or_straddles = ${list(this.#owed((move) => this.#blind(move)))}`,
      `min_bet = ${this.#number(hand.bigBlind)}`,
      `starting_stacks = ${amounts(({ stack }) => stack)}`,
      `actions = ${texts(this.#actions())}`,
      ...(hand.handNumber === null ? [] : [`hand = ${hand.handNumber}`]),
      ...(hand.tableId === null ? [] : [`table = ${text(hand.tableId)}`]),
      `seats = ${list(players.map(({ seat }) => String(seat + 1)))}`,
      `players = ${texts(players.map(({ name }) => name))}`,
      `finishing_stacks = ${amounts(({ seat }) => this.#account.stackEnd(seat))}`,
      `winnings = ${amounts(({ seat }) => this.#account.payout(seat))}`,
      ...timeOf(hand),
      ...(symbol === '' ? [] : [`currency_symbol = ${text(symbol)}`]),
      ...(hand.handId === null ? [] : [`_hand_id = ${text(hand.handId)}`]),
      ...this.#ownSmallBlind(),
      ...Object.entries(own).map(([key, value]) => `${key} = ${text(value)}`),
      ...(heroes.length === 1 ? [`_hero = ${heroes[0]}`] : []),
      '',
      '',
    ].join('\n');
  }

  #number(units: number): string {
    return this.hand.unit.decimals === 0 ? String(units) : (units / 100).toFixed(2);
  }

  /**
   * The posts that each place owes before the cards, also above its stack. The format reverses the posts of two
   * players: with [10, 20] the second, who has the button, posts 10.
   */
  #owed(chipsOf: (move: Extract<HandMove, { kind: 'post' }>) => number): string[] {
    const owed = this.#players.map(({ seat }) =>
      this.hand.moves.reduce(
        (most, move) => (move.kind === 'post' && move.seat === seat ? Math.max(most, chipsOf(move)) : most),
        0,
      ),
    );
    return (owed.length === 2 ? owed.reverse() : owed).map((chips) => this.#number(chips));
  }

  /** A small blind that comes back owes a big blind. The format has one amount a place, so that its blind is named. */
  #ownSmallBlind(): string[] {
    const seats = (blind: string) => this.hand.moves.flatMap((move) => (move.kind === 'post' && move.blind === blind ? [move.seat] : [])); // prettier-ignore
    const returns = seats('return');
    const both = seats('small_blind').some((seat) => returns.includes(seat));
    return both ? [`_small_blind = ${this.#number(this.hand.smallBlind)}`] : [];
  }

  #blind({ blind, chips }: Extract<HandMove, { kind: 'post' }>): number {
    const { smallBlind, bigBlind } = this.hand;
    switch (blind) {
      case 'small_blind':
        return smallBlind;
      case 'big_blind':
      case 'return':
        return bigBlind;
      case 'straddle':
        return chips;
      case 'ante':
        return 0;
      case 'dead':
        throw new RangeError('PHH has no word for a dead post');
    }
  }

  #place(seat: number): string {
    return `p${this.#players.findIndex((player) => player.seat === seat) + 1}`;
  }

  #actions(): string[] {
    const dealt = this.#players.map(({ cards }, i) => `d dh p${i + 1} ${cards === null ? '????' : cards.join('')}`);
    return [...dealt, ...showdownFirst(this.hand.moves).flatMap((move) => this.#action(move) ?? [])];
  }

  #action(move: HandMove): string | null {
    if (move.kind === 'street') {
      this.#bets.clear();
      this.#price = 0;
      return `d db ${move.cards.join('')}`;
    }
    const { seat } = move;
    const place = this.#place(seat);
    switch (move.kind) {
      case 'shown':
        // The format has no word for cards that are shown with a fold.
        return this.#account.foldedOn.has(seat) ? null : `${place} sm ${move.cards.join('')}`;
      case 'mucked':
        return `${place} sm`;
      case 'action':
        return `${place} ${move.action === 'fold' ? 'f' : this.#put(seat, move.chips)}`;
      case 'post':
        if (move.blind !== 'ante') this.#put(seat, move.chips);
        return null;
      case 'returned':
      case 'won':
        return null;
    }
  }

  /** Adds to the bet of a seat, and says what that is. */
  #put(seat: number, chips: number): string {
    const to = (this.#bets.get(seat) ?? 0) + chips;
    this.#bets.set(seat, to);
    if (to <= this.#price) return 'cc';
    this.#price = to;
    return `cbr ${this.#number(to)}`;
  }
}

/** Where all are in before the river, the format lets them show before the other cards come. */
function showdownFirst(moves: readonly HandMove[]): HandMove[] {
  const isShow = ({ kind }: HandMove) => kind === 'shown' || kind === 'mucked';
  const isBet = ({ kind }: HandMove) => kind === 'post' || kind === 'action' || kind === 'returned';
  const decided = moves.findLastIndex(isBet) + 1;
  const end = moves.slice(decided);
  return [...moves.slice(0, decided), ...end.filter(isShow), ...end.filter((move) => !isShow(move))];
}

function timeOf({ startedAt }: ReplayHand): string[] {
  if (startedAt === null) return [];
  const [date, time] = new Date(startedAt).toISOString().slice(0, -1).split('T') as [string, string];
  const [year, month, day] = date.split('-').map(Number);
  return [`year = ${year}`, `month = ${month}`, `day = ${day}`, `time = ${time}`, `time_zone = 'UTC'`];
}

const list = (values: readonly string[]) => `[${values.join(', ')}]`;
const texts = (words: readonly string[]) => list(words.map(text));

/** A TOML string: literal, or with escapes where a quote or a control character stands in it. */
const text = (word: string) => (/^[^'\p{Cc}]*$/u.test(word) ? `'${word}'` : JSON.stringify(word));
