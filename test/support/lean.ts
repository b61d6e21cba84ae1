import type { ServerMessage, ServerMessageOf, ServerMessageType } from '../../src/protocol/server.js';
import { LEAN_SUBPROTOCOL } from '../../src/protocol/subprotocol.js';
import { Player, type Choice } from './player.js';
import type { Scene } from './scene.js';

/** A new agent with an open lean socket, after its greeting. */
export async function leanPlayer({ platform, players }: Scene, name: string): Promise<Player> {
  const account = await platform.register(name);
  const headers = { authorization: `Bearer ${account.key}` };
  const player = await Player.open(platform, account, { protocols: [LEAN_SUBPROTOCOL], headers });
  players.push(player);
  await player.next('connected');
  return player;
}

/** From now on a player on a lean socket acts by itself; null leaves a turn open. */
export function playLean(player: Player, policy: (turn: ServerMessageOf['turn']) => Choice | null): void {
  player.onFrame = (frame) => {
    const choice = frame.type === 'turn' ? policy(frame) : null;
    if (frame.type !== 'turn' || choice === null) return;
    const { hand_id, turn_token } = frame;
    player.send({ type: 'action', ...choice, hand_id, turn_token, client_action_id: turn_token });
  };
}

/** The message type that a lean socket reads in place of each type; null for none. */
const IN_PLACE: Partial<Record<ServerMessageType, ServerMessageType | null>> = {
  hand_start: null,
  hole_cards: 'hand',
  table_state: null,
  your_turn: 'turn',
  player_action: null,
  community_cards: null,
  action_ack: 'ack',
  hand_result: 'result',
};

/** The types of all frames up to this one, in order, joined by spaces. */
export const storyOf = ({ frames }: Player, last: ServerMessage): string =>
  upTo(frames, last)
    .map(({ type }) => type)
    .join(' ');

const upTo = (frames: readonly ServerMessage[], last: ServerMessage) => frames.slice(0, frames.indexOf(last) + 1);

/** The same for a player on a full socket, as a lean one would read it (protocol.md, "Lean"). */
export function leanStoryOf({ frames: all, name }: Player, last: ServerMessage): string {
  const frames = upTo(all, last);
  const dealt = new Set(frames.flatMap((frame) => (frame.type === 'hole_cards' ? [frame.hand_id] : [])));
  const isOfOthers = (frame: ServerMessage): boolean => {
    if (frame.type === 'player_joined' || frame.type === 'player_left') return frame.name !== name;
    return frame.type === 'hand_result' && !dealt.has(frame.hand_id);
  };
  const own = frames.filter((frame) => !isOfOthers(frame));
  const types = own.map(({ type }) => (IN_PLACE[type] === undefined ? type : IN_PLACE[type]));
  return types.filter((type) => type !== null).join(' ');
}
