import { UNKNOWN_CARD } from './card-text.js';
import { HandFileError } from './file.js';

const isKnown = (card: string) => card !== UNKNOWN_CARD;

/** The cards of a hand as far as its file names them: each is dealt once. */
export class DealtCards {
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
