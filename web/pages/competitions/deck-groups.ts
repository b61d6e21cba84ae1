import type { Answer } from '../../lib/api.js';
import { count } from '../../lib/format.js';

export type DeckHand = Answer<'GET /api/public/competitions/{competition_slug}/decks/{deck}'>['hands'][number];

/** Hands that can be compared: as many players, and the same names of the suits. */
export interface Group {
  players: number;
  pass: number;
  hands: DeckHand[];
  /** The most of the board that any of them has seen. */
  board: readonly string[];
  /** Left of the button first; cards where one of the tables was shown them. */
  places: { place: number; cards: readonly string[] | null }[];
}

export function groupsOf(hands: readonly DeckHand[]): Group[] {
  const groups = new Map<string, DeckHand[]>();
  for (const hand of hands) {
    const key = `${hand.players.length} ${hand.pass}`;
    groups.set(key, [...(groups.get(key) ?? []), hand]);
  }
  return [...groups.values()].map((same) => {
    const [first] = same;
    return {
      players: first!.players.length,
      pass: first!.pass,
      hands: same,
      board: same
        .map(({ board }) => board)
        .reduce((longest, board) => (board.length > longest.length ? board : longest)),
      places: first!.players.map(({ place }) => ({ place, cards: cardsAt(same, place) })),
    };
  });
}

function cardsAt(hands: readonly DeckHand[], place: number): readonly string[] | null {
  for (const { players } of hands) {
    const cards = players.find((each) => each.place === place)?.hole_cards ?? null;
    if (cards !== null) return cards;
  }
  return null;
}

const WORDS = { fold: 'folds', check: 'checks', call: 'calls', raise: 'raises to', all_in: 'all-in' } as const;

/** A seat's actions in words, by street. Streets without an action are left out. */
export function doneBy({ actions }: DeckHand, seat: number): (readonly [street: string, words: string])[] {
  const streets = new Map<string, string[]>();
  for (const { seat: actor, action, amount, street } of actions) {
    if (actor !== seat) continue;
    const said = amount === null ? WORDS[action] : `${WORDS[action]} ${count(amount)}`;
    streets.set(street, [...(streets.get(street) ?? []), said]);
  }
  return [...streets].map(([street, said]) => [street, said.join(', ')]);
}
