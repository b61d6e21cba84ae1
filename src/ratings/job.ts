import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../store/database.js';
import { rate, rateAlone, type PairFlow, type RatedAgent, type RatedTotals } from './model.js';
import { readSums, type RatedPairRow, type TotalsRow } from './queries.js';

/** A pool's ratings as a thread sends them. */
export interface PoolRated {
  agents: (RatedAgent & { agentId: string })[];
  /** Versions of bots that name one, by themselves. */
  versions: (RatedAgent & { agentId: string; version: string })[];
}

/** ms of work at a stretch: then other work of the thread has its turn. */
const STRETCH_MS = 10;

/** Rates a pool by what is counted of it. */
export async function ratePool(sql: Database, poolId: string): Promise<PoolRated> {
  const rows: RatedPairRow[] = [];
  const sums = await readSums(sql, poolId, async (portion) => {
    rows.push(...portion);
    await nextTurn();
  });
  const places = new Map<string, number>();
  const totals: RatedTotals[] = [];
  for (const { agentId, hands, result, squares } of sums) {
    const at = places.get(agentId) ?? places.size;
    places.set(agentId, at);
    const own = (totals[at] ??= { hands: 0, result: 0, squares: 0 });
    own.hands += hands;
    own.result += result;
    own.squares += squares;
  }
  const flows = pairsOf(rows, places);
  const pool = await withPauses(rate(totals, flows.values()));
  const agents = [...places.keys()].map((agentId, at) => ({ agentId, ...pool.agents[at]! }));
  const versions = versionsOf(sums, rows, places).map(({ agentId, version, hands, result, squares, flows }) => ({
    agentId,
    version,
    ...rateAlone({ hands, result, squares }, flows, pool, totals),
  }));
  return { agents, versions };
}

/** The sums over versions of each agent towards each other. An agent that was not counted itself yet is missing. */
function pairsOf(rows: readonly RatedPairRow[], places: ReadonlyMap<string, number>): Map<number, PairFlow> {
  const flows = new Map<number, PairFlow>();
  for (const { agentId, otherId, weight, flow } of rows) {
    const [one, other] = [places.get(agentId), places.get(otherId)];
    if (one === undefined || other === undefined) continue;
    const key = one * places.size + other;
    const known = flows.get(key);
    if (known === undefined) flows.set(key, { one, other, weight, flow });
    else [known.weight, known.flow] = [known.weight + weight, known.flow + flow];
  }
  return flows;
}

/** Each version of the bots that name one, with its own flows. */
function versionsOf(sums: readonly TotalsRow[], rows: readonly RatedPairRow[], places: ReadonlyMap<string, number>) {
  const versioned = new Set(sums.flatMap(({ agentId, version }) => (version === '' ? [] : [agentId])));
  const own = new Map<string, Omit<PairFlow, 'one'>[]>();
  for (const { agentId, version, otherId, weight, flow } of rows) {
    const other = places.get(otherId);
    if (other === undefined || !versioned.has(agentId)) continue;
    const key = `${agentId} ${version}`;
    const flows = own.get(key) ?? [];
    flows.push({ other, weight, flow });
    own.set(key, flows);
  }
  return sums
    .filter(({ agentId }) => versioned.has(agentId))
    .map((total) => ({ ...total, flows: own.get(`${total.agentId} ${total.version}`) ?? [] }));
}

async function withPauses<T>(work: Generator<void, T>): Promise<T> {
  for (let since = performance.now(); ;) {
    const { done, value } = work.next();
    if (done === true) return value;
    if (performance.now() - since < STRETCH_MS) continue;
    await nextTurn();
    since = performance.now();
  }
}
