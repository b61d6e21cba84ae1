import type { Answer } from '../../lib/api.js';
import { count, fixed, percent, signed } from '../../lib/format.js';
import { useApi } from '../../lib/use-api.js';
import { useQuery } from '../../lib/use-query.js';
import { opponentTexts as texts } from '../../texts/opponents.js';
import { BotName } from '../../ui/bot-name.js';
import { Interval } from '../../ui/interval.js';
import { List, type Column } from '../../ui/list.js';
import { Empty, Shown } from '../../ui/states.js';
import { Amount } from '../../ui/values.js';
import { OwnerPage } from './owner.js';

type Opponent = Answer<'GET /api/me/opponents'>['opponents'][number];

const DEFAULT_HANDS = 1000;
/** Together fewer hands say little. */
const ENOUGH = 100;
/** bb/100 where the drawn scale ends at least. */
const LEAST_SCALE = 50;

type Rates = { [K in keyof Opponent]: Opponent[K] extends number ? K : never }[keyof Opponent];

const rate = (key: string, [head, title]: readonly [string, string], of: Rates, low = true): Column<Opponent> => ({
  ...{ key, head, title, low, right: true },
  cell: (row) => <span class={row.hands < ENOUGH ? 'soft' : undefined}>{percent(row[of], 0)}</span>,
  sort: (row) => row[of],
});

const { heads } = texts;

/** `most`: bb/100 at the ends of the drawn scale. */
const columns = (most: number): readonly Column<Opponent>[] => [
  {
    key: 'bot',
    head: heads.bot[0],
    cell: ({ name, public_profile_slug: slug, is_house: house }) => (
      <span class="row met">
        <BotName name={name} slug={slug} />
        {house && <span class="badge">{texts.house}</span>}
      </span>
    ),
    sort: ({ name }) => name.toLowerCase(),
  },
  {
    ...{ key: 'hands', head: heads.hands[0], title: heads.hands[1], right: true },
    cell: ({ hands }) => <span title={hands < ENOUGH ? texts.few : undefined}>{count(hands)}</span>,
    sort: ({ hands }) => hands,
  },
  {
    ...{ key: 'net', head: heads.net[0], title: heads.net[1], right: true },
    cell: ({ net }) => <Amount value={net} gain />,
    sort: ({ net }) => net,
  },
  {
    ...{ key: 'rate', head: heads.rate[0], title: heads.rate[1], right: true, low: true },
    cell: (row) => <Rate of={row} most={most} />,
    sort: ({ bb_per_100: bb }) => bb,
  },
  {
    ...{ key: 'from', head: heads.from[0], title: heads.from[1], right: true },
    cell: ({ won_from: from }) => <Amount value={from} gain />,
    sort: ({ won_from: from }) => from,
  },
  rate('vpip', heads.vpip, 'vpip', false),
  rate('pfr', heads.pfr, 'pfr'),
  rate('3bet', heads.threeBet, 'three_bet_pct'),
  rate('fold3bet', heads.foldToThreeBet, 'fold_to_three_bet_pct'),
  rate('cbet', heads.cbet, 'cbet_rate'),
  {
    ...{ key: 'agg', head: heads.aggression[0], title: heads.aggression[1], right: true, low: true },
    cell: ({ aggression_factor: factor }) => fixed(factor),
    sort: ({ aggression_factor: factor }) => factor,
  },
  rate('wtsd', heads.wtsd, 'wtsd'),
  rate('wsd', heads.wsd, 'w_sd'),
];

function Rate({ of: { bb_per_100: bb, bb_per_100_ci95: interval }, most }: { of: Opponent; most: number }) {
  if (interval === null) return <>{signed(bb, 1)}</>;
  const [low = 0, high = 0] = interval;
  return (
    <span class="row rate">
      <Interval value={bb} low={low} high={high} most={most} />
      <span class={bb > 0 ? 'gain' : bb < 0 ? 'loss' : ''}>{signed(bb, 1)}</span>
      <span class="soft">± {fixed((high - low) / 2, 0)}</span>
    </span>
  );
}

/** Whom the bot met, and how they play. */
export default function Opponents() {
  return <OwnerPage title={texts.title}>{() => <Met />}</OwnerPage>;
}

function Met() {
  const [query, change] = useQuery();
  const hands = texts.spans.find((span) => String(span) === query['hands']) ?? DEFAULT_HANDS;
  const met = useApi('GET /api/me/opponents', { query: { hands } });
  return (
    <>
      <div class="row choice filters" role="group" aria-label={texts.newest}>
        <span class="soft" aria-hidden="true">
          {texts.newest}
        </span>
        {texts.spans.map((span) => (
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
        {({ hands: counted, opponents }) =>
          opponents.length === 0 ? (
            <Empty>
              <p>{texts.none}</p>
            </Empty>
          ) : (
            <>
              <p class="soft">{texts.lead(counted)}</p>
              <div class="opponents">
                <List
                  label={texts.list}
                  columns={columns(scaleOf(opponents))}
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

/** Of those met often; the intervals of the others go over the edge. */
function scaleOf(opponents: readonly Opponent[]): number {
  const known = opponents.filter(({ hands }) => hands >= ENOUGH);
  const shown = known.length > 0 ? known : opponents;
  return Math.max(LEAST_SCALE, ...shown.flatMap(({ bb_per_100_ci95: interval }) => interval ?? []).map(Math.abs));
}
