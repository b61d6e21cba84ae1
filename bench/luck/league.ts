import { createStrategy, type StrategyName, type Style } from '../../src/bots/index.js';
import { seededRandom } from '../../src/cards/shuffle.js';
import { boardFacts } from '../../src/value/board-facts.js';
import { handLuck } from '../../src/value/luck.js';
import { valueFunction } from '../../src/value/value-function.js';
import { LuckTable } from './play.js';

/** Six players of a field, by name. */
export type Field = Readonly<Record<string, StrategyName | Style>>;

const STACK = 100;

/** Sums over samples of one player, in big blinds. */
class Spread {
  #count = 0;
  #sum = 0;
  #squares = 0;

  add(value: number): void {
    this.#count++;
    this.#sum += value;
    this.#squares += value * value;
  }

  get mean(): number {
    return this.#sum / this.#count;
  }

  get variance(): number {
    return (this.#squares - this.#sum ** 2 / this.#count) / (this.#count - 1);
  }

  /** The mean by its standard error. */
  get deviations(): number {
    return this.mean / Math.sqrt(this.variance / this.#count);
  }
}

export const METHODS = ['chips', 'all-in adjusted', 'luck-adjusted'] as const;

/** The spread of one player's results in leagues. */
export class PlayerSpreads {
  /** Results of single hands by method, and means of a deal over all seats. */
  readonly hands = METHODS.map(() => new Spread());
  readonly deals = METHODS.map(() => new Spread());
  /** Luck a hand, by league: its mean is 0 if the adjustment is unbiased. */
  readonly luck = new Spread();

  /** How many times fewer hands than chips need: by method, in single hands or in deals of as many hands as seats. */
  factor(method: number, seats: number | null): number {
    const alone = this.hands[0]!.variance;
    return seats === null ? alone / this.hands[method]!.variance : alone / (seats * this.deals[method]!.variance);
  }
}

/** Plays leagues of a field: each deal is played from every seat, with new cards and new dice in each league. */
export class Leagues {
  readonly names: readonly string[];
  readonly players: readonly PlayerSpreads[];
  readonly #table: LuckTable;
  /** ms of the adjustment, over all hands. */
  adjustingMs = 0;
  hands = 0;

  constructor(private readonly field: Field) {
    this.names = Object.keys(field);
    this.players = this.names.map(() => new PlayerSpreads());
    this.#table = new LuckTable(this.names.length);
  }

  play(deals: number, seed: number): void {
    const seats = this.names.length;
    const minds = Object.values(this.field).map((style, n) => createStrategy(style, seed + n + 1));
    const random = seededRandom(seed);
    const luckOfLeague = this.names.map(() => 0);
    for (let deal = 0; deal < deals; deal++) {
      this.#table.draw(random);
      const sums = this.names.map(() => METHODS.map(() => 0));
      for (let turn = 0; turn < seats; turn++) {
        const seated = this.names.map((_, seat) => (seat + turn) % seats);
        const results = this.#hand(
          `${seed}-${deal}-${turn}`,
          seated.map((player) => minds[player]!),
        );
        seated.forEach((player, seat) => {
          results.forEach((of, method) => {
            this.players[player]!.hands[method]!.add(of[seat]!);
            sums[player]![method]! += of[seat]!;
          });
          luckOfLeague[player]! += results[0]![seat]! - results[2]![seat]!;
        });
      }
      sums.forEach((of, player) => {
        of.forEach((sum, method) => this.players[player]!.deals[method]!.add(sum / seats));
      });
    }
    luckOfLeague.forEach((sum, player) => this.players[player]!.luck.add(sum / (deals * seats)));
  }

  /** By method and seat. */
  #hand(handId: string, minds: Parameters<LuckTable['play']>[1]): readonly Float64Array[] {
    const played = this.#table.play(
      handId,
      minds,
      minds.map(() => STACK),
    );
    const { hand, chances, results } = played;
    const started = performance.now();
    const luck = handLuck(hand, chances, valueFunction());
    this.adjustingMs += performance.now() - started;
    this.hands++;
    const allIn = results.slice();
    const closed = chances.events.find((event) => event.closed);
    if (closed !== undefined) {
      const live = hand.players.map(({ seat }) => seat).filter((seat) => (closed.live & (1 << seat)) !== 0);
      const { shift } = boardFacts({ ...hand, holes: hand.players }, closed);
      live.forEach((seat, i) => (allIn[seat] = allIn[seat]! - shift[i]! / hand.bigBlind));
    }
    return [results, allIn, results.map((result, seat) => result - luck[seat]!)];
  }
}
