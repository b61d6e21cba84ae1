import { count } from '../lib/format.js';

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
    <nav class="row pager" aria-label="Pages of the list">
      <button type="button" class="quiet" disabled={from === 0} onClick={() => onFrom(Math.max(0, from - size))}>
        Earlier rows
      </button>
      <span class="soft figure">
        {shown === 0 ? 'none' : `${count(from + 1)} to ${count(from + shown)}`}
        {total !== undefined && ` of ${count(total)}`}
      </span>
      <button type="button" class="quiet" disabled={!more} onClick={() => onFrom(from + size)}>
        Later rows
      </button>
    </nav>
  );
}
