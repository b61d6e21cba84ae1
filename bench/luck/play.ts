import type { Strategy } from '../../src/bots/index.js';
import type { RandomSource } from '../../src/cards/random.js';
import { legalAction } from '../../sdk/typescript/src/hand.js';
import { BIG_BLIND, MemoryTable } from '../../src/memory/memory-table.js';
import { ChanceLog, type ChanceEvent } from '../../src/value/events.js';
import type { LuckHand } from '../../src/value/luck.js';

/** A hand that was played, with what the luck adjustment reads. By seat; big blinds. */
export interface PlayedLuckHand {
  hand: LuckHand;
  events: readonly ChanceEvent[];
  results: Float64Array;
}

/** Plays hands of any strategies at one table, with the button on seat 0. */
export class LuckTable {
  readonly #log = new ChanceLog();
  readonly #table: MemoryTable;

  constructor(private readonly players: number) {
    this.#table = new MemoryTable(Array.from({ length: players }, (_, seat) => `player_${seat + 1}`));
  }

  /** The cards of the hands that follow. */
  draw(random: RandomSource): void {
    this.#table.draw(random);
  }

  /** `stacks` in big blinds by seat. The returned hand is valid until the next hand. */
  play(handId: string, minds: readonly Strategy[], stacks: readonly number[]): PlayedLuckHand {
    const table = this.#table;
    const chips = stacks.map((stack) => Math.round(stack * BIG_BLIND));
    table.deal(handId, 0, chips);
    const { hand } = table;
    this.#log.begin(hand);
    while (!hand.over) {
      const turn = table.turn();
      if (!table.act(legalAction(turn, minds[turn.seat]!(turn)))) throw new Error('the rules refuse a legal action');
      this.#log.look(hand);
    }
    const { finalStacks } = hand.outcome;
    return {
      hand: {
        handId,
        button: 0,
        bigBlindSeat: hand.bigBlindSeat,
        bigBlind: BIG_BLIND,
        board: Array.from(hand.boardCards.subarray(0, hand.boardCount)),
        players: chips.map((stackStart, seat) => ({
          seat,
          stackStart,
          hole: [hand.hole[2 * seat]!, hand.hole[2 * seat + 1]!],
        })),
      },
      events: this.#log.events,
      results: Float64Array.from(
        { length: this.players },
        (_, seat) => (finalStacks[seat]! - chips[seat]!) / BIG_BLIND,
      ),
    };
  }
}
