import { MAX_SEATS } from '../../holdem/types.js';
import { amountText } from '../amount.js';
import { HandFileError } from '../file.js';
import type { PostWord, ReplayHand } from '../hand.js';
import { seatsInTable } from '../places.js';
import type { RawHand, RawSeat, Statement } from '../raw.js';
import { reconcile } from '../reconcile.js';
import { PhhAmounts } from './amounts.js';
import { PhhSection } from './sections.js';
import { phhAction, type PhhAction } from './words.js';

/** The games that the format names, but for the one that is read here. */
const GAMES: Readonly<Record<string, string>> = {
  FT: "Fixed-Limit Hold'em",
  NS: "No-Limit Short-Deck Hold'em (6+)",
  PO: 'Pot-Limit Omaha',
  'FO/8': 'Fixed-Limit Omaha Hi-Lo',
  F7S: 'Fixed-Limit Seven-Card Stud',
  'F7S/8': 'Fixed-Limit Seven-Card Stud Hi-Lo',
  FR: 'Fixed-Limit Razz',
  N2L1D: 'No-Limit Deuce-to-Seven Single Draw',
  F2L3D: 'Fixed-Limit Deuce-to-Seven Triple Draw',
  FB: 'Fixed-Limit Badugi',
};

/**
 * Reads a hand in the PHH format (https://phh.readthedocs.io). Players count from the left of the button. Heads-up the
 * antes and blinds are written in reverse. @throws {HandFileError}
 */
export const readPhh = (text: string, line: number): ReplayHand => reconcile(new PhhReader(text, line).raw());

class PhhReader {
  readonly #section: PhhSection;
  readonly #amounts: PhhAmounts;
  readonly #actions: { action: PhhAction; line: number }[];
  readonly #statements: Statement[] = [];
  readonly #seats: RawSeat[];

  constructor(text: string, line: number) {
    const section = (this.#section = new PhhSection(text, line));
    const variant = section.values['variant'];
    if (variant !== 'NT') {
      const game =
        typeof variant === 'string' ? (GAMES[variant] ?? `the variant ${variant}`) : 'a hand without variant';
      section.fail(`Only No-Limit Hold'em (NT) is read, and this is ${game}.`, 'variant');
    }
    this.#actions = this.#readActions();
    const raises = this.#actions.flatMap(({ action, line: at }) =>
      action.kind === 'raise' ? [{ text: action.amount, line: at }] : [],
    );
    this.#amounts = new PhhAmounts(section, raises);
    this.#seats = this.#readSeats();
  }

  raw(): RawHand {
    const section = this.#section;
    const { values } = section;
    const [smallBlind, bigBlind] = this.#post();
    for (const { action, line } of this.#actions) this.#statements.push({ ...this.#statementOf(action, line), line });
    this.#end('winnings', (seat, chips) => ({ kind: 'won', seat, chips }));
    this.#end('finishing_stacks', (seat, stack) => ({ kind: 'end', seat, stack }));
    const { hand, table, _hand_id: id } = values;
    return {
      handId: typeof id === 'string' ? id : null,
      tableId: typeof id === 'string' && typeof table === 'string' ? table : null,
      title: `Hand ${typeof hand === 'number' || typeof hand === 'string' ? hand : (section.name ?? '')}`.trim(),
      handNumber: typeof hand === 'number' && Number.isInteger(hand) ? hand : null,
      startedAt: timeOf(values),
      unit: this.#amounts.unit,
      smallBlind,
      bigBlind,
      leastBet: this.#leastBet(bigBlind),
      button: this.#seats.at(-1)!.seat,
      seats: [...this.#seats].sort((a, b) => a.seat - b.seat),
      statements: this.#statements,
      rules: 'engine',
      rake: 'implied',
      lastLine: section.lastLine,
    };
  }

  #readActions() {
    const section = this.#section;
    const texts = section.values['actions'];
    if (!Array.isArray(texts) || !texts.every((text) => typeof text === 'string')) {
      return section.fail('The hand has no list of actions.', 'actions');
    }
    return texts.flatMap((text, i) => {
      const line = section.lineOf('actions', texts, i);
      try {
        const action = phhAction(text);
        return action === null ? [] : [{ action, line }];
      } catch (error) {
        if (error instanceof RangeError) throw new HandFileError(error.message, line);
        throw error;
      }
    });
  }

  #readSeats(): RawSeat[] {
    const section = this.#section;
    const { values } = section;
    const stacks = this.#amounts.list('starting_stacks', null) ?? section.fail('The hand has no starting_stacks.', 'starting_stacks'); // prettier-ignore
    const line = section.lineOf('starting_stacks');
    const count = stacks.length;
    if (count > MAX_SEATS) {
      throw new HandFileError(`Hands of more than ${MAX_SEATS} players are not read, and this has ${count}.`, line);
    }
    if (count < 2) throw new HandFileError('A hand has two players or more.', line);
    const names = this.#list('players', count, (value) => typeof value === 'string');
    const numbers = this.#list('seats', count, (value) => Number.isInteger(value) && Number(value) > 0);
    const seats = seatsInTable(numbers === null ? stacks.map((_, i) => i) : numbers.map((seat) => Number(seat) - 1));
    const turns = seats.filter((seat, i) => seat > seats[(i + 1) % count]!).length;
    if (new Set(seats).size < count || (count > 1 && turns !== 1)) {
      section.fail('The seats are not in the order of play.', 'seats');
    }
    return stacks.map((stack, i) => {
      const name = typeof names?.[i] === 'string' && names[i] !== '' ? names[i] : `p${i + 1}`;
      return { seat: seats[i]!, name, stack, slug: null, own: values['_hero'] === i + 1, line };
    });
  }

