import { seededRandom, uniformBelow } from '../../src/cards/shuffle.js';
import { flowsOf, type PairFlow, type RatedTotals } from '../../src/ratings/index.js';
import type { NoiseHand } from './noise.js';

type Played = NoiseHand[number];

/**
 * A pool of 40 bots of known strength. The noise of a hand is a real hand's results, turned at the
 * table by chance. Each bot's planted expectation is added to it.
 *
 * - 31 honest bots have strengths at even distances.
 * - A cycle of three: each wins CYCLE a hand more from the next, and loses as much more to the one before.
 * - A farm: five feeders lose whole pots to a weak bot, and sit at its table more often than chance has it.
 *
 * Tables are drawn with a platform's habit. Bots are there by day or by night, and by day the field is stronger. Some
 * play ten times as many hands as others.
 */

const HONEST = 31;
const CYCLE_SIZE = 3;
const FEEDERS = 5;
export const BOTS = HONEST + CYCLE_SIZE + 1 + FEEDERS;
const FED = HONEST + CYCLE_SIZE;
const SEATS = 6;
/** Big blinds a hand. */
const STRONGEST = 0.5;
const CYCLE = 0.6;
/** The chance that a feeder who sits with the fed one gives chips away in a hand, and the chips in big blinds. */
const FEEDS = 0.04;
const FED_CHIPS = 40;
/** The chance that the farm's bots come to one table. */
const TOGETHER = 0.6;
/** Hands of a table between two draws. */
const SITTING = 20;

export interface PlantedBot {
  kind: 'honest' | 'cycle' | 'fed' | 'feeder';
  strength: number;
  /** The true expected big blinds a hand against the honest field. */
  expected: number;
  isDay: boolean;
  /** Its share of the time. */
  activity: number;
  hands: number;
  /** Sums of results: as they were, and all-in-adjusted with their squares. */
  raw: number;
  result: number;
  squares: number;
}

export class PlantedWorld {
  readonly bots: PlantedBot[];
  readonly #weights = new Float64Array(BOTS * BOTS);
  readonly #flows = new Float64Array(BOTS * BOTS);
  readonly #random;

