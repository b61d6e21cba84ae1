import { nextSeat } from '../../holdem/seats.js';
import { MAX_SEATS } from '../../holdem/types.js';
import { HandFileError } from '../file.js';
import type { ReplayHand } from '../hand.js';
import { seatsInTable } from '../places.js';
import type { RawHand, Statement } from '../raw.js';
import { reconcile } from '../reconcile.js';
import type { PlayerLine } from './lines.js';
import { ParsedHand, type HandItem, type ListedSeat } from './parse.js';

/** Reads a No-Limit Hold'em hand in the text of PokerStars' English files. @throws {HandFileError} */
export const readPokerStars = (text: string, line: number): ReplayHand =>
  reconcile(new PokerStarsReader(new ParsedHand(text, line)).raw());

type Post = Extract<PlayerLine, { kind: 'post' }>;
type Body = Statement extends infer S ? (S extends Statement ? Omit<S, 'line'> : never) : never;

class PokerStarsReader {
  /** Seats of the replayed table, by place in the list; null where the player is not dealt in. */
  readonly #seats: (number | null)[];
  readonly #button: number;
  readonly #statements: Statement[] = [];
  readonly #timedOut = new Set<number>();
  #bigBlind: number | null = null;
  #straddle: number;
  readonly #ante: number;

  constructor(private readonly parsed: ParsedHand) {
    const dealt = parsed.seats.map((seat, player) => !seat.out || plays(parsed.items, player));
    const numbers = parsed.seats.flatMap(({ number }, i) => (dealt[i]! ? [number - 1] : []));
    const count = numbers.length;
    const { lastLine, seats: listed } = parsed;
    if (count > MAX_SEATS) throw new HandFileError(`Hands of more than ${MAX_SEATS} players are not read, and this has ${count}.`, listed[0]!.line); // prettier-ignore
    const places = seatsInTable([...numbers, parsed.button - 1]);
    this.#button = places.at(-1)!;
    if (places.some((seat) => seat >= MAX_SEATS)) {
      throw new HandFileError(
        'The button is at an empty seat, and the six others are taken.',
        listed[0]?.line ?? lastLine,
      );
    }
    let next = 0;
    this.#seats = dealt.map((is) => (is ? places[next++]! : null));
    this.#straddle = 2 * parsed.head.bigBlind;
    this.#ante = Math.max(0, ...this.#posts('ante').map(({ amount, line }) => parsed.units(amount, line)));
    this.#bigBlind = this.#bigBlindSeat();
  }

  raw(): RawHand {
    const { parsed } = this;
    for (const item of parsed.items) this.#take(item);
    if (!parsed.items.some(({ kind }) => kind === 'total')) {
      throw new HandFileError('The hand is cut: its summary does not name the pot and the rake.', parsed.lastLine);
    }
    const { number, unit, smallBlind, bigBlind, startedAt } = parsed.head;
    const heroes = new Set(parsed.items.flatMap((item) => (item.kind === 'dealt' ? [item.player] : [])));
    return {
      handId: null,
      tableId: null,
      handNumber: null,
      title: `Hand #${number}`,
      startedAt,
      unit,
      smallBlind,
      bigBlind,
      leastBet: bigBlind,
      button: this.#button,
      seats: parsed.seats
        .flatMap(({ name, stack, line }, player) => {
          const seat = this.#seats[player] ?? null;
          const own = heroes.size === 1 && heroes.has(player);
          return seat === null ? [] : [{ seat, name, stack, slug: null, own, line }];
        })
        .sort((a, b) => a.seat - b.seat),
      statements: this.#statements,
      rules: 'room',
      rake: 'stated',
      lastLine: parsed.lastLine,
    };
  }

