import { PACES } from '../../table/seats/pace.js';
import { mergePairs } from './consolidate.js';
import { Draft, type DraftTable } from './draft.js';
import { levelled, unevenTables } from './even.js';
import { alike } from '../paces.js';
import { partings, spareBot } from './part.js';
import type { Plan, MatchRules, MatchSituation, WaitingPlayer } from './plan.js';
import { sameOwner } from '../owners.js';

/**
 * Splits players, best priority first, into new tables of two to `seats`, as evenly as the owners allow. `apart` keeps
 * agents of one owner in different groups. A player that fits into no table is left out.
 */
function groupsOf(players: readonly WaitingPlayer[], seats: number, apart: boolean): WaitingPlayer[][] {
  const done: WaitingPlayer[][] = [];
  let left = players;
  while (left.length >= 2) {
    const round = deal(left, seats, apart).filter((group) => group.length >= 2);
    if (round.length === 0) break;
    done.push(...round);
    const grouped = new Set(round.flat());
    left = left.filter((player) => !grouped.has(player));
  }
  return done;
}

/** One round: each player goes to the smallest group that has room and none of its owner. */
function deal(players: readonly WaitingPlayer[], seats: number, apart: boolean): WaitingPlayer[][] {
  const groups = Array.from({ length: Math.ceil(players.length / seats) }, (): WaitingPlayer[] => []);
  for (const player of players) {
    let best: WaitingPlayer[] | undefined;
    for (const group of groups) {
      if (group.length >= seats || (best !== undefined && group.length >= best.length)) continue;
      if (apart && group.some((other) => sameOwner(other.owner, player.owner))) continue;
      best = group;
    }
    best?.push(player);
  }
  return groups;
}

/**
 * Match-making (protocol.md, "Match-making") as a pure function: waiting players and open tables in, orders out. It
 * runs at every event that could change its answer, so it never looks ahead. Only graces need a timer (`wakeAt`).
 */

/** How long a waiting player may be kept for partners of its own pace (protocol.md, "Match-making"). */
const PACE_WAIT_MS = 5000;

export function matchmake(found: MatchSituation, wanted: MatchRules): Plan {
  const { situation, seats } = wanted.even === true ? levelled(found, wanted.seats) : { situation: found, ...wanted };
  const rules = { ...wanted, seats };
  const draft = new Draft(situation, rules);
  const [real, house] = byPriority(situation.waiting);
  const left = seatReal(draft, real, situation.now, rules);
  const alone = house.length > 0 && draft.canOpen ? left : seatBesideHeld(draft, left, situation.now, rules);
  const idle = seatHouse(draft, alone, house, rules);
  const retire = [...draft.tables.flatMap(givesWay), ...companyFor(draft, alone, idle, situation.now)];
  const graces = runGraces(draft, situation, wanted);
  const waits = alone.flatMap(({ since, pace }) => [
    draft.hasHeldSeat ? since + rules.graceMs : Infinity,
    pace === null ? Infinity : since + PACE_WAIT_MS,
  ]);
  const wakeAt = Math.min(graces.wakeAt, ...waits.filter((time) => time > situation.now));
  const company = { tables: draft.tables, waiting: left.map(({ pace }) => pace), canOpen: draft.canOpen };
  const part = wanted.even === true ? [] : partings({ ...company, houseBots: idle });
  return { sit: draft.sit, open: draft.open, part, retire, ...graces, wakeAt };
}

/** Whether the player still waits for partners of its own pace. */
const isPatient = ({ pace, since }: WaitingPlayer, now: number) => pace !== null && now - since < PACE_WAIT_MS;

/** Pro first, then by arrival; house bots apart. */
function byPriority(waiting: readonly WaitingPlayer[]): [real: WaitingPlayer[], house: WaitingPlayer[]] {
  const order = [...waiting].sort((a, b) => Number(b.pro) - Number(a.pro) || a.arrival - b.arrival);
  return [order.filter((w) => !w.house), order.filter((w) => w.house)];
}

/**
 * First it fills open seats, then it opens new tables, each with partners of the same pace while there is time. Owners
 * are kept apart. Then it does the same without that rule for the players that are left. Returns the players without
 * seat or partner: at most one, and those that wait for their own pace.
 */
function seatReal(draft: Draft, real: readonly WaitingPlayer[], now: number, rules: MatchRules): WaitingPlayer[] {
  let left = [...real];
  const open = (candidates: readonly WaitingPlayer[], apart: boolean, wanted: (group: WaitingPlayer[]) => boolean) => {
    const groups = draft.canOpen ? groupsOf(candidates, rules.seats, apart).filter(wanted) : [];
    for (const group of groups) draft.openTable(group);
    const grouped = new Set(groups.flat());
    left = left.filter((player) => !grouped.has(player));
  };
  const hurried = (player: WaitingPlayer) => !isPatient(player, now);
  for (const apart of rules.separateOwners ? [true, false] : [false]) {
    left = left.filter((player) => !draft.seat(player, { apart, alike: true }));
    for (const pace of PACES) {
      const like = left.filter((player) => alike(player.pace, pace));
      open(like, apart, () => true);
    }
    left = left.filter((player) => !(hurried(player) && draft.seat(player, { apart, alike: false })));
    open(left, apart, (group) => group.some(hurried));
  }
  return left;
}

