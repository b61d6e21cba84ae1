import type { TableSummary } from './report.js';
import type { TableCore } from './core.js';

/** The lobby's view of a table. Takes the paces along that were noted since the last one. */
export function tableSummaryOf({ seats, rules, tableId, poolId, last, draining, play }: TableCore): TableSummary {
  return {
    tableId,
    poolId,
    seats: rules.seats,
    smallBlind: rules.smallBlind,
    bigBlind: rules.bigBlind,
    handNumber: last.handNumber,
    occupied: seats.occupied,
    inHand: play.inHand,
    closing: draining,
    players: seats.present.map((seat) => ({
      agentId: seat.player.agentId,
      seat: seat.index,
      isHouse: seat.player.isHouse,
      connected: seat.connected,
      leaving: !seat.staying,
      decisionsMs: seat.tempo.fresh.splice(0),
      bankMs: seat.tempo.bankMs,
    })),
  };
}
