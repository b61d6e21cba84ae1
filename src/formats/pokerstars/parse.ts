import { cardsOfText, UNKNOWN_CARD } from '../card-text.js';
import { HandFileError } from '../file.js';
import { unitsOf } from '../amount.js';
import { foreignRoom } from '../rooms.js';
import { readHandHead, type HandHead } from './head.js';
import { isNoise, playerLine, TIMED_OUT, unsupported, WAITS, type PlayerLine } from './lines.js';
import { HEADER, lineEndOf } from './split.js';

/** The lines of the last part of a hand, as texts. */

/** A player's end of the hand. */
export type Fate =
  | { kind: 'folded'; street: number }
  | { kind: 'collected'; amount: string }
  | { kind: 'showed'; cards: string; amount: string | null }
  | { kind: 'mucked'; cards: string | null };

const PLACE = '(?:\\((?:button|small blind|big blind)\\) )*';
const FOLDED = new RegExp(`^${PLACE}folded (before Flop|on the Flop|on the Turn|on the River)(?: \\(didn't bet\\))?$`);
const COLLECTED = new RegExp(`^${PLACE}collected \\(([$€£¥]?[\\d.,]+)\\)$`);
const SHOWED = new RegExp(
  `^${PLACE}showed \\[([^\\]]+)\\] and (?:won \\(([$€£¥]?[\\d.,]+)\\)|lost)(?: with [^()\\[\\]]+)?$`,
);
const MUCKED = new RegExp(`^${PLACE}mucked(?: \\[([^\\]]+)\\])?$`);
const STREETS = ['before Flop', 'on the Flop', 'on the Turn', 'on the River'];

/** The text behind a seat's name. Null where it is not known. */
export function fateOf(text: string): Fate | null {
  const [, street] = FOLDED.exec(text) ?? [];
  if (street !== undefined) return { kind: 'folded', street: STREETS.indexOf(street) };
  const [, amount] = COLLECTED.exec(text) ?? [];
  if (amount !== undefined) return { kind: 'collected', amount };
  const [, cards, won] = SHOWED.exec(text) ?? [];
  if (cards !== undefined) return { kind: 'showed', cards, amount: won ?? null };
  const mucked = MUCKED.exec(text);
  return mucked === null ? null : { kind: 'mucked', cards: mucked[1] ?? null };
}

const POT = '[$€£¥]?[\\d,]+(?:\\.\\d\\d?)?';
const TOTAL = new RegExp(`^Total pot (${POT})((?: (?:Main|Side) pot(?:-\\d+)? ${POT}\\.)*) \\| Rake (${POT})$`);

/** "Total pot $20 Main pot $12. Side pot $7. | Rake $1" */
function totalLine(text: string): { pot: string; pots: string[]; rake: string } | null {
  const [, pot, pots = '', rake] = TOTAL.exec(text) ?? [];
  if (pot === undefined || rake === undefined) return null;
  return { pot, rake, pots: [...pots.matchAll(new RegExp(`pot(?:-\\d+)? (${POT})\\.`, 'g'))].map(([, each]) => each!) };
}

/** A seat as the file lists it, from 1. */
export interface ListedSeat {
  number: number;
  name: string;
  stack: number;
  /** Not dealt in, as far as the lines before the cards say. */
  out: boolean;
  line: number;
}

/** A parsed line. `player` is a place in the list of seats. */
export type HandItem = { line: number } & (
  | { kind: 'act'; player: number; act: PlayerLine }
  | { kind: 'timeout'; player: number }
  | { kind: 'dealt'; player: number; cards: readonly string[] }
  | { kind: 'street'; cards: readonly string[]; before: readonly string[] }
  | { kind: 'returned' | 'won'; player: number; chips: number }
  | { kind: 'total'; pot: number; pots: readonly number[]; rake: number }
  | { kind: 'board'; cards: readonly string[] }
  | { kind: 'fate'; player: number; fate: Fate }
);

