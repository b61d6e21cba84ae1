import { writeFileSync } from 'node:fs';
import { columns, signed } from './columns.js';
import { givenPath } from './folders.js';
import { interval95, type Sample } from '../statistics/confidence-sequence.js';

/** The common parts of all tools' reports: their places, pages that need nothing else, and the table of a match. */

/** A report in its three forms. Each is made where it is asked for. */
export interface ReportForms {
  /** For people, in a terminal. */
  text: () => string;
  /** For programs, as JSON. */
  data: () => unknown;
  /** For people, as a page. */
  page: () => string;
}

/** Where forms go: `json: true` prints the data in the place of the text, a path names a file. */
export interface ReportPlaces {
  json?: string | boolean | null | undefined;
  html?: string | null | undefined;
}

export function giveReport({ text, data, page }: ReportForms, { json, html }: ReportPlaces): void {
  const asJson = () => `${JSON.stringify(data(), null, 2)}\n`;
  if (typeof html === 'string') writeFileSync(givenPath(html), page());
  if (typeof json === 'string') writeFileSync(givenPath(json), asJson());
  process.stdout.write(json === true ? asJson() : `${text()}\n`);
}

/** Colours, type and boxes of every page of a tool. */
const STYLE = `
:root { color-scheme: light dark; --ground: #f6f5f1; --raised: #fff; --line: #dcd9d0; --ink: #1d2126; --soft: #56606a;
  --accent: #a86f00; --good: #1b7346; --bad: #a82f27; --hint: #7d5300; }
@media (prefers-color-scheme: dark) { :root { --ground: #14171c; --raised: #1c2127; --line: #2b323b; --ink: #e6e9ec;
  --soft: #9aa5b1; --accent: #e8b04a; --good: #58c08a; --bad: #ef7d75; --hint: #e8b04a; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 16px; max-width: 1100px; background: var(--ground); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; font-variant-numeric: tabular-nums; }
h1 { font-size: 24px; margin: 8px 0; overflow-wrap: anywhere; } h2 { font-size: 18px; margin: 24px 0 8px; }
.soft { color: var(--soft); }
.box { overflow-x: auto; background: var(--raised); border: 1px solid var(--line); border-radius: 6px; }
:focus-visible { outline: 2px solid var(--hint); outline-offset: 2px; }
@media (max-width: 600px) { body { padding: 12px; } }
`;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it may stand between tags and in attributes. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign]!);

/** One file, to be opened or sent: nothing is loaded from anywhere. `body` and `style` are markup, `title` is text. */
export const standalonePage = (title: string, body: string, style = ''): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)}</title><style>${STYLE}${style}</style></head>
<body>
${body}
</body>
</html>
`;

/** A win rate in big blinds per 100 hands, as a report has it; null without a hand. */
export interface Rated {
  bb_per_100: number | null;
  /** The 95 % interval; it holds however often it is looked at (src/statistics/confidence-sequence.ts). */
  bb_per_100_ci95: readonly [low: number, high: number] | null;
}

/** The rate and its interval, as cells. */
export const ratedCells = ({ bb_per_100: rate, bb_per_100_ci95: ci }: Rated): [rate: string, interval: string] => [
  rate === null ? '-' : signed(rate, 1),
  ci === null ? '-' : ci.map((end) => signed(end, 1)).join(' to '),
];

/** The bots of a match below each other. */
export interface MatchTable {
  headings: readonly string[];
  /** So many columns are words; the others are numbers, and stand to the right. */
  words: number;
  rows: readonly (readonly string[])[];
  /** By row. */
  rates: readonly Rated[];
  /** Lines below. */
  remarks: readonly string[];
}

/** For people, in a terminal. */
export const matchText = ({ headings, words, rows, remarks }: MatchTable): string =>
  [...columns([headings, ...rows], words), '', ...remarks].join('\n');

const MATCH_STYLE = `
table { border-collapse: collapse; width: 100%; } th, td { padding: 6px 12px; text-align: right; white-space: nowrap; }
th { font-weight: 500; color: var(--soft); } tr + tr > * { border-top: 1px solid var(--line); }
td.word, th.word { text-align: left; max-width: 320px; overflow: hidden; text-overflow: ellipsis; }
svg { display: block; width: 200px; height: 20px; } svg .band { fill: var(--accent); opacity: 0.35; }
svg .rate { fill: var(--accent); } svg line { stroke: var(--soft); }
`;

/** The drawing of an interval. */
const [WIDTH, HEIGHT] = [200, 20];

/** The same as a page, with each interval drawn on one scale. */
export function matchPage(title: string, table: MatchTable): string {
  const { headings, words, rows, rates, remarks } = table;
  const ends = rates.flatMap(({ bb_per_100: rate, bb_per_100_ci95: ci }) => [rate ?? 0, ...(ci ?? [])]);
  const most = Math.max(1, ...ends.map(Math.abs));
  const x = (value: number) => ((WIDTH / 2) * (1 + value / most)).toFixed(1);
  const interval = ({ bb_per_100: rate, bb_per_100_ci95: ci }: Rated): string => {
    if (rate === null || ci === null) return '';
    const width = (Number(x(ci[1])) - Number(x(ci[0]))).toFixed(1);
    const label = escaped(`${signed(rate, 1)}, from ${signed(ci[0], 1)} to ${signed(ci[1], 1)}`);
    return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}"><line x1="${WIDTH / 2}" x2="${WIDTH / 2}" y1="0" y2="${HEIGHT}"/><rect class="band" x="${x(ci[0])}" y="6" width="${width}" height="8"/><rect class="rate" x="${x(rate)}" y="3" width="2" height="14"/></svg>`;
  };
  const cell = (tag: 'td' | 'th', text: string, column: number) =>
    `<${tag}${column < words ? ' class="word"' : ''}>${escaped(text)}</${tag}>`;
  const lines = rows.map(
    (row, i) =>
      `<tr>${row.map((text, column) => cell('td', text, column)).join('')}<td>${interval(rates[i]!)}</td></tr>`,
  );
  return standalonePage(
    title,
    `<h1>${escaped(title)}</h1>
<div class="box"><table><tr>${headings.map((text, column) => cell('th', text, column)).join('')}<th>interval</th></tr>
${lines.join('\n')}
</table></div>
${remarks.map((line) => `<p class="soft">${escaped(line)}</p>`).join('\n')}`,
    MATCH_STYLE,
  );
}

/** Null without a result. */
export const ratedOf = (sample: Sample): Rated => ({
  bb_per_100: sample.count === 0 ? null : (100 * sample.sum) / sample.count,
  bb_per_100_ci95: interval95(sample),
});
