/** A hand as an independent reader of a file understands it. It shares no code with src/formats. */
export interface IndependentHand {
  /** The number or id that the file gives it. */
  id: string;
  /** By name, in the order of the file. */
  players: Map<string, IndependentPlayer>;
  /** Name, chips. */
  posts: [name: string, chips: number][];
  /** Chips that are added by a call, the whole bet of a bet or a raise, 0 for a fold or a check. */
  actions: [name: string, word: 'fold' | 'check' | 'call' | 'bet' | 'raise', chips: number][];
  board: string[];
  /** The player that owns the file, with its cards; null in a file without an owner. */
  hero: [name: string, cards: string[]] | null;
  shown: Map<string, string[]>;
}

export interface IndependentPlayer {
  /** From 1. */
  seat: number;
  start: number;
  won: number;
  end: number;
}

/** Keeps count of the bets of a hand. */
export class Bets {
  readonly #street = new Map<string, number>();
  readonly #hand = new Map<string, number>();

  /** `price` is the size of the big blind, also where its player has fewer chips. */
  constructor(
    private readonly behind: ReadonlyMap<string, IndependentPlayer>,
    public price: number,
  ) {}

  of = (name: string): number => this.#street.get(name) ?? 0;
  inHand = (name: string): number => this.#hand.get(name) ?? 0;

  left(name: string): number {
    const player = this.behind.get(name);
    if (player === undefined) throw new Error(`nobody is called ${name}`);
    return player.start - this.inHand(name);
  }

  add(name: string, chips: number): void {
    if (chips > this.left(name)) throw new Error(`${name} puts ${chips} of ${this.left(name)} chips`);
    this.#street.set(name, this.of(name) + chips);
    this.#hand.set(name, this.inHand(name) + chips);
    this.price = Math.max(this.price, this.of(name));
  }

  street(): void {
    this.#street.clear();
    this.price = 0;
  }

  /** The part of the largest bet that nobody called, and its player; null where there is none. */
  uncalled(): [name: string, chips: number] | null {
    const [most, next] = [...this.#hand].sort(([, a], [, b]) => b - a);
    if (most === undefined) return null;
    const chips = most[1] - (next?.[1] ?? 0);
    return chips > 0 ? [most[0], chips] : null;
  }
}
