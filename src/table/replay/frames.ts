import type { ByteWriter } from '../frames/byte-writer.js';
import { FrameType, type Envelope } from '../frames/envelope.js';
import { ownDiceBytes } from '../frames/mix.js';
import { writeActionId, writeBody, writeOwnOpened, writeViewerSeat } from '../frames/event.js';
import type { DealtPlayer, EventOfHand, PublicEvent } from '../events.js';
import type { ReplayWindow } from './window.js';

/**
 * Writes the window's events after `lastSeq` as one dealt-in agent saw them, separated by commas, each with its number
 * and time. All spectators read the same (public-replays.ts).
 */
export function writeReplay(
  w: ByteWriter,
  envelope: Envelope,
  window: ReplayWindow,
  agentId: string,
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

/** The most bytes of an event's private tail and the separator. */
export function ownTailBytes(event: PublicEvent): number {
  if (event.kind === 'player_action') return 64 + ESCAPED * (event.clientId?.length ?? 0);
  return event.kind === 'hand_result' ? 512 + ownDiceBytes(event) : 64;
}

/** No fewer than the bytes of the event as it is sent, but for the own tail. For what is not written, and so has no length. */
export function mostBytes(event: EventOfHand): number {
  switch (event.kind) {
    case 'player_action':
      return ENVELOPE + 640 + event.nameJson.length + (event.timing === null ? 0 : TIMING);
    case 'community_cards':
      return ENVELOPE + 160;
    case 'hand_start':
      return (
        ENVELOPE +
        160 +
        POST * event.posts.length +
        (event.deal === null ? 0 : 320 + 100 * (event.deal.nonces.length + event.deal.next.anchors.length))
      );
    case 'hand_result': {
      const names = event.players.reduce((sum, { nameJson }) => sum + nameJson.length, 0);
      return (
        ENVELOPE +
        640 +
        400 * event.players.length +
        names +
        120 * event.actions.length +
        (event.deal === null ? 0 : PROOF)
      );
    }
  }
}

/** A post, with a seat and an amount of any length. */
const POST = 72;
/** The most bytes of an event's envelope. */
const ENVELOPE = 320;
/** Two numbers and two times. */
const TIMING = 200;
/** Hashes of all places, and what opens those that everybody saw. */
const PROOF = 3000;

/** A character in JSON: \uXXXX. */
const ESCAPED = 6;

/** Writes the tail of an event for one agent (null: a spectator). */
export function writeOwnTail(
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
    writeActionId(w, own ? event.clientId! : event.turnToken);
  } else if (event.kind === 'hand_result') {
    const own = players.find((player) => player.agentId === agentId);
    if (own !== undefined) writeOwnOpened(w, event, own.seat);
  }
}
