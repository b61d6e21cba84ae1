import { fixed, signed } from '../lib/format.js';
import { rateTexts as texts } from '../texts/public.js';

/** Luck-adjusted bb/100 with half its interval. */
export function Rate({
  of: { all_in_adj_bb_per_100: rate, ci95 },
}: {
  of: { all_in_adj_bb_per_100: number | null; ci95: readonly number[] | null };
}) {
  if (rate === null) return <span class="soft">{texts.notCountedYet}</span>;
  return (
    <>
      <span class={rate > 0 ? 'gain' : rate < 0 ? 'loss' : ''}>{signed(rate, 1)}</span>
      {ci95 !== null && <span class="soft"> ± {fixed((ci95[1]! - ci95[0]!) / 2)}</span>}
    </>
  );
}