  /** A list with a value for each player; null where there is no such field. */
  #list(key: string, count: number, fits: (value: unknown) => boolean): unknown[] | null {
    const value = this.#section.values[key];
    if (value === undefined) return null;
    if (Array.isArray(value) && value.length === count && value.every(fits)) return value;
    return this.#section.fail(`The field ${key} has no value for each of the ${count} players.`, key);
  }

  /** States antes and blinds. Gives the small and the big blind. */
  #post(): [number, number] {
    const section = this.#section;
    const count = this.#seats.length;
    const inOrder = (chips: number[]) => (count === 2 ? chips.reverse() : chips);
    const antes = inOrder(this.#amounts.list('antes', count) ?? section.fail('The hand has no antes.', 'antes'));
    const key = 'blinds_or_straddles';
    const blinds = inOrder(this.#amounts.list(key, count) ?? section.fail(`The hand has no ${key}.`, key));
    this.#state('ante', antes.map((owed, place) => ({ owed, place })), 'antes'); // prettier-ignore
    const posted = blinds.map((owed, place) => ({ owed, place }));
    // Heads-up the one who owes less has the small blind, wherever the button is.
    const first = count === 2 && blinds[0]! >= blinds[1]! ? 1 : 0;
    const second = count === 2 ? 1 - first : 1;
    const [small, big] = [blinds[first]!, blinds[second]!];
    if (big === 0 || small > big) section.fail('The blinds are not a small and a big blind.', key);
    // Our own field: a returning small blind posts a big blind. This part of it is the blind.
    const own = this.#amounts.one('_small_blind') ?? small;
    if (own > small || (own < small && small < big)) {
      section.fail('The _small_blind is not a part of what its seat posts.', '_small_blind');
    }
    this.#state('small_blind', [{ ...posted[first]!, owed: own }], key);
    this.#state('big_blind', [posted[second]!], key);
    if (own < small) this.#state('return', [posted[first]!], key);
    let straddle = big;
    for (const { owed, place } of posted.slice(2)) {
      if (owed === 0) continue;
      if (owed < big || (owed > big && owed <= straddle)) {
        const chips = amountText(owed, this.#amounts.unit);
        section.fail(`${this.#seats[place]!.name} posts ${chips}, which is neither a blind nor a straddle.`, key);
      }
      this.#state(owed === big ? 'return' : 'straddle', [{ owed, place }], key);
      straddle = Math.max(straddle, owed);
    }
    return [own, big];
  }

  #state(word: PostWord, posts: readonly { owed: number; place: number }[], key: string): void {
    const line = this.#section.lineOf(key);
    for (const { owed, place } of posts) {
      if (owed > 0) this.#statements.push({ kind: 'post', seat: this.#seats[place]!.seat, word, owed, stated: null, line }); // prettier-ignore
    }
  }

  #leastBet(bigBlind: number): number {
    const least = this.#amounts.one('min_bet') ?? this.#section.fail('The hand has no min_bet.', 'min_bet');
    if (least < 1 || least > bigBlind) this.#section.fail('The min_bet is not between 1 and the big blind.', 'min_bet');
    return least;
  }

  #statementOf(action: PhhAction, line: number): Statement {
    if (action.kind === 'board') return { kind: 'street', cards: action.cards, before: null, line };
    const player = this.#seats[action.place];
    if (player === undefined) throw new HandFileError(`There is no player p${action.place + 1}.`, line);
    const { seat } = player;
    switch (action.kind) {
      case 'hole':
        return { kind: 'dealt', seat, cards: action.cards, line };
      case 'show':
        return { kind: 'shown', seat, cards: action.cards, words: null, line };
      case 'muck':
        return { kind: 'mucked', seat, cards: null, line };
      default: {
        const to = action.kind === 'raise' ? this.#amounts.ofText(action.amount, line) : null;
        return {
          kind: 'action',
          seat,
          action: action.kind,
          added: null,
          to,
          by: null,
          allIn: false,
          reason: null,
          line,
        };
      }
    }
  }

  #end(key: string, statement: (seat: number, chips: number) => Omit<Statement, 'line'>): void {
    const line = this.#section.lineOf(key);
    for (const [i, chips] of (this.#amounts.list(key, this.#seats.length) ?? []).entries()) {
      this.#statements.push({ ...statement(this.#seats[i]!.seat, chips), line } as Statement);
    }
  }
}

/** The moment of the start; null where the file does not state day, time and the zone UTC. */
function timeOf({ year, month, day, time, time_zone: zone }: Readonly<Record<string, unknown>>): string | null {
  if (typeof year !== 'number' || typeof month !== 'number' || typeof day !== 'number' || zone !== 'UTC') return null;
  const clock = time instanceof Date || typeof time === 'string' ? String(time instanceof Date ? time.toISOString() : time) : ''; // prettier-ignore
  if (!/^\d\d:\d\d:\d\d(?:\.\d+)?$/.test(clock)) return null;
  const two = (n: number) => String(n).padStart(2, '0');
  const moment = new Date(`${year}-${two(month)}-${two(day)}T${clock}Z`);
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}
