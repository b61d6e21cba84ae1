import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { count, exact, fixed } from '../lib/format.js';
import { theme } from '../lib/settings.js';

/** A further line of a chart. Its values stand over the same `xs`. */
export interface Line {
  name: string;
  ys: readonly (number | null)[];
  /** Fill between two limits, by place. */
  band?: { low: readonly (number | null)[]; high: readonly (number | null)[] };
  /** A colour of tokens.css. */
  colour: string;
}

/**
 * A line over figures, with others beside it: zero is seen, the crosshair tells the values, each line has its name at
 * its end. `label` says the same in words.
 */
export function Chart({
  label,
  xs,
  ys,
  more = [],
  xName,
  yName,
  height = 240,
  digits = 0,
  overTime = false,
}: {
  label: string;
  xs: readonly number[];
  /** Null where there is nothing: the line has a gap. */
  ys: readonly (number | null)[];
  more?: readonly Line[];
  xName: string;
  yName: string;
  height?: number;
  digits?: number;
  /** `xs` are epoch seconds, and nothing is below zero. */
  overTime?: boolean;
}) {
  const box = useRef<HTMLDivElement>(null);
  const said = useRef<HTMLParagraphElement>(null);
  const look = theme.value;
  useEffect(() => {
    const element = box.current!;
    // A variable holds both colours, by day and by night: a property that uses it holds the one of now.
    const colour = (name: string) => {
      element.style.color = `var(${name})`;
      const { color } = getComputedStyle(element);
      element.style.color = '';
      return color;
    };
    const axis = { stroke: colour('--soft'), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false } };
    const font = '12px system-ui, sans-serif';
    const values = (_: uPlot, splits: number[]) =>
      splits.map((value) => (overTime ? clock(value, splits) : count(value)));
    const amounts = (_: uPlot, splits: number[]) => splits.map((value) => amount(value, splits));
    const plot = new uPlot(
      {
        width: element.clientWidth,
        height,
        legend: { show: false },
        scales: { x: { time: overTime }, y: { range: overTime ? fromZero : aroundZero } },
        cursor: { drag: { x: true, y: false }, points: { size: 7 } },
        axes: [
          { ...axis, font, grid: { show: false }, values, ...(overTime ? { space: 64 } : {}) },
          { ...axis, font, size: roomFor, values: amounts },
        ],
        series: [
          {},
          { stroke: colour('--main'), width: 2, points: { show: false }, spanGaps: more.length > 0 },
          ...more.flatMap((line) => [
            { stroke: colour(line.colour), width: 2, points: { show: false }, spanGaps: true },
            ...(line.band === undefined ? [] : [EDGE, EDGE]),
          ]),
        ],
        bands: bandsOf(more, (name) => faint(colour(name))),
        hooks: {
          setCursor: [({ cursor: { idx } }) => tell(idx ?? null)],
          draw: [(self) => drawZero(self, colour('--strong-line'))],
        },
      },
      [
        [...xs],
        [...ys],
        ...more.flatMap(({ ys: values, band }) =>
          band === undefined ? [[...values]] : [[...values], [...band.high], [...band.low]],
        ),
      ],
      element,
    );
    const tell = (index: number | null) => {
      const at = index ?? xs.length - 1;
      if (said.current === null || xs[at] === undefined) return;
      const [x, y] = [xs[at], ys[at] ?? null];
      const value = y === null ? 'none' : fixed(y, digits);
      const others = more.flatMap(({ name, ys: values }) => {
        const other = values[at] ?? null;
        return other === null ? [] : [`, ${name} ${fixed(other, digits)}`];
      });
      said.current.textContent = overTime
        ? `${exact(x * 1000)}: ${value} ${yName}`
        : `${xName} ${count(x)}: ${yName} ${value}${others.join('')}`;
    };
    tell(null);
    const sizes = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    sizes.observe(element);
    return () => {
      sizes.disconnect();
      plot.destroy();
    };
  }, [xs, ys, more, height, look, label, digits, overTime]);
  return (
    <figure class="chart">
      {/* As high as the picture that comes. */}
      <div ref={box} role="img" aria-label={label} style={{ minHeight: `${height}px` }} />
      <p ref={said} class="soft figure" />
    </figure>
  );
}

/** The limits of a band have no line of their own. */
const EDGE = { stroke: 'transparent', width: 0, points: { show: false }, spanGaps: true };

/** The places of each band's limits among the series: 0 is x, 1 the first line. */
function bandsOf(more: readonly Line[], fill: (name: string) => string): uPlot.Band[] {
  const bands: uPlot.Band[] = [];
  let at = 2;
  for (const { band, colour } of more) {
    if (band !== undefined) bands.push({ series: [at + 1, at + 2], fill: fill(colour) });
    at += band === undefined ? 1 : 3;
  }
  return bands;
}

/** The same colour, through which the ground is seen. */
const faint = (colour: string): string =>
  colour.replace(/^rgba?\(([^)]+)\)$/, (_, parts: string) => {
    const [red, green, blue] = parts.split(/[ ,/]+/);
    return `rgba(${red}, ${green}, ${blue}, 0.15)`;
  });

/** Pixels beside the axis: figures of 12 px are about 7 px wide. */
const roomFor = (_: uPlot, marks: readonly string[] | null) =>
  Math.max(60, 16 + 7 * Math.max(0, ...(marks ?? []).map(({ length }) => length)));

/** Where all are zero there is room above it. */
const fromZero = (_: uPlot, _low: number | null, high: number | null): [number, number] => [0, (high || 1) * 1.1];

/** Zero is among them, and some room behind the last. */
function aroundZero(_: uPlot, least: number | null, most: number | null): [number, number] {
  const [low, high] = [Math.min(0, least ?? 0), Math.max(0, most ?? 0)];
  const room = (high - low || 1) * 0.08;
  return [low - (low < 0 ? room : 0), high + (high > 0 || low === 0 ? room : 0)];
}

/** As many decimals as tell the marks of the axis apart. */
function amount(value: number, marks: readonly number[]): string {
  const step = marks.length < 2 ? 1 : Math.abs(marks[1]! - marks[0]!);
  return fixed(value, step >= 1 ? 0 : step >= 0.1 ? 1 : 2);
}

/** In the reader's zone; with seconds where the marks of the axis are nearer than minutes. */
function clock(seconds: number, marks: readonly number[]): string {
  const fine = marks.length > 1 && marks[1]! - marks[0]! < 60;
  return new Date(seconds * 1000).toLocaleTimeString('en-GB', { timeStyle: fine ? 'medium' : 'short' });
}

function drawZero(plot: uPlot, stroke: string): void {
  const { ctx, bbox } = plot;
  const y = plot.valToPos(0, 'y', true);
  if (y < bbox.top || y > bbox.top + bbox.height) return;
  ctx.save();
  ctx.strokeStyle = stroke;
  ctx.lineWidth = devicePixelRatio;
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.restore();
}
