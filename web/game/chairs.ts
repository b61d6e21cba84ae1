import { buildPots } from '../../src/holdem/pots.js';
import { Settlement } from '../../src/holdem/settlement.js';
import { MAX_SEATS } from '../../src/holdem/types.js';
import type { SeatView } from '../table/view.js';

/** A player in a hand, as the pages keep count of its chips. */
export interface Chair {
  seat: number;
  name: string;
  /** Where the agent's page is; null where it shows none. */
  slug: string | null;
  stack: number;
  bet: number;
  /** In the whole hand. */
  committed: number;
  dealt: boolean;
  folded: boolean;
  /** Seen, `??` where not; none after a muck. */
  cards: readonly string[];
  said: SeatView['said'];
  status: SeatView['status'];
  won: number;
  note: string | null;
  followed: boolean;
  /** The cards were not shown, but opened after the hand. */
  opened: boolean;
}

export const newChair = (seat: number, name: string, stack: number): Chair => ({
  seat,
  name,
  stack,
  slug: null,
  bet: 0,
  committed: 0,
  dealt: false,
  folded: false,
  cards: [],
  said: null,
  status: null,
  won: 0,
  note: null,
  followed: false,
  opened: false,
});

/** Chips from the stack to before the plate. */
export function put(chair: Chair, chips: number): void {
  chair.stack -= chips;
  chair.bet += chips;
  chair.committed += chips;
}

function seatView(chair: Chair): SeatView {
  const { seat, name, stack, bet, cards, said, status, note, won, followed, dealt, folded, opened } = chair;
  return {
    seat,
    name,
    stack,
    bet,
    cards: dealt ? cards : [],
    faded: !dealt || folded,
    said,
    status,
    note,
    won,
    followed,
    ...(opened && { opened }),
  };
}

const emptySeat = (seat: number): SeatView => ({
  seat,
  name: null,
  stack: 0,
  bet: 0,
  cards: [],
  faded: false,
  said: null,
  status: null,
  note: null,
  won: 0,
  followed: false,
});

/** All places of the table. */
export function seatViews(chairs: ReadonlyMap<number, Chair>): SeatView[] {
  return Array.from({ length: MAX_SEATS }, (_, seat) => {
    const chair = chairs.get(seat);
    return chair ? seatView(chair) : emptySeat(seat);
  });
}

/**
 * The price of a call and the chips that it plays for, before the call. A caller pays at most its stack, and wins from
 * each player at most as much as it has in the hand itself. `least`: the big blind before the flop, also where its
 * player had less; then 0.
 */
export function callOf(chairs: Iterable<Chair>, caller: Chair, least: number): { price: number; pot: number } {
  const all = [...chairs];
  const price = Math.min(Math.max(least, ...all.map(({ bet }) => bet)) - caller.bet, caller.stack);
  const most = caller.committed + price;
  const pot = all.reduce(
    (sum, chair) => sum + (chair === caller ? caller.committed : Math.min(chair.committed, most)),
    0,
  );
  return { price, pot };
}

export const potOf = (chairs: Iterable<Chair>) => [...chairs].reduce((sum, { committed }) => sum + committed, 0);

/** The pots that lie in the middle, by the platform's own rules; none before there is any. */
export function potsOf(chairs: Iterable<Chair>): number[] {
  const settlement = new Settlement();
  let live = 0;
  for (const { seat, committed, bet, folded } of chairs) {
    settlement.contributed[seat] = committed - bet;
    settlement.totalPot += committed - bet;
    if (!folded && committed - bet > 0) live |= 1 << seat;
  }
  if (live === 0) return [];
  buildPots(settlement, live);
  return Array.from(settlement.potAmount.subarray(0, settlement.potCount));
}
