import { ensure } from './broken.js';
import type { Season } from './vault/rows.js';
import type { Vault } from './vault/vault.js';

/** A process dates the next season by its estimate of the database's clock. The estimate errs by half a round trip. */
const CLOCK_ERROR_MS = 100;

/**
 * Holds the rows of every ended season against its hands and movements of chips, by another calculation than the
 * product's and the vault's.
 */
export function judgeSeasons(vault: Vault): void {
  const { seasons } = vault;
  for (const [i, season] of seasons.entries()) {
    const last = i === seasons.length - 1;
    ensure(
      (season.status === 'active') === last,
      () => `season ${season.number} of ${seasons.length} is ${season.status}`,
    );
    if (last) continue;
    const gap = seasons[i + 1]!.start - season.ending!.at;
    ensure(gap <= CLOCK_ERROR_MS, () => `the season after ${season.number} began ${gap} ms after its end`);
    judge(vault, season);
  }
}

interface Tally {
  agentId: string;
  balance: number;
  rebuys: number;
  played: number;
  won: number;
}

/** The result of each agent of a season, in the order of registration. */
function tallies(vault: Vault, poolId: string): Tally[] {
  const all = new Map<string, Tally>();
  let brought = 0;
  for (const row of vault.ledger) {
    if (row.poolId !== poolId) continue;
    const { agentId, type, amount } = row;
    const tally = all.get(agentId) ?? { agentId, balance: 0, rebuys: 0, played: 0, won: 0 };
    all.set(agentId, tally);
    tally.balance += amount;
    if (type === 'rebuy') tally.rebuys++;
    if (type === 'rebuy' || type === 'grant') brought += amount;
  }
  for (const hand of vault.hands.values()) {
    if (hand.poolId !== poolId) continue;
    for (const { agentId, stackStart, stackEnd } of hand.players) {
      const tally = all.get(agentId)!;
      tally.played++;
      if (stackEnd > stackStart) tally.won++;
    }
  }
  const kept = [...all.values()].reduce((sum, { balance }) => sum + balance, 0);
  ensure(kept === brought, () => `${brought} chips came into the season, ${kept} are left in balances`);
  return [...all.values()];
}

function judge(vault: Vault, { seasonId, number, ending }: Season): void {
  const { prizePoolCents: pool, rebuyPenalty } = ending!;
  const guests = tallies(vault, seasonId).filter(({ agentId }) => vault.agents.get(agentId)?.isHouse === false);
  const scoreOf = ({ balance, rebuys }: Tally) => balance - rebuyPenalty * rebuys;
  const ranked = guests.filter(({ played }) => played > 9);
  // Stable: who registered first stays first.
  ranked.sort((a, b) => a.rebuys - b.rebuys);
  ranked.sort((a, b) => b.played - a.played);
  ranked.sort((a, b) => scoreOf(b) - scoreOf(a));
  const shares = [
    pool - Math.floor(pool * 0.3) - Math.floor(pool * 0.2),
    Math.floor(pool * 0.3),
    Math.floor(pool * 0.2),
  ];
  const expected = ranked.map((tally, i) => [
    ...[i + 1, tally.agentId, scoreOf(tally), tally.balance, tally.rebuys, tally.played, tally.won],
    ...[['gold', 'silver', 'bronze'][i] ?? null, shares[i] ?? 0],
  ]);
  const frozen = vault.standings
    .filter((row) => row.seasonId === seasonId)
    .map((row) => [
      ...[row.rank, row.agentId, row.score, row.chipBalance, row.rebuys, row.handsPlayed, row.handsWon],
      ...[row.badge, row.prizeCents],
    ]);
  const [ought, are] = [JSON.stringify(expected), JSON.stringify(frozen)];
  ensure(ought === are, () => `season ${number} is frozen as ${are}, not as ${ought}`);
  for (const { agentId } of guests) {
    ensure(vault.mails.has(`final:${seasonId}:${agentId}`), () => `${agentId} was not told of season ${number}`);
  }
  const paid = vault.credits.filter(({ once }) => once.includes(seasonId));
  const left = paid.filter(({ account }) => account === 'prizes').reduce((sum, { ucents }) => sum + ucents, 0);
  const won = shares.slice(0, ranked.length).reduce((sum, cents) => sum + cents, 0);
  ensure(left === (pool - won) * 100, () => `${left} ucents of season ${number} stay with the prizes`);
  for (const [i, { agentId }] of ranked.entries()) {
    const got = paid.filter(({ account }) => account === agentId).map(({ ucents }) => ucents);
    const due = (shares[i] ?? 0) > 0 ? [shares[i]! * 100] : [];
    ensure(String(got) === String(due), () => `${agentId} got ${String(got)} for rank ${i + 1} of season ${number}`);
  }
}
