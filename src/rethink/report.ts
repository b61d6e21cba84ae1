import { columns } from '../command/columns.js';
import { escaped, standalonePage } from '../command/report.js';
import { kindOf, type PlainChoice, type Rethought } from './compare.js';
import type { StreetName } from '../formats/hand.js';
import type { RethinkResult } from './run.js';

const STREETS: readonly StreetName[] = ['preflop', 'flop', 'turn', 'river'];
/** Differences that the text lists; the data has all. */
const LISTED = 20;
/** An answer that is less likely the recorded one differs. Sums of probabilities have rounding errors. */
const SURE = 1 - 1e-6;

export interface RethinkReport {
  bot: string;
  hands: number;
  /** Hands that were left out, by reason. */
  left_out: Record<string, number>;
  decisions: number;
  /** Decisions in which the bot acts otherwise, and the mean probability of the recorded action. */
  otherwise: number;
  agreement: number;
  /** Answers that did not come in time, and answers that the rules forbid. */
  late: number;
  illegal: number;
  /** Timeouts and rejections of the record that the bot was shown again. */
  timeouts: number;
  rejections: number;
  seconds: number;
  decisions_per_second: number;
  by_street: { street: StreetName; decisions: number; otherwise: number; kinds: Record<string, number> }[];
  differences: {
    hand_id: string;
    number: number;
    street: StreetName;
    kind: string;
    recorded: PlainChoice;
    given: (PlainChoice & { p: number })[] | null;
  }[];
}

const differs = ({ agrees }: Rethought): boolean => agrees < SURE;

export function rethinkReportOf(bot: string, result: RethinkResult): RethinkReport {
  const { decisions, seconds, rejections, hands, leftOut } = result;
  const others = decisions.filter(differs);
  const sum = decisions.reduce((total, { agrees }) => total + agrees, 0);
  return {
    bot,
    hands,
    left_out: leftOut,
    decisions: decisions.length,
    otherwise: others.length,
    agreement: decisions.length === 0 ? 0 : sum / decisions.length,
    late: decisions.filter(({ given }) => given === null).length,
    illegal: decisions.filter(({ given }) => given?.some(({ isLegal }) => !isLegal) ?? false).length,
    timeouts: decisions.filter(({ timedOut }) => timedOut).length,
    rejections,
    seconds,
    decisions_per_second: seconds > 0 ? decisions.length / seconds : 0,
    by_street: STREETS.map((street) => {
      const here = decisions.filter((each) => each.street === street);
      const kinds: Record<string, number> = {};
      for (const each of here.filter(differs)) kinds[kindOf(each)] = (kinds[kindOf(each)] ?? 0) + 1;
      return { street, decisions: here.length, otherwise: here.filter(differs).length, kinds };
    }),
    differences: others.map((each) => ({
      hand_id: each.handId,
      number: each.number,
      street: each.street,
      kind: kindOf(each),
      recorded: each.recorded,
      given: each.given?.map(({ action, amount, p }) => ({ action, amount, p })) ?? null,
    })),
  };
}

const percent = (part: number, whole: number): string => (whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`);
const words = ({ action, amount }: PlainChoice): string => (amount === null ? action : `${action} ${amount}`);
const givenWords = (given: RethinkReport['differences'][number]['given']): string => {
  if (given === null) return 'no answer';
  if (given.length === 1) return words(given[0]!);
  return given.map((part) => `${words(part)} ${Math.round(100 * part.p)} %`).join(', ');
};

/** The tables of the report, and lines below. */
function tablesOf(report: RethinkReport) {
  const { by_street: streets, differences, left_out: out, decisions, otherwise } = report;
  const byStreet = streets.map(({ street, decisions: all, otherwise: others, kinds }) => {
    const often = Object.entries(kinds).sort(([, a], [, b]) => b - a);
    return [
      street,
      String(all),
      String(others),
      percent(others, all),
      often.map(([kind, n]) => `${n} ${kind}`).join('; '),
    ];
  });
  const listed = differences
    .slice(0, LISTED)
    .map((each) => [each.hand_id, each.street, words(each.recorded), givenWords(each.given)]);
  const left = Object.entries(out).map(([reason, count]) => `${count} ${reason}`);
  return {
    byStreet: [['street', 'decisions', 'otherwise', 'share', 'kinds'], ...byStreet],
    listed: [['hand', 'street', 'recorded', 'now'], ...listed],
    remarks: [
      `${decisions} decisions in ${report.hands} hands: it acts otherwise in ${otherwise} (${percent(otherwise, decisions)}).`,
      `${report.decisions_per_second.toFixed(0)} decisions a second; ${report.timeouts} timeouts and ${report.rejections} rejections were shown again.`,
      ...(report.late > 0 ? [`${report.late} answers did not come in time.`] : []),
      ...(report.illegal > 0 ? [`${report.illegal} answers are not allowed.`] : []),
      ...(left.length > 0 ? [`Hands left out: ${left.join(', ')}.`] : []),
      ...(differences.length > LISTED
        ? [`The first ${LISTED} of ${differences.length} differences; --json has all.`]
        : []),
    ],
  };
}

export function rethinkText(report: RethinkReport): string {
  const { byStreet, listed, remarks } = tablesOf(report);
  return [...columns(byStreet, 1), '', ...(listed.length > 1 ? [...columns(listed), ''] : []), ...remarks].join('\n');
}

export function rethinkPage(report: RethinkReport): string {
  const { byStreet, listed, remarks } = tablesOf(report);
  const table = (rows: readonly (readonly string[])[]) =>
    `<div class="box"><table>${rows
      .map(
        (row, i) =>
          `<tr>${row.map((cell) => `<${i ? 'td' : 'th'}>${escaped(cell)}</${i ? 'td' : 'th'}>`).join('')}</tr>`,
      )
      .join('')}</table></div>`;
  const title = `${report.bot}, asked again`;
  const lines = remarks.map((line) => `<p class="soft">${escaped(line)}</p>`).join('\n');
  return standalonePage(title, `<h1>${escaped(title)}</h1>\n${table(byStreet)}\n${table(listed)}\n${lines}`, STYLE);
}

const STYLE = `table { border-collapse: collapse; width: 100%; } th, td { padding: 6px 12px; text-align: left; }
th { font-weight: 500; color: var(--soft); } tr + tr > * { border-top: 1px solid var(--line); }`;
