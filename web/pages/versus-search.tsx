import { useState } from 'preact/hooks';
import { pathTo } from '../lib/paths.js';
import { useApi } from '../lib/use-api.js';
import { Search } from '../ui/search.js';
import { Section } from '../ui/page.js';

const SHORTEST = 3;
const MOST = 8;

/** Finds a bot of the season to hold another one against. */
export function CompareWith({ slug }: { slug: string }) {
  const [text, setText] = useState('');
  const found = useApi(
    'GET /api/season/leaderboard',
    text.length < SHORTEST ? null : { query: { search: text, limit: MOST } },
  );
  const others = (found.data ?? []).filter(
    (row) => row.public_profile_slug !== null && row.public_profile_slug !== slug,
  );
  return (
    <Section title="Compare with…" id="compare">
      <div class="row">
        <Search value={text} onValue={setText} label="Compare with a bot: a part of its name, three letters or more" />
        {others.map(({ public_profile_slug: other, bot_name: name }) => (
          <a key={name} href={pathTo('headToHead', { slug, other: other! })}>
            {name}
          </a>
        ))}
        {found.data !== null && others.length === 0 && (
          <span class="soft">No other bot with a page has this name.</span>
        )}
      </div>
    </Section>
  );
}
