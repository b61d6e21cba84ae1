import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Scope } from '../support/database.js';
import { verdictOf, type Verdict } from './answers.js';
import { MAX } from './messages.js';
import type { Target } from './raw-socket.js';

/** Servers with a planted fault, by which the fuzzer shows that it can find one. */

/** The answers of a server without tables. */
function properAnswer(verdict: Verdict, text: string): object {
  const error = (code: string, message = 'no') => ({ type: 'error', code, message });
  switch (verdict) {
    case 'invalid':
      return error('invalid_message');
    case 'unknown':
      return error('unknown_message', `unknown: ${text.slice(0, 200)}`);
    case 'action':
      return { type: 'action_rejected', code: 'not_at_table', reason: 'no', details: { code: 'not_at_table' } };
    case 'join_lobby':
      return error('insufficient_season_chips');
    case 'set_auto_rebuy':
      return error('not_registered_for_season');
    case 'resync_request':
      return error('table_not_found');
    case 'leave_table':
    case 'rebuy':
    case 'deal_nonce':
      return error('not_at_table');
  }
}

export interface SocketFault {
  /** Says something else than the proper answer to the nth message. */
  say?: (socket: WebSocket, answer: string, n: number, verdict: Verdict) => void;
  /** Takes frames of any size. */
  anySize?: boolean;
  /** Takes text that is no UTF-8. */
  anyText?: boolean;
}

/** A /ws where everybody is welcome and nobody sits. */
export async function faultySocketServer(
  t: Scope,
  { say, anySize = false, anyText = false }: SocketFault,
): Promise<Target> {
  const server = new WebSocketServer({
    host: '127.0.0.1',
    port: 0,
    maxPayload: anySize ? 0 : 128 * 1024,
    skipUTF8Validation: anyText,
  });
  server.on('connection', (socket) => {
    let n = 0;
    // Broken framing: the library closes by itself.
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer) => {
      if (data.length > MAX && !anySize) return socket.close(1009);
      const verdict = verdictOf(data);
      const answer = JSON.stringify(properAnswer(verdict, data.toString()));
      if (say === undefined) socket.send(answer);
      else say(socket, answer, ++n, verdict);
    });
    const agent_id = '018f4e0a-7c1e-7d52-9d3f-2f6c1f0a9b11';
    socket.send(JSON.stringify({ type: 'connected', agent_id, name: 'somebody', season_mode: true }));
  });
  await once(server, 'listening');
  t.teardown(async () => {
    for (const socket of server.clients) socket.terminate();
    await new Promise((resolve) => server.close(resolve));
  });
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
}

/** Answers every request in the same way. */
export async function faultyRestServer(t: Scope, answer: (response: ServerResponse) => void): Promise<Target> {
  const server: Server = createServer({ maxHeaderSize: 200_000 }, (request, response) => {
    request.resume();
    request.on('end', () => answer(response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
}
