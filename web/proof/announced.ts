import type { Announced } from './verify.js';

/** Decks that this browser saw announced while it watched, for the proof of the hands that were dealt from them. */
const keyOf = (tableId: string, handNumber: number) => `deck ${tableId} ${handNumber}`;
const MOST = 400;

export function keepAnnounced(tableId: string, handNumber: number, deck: Announced): void {
  try {
    const kept = Object.keys(sessionStorage).filter((key) => key.startsWith('deck '));
    if (kept.length >= MOST) for (const key of kept.slice(0, MOST / 2)) sessionStorage.removeItem(key);
    sessionStorage.setItem(keyOf(tableId, handNumber), JSON.stringify(deck));
  } catch {
    // A browser that keeps nothing: the proof then says what it cannot know.
  }
}

export function announcedOf(tableId: string, handNumber: number): Announced | null {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(tableId, handNumber)) ?? 'null') as Announced | null;
  } catch {
    return null;
  }
}