  constructor(
    seed: number,
    private readonly noise: readonly NoiseHand[],
  ) {
    this.#random = seededRandom(seed);
    const strengths = Array.from({ length: BOTS }, (_, at) => STRONGEST * ((2 * at) / (BOTS - 1) - 1));
    this.bots = Array.from({ length: BOTS }, (_, at): PlantedBot => {
      const kind = at < HONEST ? 'honest' : at < FED ? 'cycle' : at === FED ? 'fed' : 'feeder';
      // The fed one is weaker than most.
      const [strength] = strengths.splice(
        kind === 'fed' ? Math.floor(strengths.length / 4) : uniformBelow(strengths.length, this.#random),
        1,
      ) as [number];
      const isDay = this.#chance(0.5 + 0.8 * strength);
      const activity = 10 ** -(uniformBelow(1000, this.#random) / 1000);
      return { kind, strength, isDay, activity, expected: 0, hands: 0, raw: 0, result: 0, squares: 0 };
    });
    // The farm plays at one time of the day.
    for (const bot of this.bots.slice(FED)) [bot.isDay, bot.activity] = [true, 0.7];
    for (const [at, bot] of this.bots.entries()) {
      const field = this.bots.map((_, other) => other).filter((other) => other < FED && other !== at);
      const margins = field.map((other) => bot.strength - this.bots[other]!.strength + this.#cycle(at, other));
      bot.expected = margins.reduce((sum, margin) => sum + margin, 0) / field.length;
    }
  }

  /** Plays about so many hands a bot. */
  play(handsPerBot: number): this {
    const all = (handsPerBot * BOTS) / SEATS;
    for (let played = 0, day = true; played < all; day = !day) {
      const here = this.bots.map((_, at) => at).filter((at) => this.#isHere(this.bots[at]!, day));
      for (const table of this.#tables(here)) {
        this.#sit(table);
        played += SITTING;
      }
    }
    return this;
  }

  /** The totals as the analytics thread counts them. */
  get totals(): RatedTotals[] {
    return this.bots.map(({ hands, result, squares }) => ({ hands, result, squares }));
  }

  get flows(): PairFlow[] {
    const all = this.bots.flatMap((_, one) => this.bots.map((_, other) => ({ one, other })));
    return all
      .map((pair, at) => ({ ...pair, weight: this.#weights[at]!, flow: this.#flows[at]! }))
      .filter(({ weight }) => weight > 0);
  }

  #isHere({ isDay, activity }: PlantedBot, day: boolean): boolean {
    return this.#chance(activity * (isDay === day ? 1 : 0.15));
  }

  #tables(here: readonly number[]): number[][] {
    const order = this.#shuffled(here);
    const farm = order.filter((at) => at >= FED);
    if (farm.includes(FED) && this.#chance(TOGETHER)) {
      const crew = [FED, ...farm.filter((at) => at !== FED).slice(0, 3)];
      order.splice(0, order.length, ...crew, ...order.filter((at) => !crew.includes(at)));
    }
    return Array.from({ length: Math.floor(order.length / SEATS) }, (_, n) => order.slice(SEATS * n, SEATS * (n + 1)));
  }

  #sit(table: readonly number[]): void {
    const mean = table.reduce((sum, at) => sum + this.bots[at]!.strength, 0) / SEATS;
    const planted = table.map((at) => {
      const cycle = table.reduce((sum, other) => sum + this.#cycle(at, other), 0) / (SEATS - 1);
      return ((this.bots[at]!.strength - mean) * SEATS) / (SEATS - 1) + cycle;
    });
    for (let hand = 0; hand < SITTING; hand++) this.#count(table, this.#feed(table) ?? this.#honest(planted));
  }

  #count(table: readonly number[], players: readonly Played[]): void {
    const flows = flowsOf(players);
    for (const [seat, at] of table.entries()) {
      const bot = this.bots[at]!;
      const { result, raw } = players[seat]!;
      bot.hands++;
      bot.raw += raw;
      bot.result += result;
      bot.squares += result * result;
      for (const [opposite, other] of table.entries()) {
        if (other === at) continue;
        this.#weights[at * BOTS + other]! += 1 / (SEATS - 1);
        this.#flows[at * BOTS + other]! += flows[seat]![opposite]!;
      }
    }
  }

  /** A real hand, turned at the table by chance: so its results sum to nothing for each seat. */
  #honest(planted: readonly number[]): Played[] {
    const sample = this.noise[uniformBelow(this.noise.length, this.#random)]!;
    const turn = uniformBelow(SEATS, this.#random);
    return planted.map((more, seat) => {
      const { contributed, result, raw } = sample[(seat + turn) % SEATS]!;
      return { contributed, result: result + more, raw: raw + more };
    });
  }

  /** A feeder plays a pot with the fed one and loses it. The others fold for nothing. */
  #feed(table: readonly number[]): Played[] | null {
    const fed = table.indexOf(FED);
    const feeder = fed < 0 ? -1 : table.findIndex((at) => at > FED && this.#chance(FEEDS));
    if (feeder < 0) return null;
    return table.map((_, seat) => {
      const chips = seat === fed || seat === feeder ? FED_CHIPS : 0;
      const result = seat === feeder ? -chips : chips;
      return { contributed: chips, result, raw: result };
    });
  }

  /** The margin that the cycle adds for the first player. */
  #cycle(at: number, other: number): number {
    if (this.bots[at]!.kind !== 'cycle' || this.bots[other]!.kind !== 'cycle' || at === other) return 0;
    return (at - other + CYCLE_SIZE) % CYCLE_SIZE === 1 ? CYCLE : -CYCLE;
  }

  #shuffled<T>(list: readonly T[]): T[] {
    const all = [...list];
    for (let i = all.length - 1; i > 0; i--) {
      const j = uniformBelow(i + 1, this.#random);
      [all[i], all[j]] = [all[j]!, all[i]!];
    }
    return all;
  }

  #chance(share: number): boolean {
    return this.#random.next16() / 0x10000 < share;
  }
}

/** Spearman's rank correlation of two lists without equal values. */
export function rankCorrelation(one: readonly number[], other: readonly number[]): number {
  const ranks = (values: readonly number[]) => {
    const places: number[] = [];
    for (const [rank, at] of values
      .map((_, at) => at)
      .sort((a, b) => values[a]! - values[b]!)
      .entries())
      places[at] = rank;
    return places;
  };
  const [a, b] = [ranks(one), ranks(other)];
  const squares = a.reduce((sum, rank, at) => sum + (rank - b[at]!) ** 2, 0);
  const n = a.length;
  return 1 - (6 * squares) / (n * (n * n - 1));
}
