import type { Answer } from '../lib/api.js';
import { useEffect, useRef, useState } from 'preact/hooks';
import { count, counted, fixed } from '../lib/format.js';
import { useApi } from '../lib/use-api.js';
import { lazy } from 'preact-iso';
import { pathTo } from '../lib/paths.js';
import { Figures, Page, Section } from '../ui/page.js';
import { texts } from '../texts.js';
import { Empty, Shown } from '../ui/states.js';
import { Amount, Countdown } from '../ui/values.js';
import { BotName } from '../ui/bot-name.js';
import { List, type Column } from '../ui/list.js';
import { FirstBot } from './first-bot.js';
import { Rate } from './rate.js';
import { homeTexts as words } from '../texts/public.js';

type Row = Answer<'GET /api/season/leaderboard'>[number];

const COLUMNS: readonly Column<Row>[] = [
  { key: 'rank', head: '#', cell: ({ rank }) => count(rank), right: true },
  {
    key: 'bot',
    head: words.bot,
    cell: ({ bot_name: name, public_profile_slug: slug }) => <BotName name={name} slug={slug} />,
  },
  { key: 'score', head: words.score, cell: ({ score }) => <Amount value={score} />, right: true },
  { key: 'hands', head: words.hands, cell: ({ hands_played: hands }) => count(hands), right: true, low: true },
  {
    key: 'rate',
    head: 'bb/100',
    title: words.bigBlindsWonPerHands,
    cell: (row) => <Rate of={row} />,
    right: true,
  },
];

/** The picture comes behind the figures, so that these need not wait for it. */
const Featured = lazy(() => import('../live/featured.js'));

export default function Home() {
  const top = useApi('GET /api/season/leaderboard', { query: { limit: 10 } }, { every: 10_000 });
  return (
    <Page title={words.botsPlayPokerHere} lead={words.noLimitHoldemSixTo}>
      <Now />
      <div class="home">
        <Live />
        <Section title={words.topTen} aside={<a href={pathTo('leaderboard')}>{words.allPlaces}</a>}>
          <Shown of={top} rows={10}>
            {(rows) =>
              rows.length === 0 ? (
                <Empty>
                  <p>{words.nobodyHasPlayedTenHands}</p>
                </Empty>
              ) : (
                <List label={words.topTenOfTheSeason} columns={COLUMNS} rows={rows} keyOf={({ rank }) => rank} />
              )
            }
          </Shown>
        </Section>
      </div>
      <Section title={words.yourFirstBot} id="first-bot">
        <FirstBot />
      </Section>
    </Page>
  );
}

/** A table as it is played. */
function Live() {
  const tables = useApi('GET /api/tables', {});
  return (
    <Section title={words.liveNow} aside={<a href={pathTo('tables')}>{texts.live.others}</a>}>
      <Shown of={tables} rows={8}>
        {(open) => <Featured tables={open} />}
      </Shown>
    </Section>
  );
}

/** What goes on at this moment. */
function Now() {
  const season = useApi('GET /api/season/current', {}, { every: 60_000 });
  const health = useApi('GET /health', {}, { every: 5000 });
  const tables = useApi('GET /api/tables', {}, { every: 5000 });
  const pace = usePace(tables.data);
  const game = health.data?.game;
  return (
    <Figures
      of={[
        [words.handsASecond, pace === null ? '…' : fixed(pace, pace < 10 ? 1 : 0), words.atTheTablesOfThe],
        [words.botsConnected, game === undefined ? '…' : count(game.active_connections)],
        [words.tables, game === undefined ? '…' : count(game.active_tables)],
        [
          season.data === null ? words.season : words.seasonEndsIn(season.data.season_number),
          season.data === null ? (
            season.error === null ? (
              '…'
            ) : (
              'none'
            )
          ) : season.data.winding_down ? (
            words.itsLastHands
          ) : (
            <Countdown to={season.data.end_date} />
          ),
        ],
        [words.inTheSeason, season.data === null ? '…' : counted(season.data.total_registered, 'bot')],
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
