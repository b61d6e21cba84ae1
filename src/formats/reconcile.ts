import type { HandValue } from '../cards/value.js';
import { Street } from '../holdem/types.js';
import { play } from './action.js';
import { amountText, MOST_UNITS } from './amount.js';
import { isKnownPair, UNKNOWN_CARD, worthOf } from './card-text.js';
import { HandFileError } from './file.js';
import { pokerStarsWords } from './hand-words.js';
import { STREETS, type HandMove, type ReplayHand } from './hand.js';
import { Payment } from './payment.js';
import type { RawHand, RawSeat, Statement } from './raw.js';
import { FileTable } from './table.js';

const isKnown = (card: string) => card !== UNKNOWN_CARD;

/** The known cards of a hand. Each is dealt once. */
class DealtCards {
  readonly #dealt = new Set<string>();
  readonly #holes = new Map<number, readonly string[]>();

  /** Two cards by seat. One or both may not be known. */
  get holes(): ReadonlyMap<number, readonly string[]> {
    return this.#holes;
  }

  hole(seat: number): readonly string[] | undefined {
    return this.#holes.get(seat);
  }

  /** A card is dealt. @throws {HandFileError} */
  place(card: string, line: number): void {
    if (this.#dealt.has(card)) throw new HandFileError(`The card ${card} is dealt twice.`, line);
    this.#dealt.add(card);
  }

  /** The cards of a player, which may have been named before, or in part. @throws {HandFileError} */
  know({ seat, name }: { seat: number; name: string }, cards: readonly string[], line: number): void {
    if (cards.length !== 2) throw new HandFileError(`${name} has ${cards.length} cards, and a hand has two.`, line);
    const before = (this.#holes.get(seat) ?? []).filter(isKnown);
    const now = cards.filter(isKnown);
    if (now.length === 2 && now[0] === now[1]) throw new HandFileError(`The card ${now[0]} is dealt twice.`, line);
    const all = [...new Set([...before, ...now])];
    if (all.length > 2) throw new HandFileError(`${name} has other cards than before.`, line);
    for (const card of now) if (!before.includes(card)) this.place(card, line);
    if (before.length === 2) return;
    const isMore = all.length > now.length;
    this.#holes.set(seat, isMore ? [...all, UNKNOWN_CARD].slice(0, 2) : cards);
  }
}

type Of<K extends Statement['kind']> = Extract<Statement, { kind: K }>;

/**
 * The gate that each hand of a file passes. Stated amounts equal the computed ones, cards differ, players act in turn,
 * and the payouts are the pot without the rake. Facts that the file leaves out are derived if the rules decide them.
 * @throws {HandFileError} with the line of the first statement that is wrong
 */
export const reconcile = (raw: RawHand): ReplayHand => new Gate(raw).hand();

class Gate {
  readonly moves: HandMove[] = [];
  readonly #table: FileTable;
  readonly #seats: ReadonlyMap<number, RawSeat>;
  readonly #cards = new DealtCards();
  #board: string[] = [];
  #open = false;
  /** The end of the betting in `moves`. An uncalled bet goes back there. */
  #betting = 0;
  #returned: Of<'returned'> | null = null;
  #mucked = 0;
  readonly #folded = new Map<number, Street>();
  #shownLine = 0;
  readonly #payment: Payment;

  constructor(private readonly raw: RawHand) {
    const { seats, button, leastBet, lastLine } = raw;
    if (seats.length < 2) throw new HandFileError('A hand has two players or more.', seats[0]?.line ?? lastLine);
    for (const { name, stack, line } of seats) {
      if (stack < 1) throw new HandFileError(`${name} has no chips to play.`, line);
    }
    const sum = seats.reduce((total, { stack }) => total + stack, 0);
    if (sum > MOST_UNITS) throw new HandFileError('The hand has more chips than can be counted here.', lastLine);
    this.#seats = new Map(seats.map((seat) => [seat.seat, seat]));
    this.#table = new FileTable(button, seats, leastBet);
    this.#payment = new Payment(raw, (seat) => this.name(seat));
  }

  hand(): ReplayHand {
    const { raw } = this;
    for (const statement of raw.statements) this.#take(statement);
    this.#checkOver();
    this.#giveBack();
    const { payouts, rake } = this.#payment.pay(this.#table, this.#showdown(), this.#board);
    for (const { seat } of raw.seats) {
      const chips = payouts.get(seat) ?? 0;
      if (chips > 0) this.moves.push({ kind: 'won', seat, chips });
    }
    const { handId, tableId, title, handNumber, startedAt, unit, smallBlind, bigBlind, button } = raw;
    return {
      handId,
      tableId,
      title,
      handNumber,
      startedAt,
      unit,
      smallBlind,
      bigBlind,
      rake,
      button,
      players: raw.seats.map(({ seat, name, stack, slug, own }) => {
        const hole = this.#cards.hole(seat) ?? null;
        return { seat, name, stack, slug, own, cards: isKnownPair(hole) ? [hole[0], hole[1]] : null };
      }),
      moves: this.#withWords(),
    };
  }

  name(seat: number): string {
    return this.#seats.get(seat)!.name;
  }

  #amount(units: number): string {
    return amountText(units, this.raw.unit);
  }

  #take(statement: Statement): void {
    switch (statement.kind) {
      case 'post':
        return this.#post(statement);
      case 'action':
        return this.#act(statement);
      case 'street':
        return this.#street(statement);
      case 'returned':
        if (this.#returned !== null) throw new HandFileError('A bet is returned twice.', statement.line);
        this.#returned = statement;
        return this.#checkReturned(statement);
      case 'dealt':
        return this.#know(statement);
      case 'shown':
        return this.#show(statement);
      case 'mucked':
        return this.#muck(statement);
      case 'board':
        return this.#checkBoard(statement);
      case 'folded':
        return this.#checkFold(statement);
      default:
        return this.#payment.state(statement);
    }
  }

  #post({ seat, word, owed, stated, allIn, line }: Of<'post'>): void {
    if (this.#open) throw new HandFileError(`${this.name(seat)} posts after the first action.`, line);
    const table = this.#table;
    const chips = Math.min(word === 'return' ? Math.max(0, owed - table.bet(seat)) : owed, table.stack(seat));
    if (stated !== null && stated !== chips) {
      throw new HandFileError(
        `${this.name(seat)} posts ${this.#amount(stated)} and owes ${this.#amount(chips)}.`,
        line,
      );
    }
    if (chips === 0) return;
    if (word === 'ante' && !this.#alone(statementsOf(this.raw, 'post'))) table.postAnte(seat, chips);
    else if (word === 'ante' || word === 'dead') table.postDead(seat, chips);
    else table.postLive(seat, chips);
    if (allIn === true && table.stack(seat) > 0) throw this.#notAllIn(seat, line);
    this.moves.push({ kind: 'post', seat, chips, blind: word });
    this.#betting = this.moves.length;
  }

  /** Antes that only some players owe are dead: all players of the hand can win them. */
  #alone(posts: readonly Of<'post'>[]): boolean {
    const antes = posts.filter(({ word }) => word === 'ante');
    return antes.length < this.raw.seats.length;
  }

  /** Ends the betting here, unless a player has still a decision. */
  #close(line: number): void {
    this.#begin(line);
    this.#table.endIdleTurn();
  }

