import { escaped, standalonePage } from '../command/report.js';
import { Histogram } from './histogram.js';
import type { LoadReport, Moment } from './report.js';
import { number, rowsOf, sloText } from './text.js';

const STYLE = `
body { max-width: 900px; } p { color: var(--soft); }
table { border-collapse: collapse; width: 100%; } th, td { padding: 6px 12px; text-align: left; vertical-align: top; }
tr + tr > * { border-top: 1px solid var(--line); } th { font-weight: 500; color: var(--soft); white-space: nowrap; }
svg { display: block; width: 100%; height: auto; } svg text { fill: var(--soft); font-size: 12px; }
svg path { fill: none; stroke: var(--accent); stroke-width: 2; } svg line { stroke: var(--line); }
.met { color: var(--good); } .missed { color: var(--bad); }`;

/** The drawing area of a chart. */
const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [860, 220, 64, 28, 12];

interface Point {
  /** 0 to 1, from left to right. */
  x: number;
  y: number;
}

interface Chart {
  title: string;
  points: readonly Point[];
  /** Below, from left to right. */
  marks: readonly { x: number; text: string }[];
  unit: string;
}

/** A line over a grid that begins at zero. */
function chartOf({ title, points, marks, unit }: Chart): string {
  const most = Math.max(...points.map(({ y }) => y), 1e-9);
  const px = (x: number) => (LEFT + x * (WIDTH - LEFT - 16)).toFixed(1);
  const py = (y: number) => (HEIGHT - BOTTOM - (y / most) * (HEIGHT - BOTTOM - TOP)).toFixed(1);
  const line = points.map(({ x, y }, i) => `${i === 0 ? 'M' : 'L'}${px(x)} ${py(y)}`).join(' ');
  const grid = [0, 0.5, 1].map(
    (part) =>
      `<line x1="${LEFT}" x2="${WIDTH - 16}" y1="${py(part * most)}" y2="${py(part * most)}"/>` +
      `<text x="${LEFT - 6}" y="${py(part * most)}" dy="4" text-anchor="end">${escaped(number(part * most))}</text>`,
  );
  const below = marks.map(
    ({ x, text }) => `<text x="${px(x)}" y="${HEIGHT - 8}" text-anchor="middle">${escaped(text)}</text>`,
  );
  return `<h2>${escaped(title)}, ${escaped(unit)}</h2>
<div class="box"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(title)}">${grid.join('')}${below.join('')}<path d="${line}"/></svg></div>`;
}

/** Each mark stands for ten times fewer actions than the one before. */
const NINES = [0, 0.9, 0.99, 0.999, 0.9999];
const STEPS_A_NINE = 12;

function latencyChart(latencies: Histogram, corrected: boolean): string {
  const nines = NINES.filter((q) => latencies.count * (1 - q) >= 1);
  const steps = Math.max(1, (nines.length - 1) * STEPS_A_NINE);
  const points = Array.from({ length: steps + 1 }, (_, i) => ({
    x: i / steps,
    y: latencies.quantile(1 - 10 ** (-i / STEPS_A_NINE)),
  }));
  return chartOf({
    title: `Action to ack by percentile${corrected ? ', from when the action was due' : ''}`,
    unit: 'ms',
    points,
    marks: nines.map((q, i) => ({ x: nines.length === 1 ? 0 : i / (nines.length - 1), text: `${100 * q} %` })),
  });
}

function momentsChart(title: string, unit: string, moments: readonly Moment[], of: (moment: Moment) => number): string {
  const end = moments.at(-1)!.at;
  return chartOf({
    title,
    unit,
    points: moments.map((moment) => ({ x: moment.at / end, y: of(moment) })),
    marks: [0, 0.5, 1].map((x) => ({ x, text: `${number(x * end)} s` })),
  });
}

/** The report as a page of its own: nothing is loaded from anywhere. */
export function reportPage(report: LoadReport): string {
  const { url, startedAt, parts, interrupted, slo, moments, latencies, acksUncorrected } = report;
  const rows = rowsOf(report).map(
    ([name, value]) => `<tr><th scope="row">${escaped(name)}</th><td>${escaped(value)}</td></tr>`,
  );
  const goals = slo.map((each) => `<tr><td class="${each.met ? 'met' : 'missed'}">${escaped(sloText(each))}</td></tr>`);
  const histogram = new Histogram(latencies);
  const charts = [
    ...(histogram.count > 0 ? [latencyChart(histogram, acksUncorrected !== null)] : []),
    ...(moments.length > 1
      ? [
          momentsChart('Hands over the run', 'a second', moments, ({ handsPerSecond }) => handsPerSecond),
          momentsChart('p99 of action to ack over the run', 'ms', moments, ({ p99 }) => p99 ?? 0),
        ]
      : []),
  ];
  const part = parts.of === 1 ? '' : ` · part ${parts.numbers.join(', ')} of ${parts.of}`;
  return standalonePage(
    `Load on ${url}`,
    `<h1>Load on ${escaped(url)}</h1>
<p>${escaped(startedAt)}${part}${interrupted ? ' · interrupted: with the figures until then' : ''}</p>
${goals.length === 0 ? '' : `<h2>Goals</h2><div class="box"><table>${goals.join('')}</table></div>`}
<h2>Figures</h2><div class="box"><table>${rows.join('\n')}</table></div>
${charts.join('\n')}`,
    STYLE,
  );
}
