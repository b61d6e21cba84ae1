import { WebSocket, type RawData } from 'ws';
import { LEAN_SUBPROTOCOL, SUBPROTOCOL } from '../../../src/protocol/subprotocol.js';
import type { BotEnvironment } from '../../../src/doctor/bot.js';
import type { ProofConnection, Hears } from './connection.js';
import type { Defect, Kind } from './defects.js';
import { openByHand } from './hand-made.js';

/** Connects as a bot with this defect does. */
export function openConnection(
  { defect, kind, key }: { defect: Defect | null; kind: Kind; key: string },
  { WS_URL }: BotEnvironment,
  hears: Hears,
): ProofConnection {
  if (kind === 'by hand') return openByHand(WS_URL, key, defect, hears);
  const inUrl = defect === 'key-in-url';
  const protocols = kind === 'lean' ? [LEAN_SUBPROTOCOL, SUBPROTOCOL] : [];
  const socket = new WebSocket(inUrl ? `${WS_URL}?key=${key}` : WS_URL, protocols, {
    ...(inUrl ? {} : { headers: { authorization: `Bearer ${key}` } }),
    autoPong: defect !== 'no-pongs',
    maxPayload: defect === 'small-frames' ? 256 * 1024 : 64 * 1024 * 1024,
    perMessageDeflate: false,
  });
  socket.on('open', () => hears.opened?.());
  socket.on('error', ({ message }) => hears.error(message));
  socket.on('message', (data: RawData) => hears.text(String(data as Buffer)));
  socket.on('close', (code) => hears.closed(code));
  return {
    get connecting() {
      return socket.readyState === WebSocket.CONNECTING;
    },
    send: (text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    end: () => socket.terminate(),
  };
}
