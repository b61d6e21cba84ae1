import type { StoredHand } from '../table/record/record-codec.js';

/**
 * The viewer of stored hands. Which hole cards they see is decided here, for lists, exports and proofs alike: whatever
 * leaves the history has passed `holeSeen`.
 */
export type Sight =
  /** An agent: its own cards, and those shown to the table. */
  | { readonly kind: 'player'; readonly agentId: string }
  /** A spectator: the cards shown to the table. */
  | { readonly kind: 'spectator' }
  /** All cards, for a hand that is over. */
  | { readonly kind: 'all' };

export const SPECTATOR: Sight = { kind: 'spectator' };
export const ALL: Sight = { kind: 'all' };
export const playerSight = (agentId: string): Sight => ({ kind: 'player', agentId });

type StoredPlayer = StoredHand['players'][number];

/** Whether it sees the cards from the deal on, whether or not they are shown later. */
export const isPrivy = (sight: Sight, { agentId }: Pick<StoredPlayer, 'agentId'>): boolean =>
  sight.kind === 'all' || (sight.kind === 'player' && sight.agentId === agentId);

/** A player's cards; null where they are not known. */
export const holeSeen = (sight: Sight, player: StoredPlayer): StoredPlayer['hole'] | null =>
  isPrivy(sight, player) || player.shown ? player.hole : null;

/** The players with cards that the whole table saw. */
export const shownToAll = ({ players }: StoredHand): StoredPlayer[] =>
  players.filter((player) => holeSeen(SPECTATOR, player) !== null);
