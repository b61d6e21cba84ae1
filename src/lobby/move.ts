import type { FromShard, ToShard } from '../shard/messages.js';
import type { TableOpening } from '../table/api.js';

/** What tables that move need of the threads that hold sockets. */
export interface MoveWays {
  /** Messages for the table wait from now on; `then` is called once those that were sent before are read by its shard first. */
  hold(table: string, then: () => void): void;
  /** They go there, and so do all that come; with `anew` whoever watches begins again. */
  release(table: string, shard: number, anew: boolean): void;
  /** Past what waits. */
  send(shard: number, message: ToShard): void;
}

export type Message<T extends FromShard['t']> = Extract<FromShard, { t: T }>;

/**
 * resting: the giver plays its hand to the end. holding: nobody sends it anything for the table, and it shall hand it
 * over. adopting: the taker takes it. returning: the taker died before it had, and the giver takes it back. refused: another
 * life of the giver has it, and the taker is to hear that: until then it could not take the table once more.
 */
export interface Move {
  from: number;
  to: number;
  stage: 'resting' | 'holding' | 'adopting' | 'returning' | 'refused';
  given: Message<'handedOver'> | null;
  /** refused: the taker itself is to open it again, and could not hear that while it was about to take it. */
  again?: TableOpening;
}

/** What a shard gave away goes on there. */
export function takeBack(ways: Pick<MoveWays, 'send'>, shard: number, given: Message<'handedOver'>): void {
  const { opening, refusedSits, epoch } = given;
  ways.send(shard, { t: 'adopt', opening, refusedSits, from: { shard, epoch }, present: true });
}
