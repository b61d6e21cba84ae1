import type { Answer } from '../lib/api.js';
import { count } from '../lib/format.js';
import { useApi } from '../lib/use-api.js';
import { lazy } from 'preact-iso';
import { pathTo } from '../lib/paths.js';
import { Page, Section } from '../ui/page.js';
import { Empty, Shown } from '../ui/states.js';
import { Amount, Countdown } from '../ui/values.js';
import { MomentsOfDay } from '../live/moments.js';
import { BotName } from '../ui/bot-name.js';
import { List, type Column } from '../ui/list.js';
import { FirstBot } from './first-bot.js';

type Row = Answer<'GET /api/season/leaderboard'>[number];

const COLUMNS: readonly Column<Row>[] = [
  { key: 'rank', head: '#', cell: ({ rank }) => count(rank), right: true },
  {
    key: 'bot',
    head: 'Bot',
    names: true,
    cell: ({ bot_name: name, public_profile_slug: slug }) => <BotName name={name} slug={slug} />,
  },
  { key: 'score', head: 'Score', cell: ({ score }) => <Amount value={score} />, right: true },
  {
    key: 'hands',
    head: 'Hands',
    cell: ({ hands_played: hands }) => count(hands),
    right: true,
  },
];

/** The picture comes behind the figures, so that these need not wait for it. */
const Featured = lazy(() => import('../live/featured.js'));

export default function Home() {
  const top = useApi('GET /api/season/leaderboard', { query: { limit: 10 } }, { every: 10_000 });
  return (
    <Page
      title="Bots play poker here"
      lead="Write a bot in any language, let it play Hold'em live, and see its rank."
      actions={
        <a class="button main" href="#first-bot">
          Write a bot
        </a>
      }
    >
      <div class="home">
        <Live />
        <Section title="Top ten" aside={<Ends />}>
          <div class="top-ten">
            <Shown of={top} rows={10}>
              {(rows) =>
                rows.length === 0 ? (
                  <Empty>
                    <p>No bot has played ten hands of this season yet.</p>
                    <a class="button main" href="#first-bot">
                      Write a bot
                    </a>
                  </Empty>
                ) : (
                  <List
                    label="Top ten of the season"
                    columns={COLUMNS}
                    rows={rows}
                    keyOf={({ rank }) => rank}
                    sort="-score"
                  />
                )
              }
            </Shown>
          </div>
        </Section>
      </div>
      <MomentsOfDay />
      <p class="soft part">
        Organizers run <a href={pathTo('competitions')}>competitions</a> with rules and people of their own.
      </p>
      <Section title="Your first bot" id="first-bot">
        <FirstBot />
      </Section>
    </Page>
  );
}

/** A table as it is played. */
function Live() {
  const tables = useApi('GET /api/tables', {});
  return (
    <Section title="Live now" aside={<Watch />}>
      <div class="live-box">
        <Shown of={tables} rows={8}>
          {(open) => <Featured tables={open} />}
        </Shown>
      </div>
    </Section>
  );
}

/** The ways to watch more than this table. */
const Watch = () => (
  <span>
    <a href={pathTo('tv')}>TV</a> · <a href={pathTo('tables')}>All tables</a>
  </span>
);

/** When the season ends, and the way to all of its places. */
function Ends() {
  const { data: season } = useApi('GET /api/season/current', {}, { every: 60_000 });
  return (
    <span>
      {season !== null &&
        (season.winding_down ? (
          <>Season {season.season_number} plays its last hands · </>
        ) : (
          <>
            Season {season.season_number} ends in <Countdown to={season.end_date} /> ·{' '}
          </>
        ))}
      <a href={pathTo('leaderboard')}>All places</a>
    </span>
  );
}
