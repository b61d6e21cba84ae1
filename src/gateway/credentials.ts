import { createHash } from 'node:crypto';
import { isBotToken, offeredToken } from '../protocol/subprotocol.js';
import type { CredentialHash, Hello } from './ports.js';
import type { HttpRequest } from './transport.js';

/** The hello of a player's socket. */
export function helloOf(request: HttpRequest, ip: string): Hello {
  const apiKey = credentialOf(request);
  const version = request.header('x-bot-version');
  return {
    apiKey,
    ...(apiKey === null && hasKey(request.query) ? { keyInUrl: true } : {}),
    ip,
    competitionId: new URLSearchParams(request.query).get('competition_id'),
    // One that is too long stays too long, and is refused with the join.
    ...(version === '' ? {} : { botVersion: version.slice(0, LONGEST_VERSION) }),
  };
}

/** Letters that are kept of X-Bot-Version. */
const LONGEST_VERSION = 64;

/** As accounts and bot tokens are stored. */
export const credentialHash = (credential: string): CredentialHash => ({
  hash: createHash('sha256').update(credential).digest('hex'),
  kind: isBotToken(credential) ? 'token' : 'key',
});

/** Whether a query holds an API key under any name: proxies log URLs, so it is not read there. */
export const hasKey = (query: string): boolean => /=ap_[A-Za-z0-9_-]{43}(?:&|$)/.test(query);

/** The credential of a socket: the API key or bot token of its header, else a bot token among its subprotocols. */
export function credentialOf(request: Pick<HttpRequest, 'header'>): string | null {
  const authorization = request.header('authorization');
  return authorization === '' ? offeredToken(request.header('sec-websocket-protocol')) : bearerKey(authorization);
}

/** The key of `Authorization: Bearer KEY`; the scheme's case does not matter. */
export function bearerKey(authorization: string): string | null {
  return /^bearer +([^\s]+) *$/i.exec(authorization)?.[1] ?? null;
}