/**
 * The last choice: a table with held seats and at most one connected player. Only after the grace, because absent
 * players may come back. A lone player there comes to the lobby, since somebody waits.
 */
function seatBesideHeld(draft: Draft, left: readonly WaitingPlayer[], now: number, rules: MatchRules): WaitingPlayer[] {
  const wishes = rules.separateOwners ? [true, false] : [false];
  const seat = (player: WaitingPlayer) =>
    wishes.some((apart) => draft.seat(player, { apart, alike: isPatient(player, now), held: true }));
  return left.filter((player) => !(now - player.since >= rules.graceMs && seat(player)));
}

/**
 * House bots never take the last seat of a table. They are the partners of a lone newcomer, company for short tables,
 * and a table among themselves when a newcomer would find no open seat. While a table with free seats opens, house bots
 * open no other one: the players would be split until the tables merge. Returns how many wait still.
 */
function seatHouse(
  draft: Draft,
  left: readonly WaitingPlayer[],
  house: readonly WaitingPlayer[],
  rules: MatchRules,
): number {
  const company = rules.seats - 1;
  let waiting = [...house];
  if (left.length === 1 && waiting.length > 0 && draft.canOpen && !draft.seatOpens) {
    draft.openTable([...left, ...waiting.splice(0, Math.max(1, company - 1))]);
  }
  waiting = waiting.filter((bot) => !draft.seatHouse(bot));
  if (waiting.length >= 2 && draft.canOpen && !draft.hasOpenSeat) {
    draft.openTable(waiting.splice(0, Math.max(2, company)));
  }
  return waiting.length;
}

/** A house bot leaves its table for a player that waits for its own pace and has no partner. */
function companyFor(draft: Draft, alone: readonly WaitingPlayer[], idle: number, now: number): Plan['retire'] {
  const [lone, ...others] = alone;
  if (lone === undefined || others.length > 0 || idle > 0 || !draft.canOpen || !isPatient(lone, now)) return [];
  const bot = draft.tables.some(({ view }) => view.leaving > 0) ? null : spareBot(draft.tables);
  return bot === null ? [] : [bot];
}

/** A table without an open seat, present or soon, asks its house bot to leave. */
function givesWay(table: DraftTable): { agentId: string; tableId: string }[] {
  if (table.room > 0 || table.view.leaving > 0) return [];
  const bot = table.view.players.find((player) => player.house);
  return bot === undefined ? [] : [{ agentId: bot.agentId, tableId: table.view.tableId }];
}

/**
 * Closes tables with a single player after the grace. Merges short tables that fit each other for as long. A player
 * with nobody but held seats is moved to company, if there is any.
 */
function runGraces(draft: Draft, situation: MatchSituation, { graceMs, separateOwners, seats, even }: MatchRules) {
  const { now, waiting, returning, graces } = situation;
  const close: string[] = [];
  const move: Plan['move'] = [];
  const alone = new Map<string, number>();
  const lonely = new Map<string, DraftTable>();
  for (const table of draft.tables) {
    const { view, members, connected } = table;
    if (members.length === 0 && view.leaving === 0) close.push(view.tableId);
    const busy = view.leaving > 0 || (members.length > 1 && view.inHand);
    if (connected !== 1 || busy) continue;
    lonely.set(view.tableId, table);
    // The grace starts anew while others are about to come back to the lobby.
    alone.set(view.tableId, returning > 0 ? now : (graces.alone.get(view.tableId) ?? now));
  }

  const merges = () =>
    even === true ? unevenTables(draft, waiting.length, seats) : mergePairs(draft.tables, separateOwners);
  const pairs = returning > 0 ? [] : merges();
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

  const placed = new Set([
    ...draft.sit.map(({ agentId }) => agentId),
    ...draft.open.flatMap(({ agentIds }) => agentIds),
  ]);
  const someoneWaits = situation.waiting.some(({ agentId }) => !placed.has(agentId));
  for (const [tableId, since] of alone) {
    const table = lonely.get(tableId);
    if (table === undefined || now - since < graceMs) continue;
    if (table.members.length > 1 && !someoneWaits && !draft.hasCompanyBeside(table)) continue;
    alone.delete(tableId);
    const player = table.members.find((member) => member.connected);
    if (table.members.length === 1 || player === undefined) close.push(tableId);
    else move.push({ agentId: player.agentId, tableId });
  }
  const times = [...alone.values(), ...(fit === null ? [] : [fit])].map((since) => since + graceMs);
  const wakeAt = Math.min(Infinity, ...times.filter((time) => time > now));
  return { close, move, graces: { alone, fit }, wakeAt };
}
