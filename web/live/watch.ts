import type { WatchFrame } from '../game/live.js';
import { lookForServer } from '../lib/api.js';
import { socketUrl } from '../lib/paths.js';

export type WatchState = 'opening' | 'open' | 'lost' | 'gone' | 'full';

/** The sentence for the state `full`. */
export const TOO_MANY = 'Too many spectators watch from your address, or in all. This page tries again soon.';

interface WatchHandlers {
  onFrame: (frame: WatchFrame) => void;
  onState: (state: WatchState) => void;
}

/** Pauses between attempts, in ms; the last one stays. */
const PAUSES = [500, 1000, 2000, 4000, 8000];
/** Why the server ends such a socket (protocol.md, "Spectators"). */
const CODES = { none: 4004, full: 4008, closed: 4010 } as const;
const FRAMES = new Set([
  'hole_cards',
  'table_state',
  'hand_start',
  'player_action',
  'community_cards',
  'hand_result',
  'player_joined',
  'player_left',
  'table_closed',
]);

/** Reads a table until it is closed or the reader goes; gives the way to stop. */
export function watchTable(tableId: string, { onFrame, onState }: WatchHandlers): () => void {
  let socket: WebSocket | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let attempts = 0;
  let stopped = false;
  const open = () => {
    if (attempts === 0) onState('opening');
    socket = new WebSocket(socketUrl(`/ws/watch?table_id=${encodeURIComponent(tableId)}`));
    socket.onmessage = ({ data }) => {
      const frame = JSON.parse(String(data)) as WatchFrame;
      if (!FRAMES.has(frame.type)) return;
      attempts = 0;
      onState('open');
      onFrame(frame);
    };
    socket.onclose = ({ code }) => {
      if (stopped) return;
      if (code === CODES.none || code === CODES.closed) return onState('gone');
      onState(code === CODES.full ? 'full' : 'lost');
      if (code !== CODES.full) void lookForServer();
      timer = setTimeout(open, PAUSES[Math.min(attempts++, PAUSES.length - 1)]);
    };
  };
  open();
  return () => {
    stopped = true;
    clearTimeout(timer);
    const left = socket;
    if (left === null) return;
    left.onmessage = left.onclose = null;
    // Browsers complain on their consoles about a socket that closes before it opens.
    if (left.readyState === WebSocket.CONNECTING) left.onopen = () => left.close();
    else left.close();
  };
}
