/** The lines of the last part of a hand, as texts. */

/** What became of a player. */
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

/** What stands behind the name of a seat. Null where it is not known. */
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
export function totalLine(text: string): { pot: string; pots: string[]; rake: string } | null {
  const [, pot, pots = '', rake] = TOTAL.exec(text) ?? [];
  if (pot === undefined || rake === undefined) return null;
  return { pot, rake, pots: [...pots.matchAll(new RegExp(`pot(?:-\\d+)? (${POT})\\.`, 'g'))].map(([, each]) => each!) };
}
