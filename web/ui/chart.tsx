import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { count } from '../lib/format.js';
import { theme } from '../lib/settings.js';

/**
 * One line over figures: zero is seen, the crosshair tells the values, no legend. The same figures stand beside it in
 * words for who does not see it (`label`).
 */
export function Chart({
  label,
  xs,
  ys,
  xName,
  yName,
  height = 240,
}: {
  label: string;
  xs: readonly number[];
  ys: readonly number[];
  xName: string;
  yName: string;
  height?: number;
}) {
  const box = useRef<HTMLDivElement>(null);
  const said = useRef<HTMLParagraphElement>(null);
  const look = theme.value;
  useEffect(() => {
    const element = box.current!;
    const colour = (name: string) => getComputedStyle(element).getPropertyValue(name).trim();
    const axis = { stroke: colour('--soft'), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false } };
    const font = '12px system-ui, sans-serif';
    const values = (_: uPlot, splits: number[]) => splits.map((value) => count(value));
    const plot = new uPlot(
      {
        ...{ width: element.clientWidth, height },
        ...{ legend: { show: false }, scales: { x: { time: false } } },
        cursor: { drag: { x: true, y: false }, points: { size: 7 } },
        axes: [
          { ...axis, font, grid: { show: false }, values },
          { ...axis, font, size: 60, values },
        ],
        series: [{}, { stroke: colour('--accent'), width: 2, points: { show: false } }],
        hooks: {
          setCursor: [({ cursor: { idx } }) => tell(idx ?? null)],
          draw: [(self) => drawZero(self, colour('--strong-line'))],
        },
      },
      [[...xs], [...ys]],
      element,
    );
    const tell = (index: number | null) => {
      const at = index ?? xs.length - 1;
      if (said.current === null || xs[at] === undefined) return;
      said.current.textContent = `${xName} ${count(xs[at])}: ${yName} ${count(ys[at]!)}`;
    };
    tell(null);
    const sizes = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    sizes.observe(element);
    return () => {
      sizes.disconnect();
      plot.destroy();
    };
  }, [xs, ys, height, look, label]);
  return (
    <figure class="chart">
      <div ref={box} role="img" aria-label={label} />
      <p ref={said} class="soft figure" />
    </figure>
  );
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
