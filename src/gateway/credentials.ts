import { offeredToken } from '../protocol/subprotocol.js';
import type { Hello } from './ports.js';
import type { HttpRequest } from './transport.js';

/** What a player's socket brings. */
export const helloOf = (request: HttpRequest, ip: string): Hello => ({
  apiKey: credentialOf(request),
  ip,
  competitionId: new URLSearchParams(request.query).get('competition_id'),
});

/** What a socket is opened with: the API key or bot token of its header, else a bot token among its subprotocols. */
export function credentialOf(request: Pick<HttpRequest, 'header'>): string | null {
  const authorization = request.header('authorization');
  return authorization === '' ? offeredToken(request.header('sec-websocket-protocol')) : bearerKey(authorization);
}

/** The key of `Authorization: Bearer KEY`; the scheme's case does not matter. */
export function bearerKey(authorization: string): string | null {
  return /^bearer +([^\s]+) *$/i.exec(authorization)?.[1] ?? null;
}
