import { margin, signed } from '../lib/format.js';

/** Luck-adjusted bb/100 with half its interval. */
export function Rate({
  of: { all_in_adj_bb_per_100: rate, ci95 },
}: {
  of: { all_in_adj_bb_per_100: number | null; ci95: readonly number[] | null };
}) {
  if (rate === null) return <span class="soft rate-none">not counted yet</span>;
  return (
    <span class="rate-figure">
      <span class={rate > 0 ? 'gain' : rate < 0 ? 'loss' : ''}>{signed(rate, 1)}</span>
      {ci95 !== null && <span class="soft">{margin(ci95)}</span>}
    </span>
  );
}

/** bb/100 among other figures: its interval stands below it. */
export const Estimate = ({ value, interval }: { value: number; interval: readonly number[] | null }) => (
  <span class="estimate-figure">
    {signed(value, 1)}
    {interval !== null && <span class="soft">{margin(interval)}</span>}
  </span>
);