  #begin(line: number): void {
    if (this.#open) return;
    this.#open = true;
    const posts = statementsOf(this.raw, 'post');
    const blind = posts.find(({ word }) => word === 'big_blind');
    const straddle = posts.findLast(({ word }) => word === 'straddle');
    if (blind === undefined) throw new HandFileError('Nobody posts the big blind.', line);
    const { seat, owed } = straddle ?? blind;
    this.#table.open(Math.max(owed, this.raw.bigBlind), seat);
  }

  #act(action: Of<'action'>): void {
    const { seat, line, reason } = action;
    this.#begin(line);
    const table = this.#table;
    if (table.actor < 0) throw new HandFileError(`${this.name(seat)} acts after the betting is over.`, line);
    if (table.actor !== seat) {
      throw new HandFileError(`${this.name(seat)} acts, and it is the turn of ${this.name(table.actor)}.`, line);
    }
    const before = table.stack(seat);
    const words = { name: this.name(seat), amount: (units: number) => this.#amount(units) };
    const word = play(table, action, this.raw.rules, words);
    if (action.allIn && table.stack(seat) > 0) throw this.#notAllIn(seat, line);
    if (word === 'fold') this.#folded.set(seat, table.street);
    const chips = before - table.stack(seat);
    if (action.added !== null && action.added !== chips) {
      throw new HandFileError(`${this.name(seat)} adds ${this.#amount(action.added)}, and the action costs ${this.#amount(chips)}.`, line); // prettier-ignore
    }
    this.moves.push({ kind: 'action', seat, action: word, chips, reason });
    this.#betting = this.moves.length;
  }

