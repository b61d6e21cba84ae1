import { count } from '../lib/format.js';
import { pagerTexts as texts } from '../texts/frame.js';

/** Where in a long list one is, and the way on. Nothing where all of it is shown. */
export function Pager({
  from,
  size,
  shown,
  total,
  onFrom,
}: {
  from: number;
  size: number;
  shown: number;
  total?: number;
  onFrom: (from: number) => void;
}) {
  const more = total === undefined ? shown === size : from + shown < total;
  if (from === 0 && !more) return null;
  return (
    <nav class="row pager" aria-label={texts.pagesOfTheList}>
      <button type="button" class="quiet" disabled={from === 0} onClick={() => onFrom(Math.max(0, from - size))}>
        {texts.earlierRows}
      </button>
      <span class="soft figure">
        {shown === 0 ? texts.none : texts.to(count(from + 1), count(from + shown))}
        {total !== undefined && texts.ofWord(count(total))}
      </span>
      <button type="button" class="quiet" disabled={!more} onClick={() => onFrom(from + size)}>
        {texts.laterRows}
      </button>
    </nav>
  );
}
