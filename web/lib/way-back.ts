import { ownPath, pathTo } from './paths.js';

/**
 * The page that a reader left to sign in. The link comes by mail and opens in another tab, so the browser keeps it. The
 * part behind the # may hold the token of an invitation, so it may not stand in an address that servers see.
 */

const NAME = 'way-back';
/** ms. A later sign-in is about something else. */
const KEPT_MS = 3_600_000;

/** Keeps the page that is open now. The sign-in pages themselves are none to come back to. */
export function keepWay(): void {
  const { pathname, search, hash } = location;
  if (pathname.startsWith(pathTo('signIn'))) return;
  try {
    localStorage.setItem(NAME, JSON.stringify({ to: pathname + search + hash, at: Date.now() }));
  } catch {
    // Private windows may refuse. Then the sign-in leads to the own bot.
  }
}

/** The path of the page that was left, on this site; null without one. */
export function wayBack(): string | null {
  try {
    const { to, at } = JSON.parse(localStorage.getItem(NAME) ?? '{}') as { to?: unknown; at?: unknown };
    const isFresh = typeof at === 'number' && Math.abs(Date.now() - at) < KEPT_MS;
    return isFresh && typeof to === 'string' ? ownPath(to) : null;
  } catch {
    return null;
  }
}

export function forgetWay(): void {
  try {
    localStorage.removeItem(NAME);
  } catch {
    // Nothing was kept.
  }
}
