import type { Static } from 'typebox';
import { utc } from '../protocol/common.js';
import type { Analytics } from '../protocol/rest/analytics.js';
import type { Opponent } from '../protocol/rest/opponents.js';
import { decodeRecord } from '../table/record/record-codec.js';
import { estimatesOf, per100, stakedInterval, share } from './figures.js';
import { NO_CURVES } from './curve.js';
import { POSITIONS } from '../holdem/positions.js';
import type { AnalyticsRow, OpponentFace, RecentHandRow } from './queries.js';
import { add, type CounterTotals } from './totals.js';
import type { OpponentTotals } from './opponents.js';
import { STARTING_HAND_GROUPS, STARTING_HANDS } from './starting-hands.js';
import { interval95 } from '../statistics/confidence-sequence.js';
import { actionSummary } from './summary.js';
import type { HeadToHead } from './versus.js';

/** Below so many hands the figures tell little: the interval of bb_per_100 is wider than ±20 for most styles. */
const SMALL_SAMPLE = 1000;

/** The body of GET /api/analytics. `recent` are the newest of the hands that `row` counts. */
export function analyticsBody(
  agentId: string,
  row: AnalyticsRow,
  recent: readonly RecentHandRow[],
): Static<typeof Analytics> {
  const { hands } = row;
  return {
    agent_id: agentId,
    total_hands: hands,
    sample_warning: hands < SMALL_SAMPLE,
    ...playRatesOf(row),
    cbet_success_rate: share(row.cbets_won, row.cbets),
    ...resultsOf(row),
    rebuys: row.rebuys,
    position_stats: POSITIONS.map((position, at) => {
      const there = row.positions.find((each) => each.position === at) ?? NONE;
      return {
        position,
        hand_count: there.hands,
        ...entering(there),
        ...winning(there),
        bb_per_100_ci95: stakedInterval(there, row),
      };
    }),
    starting_hand_grid: gridOf(row),
    starting_hand_groups: groupsOf(row),
    pnl_series: seriesOf(row),
    recent_hands: recent.map(({ hand_id, profit, started_at, seat, record }, back) => {
      const { tableId, handNumber, actions } = decodeRecord(record);
      return {
        hand_id,
        table_id: tableId,
        table_hand_number: handNumber,
        hand_number: hands - back,
        profit,
        action_summary: actionSummary({ actions }, seat),
        started_at: utc(started_at),
      };
    }),
  };
}

const NONE = { hands: 0, hands_won: 0, vpip: 0, pfr: 0, bb: 0, bb_squares: 0 };

const entering = ({ hands, vpip, pfr }: typeof NONE) => ({ vpip: share(vpip, hands), pfr: share(pfr, hands) });
const winning = (of: typeof NONE) => ({ win_rate: share(of.hands_won, of.hands), bb_per_100: per100(of) });

function playRatesOf(row: CounterTotals) {
  return {
    ...entering(row),
    // Without a call yet all aggression is: the factor is then the number of bets and raises.
    aggression_factor: row.bets_and_raises / Math.max(1, row.calls),
    cbet_rate: share(row.cbets, row.cbet_chances),
    three_bet_pct: share(row.three_bets, row.three_bet_chances),
    fold_to_three_bet_pct: share(row.three_bet_folds, row.three_bets_faced),
    wtsd: share(row.showdowns, row.flops),
    w_sd: share(row.showdowns_won, row.showdowns),
  };
}

function resultsOf(row: AnalyticsRow) {
  const {
    bb_per_100_ci95,
    bb_per_100_all_in_adjusted,
    bb_per_100_all_in_adjusted_ci95: adjustedInterval,
    hands_luck_adjusted,
    bb_per_100_luck_adjusted,
    bb_per_100_luck_adjusted_ci95,
  } = estimatesOf(row);
  const adjusted = bb_per_100_all_in_adjusted ?? 0;
  return {
    ...winning(row),
    bb_per_100_ci95,
    bb_per_100_all_in_adjusted: adjusted,
    bb_per_100_all_in_adjusted_ci95: adjustedInterval,
    all_in_adj_bb_per_100: adjusted,
    all_in_adj_bb_per_100_ci95: adjustedInterval,
    hands_luck_adjusted,
    bb_per_100_luck_adjusted,
    bb_per_100_luck_adjusted_ci95,
    showdown_winnings: row.showdown_profit,
    non_showdown_winnings: row.profit - row.showdown_profit,
  };
}

function gridOf(row: AnalyticsRow) {
  const byPlace = new Map(row.starting_hands.map((each) => [each.place, each]));
  return STARTING_HANDS.map((hand, place) => {
    const dealt = byPlace.get(place) ?? NONE;
    return { ...hand, hand_count: dealt.hands, bb_per_100: per100(dealt), bb_per_100_ci95: stakedInterval(dealt, row) };
  });
}

function groupsOf(row: AnalyticsRow) {
  return STARTING_HAND_GROUPS.map(({ name, places }) => {
    const dealt = { hands: 0, bb: 0, bb_squares: 0 };
    for (const each of row.starting_hands) if (places.includes(each.place)) add(dealt, each);
    return {
      name,
      labels: places.map((place) => STARTING_HANDS[place]!.label),
      hand_count: dealt.hands,
      bb_per_100: per100(dealt),
      bb_per_100_ci95: stakedInterval(dealt, row),
    };
  });
}

/** The points that are kept, and where it stands now. */
function seriesOf({ curves, hands, profit }: AnalyticsRow) {
  const { step, points } = curves ?? NO_CURVES;
  const series = points.map((cumulative_profit, i) => ({ hand_number: (i + 1) * step, cumulative_profit }));
  if (hands > points.length * step) series.push({ hand_number: hands, cumulative_profit: profit });
  return series;
}

/**
 * How one of two agents fared in their common hands. Its actions are counted for the other one, and its results for
 * itself. Null without a common hand.
 */
export function versusTogether({ players }: HeadToHead, agentId: string, otherId: string) {
  const [played, met] = [players[agentId], players[otherId]];
  if (played === undefined || met === undefined) return null;
  const { own, wonFrom, flow } = met;
  const { hands } = met.totals;
  return {
    net: own.net,
    bb_per_100: per100({ hands, bb: own.sample.sum }),
    bb_per_100_ci95: interval95(own.sample),
    won_from: Math.round(wonFrom),
    won_from_per_100: per100({ hands, bb: flow.sum }),
    won_from_per_100_ci95: interval95(flow),
    ...playRatesOf(played.totals),
  };
}

/** One of GET /api/me/opponents. */
export function opponentBody(
  { totals, own, wonFrom }: OpponentTotals,
  { name, slug, isHouse }: Omit<OpponentFace, 'agentId'>,
): Static<typeof Opponent> {
  const { hands } = totals;
  return {
    name,
    public_profile_slug: slug,
    is_house: isHouse,
    hands,
    net: own.net,
    bb_per_100: per100({ hands, bb: own.sample.sum }),
    bb_per_100_ci95: interval95(own.sample),
    won_from: Math.round(wonFrom),
    ...playRatesOf(totals),
  };
}
