import {
  NO_SOCKET,
  type ReportedBuyIn,
  type ReportedSeat,
  type TableReport,
  type TableSummary,
} from '../../table/api.js';
import type { ToShard } from '../messages.js';
import type { TableSlot } from './table-slot.js';

/** What is told of a table to a lobby that has just begun. */
export function reportOf(slot: TableSlot, summary: TableSummary | null): TableReport {
  const { seats, rebuysPending } = slot.table?.report() ?? { seats: absentSeats(slot), rebuysPending: [] };
  const held = slot.held.all.flatMap((message) => (message.t === 'sit' ? [reportedBuyIn(message)] : []));
  return {
    ...{ tableId: slot.id, poolId: slot.opening.poolId },
    ...{ seats, buyIns: [...slot.buyIns.values(), ...held] },
    ...{ summary, opening: !slot.opened, closing: slot.closeReason !== null, resting: slot.resting, rebuysPending },
  };
}

export const reportedBuyIn = ({ ticket, player, socket }: Extract<ToShard, { t: 'sit' }>): ReportedBuyIn => ({
  ...{ ticket, agentId: player.agentId, isHouse: player.isHouse, socket },
});

/** While there is no table: those it is opened with, or had when its hand became void. */
function absentSeats({ opened, opening, sockets, seatsBefore }: TableSlot): ReportedSeat[] {
  if (opened) return seatsBefore;
  return opening.sittings.map(({ sitting, seat, player: { agentId, isHouse } }) => ({
    ...{ agentId, sitting, seat, isHouse, socket: sockets.get(agentId) ?? NO_SOCKET, leaving: false },
  }));
}
