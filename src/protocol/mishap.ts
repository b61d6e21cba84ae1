import type { ServerMessage } from './server.js';

/** A trouble of an agent, as it is noted where it happens and shown to its owner (GET /api/me/mishaps). */
export interface Mishap {
  kind: MishapKind;
  /**
   * The code of the rejection or the error. For a timeout it is the action in its place, for a disconnect the close
   * code.
   */
  code: string;
  message: string;
  tableId: string | null;
  handId: string | null;
  /** The bot's message, as JSON text; null if nothing was read. */
  sent: string | null;
  /** The frame that it was answered with, or did not answer. */
  received: string | null;
  /** Only for a timeout. */
  timing?: TurnTiming;
}

/** The times of a turn that ran out: whole ms, and epoch ms. */
export interface TurnTiming {
  /** How long its player had it. */
  usedMs: number;
  /** How long the platform stood still meanwhile, which was added to its clock. */
  serverLagMs: number;
  sentAt: number;
  deadlineAt: number;
}

/** The most characters that are kept of a frame. */
export const MAX_FRAME_TEXT = 2000;

export const MISHAP_KINDS = ['rejected', 'timeout', 'error', 'flood', 'disconnect'] as const;
export type MishapKind = (typeof MISHAP_KINDS)[number];

/** The end of a socket: the close frame, and who decided it. Without a close frame the code is 1006. */
export interface SocketEnd {
  code: number;
  reason: string;
  by: 'server' | 'client';
}

export const ABNORMAL: SocketEnd = { code: 1006, reason: '', by: 'client' };

/** An answer that says no, as a mishap; null of any other message. */
export function mishapOf(
  message: ServerMessage,
  { sent = null, tableId = null }: { sent?: string | null; tableId?: string | null } = {},
): Mishap | null {
  const received = () => JSON.stringify(message);
  if (message.type === 'error') {
    const { code, message: words } = message;
    return { kind: kindOf(code), code, message: words, tableId, handId: null, sent, received: received() };
  }
  if (message.type !== 'action_rejected') return null;
  const { code, reason } = message;
  const handId = 'hand_id' in message ? message.hand_id : null;
  return { kind: 'rejected', code, message: reason, tableId, handId, sent, received: received() };
}

const kindOf = (code: string): MishapKind => (code.startsWith('flood_') ? 'flood' : 'error');

export function mishapOfEnd({ code, reason, by }: SocketEnd): Mishap {
  const message =
    reason || (code === ABNORMAL.code ? 'The connection broke off or fell silent' : `Closed by the ${by}`);
  const received = by === 'server' ? JSON.stringify({ close: code, reason }) : null;
  const sent = by === 'client' && code !== ABNORMAL.code ? JSON.stringify({ close: code, reason }) : null;
  return { kind: 'disconnect', code: String(code), message, tableId: null, handId: null, sent, received };
}
