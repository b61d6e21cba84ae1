import { cardsOfText } from '../card-text.js';

/** An action in the words of PHH. Places count from 0, from the left of the button. */
export type PhhAction =
  | { kind: 'hole'; place: number; cards: readonly string[] }
  | { kind: 'board'; cards: readonly string[] }
  | { kind: 'fold'; place: number }
  /** A check or a call. */
  | { kind: 'pass'; place: number }
  | { kind: 'muck'; place: number }
  | { kind: 'raise'; place: number; amount: string }
  /** Null: the cards that were dealt. */
  | { kind: 'show'; place: number; cards: readonly string[] | null };

/** Reads an action. Null for a comment alone. @throws {RangeError} with a sentence */
export function phhAction(text: string): PhhAction | null {
  const words = text.replace(/#.*$/s, '').trim().split(/\s+/);
  const [who = '', word = '', ...rest] = words;
  if (who === '') return null;
  const action = who === 'd' ? dealing(word, rest) : acting(who, word, rest);
  if (action === null) throw new RangeError(`"${text.trim()}" is no action of No-Limit Hold'em.`);
  return action;
}

function dealing(word: string, rest: readonly string[]): PhhAction | null {
  const cards = cardsOfText(rest.at(-1) ?? '');
  if (cards === null || cards.length === 0) return null;
  if (word === 'db' && rest.length === 1) return { kind: 'board', cards };
  const place = placeOf(rest[0] ?? '');
  return word === 'dh' && rest.length === 2 && place !== null ? { kind: 'hole', place, cards } : null;
}

function acting(who: string, word: string, rest: readonly string[]): PhhAction | null {
  const place = placeOf(who);
  const [what] = rest;
  if (place === null || rest.length > 1) return null;
  if (what === undefined) {
    const kind = word === 'f' ? 'fold' : word === 'cc' ? 'pass' : word === 'sm' ? 'muck' : null;
    return kind === null ? null : { kind, place };
  }
  if (word === 'cbr') return { kind: 'raise', place, amount: what };
  if (word !== 'sm') return null;
  if (what === '-') return { kind: 'show', place, cards: null };
  const cards = cardsOfText(what);
  return cards === null || cards.length !== 2 ? null : { kind: 'show', place, cards };
}

function placeOf(text: string): number | null {
  const found = /^p([1-9]\d?)$/.exec(text);
  return found === null ? null : Number(found[1]) - 1;
}
