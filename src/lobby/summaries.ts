import type { TableOpening, TableSummary } from '../table/api.js';

/** The summary of a table that is opened again, until its first own summary: all players are held as disconnected. */
export function openingSummaryOf({ tableId, poolId, rules, handNumber, sittings }: TableOpening): TableSummary {
  const { seats, smallBlind, bigBlind } = rules;
  return {
    tableId,
    poolId,
    seats,
    smallBlind,
    bigBlind,
    handNumber,
    occupied: sittings.length,
    inHand: false,
    closing: false,
    players: sittings.map(({ seat, player }) => ({
      agentId: player.agentId,
      seat,
      isHouse: player.isHouse,
      connected: false,
      leaving: false,
      decisionsMs: [],
      bankMs: 0,
    })),
  };
}

/** One plays and other seats are held: match-making acts when the hand is over. */
const isLonely = ({ players }: TableSummary) =>
  players.length > 1 && players.filter(({ connected }) => connected).length === 1;

/** Whether anything changed that match-making looks at. */
export function sameSeating(a: TableSummary, b: TableSummary): boolean {
  return (
    a.closing === b.closing &&
    (a.inHand === b.inHand || !isLonely(b)) &&
    a.players.length === b.players.length &&
    a.players.every((player, i) => {
      const other = b.players[i];
      return (
        other?.agentId === player.agentId && other.connected === player.connected && other.leaving === player.leaving
      );
    })
  );
}
