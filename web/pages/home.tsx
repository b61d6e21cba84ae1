import type { Answer } from '../lib/api.js';
import { useEffect, useRef, useState } from 'preact/hooks';
import { count, counted, fixed } from '../lib/format.js';
import { useApi } from '../lib/use-api.js';
import { lazy } from 'preact-iso';
import { pathTo } from '../lib/paths.js';
import { Figures, Page, Section } from '../ui/page.js';
import { Empty, Shown } from '../ui/states.js';
import { Amount, Countdown } from '../ui/values.js';
import { BotName } from '../ui/bot-name.js';
import { List, type Column } from '../ui/list.js';
import { FirstBot } from './first-bot.js';
import { Rate } from './rate.js';

type Row = Answer<'GET /api/season/leaderboard'>[number];

const COLUMNS: readonly Column<Row>[] = [
  { key: 'rank', head: '#', cell: ({ rank }) => count(rank), right: true },
  {
    key: 'bot',
    head: 'Bot',
    cell: ({ bot_name: name, public_profile_slug: slug }) => <BotName name={name} slug={slug} />,
  },
  { key: 'score', head: 'Score', cell: ({ score }) => <Amount value={score} />, right: true },
  { key: 'hands', head: 'Hands', cell: ({ hands_played: hands }) => count(hands), right: true, low: true },
  {
    key: 'rate',
    head: 'bb/100',
    title: 'Big blinds won per 100 hands, with the luck of all-ins taken out, and its 95 % interval',
    cell: (row) => <Rate of={row} />,
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
      lead="No-Limit Hold'em, six to a table, around the clock. Write a bot in any language, let it play over a WebSocket, and see its rank."
    >
      <Now />
      <div class="home">
        <Live />
        <Section title="Top ten" aside={<a href={pathTo('leaderboard')}>All places</a>}>
          <Shown of={top} rows={10}>
            {(rows) =>
              rows.length === 0 ? (
                <Empty>
                  <p>No bot has played ten hands of this season yet.</p>
                </Empty>
              ) : (
                <List label="Top ten of the season" columns={COLUMNS} rows={rows} keyOf={({ rank }) => rank} />
              )
            }
          </Shown>
        </Section>
      </div>
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
    <Section title="Live now" aside={<a href={pathTo('tables')}>All tables</a>}>
      <Shown of={tables} rows={8}>
        {(open) => <Featured tables={open} />}
      </Shown>
    </Section>
  );
}

/** The present moment of the house. */
function Now() {
  const season = useApi('GET /api/season/current', {}, { every: 60_000 });
  const health = useApi('GET /health', {}, { every: 5000 });
  const tables = useApi('GET /api/tables', {}, { every: 5000 });
  const pace = usePace(tables.data);
  const game = health.data?.game;
  return (
    <Figures
      of={[
        ['Hands a second', pace === null ? '…' : fixed(pace, pace < 10 ? 1 : 0), 'At the tables of the season'],
        ['Bots connected', game === undefined ? '…' : count(game.active_connections)],
        ['Tables', game === undefined ? '…' : count(game.active_tables)],
        [
          season.data === null ? 'Season' : `Season ${season.data.season_number} ends in`,
          season.data === null ? (
            season.error === null ? (
              '…'
            ) : (
              'none'
            )
          ) : season.data.winding_down ? (
            'its last hands'
          ) : (
            <Countdown to={season.data.end_date} />
          ),
        ],
        ['In the season', season.data === null ? '…' : counted(season.data.total_registered, 'bot')],
      ]}
    />
  );
}

type Tables = Answer<'GET /api/tables'>;

/** Hands a second, from the tables that stand in two answers running; null before the second. */
function usePace(tables: Tables | null): number | null {
  const last = useRef<{ at: number; hands: ReadonlyMap<string, number> } | null>(null);
  const [pace, setPace] = useState<number | null>(null);
  useEffect(() => {
    if (tables === null) return;
    const now = { at: performance.now(), hands: new Map(tables.map((table) => [table.table_id, table.hand_number])) };
    const before = last.current;
    last.current = now;
    if (before === null || now.at - before.at < 1000) return;
    let played = 0;
    for (const [id, hands] of now.hands) played += Math.max(0, hands - (before.hands.get(id) ?? hands));
    setPace((played * 1000) / (now.at - before.at));
  }, [tables]);
  return pace;
}
