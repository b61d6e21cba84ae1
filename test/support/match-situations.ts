/** Waiting agents and taken seats, for tests of the plan of seats. */
import { matchmake } from '../../src/lobby/matching/matchmake.js';
import {
  NO_GRACES,
  type OpenTable,
  type Plan,
  type MatchRules,
  type SeatedPlayer,
  type MatchSituation,
  type WaitingPlayer,
} from '../../src/lobby/matching/plan.js';

export const rules: MatchRules = { seats: 6, graceMs: 3000, separateOwners: false };
export const apart: MatchRules = { ...rules, separateOwners: true };

let arrivals = 0;
export const joins = (agentId: string, more: Partial<WaitingPlayer> = {}): WaitingPlayer => ({
  agentId,
  arrival: ++arrivals,
  since: 0,
  pace: null,
  pro: false,
  house: false,
  owner: [],
  ...more,
});
export const sits = (agentId: string, more: Partial<SeatedPlayer> = {}): SeatedPlayer => ({
  agentId,
  house: false,
  connected: true,
  owner: [],
  pace: null,
  parts: false,
  ...more,
});
export const table = (tableId: string, players: SeatedPlayer[], more: Partial<OpenTable> = {}): OpenTable => ({
  tableId,
  shard: 0,
  seats: 6,
  players,
  leaving: 0,
  inHand: false,
  free: 6 - players.length - (more.leaving ?? 0),
  ...more,
});
export const crowd = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => sits(`${prefix}${i}`));
export const situation = (more: Partial<MatchSituation>): MatchSituation => ({
  now: 0,
  waiting: [],
  tables: [],
  opening: 0,
  returning: 0,
  shards: [{ shard: 0, players: 0 }],
  graces: NO_GRACES,
  ...more,
});
export const groups = (plan: Plan) => plan.open.map(({ agentIds }) => agentIds);

/** Runs the plan again and again on a situation that only time changes, until the given time. */
export function planAt(time: number, unchanged: Partial<MatchSituation>, with_ = rules): Plan {
  const first = matchmake(situation({ ...unchanged, now: 0 }), with_);
  return matchmake(situation({ ...unchanged, now: time, graces: first.graces }), with_);
}
