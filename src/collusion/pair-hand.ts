import type { Hand } from '../holdem/hand.js';
import { Act, ActionRefusal, Street } from '../holdem/types.js';
import type { StoredHand } from '../table/record/record-codec.js';
import { setupOf } from '../table/record/stored-hand.js';
import { addCount, DEEDS, Deed, Price, situationNumber, strengthClass, timeCell, type CellCounts } from './cells.js';
import { handStrength, isAhead } from './strength.js';
import type { Hole } from '../cards/card.js';

/** A hand's evidence on one player towards another. A pair's stored row is the sum in one direction. */
export interface PairSums {
  /** Hands that both were dealt into. */
  hands: number;
  /** Hands that ended between these two, after all others had folded. */
  duels: number;
  /** Chips that the player lost to the other in these. */
  lost: number;
  /** The same less what it won from the other, in big blinds, each hand cut off at FLOW_CAP; and the sum of the squares. */
  flow: number;
  flowSquares: number;
  /** Whole stacks that the player lost, most of them to the other, in any pot. */
  stacks: number;
  cells: CellCounts;
}

export interface PairHand extends PairSums {
  agentId: string;
  otherId: string;
}

/** Big blinds: one pot says no more than this, so that no single hand decides. */
export const FLOW_CAP = 40;
/** Bets below this part of the pot are small. */
const SMALL_BET = 0.6;
const OPEN_CARDS = [0, 3, 4, 5] as const;

export const noSums = (): PairSums => ({
  hands: 0,
  duels: 0,
  lost: 0,
  flow: 0,
  flowSquares: 0,
  stacks: 0,
  cells: new Map(),
});

export function addSums(to: PairSums, more: PairSums): void {
  to.hands += more.hands;
  to.duels += more.duels;
  to.lost += more.lost;
  to.flow += more.flow;
  to.flowSquares += more.flowSquares;
  to.stacks += more.stacks;
  for (const [cell, count] of more.cells) addCount(to.cells, cell, count);
}

/** Reads what stored hands say of each two of their players, by playing them again in `engine`. */
export class PairReader {
  /** Strengths by open cards and seat, worked out once a hand and only where a decision needs it. */
  readonly #strengths = new Map<number, number>();

  constructor(private readonly engine: Hand) {}

  /** For each two players of the hand, in both directions. Throws an Error where it cannot be played again. */
  read(stored: StoredHand): PairHand[] {
    const { players } = stored;
    this.#strengths.clear();
    const pairs = new Map<number, PairHand>();
    for (const { seat, agentId } of players) {
      for (const other of players) {
        if (other.seat === seat) continue;
        pairs.set(pairKey(seat, other.seat), { agentId, otherId: other.agentId, ...noSums(), hands: 1 });
      }
    }
    const left = this.#play(stored, pairs);
    settle(stored, left, pairs);
    return [...pairs.values()];
  }

  /** Counts the decisions; returns the seats that did not fold, with the last that did where one is left. */
  #play(stored: StoredHand, pairs: ReadonlyMap<number, PairHand>): number[] {
    const { engine } = this;
    engine.start(setupOf(stored));
    const holes = new Map(stored.players.map(({ seat, hole }) => [seat, hole as Hole]));
    const live = new Set(holes.keys());
    let [street, raiser, raises]: [Street, number, number] = [Street.preflop, -1, 0];
    let folded = -1;
    for (const [i, { seat, act, amount }] of stored.actions.entries()) {
      if (engine.street !== street) [street, raiser, raises] = [engine.street, -1, 0];
      const legal = engine.legal();
      const price = engine.currentBet - engine.bet[seat]!;
      const raising = act === Act.raise || (act === Act.allIn && (amount ?? 0) > price);
      const other = live.size === 2 ? [...live].find((each) => each !== seat)! : price > 0 ? raiser : -1;
      if (other >= 0 && other !== seat) {
        const allIn = price > 0 && (legal.call >= engine.stack[seat]! || engine.stack[other] === 0);
        const small = street === Street.preflop ? raises <= 1 : price < (engine.pot - price) * SMALL_BET;
        const situation = situationNumber({
          street,
          crowded: live.size > 2,
          strength: this.#strength(stored, street, seat),
          price: price <= 0 ? null : allIn ? Price.allIn : small ? Price.small : Price.large,
          ahead: isAhead(stored.board, OPEN_CARDS[street], holes.get(seat)!, holes.get(other)!),
        });
        const deed = act === Act.fold ? Deed.fold : raising ? Deed.raise : Deed.call;
        addCount(pairs.get(pairKey(seat, other))!.cells, situation * DEEDS + deed);
      }
      if (raising) [raiser, raises] = [seat, raises + 1];
      if (act === Act.fold) {
        live.delete(seat);
        folded = seat;
      }
      const refusal = seat === engine.actor ? engine.act(act as Act, amount ?? 0) : ActionRefusal.notYourTurn;
      if (refusal !== ActionRefusal.ok)
        throw new Error(`action ${i} of hand ${stored.handId} cannot be replayed: ${refusal}`);
    }
    return live.size === 1 && folded >= 0 ? [...live, folded] : [...live];
  }

  #strength({ board, players }: StoredHand, street: Street, seat: number): number {
    const key = pairKey(street, seat);
    const known = this.#strengths.get(key);
    if (known !== undefined) return known;
    const { hole } = players.find((player) => player.seat === seat)!;
    const strength = strengthClass(handStrength(board, OPEN_CARDS[street], hole));
    this.#strengths.set(key, strength);
    return strength;
  }
}

const pairKey = (seat: number, other: number) => seat * 8 + other;

/** Takes the end of the hand: the loser, the winner and the chips. */
function settle(
  { players, bigBlind, totalPot }: StoredHand,
  left: readonly number[],
  pairs: ReadonlyMap<number, PairHand>,
): void {
  const bySeat = new Map(players.map((player) => [player.seat, player]));
  if (left.length === 2) {
    const [a, b] = left.map((seat) => bySeat.get(seat)!) as [(typeof players)[number], (typeof players)[number]];
    // Each has its part of the pot. So much of the one's chips went to the other.
    const [fromA, fromB] = [(a.contributed * b.payout) / totalPot, (b.contributed * a.payout) / totalPot];
    const flow = Math.max(-FLOW_CAP, Math.min(FLOW_CAP, (fromA - fromB) / bigBlind));
    for (const [one, other, lost, way] of [
      [a, b, fromA, 1],
      [b, a, fromB, -1],
    ] as const) {
      const pair = pairs.get(pairKey(one.seat, other.seat))!;
      pair.duels = 1;
      pair.lost = Math.round(lost);
      pair.flow = way * flow;
      pair.flowSquares = flow * flow;
    }
  }
  const taker = players.reduce((most, player) =>
    player.payout - player.contributed > most.payout - most.contributed ? player : most,
  );
  for (const { seat, stackStart, stackEnd } of players) {
    if (stackEnd === 0 && stackStart > 0 && seat !== taker.seat) pairs.get(pairKey(seat, taker.seat))!.stacks = 1;
  }
}

/** The cells of a player's decision times in a hand; a turn that ran out says nothing of the player. */
export function timesOf({ actions }: Pick<StoredHand, 'actions'>, seat: number): CellCounts {
  const times: CellCounts = new Map();
  let before = 0;
  for (const action of actions) {
    if (action.seat === seat && !action.timeout) addCount(times, timeCell(action.at - before));
    before = action.at;
  }
  return times;
}
