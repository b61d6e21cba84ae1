import { NO_SOCKET, type TableApi } from '../../table/api.js';
import type { TableMessage, FromShard } from '../messages.js';

/** Messages that are one call of the table. */
export type PlainMessage = Exclude<TableMessage, { t: 'sit' | 'state' | 'replay' | 'seat' | 'heard' }>;

/** The call a message stands for. */
export function deliver(table: TableApi, now: number, m: PlainMessage): void {
  switch (m.t) {
    case 'act':
      return table.act(now, m.agentId, m.socket, m.message);
    case 'attach':
      return table.attach(now, m.agentId, m.socket);
    case 'detach':
      return table.detach(now, m.agentId, m.socket);
    case 'leave':
      return table.leave(now, m.agentId, m.socket);
    case 'moveOn':
      return table.moveOn(now, m.agentId, m.reason);
    case 'part':
      return table.part(now, m.agentId, m.reason);
    case 'rebuy':
      return table.rebuy(now, m.agentId, m.socket);
    case 'nonce':
      return table.nonce(now, m.agentId, m.socket, m.nonce);
    case 'invalid':
      return table.invalid(now, m.agentId, m.socket);
    case 'resync':
      return table.resync(now, m.agentId, m.socket, m.lastTableSeq);
    case 'watch':
      return table.watch(now, m.watch, m.agentId);
    case 'unwatch':
      return table.unwatch(now, m.watch);
    case 'update':
      return table.update(now, m.agentId, m.change);
    case 'rebuyPending':
      return table.rebuyPending(now, m.agentId, m.pending);
    case 'windDown':
      return table.drain(now);
    case 'resumePlay':
      return table.resume(now);
    case 'close':
      return table.close(now, m.reason, m.voidHand);
  }
}

/**
 * Whether an order is about a stay that is over or is ending. It came twice or late, and nothing is left to do. If the
 * socket's stay still stands, the table itself answers.
 */
export function isPast(table: TableApi, m: Extract<TableMessage, { t: 'leave' | 'moveOn' | 'part' }>): boolean {
  if (m.sitting === null) return false;
  const stay = table.stayOf(m.agentId);
  if (stay !== null && stay.sitting !== m.sitting) return true;
  const unheard = m.t !== 'leave' || m.socket === NO_SOCKET;
  return unheard && (stay === null || stay.leaving);
}

/** The answer for a table that this shard does not have. Null: no asker waits. */
export function answerUnknown(m: TableMessage): FromShard | null {
  switch (m.t) {
    case 'sit':
      return { t: 'sitFailed', table: m.table, ticket: m.ticket, agentId: m.player.agentId, code: 'table_gone' };
    case 'state':
    case 'replay':
      return { t: 'state', ticket: m.ticket, json: null };
    case 'seat':
      return { t: 'seat', ticket: m.ticket, seat: null };
    case 'rebuy':
      return { t: 'unknownTable', table: m.table, socket: m.socket, of: m.t, requestId: m.requestId };
    case 'attach':
    case 'act':
    case 'leave':
    case 'nonce':
    case 'invalid':
    case 'resync':
      return { t: 'unknownTable', table: m.table, socket: m.socket, of: m.t };
    default:
      return null;
  }
}
