import type { Static } from 'typebox';
import { utc } from '../../protocol/common.js';
import { Detail, HttpError } from '../../protocol/rest/errors.js';
import { listCollusion, listCollusionHands, type OperatorCollusion } from '../../protocol/rest/operator/index.js';
import { defineRoute, type Route } from '../../protocol/route.js';
import type { Database } from '../../store/database.js';
import type { Analyst } from '../analyst.js';
import { handsOfPair } from './hands.js';
import { selectRegistrations, type AgentOrigin } from './queries.js';
import { sharedSignals } from './signals.js';
import { HONEST_SHARE, type Suspects } from './suspects.js';

type Pair = Static<typeof OperatorCollusion>['pairs'][number];

/** The pairs of a pool and their hands, for the operator. Nothing here bans. */
export function pairRoutes({
  sql,
  analyst,
  season,
}: {
  sql: Database;
  analyst: Pick<Analyst, 'judge'>;
  season(): { seasonId: string } | null;
}): Route[] {
  return [
    defineRoute(listCollusion)(async ({ query: { pool_id: asked, hands, score, limit, offset } }) => {
      const poolId = asked ?? season()?.seasonId;
      if (poolId === undefined) throw new HttpError(404, Detail.noActiveSeason);
      const { pairs, takers, met, judged, at } = await analyst.judge(poolId);
      const matching = pairs.filter((pair) => pair.hands >= hands && pair.score >= score);
      const page = matching.slice(offset, offset + limit);
      const ids = [...page.flatMap(({ agentIds }) => agentIds), ...takers.map(({ agentId }) => agentId)];
      const agents = new Map(
        (await selectRegistrations(sql, [...new Set(ids)])).map((agent) => [agent.agentId, agent]),
      );
      return {
        status: 200,
        body: {
          pool_id: poolId,
          judged_at: utc(at),
          pairs_met: met,
          pairs_judged: judged,
          honest_share: HONEST_SHARE,
          pairs: page.map((pair) => pairBody(pair, agents)),
          takers: takers.map(({ agentId, stacks, givers, expected, score }) => {
            const { name, banned } = agents.get(agentId)!;
            return {
              agent_id: agentId,
              name,
              banned,
              stacks_taken: stacks,
              givers,
              expected_givers: expected,
              score,
              false_alarm_rate: falseAlarmRate(score),
            };
          }),
          matching: matching.length,
          limit,
          offset,
        },
      };
    }),

    defineRoute(listCollusionHands)(async ({ query: { pool_id: asked, first, second } }) => {
      const poolId = asked ?? season()?.seasonId;
      if (poolId === undefined) throw new HttpError(404, Detail.noActiveSeason);
      return { status: 200, body: await handsOfPair(sql, poolId, [first.toLowerCase(), second.toLowerCase()]) };
    }),
  ];
}

/** By Ville's inequality; see `evidence` of collusion/pool-judge.ts. */
const falseAlarmRate = (score: number): number => Math.min(1, 10 ** -score);

function pairBody(pair: Suspects, agents: ReadonlyMap<string, AgentOrigin>): Pair {
  const [one, two] = pair.agentIds.map((agentId) => agents.get(agentId)!) as [AgentOrigin, AgentOrigin];
  const side = ({ agentId, name, banned }: AgentOrigin, which: 0 | 1): Pair['first'] => {
    const { lost, allInsCalled, betterFolded, stacks } = pair.halves[which];
    return {
      agent_id: agentId,
      name,
      banned,
      chips_lost: lost,
      all_ins_called: allInsCalled,
      better_hands_folded: betterFolded,
      stacks_lost: stacks,
    };
  };
  const { hands, duels, flow, score, evidence, marked, pace } = pair;
  return {
    first: side(one, 0),
    second: side(two, 1),
    hands,
    duels,
    flow_bb: flow,
    score,
    evidence,
    marked,
    false_alarm_rate: falseAlarmRate(score),
    shared: {
      ...sharedSignals(one, two),
      pace_overlap: pace && Math.min(1, pace.overlap),
      pace_is_rare: pace?.rare ?? false,
    },
  };
}
