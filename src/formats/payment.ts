import { amountText } from './amount.js';
import { HandFileError } from './file.js';
import { boundsOf, resultsOf, sharesOfPots, type OpenPot, type PotResult, type Showdown } from './payout.js';
import { dealingOrder } from './places.js';
import type { RawHand, Statement } from './raw.js';
import type { FileTable } from './table.js';

type Stated<K extends Statement['kind']> = Extract<Statement, { kind: K }>;

/** A PHH file states no rake. Its pot may exceed the winnings by this part at most. */
const MOST_RAKE = 0.1;

interface Settled {
  pots: OpenPot[];
  total: number;
  results: PotResult[];
  showdown: Showdown & { line: number };
}

/** The payments of a hand: the file's, which must fit the pots and the cards, or else the cards'. */
export class Payment {
  readonly #won: Stated<'won'>[] = [];
  readonly #ends: Stated<'end'>[] = [];
  readonly #collected: Stated<'collected'>[] = [];
  #total: Stated<'total'> | null = null;

  constructor(
    private readonly raw: RawHand,
    private readonly name: (seat: number) => string,
  ) {}

  state(statement: Stated<'won' | 'end' | 'collected' | 'total'>): void {
    if (statement.kind === 'won') this.#won.push(statement);
    else if (statement.kind === 'end') this.#ends.push(statement);
    else if (statement.kind === 'collected') this.#collected.push(statement);
    else this.#total = statement;
  }

  /** Chips by seat, and the rake. @throws {HandFileError} */
  pay(table: FileTable, showdown: Settled['showdown'], board: readonly string[]) {
    const { pots, total } = table.settle();
    const settled = { pots, total, showdown, results: resultsOf(pots, showdown) };
    this.#checkTotal(settled);
    const stated = this.#stated(table);
    const payouts = stated === null ? this.#byCards(settled, board) : this.#byFile(settled, stated);
    for (const { seat, chips, line } of this.#collected) {
      const paid = payouts.get(seat) ?? 0;
      if (paid !== chips) this.#fail(`The summary says that ${this.name(seat)} won ${this.#text(chips)}, and the hand says ${this.#text(paid)}.`, line); // prettier-ignore
    }
    const rake = total - sumOf(payouts.values());
    return { payouts, rake };
  }

  #fail(message: string, line: number): never {
    throw new HandFileError(message, line);
  }

  #text(units: number): string {
    return amountText(units, this.raw.unit);
  }

  #checkTotal({ total, pots }: Settled): void {
    const stated = this.#total;
    if (stated === null) return;
    const { line, rake } = stated;
    if (stated.pot !== total) this.#fail(`The pot is ${this.#text(stated.pot)}, and the bets make ${this.#text(total)}.`, line); // prettier-ignore
    if (stated.pots.length === 0) return;
    const whole = sumOf(stated.pots) + (rake ?? 0) === total;
    if (stated.pots.length !== pots.length || !whole || stated.pots.some((pot, i) => pot > pots[i]!.amount)) {
      const made = pots.map(({ amount }) => this.#text(amount)).join(' and ');
      this.#fail(`The pots are ${stated.pots.map((pot) => this.#text(pot)).join(' and ')}, and the bets make ${made}.`, line); // prettier-ignore
    }
  }

  /** The payouts that the file states; null where it states none. */
  #stated(table: FileTable): { payouts: Map<number, number>; line: number } | null {
    const won = new Map<number, number>();
    for (const { seat, chips } of this.#won) won.set(seat, (won.get(seat) ?? 0) + chips);
    if (this.#ends.length === 0) return this.#won.length === 0 ? null : { payouts: won, line: this.#won.at(-1)!.line };
    const { returnedSeat, returned } = table.settle();
    const ends = new Map<number, number>();
    for (const { seat, stack, line } of this.#ends) {
      const behind = table.stack(seat) + (seat === returnedSeat ? returned : 0);
      if (stack < behind) this.#fail(`${this.name(seat)} ends with ${this.#text(stack)}, and ${this.#text(behind)} were left.`, line); // prettier-ignore
      if (this.#won.length > 0 && stack - behind !== (won.get(seat) ?? 0)) {
        this.#fail(`${this.name(seat)} ends with ${this.#text(stack)}, and the winnings make ${this.#text(behind + (won.get(seat) ?? 0))}.`, line); // prettier-ignore
      }
      ends.set(seat, stack - behind);
    }
    return { payouts: ends, line: this.#ends.at(-1)!.line };
  }

  #byFile({ pots, total, results }: Settled, { payouts, line }: { payouts: Map<number, number>; line: number }) {
    const rake = this.#rakeOf(total, sumOf(payouts.values()), line);
    const nets = this.#total?.pots ?? [];
    const paid = nets.length === 0 ? pots : pots.map((pot, i) => ({ ...pot, amount: nets[i]! }));
    const wins = this.raw.seats.map(({ seat, name }) => {
      const chips = payouts.get(seat) ?? 0;
      return { seat, name, chips, ...boundsOf(seat, paid, results, nets.length === 0 ? rake : 0) };
    });
    // One that won too much says more than another that won too little.
    const wrong = wins.find(({ chips, most }) => chips > most) ?? wins.find(({ chips, least }) => chips < least);
    if (wrong !== undefined) {
      const { seat, name, chips, least, most } = wrong;
      const at = this.#won.find((won) => won.seat === seat)?.line ?? line;
      const right = least === most ? this.#text(least) : `${this.#text(least)} to ${this.#text(most)}`;
      this.#fail(`${name} wins ${this.#text(chips)}, and the cards and the pots make ${right}.`, at);
    }
    return payouts;
  }

  /** The rake, which is what nobody won of the pot. */
  #rakeOf(total: number, collected: number, line: number): number {
    const rake = total - collected;
    if (rake < 0) this.#fail(`${this.#text(collected)} are won from a pot of ${this.#text(total)}.`, line);
    const stated = this.raw.rake === 'none' ? 0 : (this.#total?.rake ?? null);
    const allowed = stated === null ? rake <= total * MOST_RAKE && this.raw.rake === 'implied' : rake === stated;
    if (allowed) return rake;
    const taken = stated === null || stated === 0 ? '' : ` with a rake of ${this.#text(stated)}`;
    return this.#fail(`${this.#text(collected)} are won from a pot of ${this.#text(total)}${taken}.`, line);
  }

  #byCards({ pots, results, showdown }: Settled, board: readonly string[]): Map<number, number> {
    const line = showdown.line || this.raw.lastLine;
    if (this.#total?.rake) this.#fail('The file names a rake, and nobody collects the pot.', this.#total.line);
    if (results.some(({ decided }) => !decided)) {
      const why = board.length < 5 ? 'the hand has no winner' : "nobody's cards decide the pot";
      this.#fail(`The file states no winnings, and ${why}.`, line);
    }
    const winners = results.map(({ candidates }) => candidates);
    const payouts = new Map<number, number>();
    for (const { seat, chips } of sharesOfPots(pots, winners, this.#order())) {
      payouts.set(seat, (payouts.get(seat) ?? 0) + chips);
    }
    return payouts;
  }

  /** The seats from the left of the button. */
  #order(): number[] {
    return dealingOrder(this.raw.seats.map(({ seat }) => seat), this.raw.button); // prettier-ignore
  }
}

function sumOf(numbers: Iterable<number>): number {
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum;
}
