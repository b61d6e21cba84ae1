/**
 * Browsers cannot set headers on a WebSocket; what they can set is the list of subprotocols. So a bot token may be
 * offered as one: `Sec-WebSocket-Protocol: agent-poker, token.bt_…`. An API key never is: proxies log this header.
 */

/** The subprotocol that is answered. */
export const SUBPROTOCOL = 'agent-poker';
/** Fewer and shorter frames at the table (protocol.md, "Lean"); goes before the other where both are offered. */
export const LEAN_SUBPROTOCOL = 'agent-poker.lean.1';

const TOKEN_OFFER = 'token.';
const BOT_TOKEN = /^bt_[A-Za-z0-9_-]{43}$/;

/** Whether a credential has the form of a bot token. */
export const isBotToken = (credential: string): boolean => BOT_TOKEN.test(credential);

/** The bot token in a Sec-WebSocket-Protocol header; null without one. */
export function offeredToken(header: string): string | null {
  const token = offers(header)
    .find((offer) => offer.startsWith(TOKEN_OFFER))
    ?.slice(TOKEN_OFFER.length);
  return token !== undefined && isBotToken(token) ? token : null;
}

/** Whether the socket of this header speaks lean. */
export const offersLean = (header: string): boolean => header !== '' && offers(header).includes(LEAN_SUBPROTOCOL);

/** The answer to the header: one of ours, else the first other one that is no secret; '' for none. */
export function chosenSubprotocol(header: string): string {
  const open = offers(header).filter((offer) => !offer.startsWith(TOKEN_OFFER));
  return [LEAN_SUBPROTOCOL, SUBPROTOCOL].find((own) => open.includes(own)) ?? open[0] ?? '';
}

const offers = (header: string): string[] =>
  header
    .split(',')
    .map((offer) => offer.trim())
    .filter((offer) => offer !== '');
