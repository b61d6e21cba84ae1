import { Detail, HttpError } from '../protocol/rest/errors.js';

/** Names that would pass for the platform or who runs it, without case and `_`. */
export const RESERVED: ReadonlySet<string> = new Set([
  ...['agentpoker', 'platform', 'house', 'dealer', 'admin', 'administrator', 'moderator', 'operator', 'organizer'],
  ...['support', 'system', 'staff', 'official', 'root', 'server'],
]);

/** Whether a name is kept for the platform and its house bots (`house_1`, …). */
export function isReserved(name: string): boolean {
  const plain = name.toLowerCase();
  return plain.startsWith('house_') || RESERVED.has(plain.replaceAll('_', ''));
}

/** Throws HttpError 409 for a reserved name. */
export function requireFree(name: string): void {
  if (isReserved(name)) throw new HttpError(409, Detail.nameReserved);
}

/** The public profile's slug that a name makes: lower case, with `-`. */
export function agentSlugOf(name: string): string {
  const slug = name.toLowerCase().replace(/_+/g, '-').replace(/^-|-$/g, '');
  return slug === '' ? 'agent' : slug;
}
