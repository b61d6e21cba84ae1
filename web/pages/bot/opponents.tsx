import type { Answer } from '../../lib/api.js';
import { count, counted, fixed, percent, signed } from '../../lib/format.js';
import { pathTo } from '../../lib/paths.js';
import { useApi } from '../../lib/use-api.js';
import { useQuery } from '../../lib/use-query.js';
import { BotName } from '../../ui/bot-name.js';
import { Interval } from '../../ui/interval.js';
import { List, type Column } from '../../ui/list.js';
import { Empty, Shown } from '../../ui/states.js';
import { Amount } from '../../ui/values.js';
import { OwnerPage } from './owner.js';

const SPANS = [100, 1000, 5000];

type Opponent = Answer<'GET /api/me/opponents'>['opponents'][number];

const DEFAULT_HANDS = 1000;
/** Together fewer hands say little. */
const ENOUGH = 100;
/** bb/100 where the drawn scale ends at least. */
const LEAST_SCALE = 50;

type Rates = { [K in keyof Opponent]: Opponent[K] extends number ? K : never }[keyof Opponent];

const rate = (key: string, [head, title]: readonly [string, string], of: Rates, low = true): Column<Opponent> => ({
  key,
  head,
  title,
  low,
  right: true,
  cell: (row) => <span class={row.hands < ENOUGH ? 'soft' : undefined}>{percent(row[of], 0)}</span>,
  sort: (row) => row[of],
});

/** `most`: bb/100 at the ends of the drawn scale. */
const columns = (most: number, own: string | null): readonly Column<Opponent>[] => [
  {
    key: 'bot',
    head: 'Bot',
    names: true,
    cell: ({ name, public_profile_slug: slug, is_house: house }) => (
      <>
        <BotName name={name} slug={slug} />
        {house && <span class="badge low">house</span>}
      </>
    ),
    sort: ({ name }) => name.toLowerCase(),
  },
  {
    key: 'hands',
    head: 'Hands',
    title: 'Hands that both were dealt into',
    right: true,
    cell: ({ hands }) => (
      <span title={hands < ENOUGH ? 'Fewer than 100 hands together: take the figures for chance.' : undefined}>
        {count(hands)}
      </span>
    ),
    sort: ({ hands }) => hands,
  },
  {
    key: 'net',
    head: 'Net',
    title: 'Chips that your bot won in hands together, from all players',
    right: true,
    cell: ({ net }) => <Amount value={net} gain />,
    sort: ({ net }) => net,
  },
  {
    key: 'rate',
    head: 'bb/100',
    title: 'Net in big blinds per 100 hands together, with its 95 % interval',
    right: true,
    low: true,
    cell: (row) => <Rate of={row} most={most} />,
    sort: ({ bb_per_100: bb }) => bb,
  },
  {
    key: 'from',
    head: 'From it',
    title: 'The part of these chips that came from this opponent',
    right: true,
    low: true,
    cell: ({ won_from: from }) => <Amount value={from} gain />,
    sort: ({ won_from: from }) => from,
  },
  {
    key: 'versus',
    head: <span class="hidden">Compare</span>,
    cell: ({ public_profile_slug: slug }) =>
      own !== null && slug !== null && <a href={pathTo('headToHead', { slug: own, other: slug })}>compare</a>,
    isEmpty: ({ public_profile_slug: slug }) => own === null || slug === null,
    low: true,
  },
  rate('vpip', ['VPIP', 'Puts chips into the pot of its own will before the flop'], 'vpip', false),
  rate('pfr', ['PFR', 'Raises before the flop'], 'pfr'),
  rate('3bet', ['3-bet', 'Raises a raise before the flop'], 'three_bet_pct'),
  rate('fold3bet', ['F3B', 'Folds when its raise before the flop is raised'], 'fold_to_three_bet_pct'),
  rate('cbet', ['C-bet', 'Bets the flop after having raised last before it'], 'cbet_rate'),
  {
    key: 'agg',
    head: 'AF',
    title: 'Bets and raises after the flop for each call',
    right: true,
    low: true,
    cell: ({ aggression_factor: factor }) => fixed(factor),
    sort: ({ aggression_factor: factor }) => factor,
  },
  rate('wtsd', ['WTSD', 'Goes to the showdown, once it has seen the flop'], 'wtsd'),
  rate('wsd', ['W$SD', 'Wins something at its showdowns'], 'w_sd'),
];

function Rate({ of: { bb_per_100: bb, bb_per_100_ci95: interval }, most }: { of: Opponent; most: number }) {
  if (interval === null) return <>{signed(bb, 1)}</>;
  const [low = 0, high = 0] = interval;
  return (
    <span class="row rate">
      <Interval value={bb} low={low} high={high} most={most} />
      <span class={bb > 0 ? 'gain' : bb < 0 ? 'loss' : ''}>{signed(bb, 1)}</span>
      <span class="soft margin">± {fixed((high - low) / 2, 0)}</span>
    </span>
  );
}

/** The bot's opponents, and how they play. */
export default function Opponents() {
  return (
    <OwnerPage title="Opponents">
      {(agent) => <Met own={agent.public_profile ? agent.public_profile_slug : null} />}
    </OwnerPage>
  );
}

function Met({ own }: { own: string | null }) {
  const [query, change] = useQuery();
  const hands = SPANS.find((span) => String(span) === query['hands']) ?? DEFAULT_HANDS;
  const met = useApi('GET /api/me/opponents', { query: { hands } });
  return (
    <>
      <div class="row choice filters" role="group" aria-label="Newest hands">
        <span class="soft" aria-hidden="true">
          Newest hands
        </span>
        {SPANS.map((span) => (
          <button
            key={span}
            type="button"
            class="switch"
            aria-pressed={span === hands}
            onClick={() => change({ hands: span === DEFAULT_HANDS ? '' : String(span) })}
          >
            {count(span)}
          </button>
        ))}
      </div>
      <Shown of={met} rows={8}>
        {({ hands: lastHands, opponents }) =>
          opponents.length === 0 ? (
            <Empty>
              <p>Your bot has met no opponent this season. An opponent appears here after the first hand together.</p>
            </Empty>
          ) : (
            <>
              <p class="soft">
                The opponents in your bot’s last {counted(lastHands, 'hand')} of this season. All figures count hands
                that both were dealt into.
              </p>
              <div class="opponents">
                <List
                  label="Opponents"
                  columns={columns(scaleOf(opponents), own)}
                  rows={opponents}
                  keyOf={({ name }) => name}
                  sort={query['sort']}
                  onSort={(sort) => change({ sort })}
                />
              </div>
            </>
          )
        }
      </Shown>
    </>
  );
}

/** The scale of frequent opponents. The intervals of the others go over the edge. */
function scaleOf(opponents: readonly Opponent[]): number {
  const known = opponents.filter(({ hands }) => hands >= ENOUGH);
  const shown = known.length > 0 ? known : opponents;
  return Math.max(LEAST_SCALE, ...shown.flatMap(({ bb_per_100_ci95: interval }) => interval ?? []).map(Math.abs));
}
