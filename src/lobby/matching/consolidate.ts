import { sameOwner } from '../owners.js';
import { alike } from '../paces.js';
import { isHeldOnly, type DraftTable } from './draft.js';

/** A table to close. Its players fit into the other one. */
export interface Merge {
  closing: string;
  into: string;
}

/**
 * Pairs of short tables that fit one, the emptier to close; no table is in two pairs. House bots of the closing table
 * need no seat: they go where they are needed. A table that holds a seat for a disconnected player is not closed under
 * him, nor one that plays for one where nobody does. Owners that were kept apart are not brought together, nor are those
 * who think long and those who do not.
 */
export function mergePairs(tables: readonly DraftTable[], apart: boolean): Merge[] {
  const short = tables.filter((table) => table.room > 0 && table.members.length > 0).sort(byEmptiness);
  const [smallest = 0, next = Infinity] = short.map(realPlayers).sort((a, b) => a - b);
  if (smallest + next > (short[0]?.view.seats ?? 0)) return [];
  const used = new Set<DraftTable>();
  const pairs: Merge[] = [];
  for (const closing of short) {
    if (used.has(closing) || closing.view.leaving > 0 || closing.connected < closing.members.length) continue;
    const into = short.findLast((table) => table !== closing && !used.has(table) && fits(closing, table, apart));
    if (into === undefined) continue;
    used.add(closing).add(into);
    pairs.push({ closing: closing.view.tableId, into: into.view.tableId });
  }
  return pairs;
}

const realPlayers = (table: DraftTable) => table.members.filter((member) => !member.house).length;

/** Fewest real players first, then fewest players, so that house bots move rather than guests. */
const byEmptiness = (a: DraftTable, b: DraftTable) =>
  realPlayers(a) - realPlayers(b) || a.members.length - b.members.length;

function fits(closing: DraftTable, into: DraftTable, apart: boolean): boolean {
  if (isHeldOnly(into) || into.room < realPlayers(closing) || !alike(closing.pace, into.pace)) return false;
  return !apart || !closing.members.some((a) => into.members.some((b) => sameOwner(a.owner, b.owner)));
}
