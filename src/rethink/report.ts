import { columns, signed } from '../command/columns.js';
import { escaped, standalonePage } from '../command/report.js';
import { kindOf, type PlainChoice, type Rethought } from './compare.js';
import type { StreetName } from '../formats/hand.js';
import type { RethinkResult } from './run.js';
import { actionWorth } from './worth.js';

const STREETS: readonly StreetName[] = ['preflop', 'flop', 'turn', 'river'];
/** Differences that the text lists; the data has all. */
const LISTED = 20;
/** Gains and losses that are listed, each. */
const LARGEST = 10;
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
  /**
   * Big blinds by the value function: the actions now, less the recorded ones (see actionWorth). The number of
   * decisions with unequal values.
   */
  gain_bb: number;
  unequal: number;
  by_street: {
    street: StreetName;
    decisions: number;
    otherwise: number;
    gain_bb: number;
    kinds: Record<string, { decisions: number; gain_bb: number }>;
  }[];
  /** The largest ones, the largest first. */
  gains: RethinkDifference[];
  losses: RethinkDifference[];
  differences: RethinkDifference[];
}

interface RethinkDifference {
  hand_id: string;
  number: number;
  street: StreetName;
  kind: string;
  recorded: PlainChoice;
  given: (PlainChoice & { p: number })[] | null;
  /** Values in big blinds; null without an answer that the rules allow. */
  recorded_bb: number | null;
  given_bb: number | null;
  gain_bb: number | null;
}

const gainOf = ({ gain_bb: gain }: RethinkDifference): number => gain ?? 0;
const gainsOf = (differences: readonly RethinkDifference[]): number =>
  differences.reduce((sum, each) => sum + gainOf(each), 0);

const differs = ({ agrees }: Rethought): boolean => agrees < SURE;

export function rethinkReportOf(bot: string, result: RethinkResult): RethinkReport {
  const { decisions, seconds, rejections, hands, leftOut } = result;
  const differences = decisions.filter(differs).map(differenceOf);
  const largest = differences.toSorted((a, b) => gainOf(b) - gainOf(a));
  const sum = decisions.reduce((total, { agrees }) => total + agrees, 0);
  return {
    bot,
    hands,
    left_out: leftOut,
    decisions: decisions.length,
    otherwise: differences.length,
    agreement: decisions.length === 0 ? 0 : sum / decisions.length,
    late: decisions.filter(({ given }) => given === null).length,
    illegal: decisions.filter(({ given }) => given?.some(({ isLegal }) => !isLegal) ?? false).length,
    timeouts: decisions.filter(({ timedOut }) => timedOut).length,
    rejections,
    seconds,
    decisions_per_second: seconds > 0 ? decisions.length / seconds : 0,
    gain_bb: gainsOf(differences),
    unequal: differences.filter((each) => gainOf(each) !== 0).length,
    by_street: STREETS.map((street) => {
      const here = differences.filter((each) => each.street === street);
      return {
        street,
        decisions: decisions.filter((each) => each.street === street).length,
        otherwise: here.length,
        gain_bb: gainsOf(here),
        kinds: kindsOf(here),
      };
    }),
    gains: largest.filter((each) => gainOf(each) > 0).slice(0, LARGEST),
    losses: largest
      .filter((each) => gainOf(each) < 0)
      .toReversed()
      .slice(0, LARGEST),
    differences,
  };
}

function kindsOf(differences: readonly RethinkDifference[]): RethinkReport['by_street'][number]['kinds'] {
  const kinds: RethinkReport['by_street'][number]['kinds'] = {};
  for (const each of differences) {
    const sums = (kinds[each.kind] ??= { decisions: 0, gain_bb: 0 });
    sums.decisions++;
    sums.gain_bb += gainOf(each);
  }
  return kinds;
}

function differenceOf(each: Rethought): RethinkDifference {
  const worth = actionWorth(each);
  return {
    hand_id: each.handId,
    number: each.number,
    street: each.street,
    kind: kindOf(each),
    recorded: each.recorded,
    given: each.given?.map(({ action, amount, p }) => ({ action, amount, p })) ?? null,
    recorded_bb: worth?.recorded ?? null,
    given_bb: worth?.given ?? null,
    gain_bb: worth === null ? null : worth.given - worth.recorded,
  };
}

