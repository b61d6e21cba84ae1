import { count } from '../lib/format.js';
import { useApi } from '../lib/use-api.js';
import { Amount } from '../ui/values.js';

const EVERY_MS = 30_000;

/** Where the reader's bot stands by score, and how far it is to the next one and to the first. */
export function OwnPlace({ name }: { name: string }) {
  const found = useApi('GET /api/season/leaderboard', { query: { search: name, limit: 200 } }, { every: EVERY_MS });
  const own = found.data?.find((row) => row.bot_name === name);
  const above = own === undefined || own.rank === 1 ? null : own.rank - 2;
  const first = useApi('GET /api/season/leaderboard', { query: { limit: 1 } }, { every: EVERY_MS });
  const next = useApi('GET /api/season/leaderboard', above === null ? null : { query: { limit: 1, offset: above } }, {
    every: EVERY_MS,
  });
  if ([found, first, ...(above === null ? [] : [next])].some(({ data }) => data === null))
    return <p class="notice own-place" />;
  if (own === undefined) return null;
  const [best, better] = [first.data?.[0], next.data?.[0]];
  return (
    <p class="notice own-place">
      <strong>{name}</strong> is number {count(own.rank)} with <Amount value={own.score} />
      {own.rank > 1 && better !== undefined && (
        <>
          , <Amount value={Math.max(0, better.score - own.score)} /> behind {better.bot_name}
        </>
      )}
      {own.rank > 2 && best !== undefined && (
        <>
          {' '}
          and <Amount value={Math.max(0, best.score - own.score)} /> behind the first
        </>
      )}
      .
    </p>
  );
}
