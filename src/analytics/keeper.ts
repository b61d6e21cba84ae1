import { setImmediate as nextTurn } from 'node:timers/promises';
import { PairReader, addSums, noSums, timesOf, type PairHand, type PairSums } from '../collusion/pair-hand.js';
import { Hand } from '../holdem/hand.js';
import { transaction, type Database } from '../store/database.js';
import { decodeRecord, type StoredHand } from '../table/record/record-codec.js';
import { Equities } from './equity.js';
import { HandReader, type PlayerFacts } from './hand-facts.js';
import {
  addHands,
  deleteCounts,
  deleteStale,
  insertUnknown,
  selectAllPools,
  selectBehind,
  selectCensus,
  selectNextHands,
  selectPoolsInPlay,
  selectRecords,
  selectCounted,
  updateUnmatched,
  type CountedSoFar,
  type CountedHands,
  type LuckSums,
} from './keeper-queries.js';
import { addPairs, type CountedPairs } from './pairs/queries.js';
import { LUCK_STEP } from '../value/luck.js';
import { hasValueFunction } from '../value/pool.js';
import { extend, NO_CURVES, type Curves } from './curve.js';
import { add, noTotals, type CounterTotals, type PositionTotals, type StartingHandTotals } from './totals.js';
import { addCount } from '../collusion/cells.js';
import { addRatings, selectBotVersions, type CountedRatings } from '../ratings/index.js';
import { momentsIn, Moments, type FoundMoment } from './moments.js';
import { ratedFlows, tallyRatings, type RatedHand } from './rated-hands.js';

/** A hand's facts for pairs: the actions of each player towards each other, and their pace. */
export interface ReadPairs {
  pairs: readonly PairHand[];
  players: readonly Pick<StoredHand['players'][number], 'agentId' | 'seat' | 'isHouse'>[];
  actions: StoredHand['actions'];
}

/**
 * The sums that an agent's hands add to its rows of `pair_play`, by the other's id. Each other guest has a row. The row
 * under its own id has the sums over all others, and its decision times.
 */
function tallyPairs(agentId: string, hands: readonly ReadPairs[]): Map<string, PairSums> {
  const rows = new Map<string, PairSums>();
  const row = (otherId: string) => {
    const known = rows.get(otherId) ?? noSums();
    rows.set(otherId, known);
    return known;
  };
  for (const { pairs, players, actions } of hands) {
    const own = row(agentId);
    const seat = players.find((player) => player.agentId === agentId)!.seat;
    for (const [cell, count] of timesOf({ actions }, seat)) addCount(own.cells, cell, count);
    for (const pair of pairs) {
      if (pair.agentId !== agentId) continue;
      addSums(own, pair);
      const isHouse = players.find((player) => player.agentId === pair.otherId)!.isHouse;
      if (!isHouse) addSums(row(pair.otherId), pair);
    }
  }
  return rows;
}

/** The sums after the next hands of an agent. `hands` has at least one hand, in order. */
export function tally(standing: CountedSoFar, hands: readonly { handId: string; facts: PlayerFacts }[]): CountedHands {
  const totals = noTotals();
  const positions = new Map<number, PositionTotals>();
  const startingHands = new Map<number, StartingHandTotals>();
  const luck = { ...standing.luck };
  let shown: LuckSums | null = null;
  for (const { facts } of hands) {
    add(totals, facts.totals);
    add(luck, facts.totals);
    if (facts.totals.luck_hands > 0 && luck.luck_hands % LUCK_STEP === 0) shown = { ...luck };
    const { position, place } = facts;
    const there = positions.get(position) ?? { hands: 0, hands_won: 0, vpip: 0, pfr: 0, bb: 0, bb_squares: 0 };
    add(there, facts.totals);
    positions.set(position, there);
    const dealt = startingHands.get(place) ?? { hands: 0, bb: 0, bb_squares: 0 };
    add(dealt, facts.totals);
    startingHands.set(place, dealt);
  }
  return {
    agentId: standing.agentId,
    lastHandId: standing.lastHandId,
    hands: standing.hands,
    to: hands.at(-1)!.handId,
    totals,
    shown,
    positions: [...positions].map(([position, there]) => ({ position, ...there })),
    startingHands: [...startingHands].map(([place, dealt]) => ({ place, ...dealt })),
    curves: curvesOf(
      standing,
      hands.map(({ facts }) => facts),
    ),
  };
}

