import { drawFrom } from '../../src/cards/dice.js';
import type { RandomSource } from '../../src/cards/random.js';
import { legalChoice, type Action, type Hand as Turn, type Mix } from '../../sdk/typescript/src/hand.js';
import { BIG_BLIND, MemoryTable } from '../../src/memory/memory-table.js';
import { ACT_NUMBERS } from '../../src/table/frames/words.js';
import { partAt } from '../../src/table/mix.js';
import { ChanceLog, type Chances } from '../../src/value/events.js';
import type { LuckHand } from '../../src/value/luck.js';

/** A hand that was played, with what the luck adjustment reads. By seat; big blinds. */
export interface PlayedLuckHand {
  hand: LuckHand;
  chances: Chances;
  results: Float64Array;
}

/** Answers each turn at once, also with a mix. */
export type Mind = (turn: Turn) => Action | Mix;

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
  play(handId: string, minds: readonly Mind[], stacks: readonly number[]): PlayedLuckHand {
    const table = this.#table;
    const chips = stacks.map((stack) => Math.round(stack * BIG_BLIND));
    table.deal(handId, 0, chips);
    const { hand } = table;
    this.#log.begin(hand);
    while (!hand.over) {
      const turn = table.turn();
      if (!table.act(this.#drawn(turn, minds[turn.seat]!))) throw new Error('the rules refuse a legal action');
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
      chances: this.#log,
      results: Float64Array.from(
        { length: this.players },
        (_, seat) => (finalStacks[seat]! - chips[seat]!) / BIG_BLIND,
      ),
    };
  }

  /** The action of a mind: of a mix the part that is drawn. */
  #drawn(turn: Turn, mind: Mind): Action {
    const choice = legalChoice(turn, mind(turn));
    if (!('mix' in choice)) return choice;
    const parts = choice.mix.map(({ action, amount = null, p }) => ({ act: ACT_NUMBERS[action], amount, p }));
    const part = partAt(parts, drawFrom(this.#table.dice));
    this.#log.mix(this.#table.hand, { parts, part });
    return choice.mix[part]!;
  }
}