  #posts(kind: Post['post']) {
    return this.parsed.items.flatMap((item) =>
      item.kind === 'act' && item.act.kind === 'post' && item.act.post === kind
        ? [{ player: item.player, amount: item.act.amount, line: item.line }]
        : [],
    );
  }

  /** The first from the button on that posts a big blind alone. The others come back, and post one, too. */
  #bigBlindSeat(): number | null {
    const small = new Set(this.#posts('small_blind').map(({ player }) => player));
    const seats = this.#posts('big_blind').flatMap(({ player }) => (small.has(player) ? [] : [this.#seats[player]!]));
    const mask = seats.reduce((all, seat) => all | (1 << seat), 0);
    return mask === 0 ? null : nextSeat(mask, this.#button);
  }

  #take(item: HandItem): void {
    const { line } = item;
    switch (item.kind) {
      case 'act':
        return this.#act(item.player, item.act, line);
      case 'timeout':
        this.#timedOut.add(item.player);
        return;
      case 'street':
        return this.#state({ kind: 'street', cards: item.cards, before: item.before }, line);
      case 'total':
        return this.#state({ kind: 'total', pot: item.pot, pots: item.pots, rake: item.rake }, line);
      case 'board':
        return this.#state({ kind: 'board', cards: item.cards }, line);
      case 'dealt':
        return this.#state({ kind: 'dealt', seat: this.#seat(item.player, line), cards: item.cards }, line);
      case 'returned':
      case 'won':
        return this.#state({ kind: item.kind, seat: this.#seat(item.player, line), chips: item.chips }, line);
      case 'fate':
        return this.#fate(item);
    }
  }

  #state(body: Body, line: number): void {
    this.#statements.push({ ...body, line } as Statement);
  }

  #listed(player: number): ListedSeat {
    return this.parsed.seats[player]!;
  }

  #seat(player: number, line: number): number {
    const seat = this.#seats[player] ?? null;
    if (seat === null) throw new HandFileError(`${this.#listed(player).name} is sitting out.`, line);
    return seat;
  }

  #act(player: number, act: PlayerLine, line: number): void {
    const { parsed } = this;
    const seat = this.#seat(player, line);
    const units = (text: string) => parsed.units(text, line);
    switch (act.kind) {
      case 'post':
        return this.#post(player, seat, act, line);
      case 'show':
        return this.#state({ kind: 'shown', seat, cards: parsed.hole(act.cards, line), words: act.words }, line);
      case 'muck':
        return this.#state({ kind: 'mucked', seat, cards: null }, line);
      case 'out':
      case 'noise':
        return;
      case 'fold':
        this.#move(player, { action: 'fold' }, line);
        if (act.cards !== null) {
          this.#state({ kind: 'shown', seat, cards: parsed.hole(act.cards, line), words: null }, line);
        }
        return;
      case 'check':
        return this.#move(player, { action: 'check' }, line);
      case 'call':
        return this.#move(player, { action: 'call', added: units(act.amount), allIn: act.allIn }, line);
      case 'bet':
        return this.#move(player, { action: 'bet', to: units(act.amount), allIn: act.allIn }, line);
      case 'raise':
        return this.#move(player, { action: 'raise', by: units(act.by), to: units(act.to), allIn: act.allIn }, line);
    }
  }

  #move(player: number, action: Partial<Extract<Statement, { kind: 'action' }>>, line: number): void {
    const reason = this.#timedOut.delete(player) ? 'timeout' : null;
    const nothing = { added: null, to: null, by: null, allIn: false };
    const seat = this.#seat(player, line);
    this.#state({ kind: 'action', seat, reason, ...nothing, ...action } as Body, line);
  }

  #post(player: number, seat: number, { post, amount, allIn }: Post, line: number): void {
    const { smallBlind, bigBlind } = this.parsed.head;
    const stated = this.parsed.units(amount, line);
    const state = (word: Extract<Statement, { kind: 'post' }>['word'], owed: number, part = stated) =>
      this.#state({ kind: 'post', seat, word, owed, stated: part, allIn }, line);
    switch (post) {
      case 'ante':
        return state('ante', this.#ante);
      case 'small_blind':
        return state(this.#isSmallBlind(seat) ? 'small_blind' : 'dead', smallBlind);
      case 'big_blind':
        return state(seat === this.#bigBlind ? 'big_blind' : 'return', bigBlind);
      case 'straddle':
        this.#straddle *= 2;
        return state('straddle', this.#straddle / 2);
      case 'both':
        if (stated !== smallBlind + bigBlind) {
          throw new HandFileError(`${this.#listed(player).name} posts both blinds, and not the whole of them.`, line);
        }
        this.#state({ kind: 'post', seat, word: 'dead', owed: smallBlind, stated: smallBlind }, line);
        return state('return', bigBlind, bigBlind);
    }
  }

  /** The small blind sits right of the big blind. Another that posts a small blind has missed one: it is dead. */
  #isSmallBlind(seat: number): boolean {
    const dealt = this.#seats.reduce<number>((all, each) => (each === null ? all : all | (1 << each)), 0);
    return this.#bigBlind === null || nextSeat(dealt, seat) === this.#bigBlind;
  }

  #fate({ player, fate, line }: Extract<HandItem, { kind: 'fate' }>): void {
    const { parsed } = this;
    const seat = this.#seat(player, line);
    this.#state({ kind: 'folded', seat, street: fate.kind === 'folded' ? fate.street : null }, line);
    if (fate.kind === 'showed' || (fate.kind === 'mucked' && fate.cards !== null)) {
      this.#state({ kind: 'dealt', seat, cards: parsed.hole(fate.cards!, line) }, line);
    }
    if (fate.kind === 'collected' || (fate.kind === 'showed' && fate.amount !== null)) {
      this.#state({ kind: 'collected', seat, chips: parsed.units(fate.amount!, line) }, line);
    }
  }
}

const plays = (items: readonly HandItem[], player: number) =>
  items.some((item) => item.kind === 'act' && item.player === player && !['noise', 'out'].includes(item.act.kind));