/** The lines of an agent with its next hands. A pool has one big blind. */
function curvesOf({ curves, hands, profit, adjustedBb, luck }: CountedSoFar, facts: readonly PlayerFacts[]): Curves {
  const { step, points, adjusted, luck_step, luck_points } = curves ?? NO_CURVES;
  const { bigBlind } = facts[0]!;
  const of = (name: keyof CounterTotals, unit: number) => facts.map(({ totals }) => totals[name] * unit);
  const chips = extend({ step, points }, hands, profit, of('profit', 1));
  const allIns = extend({ step, points: adjusted }, hands, adjustedBb * bigBlind, of('adjusted_bb', bigBlind));
  const unit = bigBlind / 1e6;
  const measured = facts.filter(({ totals }) => totals.luck_hands > 0);
  const less = extend(
    { step: luck_step, points: luck_points },
    luck.luck_hands,
    luck.luck_millionths * unit,
    measured.map(({ totals }) => totals.luck_millionths * unit),
  );
  return {
    step: chips.step,
    points: chips.points,
    adjusted: allIns.points,
    luck_step: less.step,
    luck_points: less.points,
  };
}

/** The result of a round. */
export interface KeeperRound {
  /** Hands counted, each for every player it was counted for. */
  hands: number;
  /** Hands are left that the round had no time for. */
  behind: boolean;
  /** Agents with an unreadable hand, found since this thread began. */
  unreadable: number;
  /** The reason of the last one. */
  reason: string | null;
}

/** Hands of an agent that one statement counts on request. */
const HANDS = 128;
/**
 * A round's hands of each agent, and the agents with hands that are read together. A round checks its time after each
 * portion: larger ones would exceed it several times.
 */
const ROUND_HANDS = 32;
const AGENTS = 32;
/** Agents of one look-up, which reads all entries of a pool. */
const BEHIND = 1024;
/** The ms of work before requests get their turn. */
const STRETCH_MS = 10;

/** The facts of all players of a hand, and of all pairs. */
interface ReadHand extends ReadPairs, Pick<RatedHand, 'startedAt' | 'flows'> {
  facts: PlayerFacts[];
  moments: readonly FoundMoment[];
}

/** The time of the first of these hands, epoch ms; this moment without any. */
const earliest = (hands: Iterable<ReadHand | string>): number =>
  [...hands].reduce((first, hand) => (typeof hand === 'string' ? first : Math.min(first, hand.startedAt)), Date.now());

/** Counts the hands of agents: the work of the analytics thread. */
export class Keeper {
  readonly #reader = new HandReader(new Hand(), new Equities());
  readonly #pairs = new PairReader(new Hand());
  /** Pools to read at the next round. Null: all of them, because a new thread does not know which have new hands. */
  #pools: Set<string> | null = null;
  /** Agents with a hand that cannot be read, and why; they stay as they are until the thread begins anew. */
  readonly #unreadable = new Map<string, string>();

  readonly #moments = new Moments();

  /** Pools with measured luck. A pool's record never changes its function. */
  readonly #withLuck = new Map<string, boolean>();

  constructor(private readonly sql: Database) {}

  /** Counts the next hands of one agent, `most` at most. */
  async advance(poolId: string, agentId: string, most: number): Promise<void> {
    for (let left = most; left > 0;) {
      const standing = await selectCounted(this.sql, poolId, agentId);
      if (standing === undefined) return;
      if (standing.stale) {
        await this.#forget(poolId, [standing]);
        continue;
      }
      if (standing.handsPlayed === standing.hands + standing.unmatched) return;
      const counted = await this.#count(poolId, [standing], Math.min(HANDS, left));
      if (counted === 0) return;
      left -= counted;
    }
  }

