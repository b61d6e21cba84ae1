import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { WebSocket } from 'ws';
import type { OpenSocket } from './socket.js';

/** Node's side of the platform. platform-browser.ts takes its place in a bundle. */

/** ms for a handshake, and for the server to agree to a goodbye. */
const [OPEN_MS, CLOSE_MS] = [10_000, 2000];

export const openSocket: OpenSocket = (url, credential, protocols, events) => {
  const authorization = `Bearer ${'key' in credential ? credential.key : credential.token}`;
  const socket = new WebSocket(url, [...protocols], {
    headers: { authorization },
    perMessageDeflate: false,
    handshakeTimeout: OPEN_MS,
  });
  let [fault, status, retryAfterMs, wasOpen] = ['', null as number | null, null as number | null, false];
  socket.on('open', () => {
    wasOpen = true;
    events.open();
  });
  socket.on('message', (data: Buffer) => events.text(data.toString()));
  socket.on('pong', () => events.pong());
  // `close` follows, and says what is to be done.
  socket.on('error', (error) => (fault ||= error.message || String((error as NodeJS.ErrnoException).code)));
  socket.on('unexpected-response', (_request, response) => {
    status = response.statusCode ?? null;
    const seconds = response.headers['retry-after'] ?? '';
    retryAfterMs = /^\d+$/.test(seconds) ? Number(seconds) * 1000 : null;
    fault = `the server answers ${String(status)}`;
    response.destroy();
    socket.terminate();
  });
  socket.on('close', (code, reason) => {
    events.closed({ code: wasOpen ? code : 0, text: reason.toString() || fault, status, retryAfterMs });
  });
  return {
    send: (text) => socket.send(text),
    ping: () => {
      if (socket.readyState === WebSocket.OPEN) socket.ping();
    },
    close: () => {
      const late = setTimeout(() => socket.terminate(), CLOSE_MS);
      socket.once('close', () => clearTimeout(late));
      socket.close(1000);
    },
    abandon: () => socket.terminate(),
  };
};

export const environment = (name: string): string | undefined => process.env[name] || undefined;

/** The first line of a file, if there is one. */
export function readKeyFile(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8').trim() || null : null;
}

/** For the owner of the file alone. */
export function writeKeyFile(path: string, key: string): void {
  writeFileSync(path, `${key}\n`, { mode: 0o600 });
}

/** One line more for a program that examines bots, in the file that it named in AGENT_POKER_WARNINGS. */
export function noteWarning(kind: string, text: string): void {
  const path = environment('AGENT_POKER_WARNINGS');
  if (path !== undefined) appendFileSync(path, `${JSON.stringify({ kind, text })}\n`);
}

export function printLine(line: string): void {
  process.stderr.write(`${line}\n`);
}
