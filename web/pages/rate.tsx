import { counted, limits, signed } from '../lib/format.js';

/** All-in-adjusted bb/100 with its interval; its title tells the sample. */
export function Rate({
  of: { all_in_adj_bb_per_100: rate, ci95, hands_played: hands },
}: {
  of: { all_in_adj_bb_per_100: number | null; ci95: readonly number[] | null; hands_played: number };
}) {
  if (rate === null) return <span class="soft rate-none">not counted yet</span>;
  return (
    <span class="rate-figure" title={`over ${counted(hands, 'hand')}`}>
      <span class={rate > 0 ? 'gain' : rate < 0 ? 'loss' : ''}>{signed(rate, 1)}</span>
      {ci95 !== null && <span class="soft">{limits(ci95)}</span>}
    </span>
  );
}

/** bb/100 among other figures: its interval and its sample stand below it. */
export const Estimate = (of: { value: number; interval: readonly number[] | null; hands?: number }) => (
  <span class="estimate-figure">
    {signed(of.value, 1)}
    {of.interval !== null && <span class="soft">{limits(of.interval)}</span>}
    {of.hands !== undefined && <span class="soft"> over {counted(of.hands, 'hand')}</span>}
  </span>
);

/** A rating with its interval; a soft one while its sample is small. */
export function Rating({
  of,
}: {
  of: {
    rating: number | null;
    rating_interval: readonly number[] | null;
    provisional: boolean;
    hands_played: number;
  };
}) {
  if (of.rating === null) return <span class="soft rate-none">not rated yet</span>;
  return (
    <span
      class={of.provisional ? 'rate-figure soft' : 'rate-figure'}
      title={`${of.provisional ? 'Few hands so far: ' : ''}over ${counted(of.hands_played, 'hand')}`}
    >
      {signed(of.rating, 1)}
      {of.rating_interval !== null && <span class="soft">{limits(of.rating_interval)}</span>}
    </span>
  );
}
