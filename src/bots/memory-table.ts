import type { Action } from '../../sdk/typescript/src/hand.js';
import { Hand as HandToDecide } from '../../sdk/typescript/src/hand.js';
import type { Hand } from '../holdem/hand.js';
import { Act, ActionRefusal } from '../holdem/types.js';
import { SeenHand, SeenTurn } from './seen-hand.js';

/** The act of the rules by the action's name. */
const ACTS: Readonly<Record<Action['action'], Act>> = {
  fold: Act.fold,
  check: Act.check,
  call: Act.call,
  raise: Act.raise,
  all_in: Act.allIn,
};

/**
 * A table in memory that asks as the platform does: each turn is a hand of the kit. Nothing in such a hand leads to the
 * cards of others, and it stays as it was when the table plays on: authors' modules read it and may keep it.
 */
export class MemoryTable {
  #seen: SeenHand;

  /** `names` by player; the seats are given out by `begin`. */
  constructor(
    private readonly hand: Hand,
    private readonly names: readonly string[],
  ) {
    this.#seen = new SeenHand('', hand, names);
  }

  /** The hand has started, and each player sits at `seatOf` it. */
  begin(handId: string, seatOf: (player: number) => number): void {
    const names: string[] = [];
    this.names.forEach((name, player) => (names[seatOf(player)] = name));
    this.#seen = new SeenHand(handId, this.hand, names);
  }

  /** The turn that is open. */
  turn(): HandToDecide {
    return new HandToDecide(new SeenTurn(this.#seen, this.hand));
  }

  /** Does what the actor says, where the rules allow it. */
  act({ action, amount = 0 }: Action): boolean {
    const { hand } = this;
    const { actor, street } = hand;
    if (hand.act(ACTS[action], amount) !== ActionRefusal.ok) return false;
    this.#seen.add(actor, action, street, hand.stack[actor]!);
    return true;
  }
}

// Modules of several authors share them.
for (const shared of [HandToDecide, HandToDecide.prototype]) Object.freeze(shared);
