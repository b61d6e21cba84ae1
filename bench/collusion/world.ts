import { seededRandom, uniformBelow } from '../../src/cards/shuffle.js';
import { noSums, addSums, PairReader, type PairSums } from '../../src/collusion/pair-hand.js';
import { marked, PoolJudge, type PairScore } from '../../src/collusion/pool-judge.js';
import { takersOf, type Taker } from '../../src/collusion/takers.js';
import { Hand } from '../../src/holdem/hand.js';
import { FieldTable } from './field.js';
import { colluders, honest, KINDS, type Kind, type Player } from './planted.js';

/** A pool of honest bots and planted pairs, played in memory and judged as the platform judges it. */

export interface WorldOptions {
  seed: number;
  /** Honest bots: `regulars` sit at tables of six that stay together, the `rest` fill the tables of planted pairs. */
  regulars: number;
  rest: number;
  /** Planted pairs of each kind, and the share of chances that they use. */
  pairs: number;
  zeal: number;
  kinds?: readonly Kind[];
  /** Hands that each table of regulars plays, and each planted pair. */
  hands: number;
}

export interface Judged extends PairScore {
  kind: Kind | 'honest';
  /** Both sat together all the time. */
  together: boolean;
  marked: boolean;
}

/** The mean part of honest pairs among the marked ones is at most this. */
export const HONEST_SHARE = 0.05;
/** The hands between two seatings of players that change tables. */
const SITTING = 100;

export class World {
  readonly #rows = new Map<string, PairSums & { agentId: string; otherId: string }>();
  readonly #reader = new PairReader(new Hand());
  readonly #kinds = new Map<string, Kind>();
  hands = 0;

  constructor(private readonly options: WorldOptions) {}

  /** Plays it all. `onHands` is told now and then how many hands were played. */
  play(onHands: (hands: number) => void = () => undefined): this {
    const { seed, regulars, rest, pairs, zeal, hands, kinds = KINDS } = this.options;
    const random = seededRandom(seed);
    const shuffled = <T>(list: readonly T[]): T[] => {
      const all = [...list];
      for (let i = all.length - 1; i > 0; i--) {
        const j = uniformBelow(i + 1, random);
        [all[i], all[j]] = [all[j]!, all[i]!];
      }
      return all;
    };
    const style = () => uniformBelow(6, random);
    const crowd = Array.from({ length: regulars + rest }, (_, n) => honest(6 * n + style(), seed));
    let next = 6 * crowd.length;
    const planted = kinds.flatMap((kind) =>
      Array.from({ length: pairs }, () => {
        const pair = colluders(kind, next + style(), next + 6 + style(), seed, zeal);
        next += 12;
        this.#kinds.set(keyOf(pair.players[0].agentId, pair.players[1].agentId), kind);
        return { ...pair, table: new FieldTable(seed * 1000 + next) };
      }),
    );
    for (let at = 0; at < regulars; at += 6) {
      const table = new FieldTable(seed * 1000 + at);
      const six = shuffled(crowd.slice(at, at + 6));
      for (let n = 0; n < hands; n++) this.#add(table, six, null);
      onHands(this.hands);
    }
    const guests = Math.floor(rest / 4);
    for (let dealt = 0; dealt < hands; dealt += SITTING) {
      for (let at = 0; at < planted.length; at += guests) {
        const floating = shuffled(crowd.slice(regulars));
        for (const [i, { players, kind, table }] of planted.slice(at, at + guests).entries()) {
          const six = shuffled([...players, ...floating.slice(4 * i, 4 * i + 4)]);
          const seats = players.map((player) => six.indexOf(player)) as [number, number];
          for (let n = 0; n < SITTING; n++) this.#add(table, six, { seats, signals: kind === 'signals' });
        }
        onHands(this.hands);
      }
    }
    return this;
  }

  #add(table: FieldTable, players: readonly Player[], plot: Parameters<FieldTable['play']>[1]): void {
    this.hands++;
    for (const pair of this.#reader.read(table.play(players, plot))) {
      const key = `${pair.agentId} ${pair.otherId}`;
      const row = this.#rows.get(key) ?? { ...noSums(), agentId: pair.agentId, otherId: pair.otherId };
      this.#rows.set(key, row);
      addSums(row, pair);
    }
  }

  /** The receivers of whole stacks. */
  takers(): Taker[] {
    const rows = [...this.#rows.values()];
    const all = rows.reduce((sum, { hands, stacks }) => ({ hands: sum.hands + hands, stacks: sum.stacks + stacks }), {
      hands: 0,
      stacks: 0,
    });
    return takersOf(rows, all);
  }

  /** Every two that have met, the most suspicious first. */
  judge(): Judged[] {
    const players = new Map<string, PairSums>();
    for (const row of this.#rows.values()) {
      const sums = players.get(row.agentId) ?? noSums();
      players.set(row.agentId, sums);
      addSums(sums, row);
    }
    const judge = new PoolJudge();
    for (const [agentId, sums] of players) judge.add(agentId, sums);
    const pairs = [...this.#rows.values()].flatMap((row) => {
      if (row.agentId > row.otherId) return [];
      const score = judge.judge(row.agentId, row.otherId, row, this.#rows.get(`${row.otherId} ${row.agentId}`)!);
      const kind: Judged['kind'] = this.#kinds.get(keyOf(row.agentId, row.otherId)) ?? 'honest';
      return [{ ...score, kind, together: score.hands >= this.options.hands }];
    });
    pairs.sort((a, b) => b.score - a.score);
    const many = marked(
      pairs.map(({ score }) => score),
      pairs.length,
      HONEST_SHARE,
    );
    return pairs.map((pair, place) => ({ ...pair, marked: place < many }));
  }
}

const keyOf = (a: string, b: string) => [a, b].sort().join(' ');
