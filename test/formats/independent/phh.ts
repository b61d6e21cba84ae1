import { Bets, type IndependentHand, type IndependentPlayer } from './hand.js';
import { tomlTables, type TomlField } from './toml.js';

/**
 * Hands of a .phh or .phhs file, after the description of the format (https://phh.readthedocs.io). Players stand in the
 * order of dealing, and blinds of two players are written the other way round. `cc` checks or calls, `cbr N` makes the
 * bet N.
 */
export function readPhh(text: string): PhhReading[] {
  return tomlTables(text).map(({ name, fields }) => new Reading(fields).read(name));
}

export interface PhhReading extends IndependentHand {
  /** Name of its table in a .phhs file. */
  section: string | null;
  fields: ReadonlyMap<string, TomlField>;
}

class Reading {
  readonly #names: string[];
  readonly #players: Map<string, IndependentPlayer>;
  readonly #blinds: number[];
  readonly #bets: Bets;
  readonly #hand: IndependentHand;
  readonly #dealt = new Map<string, string[]>();

  constructor(private readonly fields: ReadonlyMap<string, TomlField>) {
    if (fields.get('variant') !== 'NT') throw new Error(`variant ${String(fields.get('variant'))}`);
    const [starts, seats, won, ends] = ['starting_stacks', 'seats', 'winnings', 'finishing_stacks'].map((key) =>
      this.#numbers(key),
    ) as [number[], number[], number[], number[]];
    this.#names = (fields.get('players') as string[] | undefined) ?? starts.map((_, i) => `p${i + 1}`);
    this.#players = new Map(
      starts.map((start, i) => [this.#names[i]!, { start, seat: seats[i] ?? i + 1, won: won[i]!, end: ends[i]! }]),
    );
    if (this.#players.size !== starts.length) throw new Error('two players have one name');
    const blinds = this.#numbers('blinds_or_straddles');
    this.#blinds = starts.length === 2 ? [...blinds].reverse() : blinds;
    this.#bets = new Bets(this.#players, Math.max(...this.#blinds));
    this.#hand = {
      id: String(fields.get('_hand_id') ?? fields.get('hand')),
      players: this.#players,
      posts: [],
      actions: [],
      board: [],
      hero: null,
      shown: new Map(),
    };
  }

  read(section: string | null): PhhReading {
    if (this.#numbers('antes').some((ante) => ante !== 0)) throw new Error('an ante');
    for (const [i, blind] of this.#blinds.entries()) if (blind > 0) this.#post(this.#names[i]!, blind);
    for (const action of this.fields.get('actions') as string[]) this.#act(action);
    const [uncalled, back] = this.#bets.uncalled() ?? [null, 0];
    for (const [name, { start, won, end }] of this.#players) {
      const reached = start - this.#bets.inHand(name) + (name === uncalled ? back : 0) + won;
      if (reached !== end) throw new Error(`${name} has ${reached} chips, and the file says ${end}`);
    }
    const hero = this.fields.get('_hero');
    if (typeof hero === 'number') {
      const name = this.#nameOf(`p${hero}`);
      this.#hand.hero = [name, this.#dealt.get(name) ?? []];
    }
    return { ...this.#hand, section, fields: this.fields };
  }

  #post(name: string, blind: number): void {
    const chips = Math.min(blind, this.#bets.left(name));
    this.#bets.add(name, chips);
    this.#hand.posts.push([name, chips]);
  }

  #act(action: string): void {
    const [actor, word, ...rest] = action.split(' ');
    const hand = this.#hand;
    if (actor === 'd') {
      const cards = cardsOf(rest.at(-1)!);
      if (word === 'dh' && rest.length === 2) {
        if (!cards.includes('??')) this.#dealt.set(this.#nameOf(rest[0]!), cards);
      } else if (word === 'db' && rest.length === 1) {
        hand.board.push(...cards);
        this.#bets.street();
      } else throw new Error(`"${action}"`);
      return;
    }
    const name = this.#nameOf(actor);
    const { price } = this.#bets;
    const bet = this.#bets.of(name);
    if (word === 'sm') {
      if (rest.length === 0) return;
      const cards = cardsOf(rest[0]!);
      if (cards.join() !== this.#dealt.get(name)?.join()) throw new Error(`${name} shows other cards than were dealt`);
      hand.shown.set(name, cards);
    } else if (word === 'f') {
      hand.actions.push([name, 'fold', 0]);
    } else if (word === 'cc') {
      const chips = Math.min(Math.max(0, price - bet), this.#bets.left(name));
      this.#bets.add(name, chips);
      hand.actions.push([name, chips === 0 ? 'check' : 'call', chips]);
    } else if (word === 'cbr' && rest.length === 1) {
      this.#bets.add(name, Number(rest[0]) - bet);
      hand.actions.push([name, price === 0 ? 'bet' : 'raise', Number(rest[0])]);
    } else throw new Error(`"${action}"`);
  }

  #nameOf(place: string | undefined): string {
    const name = this.#names[Number(/^p(\d)$/.exec(place ?? '')?.[1]) - 1];
    if (name === undefined) throw new Error(`"${place ?? ''}" is nobody`);
    return name;
  }

  #numbers(key: string): number[] {
    const list = this.fields.get(key) ?? [];
    if (!Array.isArray(list) || !list.every((value) => typeof value === 'number'))
      throw new Error(`${key} of no numbers`);
    return list;
  }
}

const cardsOf = (text: string): string[] => {
  if (!/^(?:[2-9TJQKA][cdhs]|\?\?)+$/.test(text)) throw new Error(`cards "${text}"`);
  return text.match(/../g)!;
};