  /** Counts for about `budgetMs`, in all pools that play or played at the last round. */
  async round(budgetMs: number): Promise<KeeperRound> {
    const end = performance.now() + budgetMs;
    const inPlay = await selectPoolsInPlay(this.sql);
    const pools = new Set([...(this.#pools ?? (await selectAllPools(this.sql))), ...inPlay]);
    // Former pools in play are checked once more: their last hands may be stored by now.
    const next = new Set(inPlay);
    let hands = 0;
    let anyBehind = false;
    for (const poolId of pools) {
      const done = await this.#roundOf(poolId, end);
      hands += done.hands;
      if (done.behind) next.add(poolId);
      anyBehind ||= done.behind;
    }
    this.#pools = next;
    const reason = [...this.#unreadable.values()].at(-1) ?? null;
    return { hands, behind: anyBehind, unreadable: this.#unreadable.size, reason };
  }

  async #roundOf(poolId: string, end: number): Promise<Pick<KeeperRound, 'hands' | 'behind'>> {
    for (let hands = 0; ;) {
      const except = [...this.#unreadable.keys()];
      const standings = await selectBehind(this.sql, poolId, { except, limit: BEHIND });
      if (standings.length === 0) return { hands, behind: false };
      for (let at = 0; at < standings.length; at += AGENTS) {
        if (performance.now() >= end) return { hands, behind: true };
        const portion = standings.slice(at, at + AGENTS);
        const fresh = portion.filter(({ stale }) => !stale);
        // Stale ones come last: their former sums stand until all others are counted.
        if (fresh.length > 0) hands += await this.#count(poolId, fresh, ROUND_HANDS);
        else await this.#forget(poolId, portion);
      }
    }
  }

  async #forget(poolId: string, standings: readonly CountedSoFar[]): Promise<void> {
    const ids = standings.map(({ agentId }) => agentId);
    await transaction(this.sql, (tx) => deleteStale(tx, poolId, ids));
  }

  /** Adds the next hands of these agents of a pool to what is counted; resolves to how many. */
  async #count(poolId: string, standings: readonly CountedSoFar[], each: number): Promise<number> {
    await insertUnknown(this.sql, poolId, standings);
    const next = await selectNextHands(this.sql, poolId, standings, each);
    const facts = await this.#facts(
      poolId,
      next.map(({ handId }) => handId),
    );
    const steps: CountedHands[] = [];
    const pairSteps: CountedPairs[] = [];
    const ratingSteps: CountedRatings[] = [];
    const versions = await selectBotVersions(
      this.sql,
      standings.map(({ agentId }) => agentId),
      earliest(facts.values()),
    );
    let counted = 0;
    for (const standing of standings) {
      const ids = next.filter(({ agentId }) => agentId === standing.agentId).map(({ handId }) => handId);
      const hands = this.#own(standing.agentId, ids, facts);
      counted += hands.length;
      if (hands.length > 0) {
        const { agentId, lastHandId, hands: before } = standing;
        steps.push(tally(standing, hands));
        const read = hands.map(({ pairs }) => pairs);
        const from = { agentId, lastHandId, hands: before };
        pairSteps.push({ ...from, rows: tallyPairs(agentId, read) });
        ratingSteps.push({ ...from, versions: tallyRatings(agentId, read, versions.get(agentId)) });
      }
      // The end is reached, but hands are missing: one came late, below the watermark.
      const { handsPlayed, unmatched } = standing;
      const known = standing.hands + unmatched + ids.length;
      if (ids.length < each && (known < handsPlayed || (ids.length === 0 && known > handsPlayed))) {
        await this.#recount(poolId, standing.agentId);
      }
    }
    if (steps.length > 0) {
      await transaction(this.sql, async (tx) => {
        await addPairs(tx, poolId, pairSteps);
        await addRatings(tx, poolId, ratingSteps);
        await addHands(tx, poolId, steps);
      });
    }
    await this.#moments.store(this.sql);
    return counted;
  }

  /** The agent's part in these hands, as far as they can be read. */
  #own(agentId: string, handIds: readonly string[], facts: ReadonlyMap<string, ReadHand | string>) {
    const hands: { handId: string; facts: PlayerFacts; pairs: ReadHand }[] = [];
    for (const handId of handIds) {
      const read = facts.get(handId) ?? 'it is not stored';
      const own = typeof read === 'string' ? undefined : read.facts.find((player) => player.agentId === agentId);
      if (typeof read === 'string' || own === undefined) {
        this.#unreadable.set(agentId, `hand ${handId}: ${typeof read === 'string' ? read : 'the agent is not in it'}`);
        break;
      }
      hands.push({ handId, facts: own, pairs: read });
    }
    return hands;
  }

  async #facts(poolId: string, handIds: readonly string[]): Promise<Map<string, ReadHand | string>> {
    const facts = new Map<string, ReadHand | string>();
    const withLuck = this.#withLuck.get(poolId) ?? (await hasValueFunction(this.sql, poolId));
    this.#withLuck.set(poolId, withLuck);
    let since = performance.now();
    for (const { handId, record } of await selectRecords(this.sql, poolId, [...new Set(handIds)])) {
      const read = this.#read(record, withLuck);
      facts.set(handId, read);
      if (typeof read !== 'string') this.#moments.look(poolId, read.moments);
      if (performance.now() - since < STRETCH_MS) continue;
      await nextTurn();
      since = performance.now();
    }
    return facts;
  }

  /** The facts of all players, or the reason why there are none. */
  #read(record: Buffer, withLuck: boolean): ReadHand | string {
    try {
      const stored = decodeRecord(record);
      const { players, actions, startedAt } = stored;
      const facts = this.#reader.read(stored, withLuck);
      const flows = ratedFlows(stored, facts);
      const moments = momentsIn(
        stored,
        facts.map(({ share }) => share),
      );
      return { facts, pairs: this.#pairs.read(stored), players, actions, startedAt, flows, moments };
    } catch (error) {
      return String(error);
    }
  }

  /**
   * Looks after an agent with fewer hands counted than played. Hands are counted in the order of their ids. That is the
   * order of commits as long as the tables' clocks do not go back. After a missed hand, counting begins anew.
   */
  async #recount(poolId: string, agentId: string): Promise<void> {
    await transaction(this.sql, async (tx) => {
      const census = await selectCensus(tx, poolId, agentId);
      if (census === undefined) return;
      const { handsPlayed, hands, stored, upTo } = census;
      if (upTo === hands) await updateUnmatched(tx, poolId, agentId, handsPlayed - stored);
      else await deleteCounts(tx, poolId, agentId);
    });
  }
}
