import pokersolver from 'pokersolver';

/** A player's part of the pots, and its cards. */
export interface Claim {
  seat: number;
  put: number;
  folded: boolean;
  cards: readonly string[];
}

export interface Settlement {
  /** The highest bet's part that nobody matched goes back first; null when there is none. */
  returned: { seat: number; amount: number } | null;
  /** Chips from the pots by seat; only those who get any. */
  payouts: Map<number, number>;
  /** The descriptions of shown hands, by seat. */
  descriptions: Map<number, string>;
}

/** Awards side pots as the rules have it, hands compared by pokersolver. `order` is clockwise from the button's left. */
export function settle(claims: readonly Claim[], board: readonly string[], order: readonly number[]): Settlement {
  const { matched, returned } = takeUncalled(claims);
  const live = matched.filter((claim) => !claim.folded);
  const hands = new Map(
    live.length > 1 ? live.map(({ seat, cards }) => [seat, pokersolver.Hand.solve([...cards, ...board])] as const) : [],
  );
  const payouts = new Map<number, number>();
  const levels = [...new Set(live.map(({ put }) => put))].sort((a, b) => a - b);
  let pot = { amount: 0, winners: [] as number[] };
  let floor = 0;
  for (const level of levels) {
    // The chips of folded players beyond the last level belong to the last pot.
    const top = level === levels.at(-1) ? Infinity : level;
    const amount = matched.reduce((sum, { put }) => sum + Math.min(put, top) - Math.min(put, floor), 0);
    const eligible = live.filter(({ put }) => put >= level).map(({ seat }) => seat);
    const winners = best(eligible, hands);
    // Pots that the same players win are one, so that odd chips fall once.
    if (winners.join() !== pot.winners.join()) {
      share(pot, order, payouts);
      pot = { amount: 0, winners };
    }
    pot.amount += amount;
    floor = level;
  }
  share(pot, order, payouts);
  return { returned, payouts, descriptions: new Map([...hands].map(([seat, hand]) => [seat, hand.descr])) };
}

function takeUncalled(claims: readonly Claim[]): { matched: readonly Claim[]; returned: Settlement['returned'] } {
  const [top] = claims.filter(({ folded }) => !folded).sort((a, b) => b.put - a.put) as [Claim];
  const others = Math.max(...claims.filter((claim) => claim !== top).map(({ put }) => put));
  if (top.put <= others) return { matched: claims, returned: null };
  const matched = claims.map((claim) => (claim === top ? { ...claim, put: others } : claim));
  return { matched, returned: { seat: top.seat, amount: top.put - others } };
}

function best(seats: number[], hands: ReadonlyMap<number, pokersolver.Hand>): number[] {
  if (seats.length === 1) return seats;
  const winners = pokersolver.Hand.winners(seats.map((seat) => hands.get(seat)!));
  return seats.filter((seat) => winners.includes(hands.get(seat)!));
}

/** Equal shares; odd chips one at a time from the button's left. */
function share(
  pot: { amount: number; winners: readonly number[] },
  order: readonly number[],
  payouts: Map<number, number>,
): void {
  const winners = order.filter((seat) => pot.winners.includes(seat));
  winners.forEach((seat, i) => {
    const odd = i < pot.amount % winners.length ? 1 : 0;
    const chips = Math.floor(pot.amount / winners.length) + odd;
    if (chips > 0) payouts.set(seat, (payouts.get(seat) ?? 0) + chips);
  });
}
