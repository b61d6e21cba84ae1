import { escaped, standalonePage } from '../command/report.js';
import { compareRemarks, compareRows, verdictText, type CompareReport } from './report.js';
import type { BandPoint } from './tally.js';

/** The report of a comparison as a page that needs nothing else. */

const [WIDTH, HEIGHT, LEFT, BOTTOM] = [900, 300, 60, 24];

const STYLE = `
table { border-collapse: collapse; width: 100%; } th, td { padding: 6px 12px; text-align: right; white-space: nowrap; }
th { font-weight: 500; color: var(--soft); } tr + tr > * { border-top: 1px solid var(--line); }
td:first-child, th:first-child { text-align: left; }
svg { display: block; width: 100%; height: auto; } svg text { fill: var(--soft); font-size: 13px; }
.band { fill: var(--accent); opacity: 0.3; } .mean { fill: none; stroke: var(--accent); stroke-width: 2; }
.zero { stroke: var(--ink); } .within { stroke: var(--soft); stroke-dasharray: 4 4; }
`;

export function comparePage(report: CompareReport, band: readonly BandPoint[]): string {
  const title = `${report.new} beside ${report.old}`;
  const rows = compareRows(report).map((row) => `<tr>${row.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`);
  return standalonePage(
    title,
    `<h1>${escaped(title)}</h1>
<p>${escaped(verdictText(report))}</p>
${bandDrawing(band, report.within_bb_per_100)}
<div class="box"><table><tr><th>difference</th><th>bb/100</th><th>interval</th></tr>
${rows.join('\n')}
</table></div>
${compareRemarks(report)
  .map((line) => `<p class="soft">${escaped(line)}</p>`)
  .join('\n')}`,
    STYLE,
  );
}

/** The interval over the deals, from left to right on a logarithmic scale. Empty below two points. */
function bandDrawing(band: readonly BandPoint[], within: number): string {
  const [first, last] = [band[0], band.at(-1)];
  if (first === undefined || last === undefined || band.length < 2) return '';
  // The first intervals are so wide that they would hide the others.
  const shown = Math.max(
    2 * within,
    ...band.slice(Math.floor(band.length / 3)).map(({ low, high }) => 100 * Math.max(-low, high)),
  );
  const across = (deals: number) =>
    LEFT + ((WIDTH - LEFT) * Math.log(deals / first.deals)) / Math.log(last.deals / first.deals);
  const down = (rate: number) => ((HEIGHT - BOTTOM) / 2) * (1 - Math.max(-1, Math.min(1, rate / shown)));
  const point = (deals: number, mean: number) => `${across(deals).toFixed(1)},${down(100 * mean).toFixed(1)}`;
  const edge = [...band.map(({ deals, high }) => point(deals, high)), ...[...band].reverse().map(({ deals, low }) => point(deals, low))]; // prettier-ignore
  const line = (rate: number, name: string) =>
    `<line class="${name}" x1="${LEFT}" x2="${WIDTH}" y1="${down(rate).toFixed(1)}" y2="${down(rate).toFixed(1)}"/>`;
  const label = (rate: number) => `<text x="0" y="${(down(rate) + 4).toFixed(1)}">${rate.toFixed(0)}</text>`;
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="The interval in bb/100 after each number of deals">
${line(0, 'zero')}${line(within, 'within')}${line(-within, 'within')}
<polygon class="band" points="${edge.join(' ')}"/>
<polyline class="mean" points="${band.map(({ deals, mean }) => point(deals, mean)).join(' ')}"/>
${label(0)}${label(Math.round(shown / 2))}${label(-Math.round(shown / 2))}
<text x="${LEFT}" y="${HEIGHT - 4}">${first.deals} deals</text><text x="${WIDTH}" y="${HEIGHT - 4}" text-anchor="end">${last.deals} deals</text>
</svg>`;
}