const percent = (part: number, whole: number): string => (whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`);
const words = ({ action, amount }: PlainChoice): string => (amount === null ? action : `${action} ${amount}`);
const givenWords = (given: RethinkReport['differences'][number]['given']): string => {
  if (given === null) return 'no answer';
  if (given.length === 1) return words(given[0]!);
  return given.map((part) => `${words(part)} ${Math.round(100 * part.p)} %`).join(', ');
};

const rowOf = (each: RethinkDifference): string[] => [
  each.hand_id,
  each.street,
  words(each.recorded),
  givenWords(each.given),
  each.gain_bb === null ? '-' : signed(each.gain_bb, 2),
];

/** The meaning of the sum of the values. */
const VALUE_NOTE =
  'The value function knows the own cards only: it leaves out what the bets of others tell, and a raise counts as a call.';

/** Tables with their titles, and lines below. */
function partsOfReport(report: RethinkReport) {
  const { by_street: streets, differences, gains, losses, left_out: out, decisions, otherwise } = report;
  const byStreet = streets.map(({ street, decisions: all, otherwise: others, gain_bb: gain, kinds }) => {
    const often = Object.entries(kinds).sort(([, a], [, b]) => b.decisions - a.decisions);
    return [
      street,
      String(all),
      String(others),
      percent(others, all),
      signed(gain, 1),
      often.map(([kind, { decisions: n, gain_bb: sum }]) => `${n} ${kind} (${signed(sum, 1)})`).join('; '),
    ];
  });
  const listed: [title: string, rows: readonly RethinkDifference[]][] = [
    ['Largest gains', gains],
    ['Largest losses', losses],
    ['Differences', differences.slice(0, LISTED)],
  ];
  const left = Object.entries(out).map(([reason, count]) => `${count} ${reason}`);
  return {
    tables: [
      { title: null, rows: [['street', 'decisions', 'otherwise', 'share', 'gain bb', 'kinds'], ...byStreet] },
      ...listed
        .filter(([, rows]) => rows.length > 0)
        .map(([title, rows]) => ({
          title,
          rows: [['hand', 'street', 'recorded', 'now', 'gain bb'], ...rows.map(rowOf)],
        })),
    ],
    remarks: [
      `${decisions} decisions in ${report.hands} hands: it acts otherwise in ${otherwise} (${percent(otherwise, decisions)}).`,
      `Gain: ${signed(report.gain_bb, 1)} big blinds, from ${report.unequal} decisions. ${VALUE_NOTE}`,
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
  const { tables, remarks } = partsOfReport(report);
  const shown = tables.flatMap(({ title, rows }) => [
    ...(title === null ? [] : [title]),
    ...columns(rows, title === null ? 1 : Infinity),
    '',
  ]);
  return [...shown, ...remarks].join('\n');
}

export function rethinkPage(report: RethinkReport): string {
  const { tables, remarks } = partsOfReport(report);
  const table = (rows: readonly (readonly string[])[]) =>
    `<div class="box"><table>${rows
      .map(
        (row, i) =>
          `<tr>${row.map((cell) => `<${i ? 'td' : 'th'}>${escaped(cell)}</${i ? 'td' : 'th'}>`).join('')}</tr>`,
      )
      .join('')}</table></div>`;
  const title = `${report.bot}, asked again`;
  const boxes = tables.map((each) => (each.title === null ? '' : `<h2>${each.title}</h2>\n`) + table(each.rows));
  const lines = remarks.map((line) => `<p class="soft">${escaped(line)}</p>`);
  return standalonePage(title, [`<h1>${escaped(title)}</h1>`, ...boxes, ...lines].join('\n'), STYLE);
}

const STYLE = `table { border-collapse: collapse; width: 100%; } th, td { padding: 6px 12px; text-align: left; }
th { font-weight: 500; color: var(--soft); } tr + tr > * { border-top: 1px solid var(--line); }`;
