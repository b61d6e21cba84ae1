import type { ComponentChildren } from 'preact';
import type { Answer } from '../../lib/api.js';
import { count, fixed, percent, signed } from '../../lib/format.js';
import { useOperator } from '../../lib/operator.js';
import { useQuery } from '../../lib/use-query.js';
import { collusionTexts as texts } from '../../texts/collusion.js';
import { List, type Column } from '../../ui/list.js';
import { Section } from '../../ui/page.js';
import { Pager } from '../../ui/pager.js';
import { Empty, Shown } from '../../ui/states.js';
import { When } from '../../ui/values.js';

type Judged = Answer<'GET /api/admin/collusion'>;
type Pair = Judged['pairs'][number];
type Side = Pair['first'];
type Taker = Judged['takers'][number];
type Compared = Side['all_ins_called'];

const PAGE = 50;
/** Below this a score says that nothing was seen. */
const LEAST_SCORE = 1;
const EVERY_MS = 60_000;

const { heads } = texts;

/** Of the first of a pair, and below it of the second. */
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
        {count(seen)} <span class="soft">{texts.of(fixed(expected))}</span>
      </>
    );
  });

/** "1 in 5,000": how often an honest pair gets as far. */
const odds = (rate: number) =>
  rate > 0.5 ? texts.any : rate < 1e-9 ? texts.fewerThanOneInABillion : texts.oneIn(count(1 / rate));

const head = (key: keyof typeof heads): Pick<Column<Pair>, 'key' | 'head' | 'title'> => ({
  ...{ key, head: heads[key][0], title: heads[key][1] },
});

const PAIRS: readonly Column<Pair>[] = [
  {
    ...head('pair'),
    cell: ({ first, second, marked }) => (
      <span class="both">
        <Name of={first} marked={marked} />
        <Name of={second} marked={false} />
      </span>
    ),
  },
  {
    ...head('score'),
    cell: ({ score, false_alarm_rate: rate }) => (
      <span class="both">
        <span>{fixed(score)}</span>
        <span class="soft">{odds(rate)}</span>
      </span>
    ),
    right: true,
  },
  { ...head('sign'), cell: (pair) => <Sign of={pair} /> },
  {
    ...head('hands'),
    cell: ({ hands, duels }) => (
      <span class="both">
        <span>{count(hands)}</span>
        <span class="soft">{count(duels)}</span>
      </span>
    ),
    right: true,
  },
  { ...head('lost'), cell: both(({ chips_lost: lost }) => count(lost)), right: true },
  {
    ...head('flow'),
    cell: ({ flow_bb: { seen, expected, deviation } }) => (
      <span class="both">
        <span>{signed(seen, 0)}</span>
        <span class="soft">{texts.flow(signed(expected, 0), fixed(deviation, 0))}</span>
      </span>
    ),
    ...{ right: true, low: true },
  },
  { ...head('allIns'), cell: compared((side) => side.all_ins_called), right: true, low: true },
  { ...head('better'), cell: compared((side) => side.better_hands_folded), right: true, low: true },
  { ...head('shared'), cell: ({ shared }) => <Shared of={shared} /> },
];

const TAKERS: readonly Column<Taker>[] = [
  { key: 'bot', head: texts.bot, cell: (of) => <Name of={of} marked={false} /> },
  { key: 'score', head: texts.score, title: heads.score[1], cell: ({ score }) => fixed(score), right: true },
  { key: 'odds', head: texts.honestBots, cell: ({ false_alarm_rate: rate }) => odds(rate), low: true },
  { key: 'stacks', head: texts.stacksTaken, cell: ({ stacks_taken: stacks }) => count(stacks), right: true },
  { key: 'givers', head: texts.fromBots, cell: ({ givers }) => count(givers), right: true },
  {
    key: 'expected',
    head: texts.atMost,
    title: texts.atMostMeans,
    cell: (of) => fixed(of.expected_givers),
    right: true,
  },
];

/** Pairs whose play against each other looks agreed upon; what to do about it is up to people. */
export function Collusion() {
  const [query, change] = useQuery();
  const from = Number(query['from'] ?? 0) || 0;
  const all = query['all'] === 'yes';
  const pool = query['pool'];
  const found = useOperator(
    'GET /api/admin/collusion',
    {
      query: {
        ...(pool === undefined || pool === '' ? {} : { pool_id: pool }),
        ...(all ? { score: -100 } : { score: LEAST_SCORE }),
        ...{ limit: PAGE, offset: from },
      },
    },
    { every: EVERY_MS },
  );
  return (
    <Section title={texts.collusion}>
      <p class="soft">{texts.lead}</p>
      <div class="row filters">
        <button
          type="button"
          class="switch"
          aria-pressed={all}
          onClick={() => change({ all: all ? '' : 'yes', from: '' })}
        >
          {texts.alsoWithoutASign}
        </button>
        {pool !== undefined && pool !== '' && (
          <button type="button" class="quiet" onClick={() => change({ pool: '', from: '' })}>
            {texts.backToTheSeason}
          </button>
        )}
      </div>
      <Shown of={found} rows={8}>
        {(judged) => (
          <>
            <p class="soft">
              {texts.judged(count(judged.pairs_judged), count(judged.pairs_met), percent(judged.honest_share, 0))}
              <When at={judged.judged_at} />
            </p>
            {judged.pairs.length === 0 ? (
              <Empty>
                <p>{texts.noPair}</p>
              </Empty>
            ) : (
              <div class="collusion">
                <List
                  label={texts.pairs}
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
              <Section title={texts.takers}>
                <p class="soft">{texts.takersLead}</p>
                <List
                  label={texts.takers}
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

const takersOf = ({ takers }: Judged, all: boolean) => takers.filter(({ score }) => all || score >= LEAST_SCORE);

const Name = ({ of: { name, banned }, marked }: { of: Pick<Side, 'name' | 'banned'>; marked: boolean }) => (
  <span>
    {name} {marked && <span class="badge bad">{texts.marked}</span>}
    {banned && <span class="badge">{texts.banned}</span>}
  </span>
);

/** The question with the most evidence, where there is any. */
function Sign({ of: { evidence } }: { of: Pair }) {
  const questions = Object.entries(evidence) as [keyof typeof evidence, number][];
  const [most, value] = questions.reduce((best, next) => (next[1] > best[1] ? next : best));
  if (value < 1) return <span class="soft">{texts.none}</span>;
  return <span title={texts.signMeans[most]}>{texts.signs[most]}</span>;
}

function Shared({ of }: { of: Pair['shared'] }) {
  const found: readonly (readonly [boolean, string])[] = [
    [of.same_mailbox, texts.mailbox],
    [of.mail_domain !== null, texts.domain(of.mail_domain)],
    [of.same_address, texts.address],
    [of.same_network && !of.same_address, texts.network],
    [of.same_wallet, texts.wallet],
    [of.pace_is_rare, texts.pace],
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