const TABLE = /^Table '.*' (?:\d+-max )?(?:\(Play Money\) )?Seat #(\d+) is the button$/;
const SEAT =
  /^Seat (\d+): (.+) \(([$€£¥]?[\d.,]+) in chips(?:, [$€£¥]?[\d.,]+ bounty)?\)( is sitting out| out of hand.*)?$/;
const STREET = /^\*\*\* (?:FLOP|TURN|RIVER) \*\*\* (?:\[([^\]]+)\] )?\[([^\]]+)\]$/;
const RETURNED = /^Uncalled bet \(([$€£¥]?[\d.,]+)\) returned to (.+)$/;
const WON = /^(.+) collected ([$€£¥]?[\d.,]+) from (?:pot|main pot|side pot(?:-\d+)?)$/;
const DEALT = /^Dealt to (.+) \[(.+)\]$/;
const BOARD = /^Board \[(.+)\]$/;
const SUMMARY_SEAT = /^Seat (\d+): (.+)$/;

/** The lines of one hand of a PokerStars file. Each line is known, or known to be irrelevant. */
export class ParsedHand {
  readonly head: HandHead;
  readonly seats: ListedSeat[] = [];
  readonly items: HandItem[] = [];
  /** From 1. */
  button = 0;
  lastLine: number;
  #part: 'seats' | 'posts' | 'play' | 'summary' = 'seats';
  /** Places of the seats, the longest name first: a name may begin with another name. */
  #byLength: number[] = [];

