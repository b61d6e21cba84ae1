import { mergePairs } from './consolidate.js';
import { Draft, type DraftTable } from './draft.js';
import { groupsOf } from './groups.js';

/**
 * Match-making (RULINGS §6) as a pure function: who waits and which tables are open in, what to do out. It runs at
 * every event that could change its answer, so it never has to look ahead; only graces need a timer (`wakeAt`).
 */

export interface Waiting {
  agentId: string;
  /** Rises with the time of joining; a player sent back to the queue keeps its number. */
  arrival: number;
  pro: boolean;
  house: boolean;
  /** Keys of its owner: two agents that share one belong together. Empty for house bots. */
  owner: readonly string[];
}

export interface Seated {
  agentId: string;
  house: boolean;
  connected: boolean;
  owner: readonly string[];
}

export interface OpenTable {
  tableId: string;
  shard: number;
  seats: number;
  /** Who plays here or is on the way to a seat; those who are giving theirs up are counted in `leaving` instead. */
  players: readonly Seated[];
  leaving: number;
  /** Seats that nobody holds or is on the way to. */
  free: number;
}

export interface Rules {
  seats: number;
  graceMs: number;
  separateOwners: boolean;
}

/** What has to be remembered from one run to the next: since when (ms) a grace runs. */
export interface Graces {
  /** By table: since when a single player is left on it. */
  alone: ReadonlyMap<string, number>;
  /** Since when two short tables would fit one. */
  fit: number | null;
}

export const NO_GRACES: Graces = { alone: new Map(), fit: null };

export interface Situation {
  now: number;
  waiting: readonly Waiting[];
  /** Tables that take players: none that is closing, draining or not yet open. */
  tables: readonly OpenTable[];
  /** Players of tables that are closing: they are about to come to the lobby. */
  returning: number;
  /** Shards that can take a new table, with their players. */
  shards: readonly { shard: number; players: number }[];
  graces: Graces;
}

export interface Plan {
  sit: { agentId: string; tableId: string }[];
  open: { shard: number; agentIds: string[] }[];
  /** Tables to close once their hand is over: the lone player's, and those merged into another. */
  close: string[];
  /** House bots that give their seat up for the next real player. */
  retire: { agentId: string; tableId: string }[];
  graces: Graces;
  /** When to run again though nothing happened, in ms; Infinity when there is no need. */
  wakeAt: number;
}

export function matchmake(situation: Situation, rules: Rules): Plan {
  const draft = new Draft(situation, rules);
  const [real, house] = byPriority(situation.waiting);
  const left = seatReal(draft, real, rules);
  seatHouse(draft, left, house, rules);
  const retire = draft.tables.flatMap(givesWay);
  const graces = runGraces(draft, situation, rules);
  return { sit: draft.sit, open: draft.open, retire, ...graces };
}

/** Pro first, then by arrival; house bots apart. */
function byPriority(waiting: readonly Waiting[]): [real: Waiting[], house: Waiting[]] {
  const order = [...waiting].sort((a, b) => Number(b.pro) - Number(a.pro) || a.arrival - b.arrival);
  return [order.filter((w) => !w.house), order.filter((w) => w.house)];
}

/**
 * Open seats first, new tables after, owners kept apart in both; then the same once more without that rule for those
 * who are left, since nobody else waits any more. Returns whom there is neither seat nor partner for: one at most.
 */
function seatReal(draft: Draft, real: readonly Waiting[], rules: Rules): Waiting[] {
  let left = [...real];
  for (const apart of rules.separateOwners ? [true, false] : [false]) {
    left = left.filter((player) => !draft.seat(player, apart));
    const groups = draft.canOpen ? groupsOf(left, rules.seats, apart) : [];
    for (const group of groups) draft.openTable(group);
    const grouped = new Set(groups.flat());
    left = left.filter((player) => !grouped.has(player));
  }
  return left;
}

/**
 * House bots never take the last seat of a table. They are the partners of a lone newcomer, company for short tables,
 * and a table among themselves when a newcomer would find no open seat.
 */
function seatHouse(draft: Draft, left: readonly Waiting[], house: readonly Waiting[], rules: Rules): void {
  const company = rules.seats - 1;
  let waiting = [...house];
  if (left.length === 1 && waiting.length > 0 && draft.canOpen) {
    draft.openTable([...left, ...waiting.splice(0, Math.max(1, company - 1))]);
  }
  waiting = waiting.filter((bot) => !draft.seatHouse(bot));
  if (waiting.length >= 2 && draft.canOpen && !draft.hasOpenSeat) {
    draft.openTable(waiting.slice(0, Math.max(2, company)));
  }
}

/** A table without an open seat, and none coming free, asks its house bot to leave. */
function givesWay(table: DraftTable): { agentId: string; tableId: string }[] {
  if (table.room > 0 || table.view.leaving > 0) return [];
  const bot = table.view.players.find((player) => player.house);
  return bot === undefined ? [] : [{ agentId: bot.agentId, tableId: table.view.tableId }];
}

/** Closes tables whose player was alone for the grace, and merges short tables that fit each other as long. */
function runGraces(draft: Draft, { now, returning, graces }: Situation, { graceMs, separateOwners }: Rules) {
  const close: string[] = [];
  const alone = new Map<string, number>();
  for (const { view, members } of draft.tables) {
    if (view.leaving > 0 || members.length > 1 || members.some((member) => !member.connected)) continue;
    // While others are about to come back to the lobby the grace starts anew.
    const since = returning > 0 ? now : (graces.alone.get(view.tableId) ?? now);
    if (members.length === 0) close.push(view.tableId);
    else alone.set(view.tableId, since);
  }

  const pairs = returning > 0 ? [] : mergePairs(draft.tables, separateOwners);
  let fit = pairs.length === 0 ? null : (graces.fit ?? now);
  if (fit !== null && now - fit >= graceMs) {
    for (const { closing, into } of pairs) {
      close.push(closing);
      alone.delete(closing);
      // Company is on its way.
      alone.delete(into);
    }
    fit = null;
  }

  for (const [tableId, since] of alone) {
    if (now - since < graceMs) continue;
    close.push(tableId);
    alone.delete(tableId);
  }
  const due = [...alone.values(), ...(fit === null ? [] : [fit])].map((since) => since + graceMs);
  return { close, graces: { alone, fit }, wakeAt: Math.min(Infinity, ...due) };
}
