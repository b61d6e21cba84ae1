import { IllegalAction } from '../../sdk/typescript/src/errors.js';
import { Hand as HandToDecide, legalChoice, type Action, type Mix } from '../../sdk/typescript/src/hand.js';
import type { RandomSource } from '../cards/random.js';
import { drawFrom } from '../cards/dice.js';
import { drawCards, seededRandom } from '../cards/shuffle.js';
import { Hand } from '../holdem/hand.js';
import { Act, ActionRefusal, MAX_SEATS } from '../holdem/types.js';
import { partAt } from '../table/mix.js';
import { SeenHand, SeenTurn } from './seen-hand.js';

/** Chips, as at a public table. */
export const [SMALL_BLIND, BIG_BLIND] = [10, 20];

/** The act of the rules by the action's name. */
const ACTS: Readonly<Record<Action['action'], Act>> = {
  fold: Act.fold,
  check: Act.check,
  call: Act.call,
  raise: Act.raise,
  all_in: Act.allIn,
};

/** Answers a turn, now or later, with whatever an author's program returns. */
export type TurnAnswer = (turn: HandToDecide) => unknown;

/**
 * One hand after the other by the rules alone, without frames, clocks and a store. It asks as the platform does: each
 * turn is a hand of the kit. Nothing in such a hand leads to the cards of others. It stays as it was when the table
 * plays on: authors' modules may keep it.
 */
export class MemoryTable {
  readonly hand = new Hand();
  readonly #deck = new Uint8Array(2 * MAX_SEATS + 5);
  #seen: SeenHand | null = null;
  /** The dice of mixed actions. */
  dice: RandomSource = seededRandom(0);

  /** `names` by player; the seats are given out by `deal`. */
  constructor(private readonly names: readonly string[]) {}

  /** The cards of the hands that follow. */
  draw(random: RandomSource): void {
    drawCards(this.#deck, this.#deck.length, random);
  }

  /** Lays the cards of the hands that follow, in dealing order. */
  lay(deck: ArrayLike<number>): void {
    for (let i = 0; i < this.#deck.length; i++) this.#deck[i] = deck[i]!;
  }

  /**
   * Begins a hand of as many players as there are stacks, with the cards that were drawn last. Stacks are by seat;
   * `seatOf` tells each player's seat.
   */
  deal(
    handId: string,
    button: number,
    stacks: readonly number[],
    seatOf: (player: number) => number = (player) => player,
  ): void {
    this.hand.start({
      button,
      smallBlind: SMALL_BLIND,
      bigBlind: BIG_BLIND,
      dealt: (1 << stacks.length) - 1,
      stacks,
      deck: this.#deck,
      headsUpBlinds: 'standard',
    });
    const names: string[] = [];
    this.names.forEach((name, player) => (names[seatOf(player)] = name));
    this.#seen = new SeenHand(handId, this.hand, names);
  }

  /** The turn that is open. */
  turn(): HandToDecide {
    if (this.#seen === null) throw new Error('no hand was dealt');
    return new HandToDecide(new SeenTurn(this.#seen, this.hand));
  }

  /** Plays a legal choice: of a mix the part that the dice draw. */
  play(choice: Action | Mix): boolean {
    return this.act('mix' in choice ? choice.mix[partAt(choice.mix, drawFrom(this.dice))]! : choice);
  }

  /** Does what the actor says, where the rules allow it. */
  act({ action, amount = 0 }: Action): boolean {
    const { hand } = this;
    const { actor, street } = hand;
    if (hand.act(ACTS[action], amount) !== ActionRefusal.ok) return false;
    this.#seen?.add(actor, action, street, hand.stack[actor]!);
    return true;
  }

  /**
   * Plays the hand to its end; a promise where an answer took its time. An illegal answer becomes a check or a fold, as
   * in the kit, and `onRefusal` gets the seat.
   */
  playOut(answerOf: TurnAnswer, onRefusal: (seat: number) => void): Promise<void> | null {
    while (!this.hand.over) {
      const turn = this.turn();
      const answer = answerOf(turn);
      if (answer instanceof Promise) {
        return answer.then(async (late: unknown) => {
          this.answered(turn, late, onRefusal);
          await this.playOut(answerOf, onRefusal);
        });
      }
      this.answered(turn, answer, onRefusal);
    }
    return null;
  }

  /** Plays the answer to a turn. A fold where checking is free is no fault. */
  answered(turn: HandToDecide, answer: unknown, onRefusal: (seat: number) => void): void {
    let choice: Action | Mix;
    try {
      choice = legalChoice(turn, answer);
    } catch (error) {
      if (!(error instanceof IllegalAction)) throw error;
      onRefusal(turn.seat);
      choice = turn.safe;
    }
    if (!this.play(choice)) throw new Error(`${turn.handId}: the rules refuse ${JSON.stringify(choice)}`);
  }
}

// Modules of several authors share them.
for (const shared of [HandToDecide, HandToDecide.prototype]) Object.freeze(shared);
