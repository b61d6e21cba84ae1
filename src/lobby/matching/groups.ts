import { sameOwner } from '../owners.js';
import type { WaitingPlayer } from './plan.js';

/**
 * Splits players, best priority first, into new tables of two to `seats`, as evenly as the owners allow. `apart` keeps
 * agents of one owner in different groups. Whoever fits none is left out.
 */
export function groupsOf(players: readonly WaitingPlayer[], seats: number, apart: boolean): WaitingPlayer[][] {
  const done: WaitingPlayer[][] = [];
  let left = players;
  while (left.length >= 2) {
    const round = deal(left, seats, apart).filter((group) => group.length >= 2);
    if (round.length === 0) break;
    done.push(...round);
    const grouped = new Set(round.flat());
    left = left.filter((player) => !grouped.has(player));
  }
  return done;
}

/** One round: each player goes to the smallest group that has room and none of its owner. */
function deal(players: readonly WaitingPlayer[], seats: number, apart: boolean): WaitingPlayer[][] {
  const groups = Array.from({ length: Math.ceil(players.length / seats) }, (): WaitingPlayer[] => []);
  for (const player of players) {
    let best: WaitingPlayer[] | undefined;
    for (const group of groups) {
      if (group.length >= seats || (best !== undefined && group.length >= best.length)) continue;
      if (apart && group.some((other) => sameOwner(other.owner, player.owner))) continue;
      best = group;
    }
    best?.push(player);
  }
  return groups;
}