  /** @throws {HandFileError} */
  constructor(text: string, line: number) {
    const lines = text
      .split(lineEndOf(text))
      .map((each, i) => ({ text: each.trim(), line: line + i }))
      .filter((each) => each.text !== '' && !/^\*+ # \d+ \*+$/.test(each.text));
    const [first, table, ...rest] = lines;
    if (first === undefined) throw new HandFileError('The hand is empty.', line);
    if (!HEADER.test(first.text)) throw strange(first, text);
    this.head = readHandHead(first.text, first.line);
    this.lastLine = lines.at(-1)!.line;
    if (table === undefined) throw new HandFileError('The hand ends after its first line.', first.line);
    this.button = Number(TABLE.exec(table.text)?.[1] ?? 0);
    if (this.button === 0) throw strange(table, text);
    for (const each of rest) if (!this.#take(each.text, each.line)) throw strange(each, text);
  }

  #take(text: string, line: number): boolean {
    const why = unsupported(text);
    if (why !== null) throw new HandFileError(why, line);
    if (text.startsWith('*** ')) return this.#section(text, line);
    if (this.#part === 'summary') return this.#summary(text, line);
    if (this.#part === 'seats' && this.#seat(text, line)) return true;
    return this.#player(text, line) || this.#event(text, line) || isNoise(text);
  }

  #section(text: string, line: number): boolean {
    if (text === '*** HOLE CARDS ***') this.#part = 'play';
    else if (text === '*** SUMMARY ***') this.#part = 'summary';
    else if (text !== '*** SHOW DOWN ***') {
      const [, before, cards] = STREET.exec(text) ?? [];
      if (cards === undefined) return false;
      this.items.push({
        kind: 'street',
        cards: this.#cards(cards, line),
        before: this.#cards(before ?? '', line),
        line,
      });
    }
    return true;
  }

  #seat(text: string, line: number): boolean {
    const [, number, name, stack, out] = SEAT.exec(text) ?? [];
    if (name === undefined) return false;
    if (this.seats.some((seat) => seat.name === name || seat.number === Number(number))) {
      throw new HandFileError('Two players have the same seat or the same name.', line);
    }
    this.seats.push({ number: Number(number), name, stack: this.units(stack!, line), out: out !== undefined, line });
    this.#byLength = this.seats
      .map((_, i) => i)
      .sort((a, b) => this.seats[b]!.name.length - this.seats[a]!.name.length);
    return true;
  }

  /** "name: does something", or "name is something". */
  #player(text: string, line: number): boolean {
    for (const player of this.#byLength) {
      const { name } = this.seats[player]!;
      if (!text.startsWith(name)) continue;
      const rest = text.slice(name.length);
      const act = rest.startsWith(': ') ? playerLine(rest.slice(2)) : null;
      if (act !== null && act.kind !== 'out') {
        if (this.#part === 'seats') this.#part = 'posts';
        this.items.push({ kind: 'act', player, act, line });
        return true;
      }
      if (act !== null || rest === ' is sitting out' || rest === ` ${WAITS}`) {
        if (this.#part !== 'play') this.seats[player]!.out = true;
        return true;
      }
      if (TIMED_OUT.test(rest.slice(1))) {
        this.items.push({ kind: 'timeout', player, line });
        return true;
      }
    }
    return false;
  }

  #event(text: string, line: number): boolean {
    const [, won, chips] = WON.exec(text) ?? [];
    const winner = this.#place(won);
    if (winner >= 0) this.items.push({ kind: 'won', player: winner, chips: this.units(chips!, line), line });
    const [, returned, to] = RETURNED.exec(text) ?? [];
    const better = this.#place(to);
    if (better >= 0) this.items.push({ kind: 'returned', player: better, chips: this.units(returned!, line), line });
    const [, name, cards] = DEALT.exec(text) ?? [];
    const dealt = this.#place(name);
    if (dealt >= 0) this.items.push({ kind: 'dealt', player: dealt, cards: this.#cards(cards!, line), line });
    return winner >= 0 || better >= 0 || dealt >= 0;
  }

  #summary(text: string, line: number): boolean {
    const total = totalLine(text);
    if (total !== null) {
      const [pot, rake] = [this.units(total.pot, line), this.units(total.rake, line)];
      this.items.push({ kind: 'total', pot, rake, pots: total.pots.map((each) => this.units(each, line)), line });
      return true;
    }
    const [, board] = BOARD.exec(text) ?? [];
    if (board !== undefined) {
      this.items.push({ kind: 'board', cards: this.#cards(board, line), line });
      return true;
    }
    const [, number, rest = ''] = SUMMARY_SEAT.exec(text) ?? [];
    const player = this.seats.findIndex((seat) => seat.number === Number(number));
    const name = this.seats[player]?.name;
    if (name === undefined || !rest.startsWith(`${name} `)) return false;
    const fate = fateOf(rest.slice(name.length + 1));
    if (fate === null) return false;
    this.items.push({ kind: 'fate', player, fate, line });
    return true;
  }

  #place = (name: string | undefined) => (name === undefined ? -1 : this.seats.findIndex((seat) => seat.name === name));

  /** An amount of the hand's own unit. @throws {HandFileError} */
  units(text: string, line: number): number {
    const { symbol, decimals } = this.head.unit;
    const units = text.startsWith(symbol) ? unitsOf(text.slice(symbol.length), decimals) : null;
    // A rake of nothing may stand without or with a symbol.
    if (units === null && /^[$€£¥]?0$/.test(text)) return 0;
    if (units !== null) return units;
    throw new HandFileError(
      `"${text}" is no amount in whole ${decimals === 0 ? 'chips' : `cents of ${symbol}`}.`,
      line,
    );
  }

  #cards(text: string, line: number): string[] {
    const cards = cardsOfText(text);
    if (cards !== null && !cards.includes(UNKNOWN_CARD)) return cards;
    throw new HandFileError(`[${text}] are no cards.`, line);
  }

  /** Two cards. One may be hidden. */
  hole(text: string, line: number): string[] {
    const cards = this.#cards(text, line);
    return cards.length === 1 ? [...cards, UNKNOWN_CARD] : cards;
  }
}

/** An unknown line: of another room, of another language, or cut. */
function strange(at: { text: string; line: number }, hand: string): HandFileError {
  const room = foreignRoom(hand);
  const shown = at.text.length > 60 ? `${at.text.slice(0, 60)}…` : at.text;
  const what = room === null ? 'This line is not known' : `The hand is of ${room}, which is not read here`;
  return new HandFileError(`${what}: "${shown}".`, at.line);
}
