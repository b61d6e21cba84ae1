import type { ByteWriter } from './bytes.js';
import { FrameType, type Envelope } from './envelope.js';
import { writeActionId, writeBody, writeOwnOpened, writeViewerSeat } from './event-frames.js';
import type { DealtPlayer, PublicEvent } from './events.js';
import type { ReplayWindow } from './replay.js';

/**
 * Writes the window's events after `lastSeq` as one agent saw them (null: a spectator), separated by commas, each with
 * the numbers and the time it had.
 */
export function writeReplay(
  w: ByteWriter,
  envelope: Envelope,
  window: ReplayWindow,
  agentId: string | null,
  lastSeq: number,
): void {
  let first = true;
  window.forEachAfter(lastSeq, (stamp, event, players) => {
    if (!first) w.ascii(',');
    first = false;
    envelope.open(w, stamp, FrameType[event.kind]);
    writeBody(w, event);
    writeOwnTail(w, event, players, agentId);
    w.ascii('}');
  });
}

function writeOwnTail(
  w: ByteWriter,
  event: PublicEvent,
  players: readonly DealtPlayer[],
  agentId: string | null,
): void {
  if (event.kind === 'hand_start') {
    const own = players.find((player) => player.agentId === agentId);
    if (own !== undefined) writeViewerSeat(w, own.seat);
  } else if (event.kind === 'player_action') {
    const actor = players.find((player) => player.seat === event.seat);
    const own = event.clientId !== null && actor?.agentId === agentId;
    writeActionId(w, own ? event.clientId! : event.publicId);
  } else if (event.kind === 'hand_result') {
    const own = players.find((player) => player.agentId === agentId);
    if (own !== undefined) writeOwnOpened(w, event, own.seat);
  }
}
