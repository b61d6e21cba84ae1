import unhomoglyph from 'unhomoglyph';
import { RESERVED } from '../../accounts/index.js';
import { Detail, HttpError } from '../../protocol/rest/errors.js';
import type { Queryable, Transaction } from '../../store/database.js';
import * as queries from './participant-queries.js';

/**
 * The forms for comparing names, after UTS 39 (confusables): people may confuse two names that share a form. One form
 * folds case before the look-alikes (`ALICE` and `alice`), the other after them (`AIpha` and `Alpha`). A small letter
 * does not always look like its capital.
 */
export function nameKeys(name: string): string[] {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();
  return [...new Set([skeleton(plain.toLowerCase()), skeleton(skeleton(plain).toLowerCase())])];
}

const skeleton = (text: string) => unhomoglyph(text).normalize('NFKD');

const RESERVED_KEYS = new Set([...RESERVED].flatMap((name) => [name, name.toUpperCase()]).flatMap(nameKeys));
const HOUSE_BOT = /^house[^\p{L}\p{N}]*\p{N}/iu;

/** Whether people may take it for the platform's, or a house bot's: `Agent Poker`, `ADM1N`, `House 3`. */
export function isReservedForUs(displayName: string): boolean {
  const letters = displayName.normalize('NFKD').replace(/[^\p{L}\p{N}]+/gu, '');
  return HOUSE_BOT.test(displayName.normalize('NFKD')) || nameKeys(letters).some((key) => RESERVED_KEYS.has(key));
}

/**
 * Takes a participant's names in place of its former ones. The shown name must be free. Its own name beside a display
 * name is reserved if it is free. Within a transaction; throws HttpError 409 for a name of another.
 */
export async function claimNames(
  tx: Transaction,
  { competitionId, agentId, name, displayName }: Names,
  taken: string = displayName === null ? Detail.ownNameTaken : Detail.displayNameTaken,
): Promise<void> {
  await queries.deleteNames(tx, competitionId, agentId);
  const shown = nameKeys(displayName ?? name);
  if ((await queries.insertNames(tx, competitionId, agentId, shown)) < shown.length) {
    throw new HttpError(409, taken);
  }
  if (displayName !== null) await queries.insertNames(tx, competitionId, agentId, nameKeys(name));
}

export interface Names {
  competitionId: string;
  agentId: string;
  /** The agent's own. */
  name: string;
  displayName: string | null;
}

/**
 * The agent is called otherwise from now on: in the transaction that has changed its row. Throws HttpError 409 where
 * the new name is somebody else's in a competition that shows it and is not over.
 */
export async function renamed(tx: Transaction, agentId: string): Promise<void> {
  for (const names of await queries.selectNamesOf(tx, agentId)) await claimNames(tx, names, Detail.nameTakenThere);
}

/**
 * Takes the names of participants from before names were kept, in order of their coming. A name that is taken stays as
 * it is.
 */
export async function claimOlder(sql: Queryable): Promise<void> {
  for (const { competitionId, agentId, name, displayName } of await queries.selectNameless(sql)) {
    const keys = [displayName ?? name, name].flatMap(nameKeys);
    await queries.insertNames(sql, competitionId, agentId, [...new Set(keys)]);
  }
}
