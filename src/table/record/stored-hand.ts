import { Hand } from '../../holdem/hand.js';
import { postsOf, replay, type PostedChips } from '../../holdem/record.js';
import type { Act, HandSetup } from '../../holdem/types.js';
import type { StoredHand } from './record-codec.js';

/** The setup of a stored hand. The deck is in dealing order, as HandSetup says. */
export function setupOf(stored: StoredHand): HandSetup {
  const { button, smallBlind, bigBlind, headsUpBlinds, returns = 0, players, board } = stored;
  const order = [...players].sort((a, b) => fromButton(a.seat, button) - fromButton(b.seat, button));
  const stacks: number[] = [];
  for (const { seat, stackStart } of players) stacks[seat] = stackStart;
  return {
    button,
    smallBlind,
    bigBlind,
    headsUpBlinds,
    returns,
    dealt: players.reduce((mask, { seat }) => mask | (1 << seat), 0),
    stacks: Array.from(stacks, (stack) => stack ?? 0),
    // Records are older than the bound on raises.
    unbounded: true,
    deck: [...order.map(({ hole }) => hole[0]), ...order.map(({ hole }) => hole[1]), ...board],
  };
}

/**
 * How far left of the button a seat is: 0 for the next one, the most for the button itself. Any table is below 64
 * seats.
 */
function fromButton(seat: number, button: number): number {
  return (seat - button - 1 + 64) % 64;
}

const dealer = new Hand();

/** The chips that were posted before the cards of a stored hand. */
export function postsOfStored(stored: StoredHand): PostedChips[] {
  dealer.start(setupOf(stored));
  return postsOf(dealer.log);
}

/** Plays a stored hand again by the rules, in `hand` if one is given. Throws an Error where the record cannot be played. */
export function replayStored(stored: StoredHand, hand = new Hand()): Hand {
  const actions = stored.actions.map(({ seat, act, amount }) => ({ seat, act: act as Act, amount: amount ?? 0 }));
  return replay(setupOf(stored), actions, hand);
}
