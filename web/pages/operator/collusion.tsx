import type { ComponentChildren } from 'preact';
import type { Answer } from '../../lib/api.js';
import { count, fixed, percent, signed } from '../../lib/format.js';
import { useOperator } from '../../lib/operator.js';
import { useQuery } from '../../lib/use-query.js';
import { List, type Column } from '../../ui/list.js';
import { Section } from '../../ui/page.js';
import { Pager } from '../../ui/pager.js';
import { Empty, Shown } from '../../ui/states.js';
import { When } from '../../ui/values.js';
import { PairHands } from './pair-hands.js';
import { odds, SIGN_TITLES, SIGNS } from './signs.js';

const SCORE_TITLE = 'log10 of the evidence, and below it how many honest pairs ever reach it';

type Judged = Answer<'GET /api/admin/collusion'>;
type Pair = Judged['pairs'][number];
type Side = Pair['first'];
type Taker = Judged['takers'][number];
type Compared = Side['all_ins_called'];

const PAGE = 50;
/** Below this a score says that nothing was seen. */
const LEAST_SCORE = 1;
const EVERY_MS = 60_000;

/** The first of a pair, and below it the second. */
const both = (cell: (side: Side) => ComponentChildren) => (pair: Pair) => (
  <span class="both">
    <span>{cell(pair.first)}</span>
    <span>{cell(pair.second)}</span>
  </span>
);

const compared = (of: (side: Side) => Compared) =>
  both((side) => {
    const { seen, expected } = of(side);
    return (
      <>
        {count(seen)} <span class="soft">/ {fixed(expected)}</span>
      </>
    );
  });

const PAIRS: readonly Column<Pair>[] = [
  {
    key: 'pair',
    head: 'Pair',
    title: 'The two bots, in the order of the figures',
    cell: ({ first, second, marked }) => (
      <span class="both">
        <Name of={first} marked={marked} />
        <Name of={second} marked={false} />
      </span>
    ),
  },
  {
    key: 'score',
    head: 'Score, by chance',
    title: SCORE_TITLE,
    cell: ({ score, false_alarm_rate: rate }) => (
      <span class="both">
        <span>{fixed(score)}</span>
        <span class="soft">{odds(rate)}</span>
      </span>
    ),
    right: true,
  },
  {
    key: 'sign',
    head: 'Strongest sign',
    title: 'The question with the most evidence',
    cell: (pair) => <Sign of={pair} />,
  },
  {
    key: 'look',
    head: <span class="hidden">Their hands</span>,
    cell: ({ first, second }) => <Look first={first.agent_id} second={second.agent_id} />,
  },
  {
    key: 'hands',
    head: 'Hands, duels',
    title: 'Hands that both were dealt into, and below it those with only these two left',
    cell: ({ hands, duels }) => (
      <span class="both">
        <span>{count(hands)}</span>
        <span class="soft">{count(duels)}</span>
      </span>
    ),
    right: true,
  },
  {
    key: 'lost',
    head: 'Chips lost',
    title: 'Chips that each lost to the other where only the two were left',
    cell: both(({ chips_lost: lost }) => count(lost)),
    right: true,
  },
  {
    key: 'flow',
    head: 'Net bb',
    title: 'Big blinds from the first to the second, and below it the expected value with its standard deviation',
    cell: ({ flow_bb: { seen, expected, deviation } }) => (
      <span class="both">
        <span>{signed(seen, 0)}</span>
        <span class="soft">
          {signed(expected, 0)} ± {fixed(deviation, 0)}
        </span>
      </span>
    ),
    right: true,
    low: true,
  },
  {
    key: 'allIns',
    head: 'All-ins called',
    title: 'All-ins of the other that it called, and as many as to be expected',
    cell: compared((side) => side.all_ins_called),
    right: true,
    low: true,
  },
  {
    key: 'better',
    head: 'Better folded',
    title: 'Folds of the better hand to the other, and as many as to be expected',
    cell: compared((side) => side.better_hands_folded),
    right: true,
    low: true,
  },
  {
    key: 'shared',
    head: 'Shared',
    title: 'Signals that the owners share',
    cell: ({ shared }) => <Shared of={shared} />,
  },
];

const TAKERS: readonly Column<Taker>[] = [
  { key: 'bot', head: 'Bot', cell: (of) => <Name of={of} marked={false} /> },
  { key: 'score', head: 'Score', title: SCORE_TITLE, cell: ({ score }) => fixed(score), right: true },
  { key: 'odds', head: 'Honest bots', cell: ({ false_alarm_rate: rate }) => odds(rate), low: true },
  { key: 'stacks', head: 'Stacks taken', cell: ({ stacks_taken: stacks }) => count(stacks), right: true },
  { key: 'givers', head: 'From bots', cell: ({ givers }) => count(givers), right: true },
  {
    key: 'expected',
    head: 'Expected at most',
    title: 'Bots that would have lost a stack to a good player in as many hands',
    cell: (of) => fixed(of.expected_givers),
    right: true,
  },
];

