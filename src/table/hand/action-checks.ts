import { Act } from '../../holdem/types.js';
import type { ActionMessage } from '../../protocol/client.js';
import type { RejectionCode } from '../../protocol/codes.js';
import type { HandInPlay } from './hand-in-play.js';
import type { ReplayWindow, AcceptedAction } from '../replay/window.js';
import type { Seat } from '../seats/seat.js';
import { ACT_NUMBERS } from '../frames/words.js';
import { partsOf, sameParts } from '../mix.js';

export type ActionProtocol = 'strict' | 'loose';

/** The input of an action's admission. */
export interface ActionContext {
  protocol: ActionProtocol;
  play: HandInPlay;
  /** The sender's seat at this table, or null. */
  seat: Seat | null;
}

/**
 * Whether an action may go to the engine: the checks of protocol.md, "Actions", in their order. The session has found
 * the table, and the engine judges the rules. In the loose form ids may be missing; those that are present must be
 * right.
 */
export function rejectionOf(message: ActionMessage, { protocol, play, seat }: ActionContext): RejectionCode | null {
  const strict = protocol === 'strict';
  const handId = message.hand_id ?? null;
  const token = message.turn_token ?? null;
  if (seat === null) return 'not_at_table';
  if (play.phase !== 'betting') return 'no_hand_in_progress';
  if (strict && (message.client_action_id ?? null) === null) return 'missing_action_id';
  if (strict && (token === null || handId === null)) return 'legacy_action_protocol';
  if (handId !== null && handId !== play.handId) return 'stale_hand_action';
  if (play.actor !== seat) return 'not_your_turn';
  if (token !== null && token !== play.turnToken) return 'stale_turn_token';
  return null;
}

/**
 * Returns the action that this message may repeat. It is an accepted action of the same agent, with the same id, in the
 * message's hand. In the loose form some clients send one id for ever, so an id belongs to its turn. It means nothing
 * to the agent's open turn. Outside of it, it stands for the last action.
 */
export function acceptedBefore(
  message: ActionMessage,
  agentId: string,
  { protocol, play, seat }: ActionContext,
  window: ReplayWindow,
): AcceptedAction | null {
  const clientId = message.client_action_id ?? null;
  if (clientId === null) return null;
  const handId = message.hand_id ?? null;
  if (protocol === 'strict') return handId === null ? null : window.findAction(handId, agentId, clientId);
  const token = message.turn_token ?? play.turnToken;
  const forOpenTurn = seat !== null && play.actor === seat && token === play.turnToken;
  return forOpenTurn ? null : window.findAction(handId ?? play.handId, agentId, clientId);
}

/**
 * Whether a message says the same as the action accepted under its id: an absent amount equals null, an absent token
 * any. In the strict form another turn's token makes it another action, so a constant id never gets an old ack. In the
 * loose form `acceptedBefore` has judged the token.
 */
export function isRetryOf(accepted: AcceptedAction, message: ActionMessage, protocol: ActionProtocol): boolean {
  const { turnToken } = accepted;
  if (protocol === 'strict' && (message.turn_token ?? turnToken) !== turnToken) return false;
  if (typeof message.action === 'object') {
    return accepted.mix !== null && sameParts(accepted.mix.parts, partsOf(message.action));
  }
  if (accepted.mix !== null) return false;
  const said = accepted.freeFold ? Act.fold : accepted.act;
  return said === ACT_NUMBERS[message.action] && accepted.requested === (message.amount ?? null);
}
