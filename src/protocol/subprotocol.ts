/**
 * Browsers cannot set headers on a WebSocket; what they can set is the list of subprotocols. So a bot token may be
 * offered as one: `Sec-WebSocket-Protocol: agent-poker, token.bt_…`. An API key never is: proxies log this header.
 */

/** The subprotocol that is answered. */
export const SUBPROTOCOL = 'agent-poker';

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

/** What to answer to the header: ours, else the first other one that is no secret; '' for none. */
export function chosenSubprotocol(header: string): string {
  const open = offers(header).filter((offer) => !offer.startsWith(TOKEN_OFFER));
  return open.includes(SUBPROTOCOL) ? SUBPROTOCOL : (open[0] ?? '');
}

const offers = (header: string): string[] =>
  header
    .split(',')
    .map((offer) => offer.trim())
    .filter((offer) => offer !== '');
