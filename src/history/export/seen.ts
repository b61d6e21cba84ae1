import type { Card } from '../../cards/card.js';
import type { Hand } from '../../holdem/hand.js';
import type { Pot } from '../../holdem/types.js';
import type { StoredHand } from '../../table/record-codec.js';
import { replayStored } from '../../table/stored-hand.js';
import { storyOf, type Step } from './story.js';

/** A finished hand as one of its players may know it: what nobody showed it is not in here. */
export interface SeenHand {
  handId: string;
  tableId: string;
  seasonId: string;
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
  /** Seat of the player who looks. */
  hero: number;
  /** In the order of dealing: the first left of the button, the button last. */
  players: SeenPlayer[];
  /** The cards that were opened. */
  board: Card[];
  totalPot: number;
  showdown: boolean;
  /** Main pot first; masks are bit masks of seats. */
  pots: Pot[];
  steps: Step[];
}

export interface SeenPlayer {
  seat: number;
  name: string;
  stackStart: number;
  stackEnd: number;
  /** Chips put into the pots, without an uncalled part. */
  contributed: number;
  payout: number;
  /** The hero's own and those shown to all; null: not known. */
  cards: readonly [Card, Card] | null;
  shown: boolean;
}

/** Plays the hand again, in `engine`, and keeps what the agent may know of it. `names` by agent id. */
export function seenBy(
  stored: StoredHand,
  agentId: string,
  names: ReadonlyMap<string, string>,
  engine: Hand,
): SeenHand {
  const { handId, tableId, handNumber, startedAt, endedAt, smallBlind, bigBlind, headsUpBlinds, button } = stored;
  const hero = stored.players.find((player) => player.agentId === agentId)?.seat;
  if (hero === undefined) throw new Error(`agent ${agentId} did not play hand ${handId}`);
  const hand = replayStored(stored, engine);
  const { outcome, smallBlindSeat, bigBlindSeat } = hand;
  return {
    ...{ handId, tableId, handNumber, startedAt, endedAt, smallBlind, bigBlind, headsUpBlinds, button, hero },
    ...{ seasonId: stored.poolId, smallBlindSeat, bigBlindSeat },
    players: inDealingOrder(stored).map(
      ({ seat, agentId: id, stackStart, stackEnd, contributed, payout, hole, shown }) => ({
        ...{ seat, stackStart, stackEnd, contributed, payout, shown },
        name: names.get(id) ?? `seat_${seat + 1}`,
        cards: seat === hero || shown ? hole : null,
      }),
    ),
    board: stored.board.slice(0, stored.boardCount),
    totalPot: stored.totalPot,
    showdown: outcome.showdown,
    pots: outcome.pots,
    steps: storyOf(hand, stored.actions),
  };
}

function inDealingOrder({ players, button }: StoredHand): StoredHand['players'] {
  const turn = (seat: number) => (seat > button ? seat : seat + 64);
  return [...players].sort((a, b) => turn(a.seat) - turn(b.seat));
}
