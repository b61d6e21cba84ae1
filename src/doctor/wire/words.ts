import type { ServerMessageOf } from '../../protocol/server.js';
import type { Frame } from './transcript.js';

/**
 * Cases speak of frames in the words of ordinary sockets. A lean socket (protocol.md, "Lean") has words of its own for
 * some of them, which no other frame has.
 */
const LEAN_WORDS: Readonly<Record<string, string>> = {
  hand: 'hand_start',
  turn: 'your_turn',
  ack: 'action_ack',
  result: 'hand_result',
};

/** The type of a frame, in the words of ordinary sockets. */
export const wordOf = ({ type }: Frame): unknown => LEAN_WORDS[String(type)] ?? type;

/** Whether the frame has that type, or is its lean form. */
export const isOf = (frame: Frame | null, type: string): boolean =>
  frame !== null && (frame.type === type || wordOf(frame) === type);

/** The fields of a turn for both kinds of sockets. */
export interface WireTurn extends Pick<
  ServerMessageOf['your_turn'],
  'hand_id' | 'turn_token' | 'valid_actions' | 'pot'
> {
  board: readonly string[];
}

export function askedTurnOf(frame: Frame): WireTurn {
  const { hand_id, turn_token, valid_actions, pot, board, community_cards } =
    frame as unknown as ServerMessageOf['turn'] & ServerMessageOf['your_turn'];
  return { hand_id, turn_token, valid_actions, pot, board: frame.type === 'turn' ? board : community_cards };
}
