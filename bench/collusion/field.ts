import { seededRandom } from '../../src/cards/shuffle.js';
import type { RandomSource } from '../../src/cards/random.js';
import type { Hand } from '../../src/holdem/hand.js';
import { actionsOf } from '../../src/holdem/record.js';
import { Act, MAX_SEATS } from '../../src/holdem/types.js';
import { BIG_BLIND, MemoryTable } from '../../src/memory/memory-table.js';
import type { StoredHand } from '../../src/table/record/record-codec.js';
import { choose, signalled, type Player } from './planted.js';

const STACK = 100 * BIG_BLIND;
const POOL = '00000000-0000-4000-8000-ffffffffffff';

/** A table in memory: its hands come out as the platform would store them. Everybody begins each with the same stack. */
export class FieldTable {
  readonly #table = new MemoryTable(Array.from({ length: MAX_SEATS }, (_, seat) => `seat_${seat}`));
  readonly #random: RandomSource;
  #number = 0;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  /** Plays a hand of these players. `plot` names the seats of two that collude. */
  play(players: readonly Player[], plot: { seats: readonly [number, number]; signals: boolean } | null): StoredHand {
    const pair = plot?.seats;
    const number = ++this.#number;
    const { hand } = this.#table;
    this.#table.draw(this.#random);
    this.#table.deal(
      `${number}`,
      number % players.length,
      players.map(() => STACK),
    );
    while (!hand.over) {
      const turn = this.#table.turn();
      const { seat } = turn;
      const partner = pair === undefined || !pair.includes(seat) ? -1 : pair[0] === seat ? pair[1] : pair[0];
      const chosen = choose(players[seat]!, turn, partner);
      const choice = plot?.signals === true && partner >= 0 ? signalled(chosen, turn) : chosen;
      if (!this.#table.act(choice)) this.#table.act(turn.safe);
    }
    return storedOf(
      hand,
      players.map(({ agentId }) => agentId),
      number,
    );
  }
}

/** A hand that is over, as the platform stores it, with these agents on its first seats. */
export function storedOf(hand: Hand, agentIds: readonly string[], handNumber: number): StoredHand {
  const { outcome, setup } = hand;
  const { button, smallBlind, bigBlind, headsUpBlinds } = setup;
  return {
    handId: POOL,
    tableId: POOL,
    poolId: POOL,
    handNumber,
    startedAt: 0,
    endedAt: 0,
    button,
    bigBlindSeat: hand.bigBlindSeat,
    smallBlind,
    bigBlind,
    headsUpBlinds,
    boardCount: hand.boardCount,
    totalPot: outcome.totalPot,
    players: agentIds.map((agentId, seat) => ({
      seat,
      agentId,
      stackStart: setup.stacks[seat]!,
      stackEnd: outcome.finalStacks[seat]!,
      contributed: outcome.contributed[seat]!,
      payout: outcome.payouts[seat]!,
      hole: [hand.hole[2 * seat]!, hand.hole[2 * seat + 1]!] as [number, number],
      shown: false,
      isHouse: false,
    })),
    board: Array.from(setup.deck).slice(2 * agentIds.length, 2 * agentIds.length + 5),
    actions: actionsOf(hand.log).map(({ seat, act, amount, street }) => {
      return { seat, act, street, amount: act > Act.check ? amount : null, at: 0, timeout: false };
    }),
  };
}
