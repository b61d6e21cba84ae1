import { signed } from '../command/columns.js';
import { ratedCells, ratedOf, type MatchTable, type Rated } from '../command/report.js';
import { readConfig } from '../ops/config.js';
import { tableRules } from '../lobby/table-rules.js';
import { emptySample, type Sample } from '../statistics/confidence-sequence.js';
import type { ArenaEntrant } from './entrants.js';
import type { ArenaResult, PlayerResult, SatOut } from './match.js';
import type { AckPercentiles } from './timing.js';

/** One bot's line of the report; times in ms. */
export interface ArenaReportLine extends Rated {
  bot: string;
  /** A built-in strategy, or the command of a program. */
  plays: string;
  hands: number;
  /** Won less lost; what was bought is no win. */
  chips: number;
  rebuys: number;
  /** From an action to its acknowledgement. */
  ack_ms: AckPercentiles | null;
  /** From your_turn to the action; only for programs. */
  decision_ms: AckPercentiles | null;
  /** Rejected actions by code and reason; only programs have any. */
  rejected: Record<string, number>;
  /** It ran on and had no cards any more; its last hand and what it was refused last. */
  sat_out: { since_hand: number; last_error: string | null } | null;
}

export interface ArenaReport {
  hands: number;
  seconds: number;
  hands_per_second: number;
  failure: string | null;
  bots: ArenaReportLine[];
}

const { bigBlind } = tableRules(readConfig({}));

export function arenaReportOf({ hands, seconds, players, entrants, satOut, failure }: ArenaResult): ArenaReport {
  const byAgent = new Map(players.map((player) => [player.agentId, player]));
  const bots = entrants.map((entrant): ArenaReportLine => {
    const result = byAgent.get(entrant.agentId);
    return {
      bot: entrant.name,
      ...observed(entrant),
      hands: result?.hands ?? 0,
      chips: result?.profit ?? 0,
      rebuys: result?.rebuys ?? 0,
      ...ratedOf(result === undefined ? emptySample() : sampleOf(result)),
      sat_out: satOutOf(satOut.get(entrant.agentId)),
    };
  });
  bots.sort((a, b) => b.chips - a.chips);
  return { hands, seconds, hands_per_second: seconds > 0 ? hands / seconds : 0, failure, bots };
}

/** In big blinds. */
const sampleOf = ({ hands, profit, squares, risk, chance }: PlayerResult): Sample => ({
  count: hands,
  sum: profit / bigBlind,
  squares: squares / bigBlind ** 2,
  risk: risk / bigBlind,
  chance: chance / bigBlind,
});

const satOutOf = (sat: SatOut | undefined): ArenaReportLine['sat_out'] =>
  sat === undefined ? null : { since_hand: sat.sinceHand, last_error: sat.lastError };

function observed(entrant: ArenaEntrant): Pick<ArenaReportLine, 'plays' | 'ack_ms' | 'decision_ms' | 'rejected'> {
  if (entrant.kind === 'built-in') {
    const ack = entrant.acknowledged.percentiles();
    return { plays: entrant.strategy, ack_ms: ack, decision_ms: null, rejected: {} };
  }
  const { tap, program } = entrant;
  return {
    plays: program.command,
    ack_ms: tap.acknowledged.percentiles(),
    decision_ms: tap.decided.percentiles(),
    rejected: Object.fromEntries(tap.rejections),
  };
}

const HEADINGS = ['bot', 'plays', 'hands', 'chips', 'rebuys', 'bb/100', '95 %', 'ack p50', 'ack p99'];
const LONGEST_COMMAND = 40;

/** The report for people. */
export function arenaTable({ hands, seconds, hands_per_second, bots }: ArenaReport): MatchTable {
  const rows = bots.map((line) => [
    line.bot,
    line.plays.length > LONGEST_COMMAND ? `${line.plays.slice(0, LONGEST_COMMAND - 1)}…` : line.plays,
    String(line.hands),
    signed(line.chips),
    String(line.rebuys),
    ...ratedCells(line),
    ms(line.ack_ms?.p50),
    ms(line.ack_ms?.p99),
  ]);
  const speed = `${hands} hands in ${seconds.toFixed(1)} s: ${hands_per_second.toFixed(0)} hands/s`;
  return { headings: HEADINGS, words: 2, rows, rates: bots, remarks: [...bots.flatMap(remarksOn), speed] };
}

function remarksOn({ bot, decision_ms, rejected, sat_out }: ArenaReportLine): string[] {
  const decides = decision_ms && `${bot} decides in ${ms(decision_ms.p50)} (p50), ${ms(decision_ms.p99)} (p99)`;
  const rejections = Object.entries(rejected).map(([why, count]) => `${bot}: ${count} rejected, ${why}`);
  return [...(decides ? [decides] : []), ...rejections, ...(sat_out ? [`${bot} ${idle(sat_out)}`] : [])];
}

const idle = ({ since_hand, last_error }: NonNullable<ArenaReportLine['sat_out']>) =>
  `${since_hand === 0 ? 'never played' : `sat out since hand ${since_hand}`}; last error: ${last_error ?? 'none'}`;

const ms = (value: number | undefined) => (value === undefined ? '-' : `${value.toFixed(value < 10 ? 2 : 0)} ms`);
