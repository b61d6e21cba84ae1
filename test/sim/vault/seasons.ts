import type { RebuyPool, RebuyTerms, RebuyStanding } from '../../../src/rebuys/pool.js';
import type { RebuyState } from '../../../src/rebuys/queries.js';
import { BADGES, prizeShares } from '../../../src/seasons/standings.js';
import type { Beginning, Ending } from '../../../src/seasons/transition.js';
import { isLater } from '../../../src/seasons/queries.js';
import type { PoolPhase } from '../../../src/store/pool-phase.js';
import type { Entry, Season } from './rows.js';
import type { Vault } from './vault.js';

/** The statements of the seasons (src/seasons/*queries.ts) on the simulated rows, with the guards of their SQL. */

export const activeSeason = (vault: Vault): Season | undefined =>
  vault.seasons.find(({ status }) => status === 'active');

/** As setSeasonPhase in src/seasons/queries.ts. */
export function setPhase(vault: Vault, seasonId: string, phase: PoolPhase): void {
  const season = vault.seasons.find((each) => each.seasonId === seasonId);
  if (season !== undefined && isLater(phase, season.phase)) season.phase = phase;
}

/** Undefined while another one is active. */
export function insertSeason(vault: Vault, seasonId: string, start: number, end: number): Season | undefined {
  if (activeSeason(vault) !== undefined) return undefined;
  const number = vault.seasons.length + 1;
  const season: Season = {
    seasonId,
    number,
    status: 'active',
    phase: 'open',
    start,
    end,
    ending: null,
    remindedAt: null,
  };
  vault.seasons.push(season);
  vault.entries.set(seasonId, new Map());
  return season;
}

/** As rollOver in src/seasons/transition.ts; undefined while somebody is still seated. */
export function rollOver(vault: Vault, ending: Ending, next: Beginning): Season | undefined {
  const season = activeSeason(vault);
  if (season?.seasonId === ending.seasonId) {
    const entries = [...vault.entries.get(season.seasonId)!.values()];
    if (entries.some(({ tableId }) => tableId !== null)) return undefined;
    for (const table of vault.tables.values()) if (table.poolId === season.seasonId) table.status = 'closed';
    for (const entry of entries) entry.rebuyDueAt = null;
    season.status = 'ended';
    season.phase = 'ended';
    const { prizePoolCents, rebuyPenalty } = ending;
    season.ending = { at: vault.now(), prizePoolCents, rebuyPenalty };
    const guests = entries.filter(({ agentId }) => vault.agents.get(agentId)?.isHouse === false);
    freeze(vault, guests, ending);
    for (const { agentId } of guests) vault.mails.add(`final:${season.seasonId}:${agentId}`);
  }
  return activeSeason(vault) ?? insertSeason(vault, next.seasonId, next.start.getTime(), next.end.getTime());
}

function freeze(vault: Vault, guests: readonly Entry[], { seasonId, prizePoolCents, rebuyPenalty }: Ending): void {
  const score = (entry: Entry) => entry.chipBalance - entry.rebuys * rebuyPenalty;
  const ranked = guests
    .filter(({ handsPlayed }) => handsPlayed >= 10)
    .sort(
      (a, b) =>
        score(b) - score(a) ||
        b.handsPlayed - a.handsPlayed ||
        a.rebuys - b.rebuys ||
        a.registeredAt - b.registeredAt ||
        (a.agentId < b.agentId ? -1 : 1),
    );
  const pay = (once: string, account: string, ucents: number) => vault.credits.push({ once, account, ucents });
  if (prizePoolCents > 0) pay(`sponsor:${seasonId}`, 'prizes', prizePoolCents * 100);
  for (const [i, entry] of ranked.entries()) {
    const { agentId, chipBalance, rebuys, handsPlayed, handsWon } = entry;
    const prizeCents = prizeShares(prizePoolCents)[i] ?? 0;
    vault.standings.push({
      seasonId,
      rank: i + 1,
      agentId,
      botName: vault.agents.get(agentId)!.name,
      score: score(entry),
      chipBalance,
      rebuys,
      handsPlayed,
      handsWon,
      badge: BADGES[i] ?? null,
      prizeCents,
    });
    if (prizeCents === 0) continue;
    pay(`prize:${seasonId}:${i + 1}`, 'prizes', -100 * prizeCents);
    pay(`prize:${seasonId}:${i + 1}`, agentId, 100 * prizeCents);
  }
}

/** As queueReminders in src/seasons/reminders.ts. */
export function queueReminders(vault: Vault, seasonId: string): number | null {
  const season = vault.seasons.find((each) => each.seasonId === seasonId);
  if (season?.status !== 'active' || season.remindedAt !== null) return null;
  season.remindedAt = vault.now();
  const entries = [...vault.entries.get(seasonId)!.values()];
  const guests = entries.filter(({ agentId }) => vault.agents.get(agentId)?.isHouse === false);
  for (const { agentId } of guests) vault.mails.add(`ending_soon:${seasonId}:${agentId}`);
  return guests.length;
}

