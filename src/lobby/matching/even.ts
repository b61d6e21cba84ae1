import type { Merge } from './consolidate.js';
import type { Draft, DraftTable } from './draft.js';
import type { OpenTable, MatchSituation } from './plan.js';

/**
 * Even tables, for pools that compare hands between tables: only tables of the same size can be compared. As few tables
 * as hold everybody, none with two players more than another.
 */

/**
 * The situation with the seats that tables of even size leave free, and how many may sit at a new one. Everybody counts
 * who plays, waits, or is about to come back.
 */
export function levelled(situation: MatchSituation, seats: number): { situation: MatchSituation; seats: number } {
  const { tables, waiting, returning } = situation;
  const seated = tables.reduce((sum, { players }) => sum + players.length, 0);
  const quotas = sizesOf(seated + waiting.length + returning, seats);
  const quotaOf = new Map<OpenTable, number>();
  // The fullest tables stay the fullest.
  const bySize = [...tables].sort((a, b) => b.players.length - a.players.length);
  for (const table of bySize.filter(({ players }) => players.length > 0)) quotaOf.set(table, quotas.shift() ?? 0);
  const room = (table: OpenTable) => Math.max(0, (quotaOf.get(table) ?? 0) - table.players.length);
  return {
    situation: {
      ...situation,
      // At even tables a player cannot choose its partners.
      waiting: waiting.map((player) => ({ ...player, pace: null })),
      tables: tables.map((table) => ({ ...table, free: Math.min(table.free, room(table)), players: paceless(table) })),
    },
    seats: Math.max(2, quotas[0] ?? seats),
  };
}

const paceless = ({ players }: OpenTable) => players.map((player) => ({ ...player, pace: null }));

/** As few tables as hold so many, the larger ones first. */
function sizesOf(players: number, seats: number): number[] {
  const tables = Math.ceil(players / seats);
  const [size, larger] = [Math.floor(players / tables), players % tables];
  return Array.from({ length: tables }, (_, n) => (n < larger ? size + 1 : size));
}

/**
 * Returns the table to close, so that its players get new seats. It is the smallest table when there are more tables
 * than needed. It is the largest when another table has two players less, or when a player has no seat. One that holds
 * a seat for a disconnected player, or gives one up, stays.
 */
export function unevenTables(draft: Draft, waiting: number, seats: number): Merge[] {
  const tables = draft.tables.filter(({ members }) => members.length > 0);
  const opened = draft.open.map(({ agentIds }) => agentIds.length);
  const left = waiting - draft.sit.length - sum(opened);
  const sizes = [...tables.map(({ members }) => members.length), ...opened, ...(left > 0 ? [left] : [])];
  const bySize = [...tables].sort((a, b) => a.members.length - b.members.length);
  const [smallest, largest] = [bySize.find(isWhole), bySize.findLast(isWhole)];
  if (smallest === undefined || largest === undefined || (left > 0 && !draft.canOpen)) return [];
  const spare = sizes.length > Math.ceil(sum(sizes) / seats);
  const uneven = largest.members.length - Math.min(...sizes) >= 2;
  if (!spare && !uneven) return [];
  const closing = spare ? smallest : largest;
  const into = bySize.find((table) => table !== closing) ?? closing;
  return [{ closing: closing.view.tableId, into: into.view.tableId }];
}

const isWhole = ({ view, members, connected }: DraftTable) => view.leaving === 0 && connected === members.length;
const sum = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0);
