import { Dice } from '../sim/dice.js';
import { someDelivery, type Delivery } from './delivery.js';
import { hostileMessage, type Message } from './messages.js';
import { someViolation, type Violation } from './violations.js';

export interface Speech {
  message: Message;
  delivery: Delivery;
}

/** One thing a hostile client does. */
export type Step = Speech | { violation: Violation };

const VIOLATIONS = 0.02;

/** The steps of one client: the same for the same seed, whatever the server answers. */
export class Plan {
  readonly #dice: Dice;

  /** Clients of one run have the same seed and different numbers. */
  constructor(
    seed: number,
    client: number,
    private readonly mix: 'share' | 'onTurn' = 'share',
  ) {
    this.#dice = diceOf(seed, client);
  }

  next(): Step {
    return this.#dice.chance(VIOLATIONS) ? { violation: someViolation(this.#dice) } : this.nextMessage();
  }

  nextMessage(): Speech {
    return { message: hostileMessage(this.#dice, this.mix), delivery: someDelivery(this.#dice) };
  }
}

/** Dice for one of many who throw in one run, unlike all others'. */
export function diceOf(seed: number, client: number): Dice {
  return new Dice(Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(client + 1, 0xc2b2ae35));
}