  #notAllIn(seat: number, line: number): HandFileError {
    return new HandFileError(
      `${this.name(seat)} is not all-in: ${this.#amount(this.#table.stack(seat))} are left.`,
      line,
    );
  }

  #street({ cards, before, line }: Of<'street'>): void {
    this.#close(line);
    const table = this.#table;
    const street = STREETS[table.street + 1];
    if (street === undefined) {
      throw new HandFileError('The hand has a second board: hands that are run twice are not supported.', line);
    }
    if (table.actor >= 0) {
      throw new HandFileError(`The ${street} comes, and it is the turn of ${this.name(table.actor)}.`, line);
    }
    if (table.uncontested) throw new HandFileError(`The ${street} comes after all but one have folded.`, line);
    if (before !== null && before.join() !== this.#board.join()) {
      throw new HandFileError(`The ${street} repeats another board than was dealt.`, line);
    }
    const count = street === 'flop' ? 3 : 1;
    if (cards.length !== count || cards.includes(UNKNOWN_CARD)) {
      throw new HandFileError(`The ${street} has ${count === 1 ? 'one card' : 'three cards'}.`, line);
    }
    for (const card of cards) this.#cards.place(card, line);
    this.#board = [...this.#board, ...cards];
    table.openStreet((table.street + 1) as Street);
    this.moves.push({ kind: 'street', street, cards });
  }

  #checkReturned({ seat, chips, line }: Of<'returned'>): void {
    this.#close(line);
    const { returned, returnedSeat } = this.#table.settle();
    if (this.#table.actor >= 0) {
      throw new HandFileError(`A bet is returned, and it is the turn of ${this.name(this.#table.actor)}.`, line);
    }
    if (returnedSeat !== seat || returned !== chips) {
      const right = returned === 0 ? 'no bet is uncalled' : `${this.#amount(returned)} of ${this.name(returnedSeat)} are uncalled`; // prettier-ignore
      throw new HandFileError(`${this.#amount(chips)} go back to ${this.name(seat)}, and ${right}.`, line);
    }
  }

  /** The uncalled part of a bet goes back, whether or not the file says so. */
  #giveBack(): void {
    const { returned, returnedSeat } = this.#table.settle();
    if (returned === 0) return;
    this.moves.splice(this.#betting, 0, { kind: 'returned', seat: returnedSeat, chips: returned });
  }

  #show({ seat, cards, words, line }: Of<'shown'>): void {
    const isLive = (this.#table.live & (1 << seat)) !== 0;
    // Cards that are shown with a fold end no betting.
    if (isLive) this.#close(line);
    if (isLive && this.#table.actor >= 0) {
      throw new HandFileError(`${this.name(seat)} shows cards, and it is the turn of ${this.name(this.#table.actor)}.`, line); // prettier-ignore
    }
    if (cards !== null) this.#know({ seat, cards, line });
    const hole = this.#cards.hole(seat) ?? [UNKNOWN_CARD, UNKNOWN_CARD];
    this.#mucked &= ~(1 << seat);
    this.#shownLine = line;
    this.moves.push({ kind: 'shown', seat, cards: cards?.length === 2 ? cards : hole, words });
  }

  #muck({ seat, cards, line }: Of<'mucked'>): void {
    this.#close(line);
    if (this.#table.actor >= 0) {
      throw new HandFileError(`${this.name(seat)} mucks, and it is the turn of ${this.name(this.#table.actor)}.`, line);
    }
    if (cards !== null) this.#know({ seat, cards, line });
    if ((this.#mucked & (1 << seat)) !== 0) return;
    this.#mucked |= 1 << seat;
    this.#shownLine = line;
    this.moves.push({ kind: 'mucked', seat });
  }

  #know({ seat, cards, line }: { seat: number; cards: readonly string[]; line: number }): void {
    this.#cards.know({ seat, name: this.name(seat) }, cards, line);
  }

  #checkBoard({ cards, line }: Of<'board'>): void {
    if (cards.join() === this.#board.join()) return;
    throw new HandFileError(`The board is [${cards.join(' ')}], and [${this.#board.join(' ')}] was dealt.`, line);
  }

  #checkFold({ seat, street, line }: Of<'folded'>): void {
    if ((this.#folded.get(seat) ?? null) === street) return;
    throw new HandFileError(`The summary tells another end of ${this.name(seat)} than the hand.`, line);
  }

  #checkOver(): void {
    const { lastLine } = this.raw;
    this.#close(lastLine);
    const table = this.#table;
    if (table.actor >= 0) {
      throw new HandFileError(`The hand ends, and it is the turn of ${this.name(table.actor)}.`, lastLine);
    }
    if (!table.uncontested && table.street !== Street.river) {
      throw new HandFileError(`The hand ends before the ${STREETS[table.street + 1]!} is dealt.`, lastLine);
    }
  }

  #showdown() {
    const values = new Map<number, HandValue>();
    if (this.#board.length === 5) {
      for (const [seat, hole] of this.#cards.holes) if (isKnownPair(hole)) values.set(seat, worthOf(hole, this.#board));
    }
    return { values, mucked: this.#mucked, line: this.#shownLine };
  }

  #withWords(): HandMove[] {
    if (this.#board.length < 5) return this.moves;
    return this.moves.map((move) =>
      move.kind === 'shown' && move.words === null && isKnownPair(move.cards)
        ? { ...move, words: pokerStarsWords(worthOf(move.cards, this.#board)) }
        : move,
    );
  }
}

const statementsOf = <K extends Statement['kind']>({ statements }: RawHand, kind: K) =>
  statements.filter((statement): statement is Of<K> => statement.kind === kind);
