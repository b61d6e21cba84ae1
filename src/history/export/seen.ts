import type { Card } from '../../cards/card.js';
import type { Hand } from '../../holdem/hand.js';
import type { Pot } from '../../holdem/types.js';
import type { StoredHand } from '../../table/record/record-codec.js';
import { replayStored } from '../../table/record/stored-hand.js';
import { holeSeen, isPrivy, type Sight } from '../sight.js';
import { storyOf, type StoryStep } from './story.js';

/** A finished hand as somebody may know it: what its sight does not show is not in here. */
export interface SeenHand {
  handId: string;
  tableId: string;
  /** Of the season or the competition. */
  poolId: string;
  handNumber: number;
  /** Epoch ms. */
  startedAt: number;
  endedAt: number;
  smallBlind: number;
  bigBlind: number;
  headsUpBlinds: 'standard' | 'ring';
  button: number;
  smallBlindSeat: number;
  bigBlindSeat: number;
  /** Seat of the player who looks; null where nobody at the table does. */
  hero: number | null;
  /** In the order of dealing: the first left of the button, the button last. */
  players: SeenPlayer[];
  /** The cards that were opened. */
  board: Card[];
  totalPot: number;
  showdown: boolean;
  /** Main pot first; masks are bit masks of seats. */
  pots: Pot[];
  steps: StoryStep[];
}

export interface SeenPlayer {
  seat: number;
  name: string;
  stackStart: number;
  stackEnd: number;
  /** Chips put into the pots, without an uncalled part. */
  contributed: number;
  payout: number;
  /** Null: not known. */
  cards: readonly [Card, Card] | null;
  /** The cards are known from the deal on. */
  privy: boolean;
  shown: boolean;
}

/** Plays the hand again, in `engine`, and keeps what may be known of it. `names` by agent id. */
export function seenBy(stored: StoredHand, sight: Sight, names: ReadonlyMap<string, string>, engine: Hand): SeenHand {
  const { handId, tableId, handNumber, startedAt, endedAt, smallBlind, bigBlind, headsUpBlinds, button } = stored;
  const hero = heroOf(stored, sight);
  const hand = replayStored(stored, engine);
  const { outcome, smallBlindSeat, bigBlindSeat } = hand;
  return {
    ...{ handId, tableId, handNumber, startedAt, endedAt, smallBlind, bigBlind, headsUpBlinds, button, hero },
    ...{ poolId: stored.poolId, smallBlindSeat, bigBlindSeat },
    players: inDealingOrder(stored).map((player) => {
      const { seat, agentId, stackStart, stackEnd, contributed, payout, shown } = player;
      return {
        ...{ seat, stackStart, stackEnd, contributed, payout, shown },
        name: names.get(agentId) ?? `seat_${seat + 1}`,
        cards: holeSeen(sight, player),
        privy: isPrivy(sight, player),
      };
    }),
    board: stored.board.slice(0, stored.boardCount),
    totalPot: stored.totalPot,
    showdown: outcome.showdown,
    pots: outcome.pots,
    steps: storyOf(hand, stored.actions),
  };
}

function heroOf({ players, handId }: StoredHand, sight: Sight): number | null {
  if (sight.kind !== 'player') return null;
  const hero = players.find(({ agentId }) => agentId === sight.agentId);
  if (hero === undefined) throw new Error(`agent ${sight.agentId} did not play hand ${handId}`);
  return hero.seat;
}

function inDealingOrder({ players, button }: StoredHand): StoredHand['players'] {
  const turn = (seat: number) => (seat > button ? seat : seat + 64);
  return [...players].sort((a, b) => turn(a.seat) - turn(b.seat));
}