/** Pairs with play against each other that looks agreed upon. People decide what follows. */
export function Collusion() {
  const [query, change] = useQuery();
  const from = Number(query['from'] ?? 0) || 0;
  const all = query['all'] === 'yes';
  const pool = query['pool'];
  const [first, second] = [query['first'], query['second']];
  const found = useOperator(
    'GET /api/admin/collusion',
    {
      query: {
        ...(pool === undefined || pool === '' ? {} : { pool_id: pool }),
        ...(all ? { score: -100 } : { score: LEAST_SCORE }),
        limit: PAGE,
        offset: from,
      },
    },
    { every: EVERY_MS },
  );
  return (
    <Section title="Collusion">
      <p class="soft">
        The score compares each decision of a bot against another with its decisions against all others. The table shows
        evidence and bans no bot. Look at the pair’s hands before you act.
      </p>
      <div class="row filters">
        <button
          type="button"
          class="switch"
          aria-pressed={all}
          onClick={() => change({ all: all ? '' : 'yes', from: '' })}
        >
          Also pairs without a sign
        </button>
        {pool !== undefined && pool !== '' && (
          <button type="button" class="quiet" onClick={() => change({ pool: '', from: '' })}>
            Back to the season
          </button>
        )}
      </div>
      {first !== undefined && second !== undefined && (
        <PairHands
          key={`${first} ${second}`}
          pair={found.data?.pairs.find((pair) => pair.first.agent_id === first && pair.second.agent_id === second)}
          first={first}
          second={second}
          pool={pool}
          close={() => change({ first: '', second: '' })}
        />
      )}
      <Shown of={found} rows={8}>
        {(judged) => (
          <>
            <p class="soft part">
              {count(judged.pairs_judged)} of {count(judged.pairs_met)} pairs were judged. At most{' '}
              {percent(judged.honest_share, 0)} of the marked ones are honest, on average. Judged{' '}
              <When at={judged.judged_at} />
            </p>
            {judged.pairs.length === 0 ? (
              <Empty>
                <p>No pair shows a sign of collusion.</p>
              </Empty>
            ) : (
              <div class="collusion">
                <List
                  label="Pairs of bots"
                  columns={PAIRS}
                  rows={judged.pairs}
                  keyOf={({ first, second }) => `${first.agent_id} ${second.agent_id}`}
                  isMarked={({ marked }) => marked}
                />
              </div>
            )}
            <Pager
              from={from}
              size={PAGE}
              shown={judged.pairs.length}
              total={judged.matching}
              onFrom={(next) => change({ from: String(next) })}
            />
            {takersOf(judged, all).length > 0 && (
              <Section title="Takers of whole stacks">
                <p class="soft">
                  Puppets that lose all they have once or twice show in no pair. They show here, as many bots that lost
                  a stack to one.
                </p>
                <List
                  label="Takers of whole stacks"
                  columns={TAKERS}
                  rows={takersOf(judged, all)}
                  keyOf={({ agent_id: id }) => id}
                />
              </Section>
            )}
          </>
        )}
      </Shown>
    </Section>
  );
}

function Look({ first, second }: { first: string; second: string }) {
  const [, change] = useQuery();
  return (
    <button type="button" class="quiet" onClick={() => change({ first, second })}>
      Hands
    </button>
  );
}

const takersOf = ({ takers }: Judged, all: boolean) => takers.filter(({ score }) => all || score >= LEAST_SCORE);

const Name = ({ of: { name, banned }, marked }: { of: Pick<Side, 'name' | 'banned'>; marked: boolean }) => (
  <span>
    {name} {marked && <span class="badge bad">marked</span>}
    {banned && <span class="badge">banned</span>}
  </span>
);

/** The question with the most evidence, where there is any. */
function Sign({ of: { evidence } }: { of: Pair }) {
  const questions = Object.entries(evidence) as [keyof typeof evidence, number][];
  const [most, value] = questions.reduce((best, next) => (next[1] > best[1] ? next : best));
  if (value < 1) return <span class="soft">none</span>;
  return <span title={SIGN_TITLES[most]}>{SIGNS[most]}</span>;
}

function Shared({ of }: { of: Pair['shared'] }) {
  const found: readonly (readonly [boolean, string])[] = [
    [of.same_mailbox, 'mailbox'],
    [of.mail_domain !== null, `@${of.mail_domain}`],
    [of.same_address, 'address'],
    [of.same_network && !of.same_address, 'network'],
    [of.same_wallet, 'wallet'],
    [of.pace_is_rare, 'same pace'],
  ];
  return (
    <span class="row">
      {found.flatMap(([is, text]) =>
        is
          ? [
              <span key={text} class="badge accent">
                {text}
              </span>,
            ]
          : [],
      )}
    </span>
  );
}
