import { useMemo } from 'preact/hooks';
import type { Answer } from '../lib/api.js';
import { counted } from '../lib/format.js';
import { pathTo } from '../lib/paths.js';
import { Chart, type Line } from '../ui/chart.js';
import { Section } from '../ui/page.js';

export type SeasonFigures = NonNullable<Answer<'GET /api/agents/{slug}'>['season']>;

/** Chips won, and what is left of them without the luck of all-ins and of all cards. Nothing before two points. */
export function ChipsChart({ of: { curve, luck_curve: luck, hands_played: hands } }: { of: SeasonFigures }) {
  const [xs, ys, more] = useMemo(() => linesOf(curve, luck), [curve, luck]);
  if (curve.length < 2) return null;
  return (
    <Section title="Chips won" aside={<a href={pathTo('doc', { page: 'measuring' })}>How we measure</a>}>
      <Chart
        label={`Chips won over ${counted(hands, 'hand')} of the season, beside the all-in-adjusted and luck-adjusted chips`}
        xs={xs}
        ys={ys}
        more={more}
        xName="After hand"
        yName="chips"
      />
      <ul class="line-names">
        <li style={{ '--line': 'var(--main)' }}>chips</li>
        {more.map(({ name, colour, band }) => (
          <li key={name} style={{ '--line': `var(${colour})` }}>
            {name}
            {band !== undefined && ', with its 95 % interval'}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function linesOf(
  curve: SeasonFigures['curve'],
  luck: SeasonFigures['luck_curve'],
): [xs: number[], ys: (number | null)[], more: Line[]] {
  const xs = [...new Set([...curve, ...luck].map((point) => point.hand_number))].sort((a, b) => a - b);
  const chips = new Map(curve.map((point) => [point.hand_number, point]));
  const less = new Map(luck.map((point) => [point.hand_number, point]));
  const lineOf = (value: (hand: number) => number | null | undefined) => xs.map((hand) => value(hand) ?? null);
  const allIns: Line = {
    name: 'all-in adjusted',
    ys: lineOf((hand) => chips.get(hand)?.all_in_adjusted),
    colour: '--accent',
  };
  const adjusted: Line = {
    name: 'luck-adjusted',
    ys: lineOf((hand) => less.get(hand)?.luck_adjusted),
    band: { low: lineOf((hand) => less.get(hand)?.low), high: lineOf((hand) => less.get(hand)?.high) },
    colour: '--diamond-line',
  };
  return [xs, lineOf((hand) => chips.get(hand)?.cumulative_profit), luck.length === 0 ? [allIns] : [allIns, adjusted]];
}