/** Registers with the starting chips; undefined when registered already, or when the season is not active. */
export function insertEntry(vault: Vault, poolId: string, agentId: string, chips: number): Entry | undefined {
  const pool = vault.entries.get(poolId);
  if (pool === undefined || activeSeason(vault)?.seasonId !== poolId || pool.has(agentId)) return undefined;
  const entry: Entry = {
    poolId,
    agentId,
    chipBalance: 0,
    chipsAtTable: 0,
    tableId: null,
    seatNo: null,
    sitting: null,
    owes: null,
    rebuys: 0,
    lastRebuyAt: null,
    rebuyDueAt: null,
    autoRebuy: false,
    premium: false,
    handsPlayed: 0,
    handsWon: 0,
    registeredAt: vault.now(),
  };
  pool.set(agentId, entry);
  vault.move(entry, 'grant', chips);
  return entry;
}

export function updateAutoRebuy(vault: Vault, poolId: string, agentId: string, enabled: boolean) {
  const entry = vault.entry(poolId, agentId);
  if (entry === undefined) return undefined;
  const cancelled = entry.rebuyDueAt !== null && !enabled;
  entry.autoRebuy = enabled;
  if (!enabled) entry.rebuyDueAt = null;
  return { entry, cancelled };
}

/** End of the cooldown, epoch ms. */
function availableAt(entry: Entry, terms: RebuyTerms): number {
  const cooldowns = entry.premium ? terms.cooldownsPro : terms.cooldowns;
  const seconds = cooldowns[Math.min(entry.rebuys + 1, cooldowns.length) - 1]!;
  return (entry.lastRebuyAt ?? entry.registeredAt) + seconds * 1000;
}

const outOfChips = (entry: Entry, terms: RebuyTerms) => entry.chipBalance <= terms.outOfChipsAt;

function standing(vault: Vault, entry: Entry, terms: RebuyTerms): RebuyStanding {
  const available = availableAt(entry, terms);
  return {
    chip_balance: entry.chipBalance,
    rebuys: entry.rebuys,
    premium: entry.premium,
    out_of_chips: outOfChips(entry, terms),
    available_at: new Date(available),
    wait_ms: available - vault.now(),
  };
}

export function grantRebuy(
  vault: Vault,
  { poolId, terms }: RebuyPool,
  agentId: string,
  scheduled: boolean,
): RebuyStanding | undefined {
  const entry = vault.entry(poolId, agentId);
  const now = vault.now();
  if (entry === undefined || activeSeason(vault)?.seasonId !== poolId) return undefined;
  if (vault.agents.get(agentId)?.emailVerified !== true) return undefined;
  if (entry.tableId !== null || !outOfChips(entry, terms) || availableAt(entry, terms) > now) return undefined;
  const due = entry.autoRebuy && entry.rebuyDueAt !== null && entry.rebuyDueAt <= now;
  if (scheduled && !due) return undefined;
  entry.rebuys++;
  entry.lastRebuyAt = now;
  entry.rebuyDueAt = null;
  vault.move(entry, 'rebuy', terms.chips);
  return standing(vault, entry, terms);
}

export function rebuyState(vault: Vault, { poolId, terms }: RebuyPool, agentId: string): RebuyState | undefined {
  const entry = vault.entry(poolId, agentId);
  if (entry === undefined) return undefined;
  return {
    ...standing(vault, entry, terms),
    auto_rebuy: entry.autoRebuy,
    rebuy_due_at: entry.rebuyDueAt === null ? null : new Date(entry.rebuyDueAt),
    seated: entry.tableId !== null,
    email_verified: vault.agents.get(agentId)?.emailVerified === true,
  };
}

export function scheduleRebuys(vault: Vault, { poolId, terms }: RebuyPool, agentId: string | null) {
  if (activeSeason(vault)?.seasonId !== poolId) return [];
  const given: { agent_id: string; rebuy_due_at: Date }[] = [];
  for (const entry of vault.entries.get(poolId)?.values() ?? []) {
    if (agentId !== null && entry.agentId !== agentId) continue;
    if (vault.agents.get(entry.agentId)?.emailVerified !== true || !entry.autoRebuy) continue;
    if (entry.tableId !== null || entry.rebuyDueAt !== null || !outOfChips(entry, terms)) continue;
    entry.rebuyDueAt = Math.max(vault.now(), availableAt(entry, terms));
    given.push({ agent_id: entry.agentId, rebuy_due_at: new Date(entry.rebuyDueAt) });
  }
  return given;
}

/** The earliest first. */
function scheduled(vault: Vault, poolId: string): Entry[] {
  const entries = [...(vault.entries.get(poolId)?.values() ?? [])];
  return entries.filter((entry) => entry.rebuyDueAt !== null).sort((a, b) => a.rebuyDueAt! - b.rebuyDueAt!);
}

export const selectDue = (vault: Vault, poolId: string) =>
  scheduled(vault, poolId)
    .filter((entry) => entry.rebuyDueAt! <= vault.now())
    .map((entry) => ({ pool_id: poolId, agent_id: entry.agentId }));

export function nextDue(vault: Vault, poolId: string): number | null {
  const [first] = scheduled(vault, poolId);
  return first === undefined ? null : first.rebuyDueAt! - vault.now();
}

export function settleDue(vault: Vault, { poolId, terms }: RebuyPool, agentId: string): void {
  const entry = vault.entry(poolId, agentId);
  const now = vault.now();
  if (entry === undefined || entry.rebuyDueAt === null || entry.rebuyDueAt > now) return;
  const available = availableAt(entry, terms);
  const stillWanted = entry.autoRebuy && entry.tableId === null && outOfChips(entry, terms) && available > now;
  entry.rebuyDueAt = stillWanted ? available : null;
}
