import { count } from '../../lib/format.js';
import { pathTo } from '../../lib/paths.js';
import { Avatar } from '../../ui/avatar.js';
import { Amount } from '../../ui/values.js';
import { Rate } from '../rate.js';
import type { Line } from './standings.js';

/** The first three of a competition that is over: place, bot, score, and the estimate with its sample. */
export function Podium({ rows }: { rows: readonly Line[] }) {
  const places = rows.filter(({ rank }) => rank !== null && rank <= 3);
  if (places.length === 0) return null;
  return (
    <ol class="podium" aria-label="The first three">
      {places.map((row) => (
        <li key={row.rank} class={row.rank === 1 ? 'first' : undefined}>
          <Avatar name={row.name} size={row.rank === 1 ? 64 : 48} />
          <strong class="podium-name">
            <span class="soft">{count(row.rank!)}.</span>{' '}
            {row.public_profile_slug === null ? (
              row.name
            ) : (
              <a href={pathTo('agent', { slug: row.public_profile_slug })}>{row.name}</a>
            )}
          </strong>
          <span class="podium-score">
            <Amount value={row.score} />
          </span>
          <span class="soft">
            {row.all_in_adj_bb_per_100 !== null && (
              <>
                all-in adjusted <Rate of={row} />{' '}
              </>
            )}
            over {count(row.hands_played)} hands
          </span>
        </li>
      ))}
    </ol>
  );
}
