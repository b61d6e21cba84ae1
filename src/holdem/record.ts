import { Hand } from './hand.js';
import { actOf, EventKind, streetOf, type HandLog, type Post } from './log.js';
import { Act, ActionRefusal, type HandSetup, type Street } from './types.js';

/**
 * One action as the log keeps it: `amount` is 0 for fold and check, chips added for call and all-in, raise-to for a
 * raise.
 */
export interface RecordedAction {
  seat: number;
  act: Act;
  amount: number;
  street: Street;
}

/** Chips that a seat put in before the cards. */
export interface PostedChips {
  seat: number;
  amount: number;
  post: Post;
}

/** The posts of a log, in order: small blind, big blind, return posts. */
export function postsOf(log: HandLog): PostedChips[] {
  const posts: PostedChips[] = [];
  for (let event = 0; event < log.length && log.kind(event) === EventKind.blind; event++) {
    posts.push({ seat: log.seat(event), amount: log.amount(event), post: log.detail(event) as Post });
  }
  return posts;
}

/** The actions of a log, in order. */
export function actionsOf(log: HandLog): RecordedAction[] {
  const actions: RecordedAction[] = [];
  for (let event = 0; event < log.length; event++) {
    if (log.kind(event) !== EventKind.action) continue;
    const detail = log.detail(event);
    actions.push({ seat: log.seat(event), act: actOf(detail), amount: log.amount(event), street: streetOf(detail) });
  }
  return actions;
}

/**
 * Plays recorded actions again, in `hand` if one is given: the same final state and the same log, byte for byte. Throws
 * an Error that names the first action which is refused, or not its seat's turn.
 */
export function replay(
  setup: HandSetup,
  actions: readonly Pick<RecordedAction, 'seat' | 'act' | 'amount'>[],
  hand = new Hand(),
): Hand {
  hand.start(setup);
  for (const [i, { seat, act, amount }] of actions.entries()) {
    const refusal = seat === hand.actor ? hand.act(act, act === Act.raise ? amount : 0) : ActionRefusal.notYourTurn;
    if (refusal !== ActionRefusal.ok)
      throw new Error(`action ${i} of the record cannot be replayed: refusal ${refusal}`);
  }
  return hand;
}
