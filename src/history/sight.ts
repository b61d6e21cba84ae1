import type { OpenCards } from '../protocol/rest/competition-fields.js';
import type { StoredHand } from '../table/record/record-codec.js';

/**
 * The viewer of stored hands. Which hole cards they see is decided here, for lists, exports and proofs alike: whatever
 * leaves the history has passed `holeSeen`. `opened`: the pool has opened folded and mucked cards to this viewer.
 */
export type Sight =
  /** An agent: its own cards, and those shown to the table. */
  | { readonly kind: 'player'; readonly agentId: string; readonly opened?: boolean }
  /** A spectator: the cards shown to the table. */
  | { readonly kind: 'spectator'; readonly opened?: boolean }
  /** All cards, for a hand that is over. */
  | { readonly kind: 'all' };

export const SPECTATOR: Sight = { kind: 'spectator' };
export const ALL: Sight = { kind: 'all' };
export const playerSight = (agentId: string, opened = false): Sight => ({
  kind: 'player',
  agentId,
  ...(opened && { opened }),
});
export const spectatorSight = (opened: boolean): Sight => (opened ? { kind: 'spectator', opened } : SPECTATOR);

/** A pool, as far as the opening of its cards goes. */
export interface PoolCards {
  openCards: OpenCards;
  /** Other tables play the same cards. */
  duplicate: boolean;
  state: string;
}

/** The states in which nothing of a competition is played any more. */
const OVER = ['results_pending', 'finalized'];
export const isPoolOver = (state: string): boolean => OVER.includes(state);

/**
 * Whether the folded and mucked cards of a pool's finished hands are open to all readers of the hands. Null is a
 * season: there they stay closed.
 */
export function opensCards(pool: PoolCards | null): boolean {
  if (pool === null || pool.openCards === 'never') return false;
  return isPoolOver(pool.state) || (pool.openCards === 'after_hand' && !pool.duplicate);
}

type StoredPlayer = StoredHand['players'][number];

/** Whether it sees the cards from the deal on, whether or not they are shown later. */
export const isPrivy = (sight: Sight, { agentId }: Pick<StoredPlayer, 'agentId'>): boolean =>
  sight.kind === 'all' || (sight.kind === 'player' && sight.agentId === agentId);

/** Whether it sees the cards only because the pool has opened them. */
export const isOpened = (sight: Sight, player: Pick<StoredPlayer, 'agentId' | 'shown'>): boolean =>
  sight.kind !== 'all' && sight.opened === true && !player.shown && !isPrivy(sight, player);

/** A player's cards; null where they are not known. */
export const holeSeen = (sight: Sight, player: StoredPlayer): StoredPlayer['hole'] | null =>
  isPrivy(sight, player) || player.shown || isOpened(sight, player) ? player.hole : null;

/** The players with cards that the whole table saw. */
export const shownToAll = ({ players }: StoredHand): StoredPlayer[] =>
  players.filter((player) => holeSeen(SPECTATOR, player) !== null);
