import { isUtf8 } from 'node:buffer';
import { Compile, type Validator } from 'typebox/compile';
import { MAX_NESTING, nestsDeeper } from '../../src/gateway/client-frames.js';
import { ClientMessages } from '../../src/protocol/client.js';
import type { ServerMessage } from '../../src/protocol/server.js';

/** The documented answers to a message, told from its bytes alone. */

type ClientType = keyof typeof ClientMessages;
/** The type of a message that fits its schema, or why it is none. */
export type Verdict = ClientType | 'invalid' | 'unknown';

const validators = new Map<string, Validator>(
  Object.entries(ClientMessages).map(([type, schema]) => [type, Compile(schema) as Validator]),
);

export function verdictOf(bytes: Buffer): Verdict {
  if (!isUtf8(bytes)) return 'invalid';
  const text = bytes.toString();
  if (nestsDeeper(text, MAX_NESTING)) return 'invalid';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return 'invalid';
    throw error;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'invalid';
  const { type } = value as { type?: unknown };
  if (typeof type !== 'string') return 'invalid';
  const validator = validators.get(type);
  if (validator === undefined) return 'unknown';
  return validator.Check(value) ? (type as ClientType) : 'invalid';
}

/**
 * By verdict: types of the message that answers, and codes of an `error`; of `rate_limited` the text tells whom it is
 * for.
 */
const ANSWERS: Readonly<Record<Verdict, { types: readonly string[]; errors: readonly string[] }>> = {
  invalid: { types: [], errors: ['invalid_message'] },
  unknown: { types: [], errors: ['unknown_message'] },
  action: { types: ['action_ack', 'action_rejected'], errors: [] },
  join_lobby: {
    types: ['lobby_joined'],
    errors: ['already_seated', 'already_in_lobby', 'insufficient_season_chips'],
  },
  /** Or, when it is granted, the end of the own seat. */
  leave_table: { types: [], errors: ['not_at_table', 'leave_pending'] },
  rebuy: {
    types: ['rebuy_confirmed'],
    errors: [...['not_at_table', 'invalid_rebuy', 'rebuy_during_hand', 'rebuy_cooldown', 'not_registered_for_season']],
  },
  resync_request: { types: ['resync_response'], errors: ['table_not_found'] },
  deal_nonce: { types: ['deal_nonce_ack'], errors: ['not_at_table'] },
  set_auto_rebuy: { types: ['auto_rebuy_set'], errors: ['not_registered_for_season'] },
};

/** The lobby has two of these under way at a time, and drops more. */
export const OF_LOBBY: readonly Verdict[] = ['join_lobby', 'rebuy', 'set_auto_rebuy'];

/** Errors that nobody asked for: they come behind the answer. */
const REMARKS: ReadonlySet<string> = new Set(['flood_warning', 'flood_kick']);

/** Whether a message can be nothing but the answer to something. */
export function isAnswer(message: ServerMessage): boolean {
  switch (message.type) {
    case 'error':
      return !REMARKS.has(message.code);
    case 'action_ack':
    case 'action_rejected':
    case 'lobby_joined':
    case 'rebuy_confirmed':
    case 'resync_response':
    case 'auto_rebuy_set':
    case 'deal_nonce_ack':
      return true;
    default:
      return false;
  }
}

/**
 * Whether the lobby dropped what its client asked last. A late refusal of a leave reads like that of a rebuy, which is
 * under way still while its client asks on.
 */
export const isDropped = (message: ServerMessage): boolean =>
  message.type === 'error' && message.message.startsWith('Wait for an answer first: ');

/** Whether one of the last things asked of a table was dropped, as it had too much to keep: nobody says which. */
export const isTableDropped = (message: ServerMessage): boolean =>
  message.type === 'error' && message.code === 'rate_limited' && message.message.startsWith('The table ');

/** The messages that a table answers, and keeps while it waits for the database. */
export const OF_TABLE: readonly Verdict[] = ['action', 'resync_request', 'leave_table', 'rebuy', 'deal_nonce'];

/** Whether a message answers what has this verdict. */
export function answers(message: ServerMessage, verdict: Verdict): boolean {
  const { types, errors } = ANSWERS[verdict];
  if (message.type === 'error' && message.code === 'rate_limited') {
    if (isDropped(message)) return OF_LOBBY.includes(verdict);
    return message.message.includes(` one ${verdict} a `);
  }
  return message.type === 'error' ? errors.includes(message.code) : types.includes(message.type);
}

/** How an answer is counted. */
export function codeOf(message: ServerMessage): string {
  if (message.type === 'error') return `error ${message.code}`;
  if (message.type === 'action_rejected') return `rejected ${message.code}`;
  return message.type;
}
