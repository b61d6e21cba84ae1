import { useEffect, useState } from 'preact/hooks';
import { ApiError, call, type Answer } from '../../lib/api.js';
import { count } from '../../lib/format.js';
import { pathTo } from '../../lib/paths.js';
import { session, signOut } from '../../lib/session.js';
import { changed, useApi } from '../../lib/use-api.js';
import { ConfirmButton } from '../../ui/dialog.js';
import { Check, useSending } from '../../ui/form.js';
import { Figures, Section } from '../../ui/page.js';
import { TableLink } from '../../ui/links.js';
import { List, type Column } from '../../ui/list.js';
import { Empty, Problem, Skeleton } from '../../ui/states.js';
import { Amount, Id, When } from '../../ui/values.js';
import { ChipsChart } from '../chips-chart.js';
import { FirstBot } from '../first-bot.js';
import { Estimate } from '../rate.js';
import { ApiKey, freshKey } from './key.js';
import { OwnerPage, type Agent } from './owner.js';
import { Profile } from './profile.js';

/** Everything of one bot at a glance, and what its owner may do. */
export default function Overview() {
  return (
    <OwnerPage>
      {(agent) => (
        <>
          {freshKey.value !== null && <ApiKey />}
          <Parts agent={agent} />
        </>
      )}
    </OwnerPage>
  );
}

/** Everything below the first parts waits for them: their heights differ much, and it would jump. */
function Parts({ agent }: { agent: Agent }) {
  const parts = [useApi('GET /api/me/active-game', {}), useApi('GET /api/season/me', {})];
  if (parts.some(({ data, error }) => data === null && error === null)) return <Skeleton rows={12} />;
  return (
    <>
      <Now />
      <SeasonPart />
      <Play agent={agent} />
      <LastMishaps />
      <Next agent={agent} />
      {freshKey.value === null && <ApiKey />}
      <Profile agent={agent} />
      <SignedIn agent={agent} />
    </>
  );
}

/** Where it sits. */
function Now() {
  const game = useApi('GET /api/me/active-game', {}, { every: 3000 });
  const entry = useApi('GET /api/season/me', {});
  if (game.data === null)
    return game.error === null ? <Skeleton rows={1} /> : <Problem error={game.error} retry={game.reload} />;
  if (game.data.playing) {
    return (
      <p class="notice">
        Plays at <TableLink id={game.data.table_id} /> in seat {game.data.seat} with <Amount value={game.data.stack} />{' '}
        chips{game.data.competition_id !== null && ' (a competition)'}.
      </p>
    );
  }
  const hasPlayed = (entry.data?.hands_played ?? 0) > 0;
  if (hasPlayed) return <p class="notice">Sits at no table now. It is seated when it joins the lobby.</p>;
  return (
    <Section title="It has not played yet">
      <FirstBot registered />
    </Section>
  );
}

function SeasonPart() {
  const entry = useApi('GET /api/season/me', {}, { every: 15_000 });
  const balance = useApi('GET /api/balance', {});
  const sending = useSending();
  // As the reader has set it, until the server answers the same.
  const [autoRebuy, setAutoRebuy] = useState<boolean | null>(null);
  useEffect(() => {
    if (entry.data?.auto_rebuy === autoRebuy) setAutoRebuy(null);
  }, [entry.data, autoRebuy]);
  const reload = () => changed('/api/season', '/api/balance', '/api/transactions');
  if (entry.data === null) {
    if (entry.error === null) return <Skeleton rows={2} />;
    if (entry.error.status !== 404) return <Problem error={entry.error} retry={entry.reload} />;
    return (
      <Section title="Season" id="season">
        <Empty>
          <p>{entry.error.message} Your bot enters the season when it joins the lobby, or here:</p>
          <p>
            <button
              type="button"
              class="quiet"
              disabled={sending.busy}
              onClick={() => void sending.send(() => call('POST /api/season/register', {})).then(reload)}
            >
              Enter the season
            </button>
          </p>
        </Empty>
      </Section>
    );
  }
  const of = entry.data;
  const out = of.chips_at_table === 0 && of.chip_balance < 1000;
  return (
    <Section title="Season" id="season" aside={<a href={pathTo('leaderboard')}>Leaderboard</a>}>
      <Figures
        of={[
          [
            'Place',
            <>
              {count(of.rank)} <span class="soft">of {count(of.total_participants)}</span>
            </>,
          ],
          ['Score', <Amount value={of.score} />],
          ['At the table', <Amount value={of.chips_at_table} />],
          ['Balance', <Amount value={of.chip_balance} />],
          ['Hands', count(of.hands_played)],
          ['Rebuys', count(of.rebuys)],
        ]}
      />
      <div class="stack part">
        <Check
          label="Automatic rebuys"
          hint="When your bot is out of chips it gets 1,500 as soon as it may. Each rebuy takes points off the score."
          checked={autoRebuy ?? of.auto_rebuy}
          disabled={sending.busy}
          onValue={(on) => {
            setAutoRebuy(on);
            void sending
              .send(() => call('PATCH /api/season/me', { body: { auto_rebuy: on } }))
              .then((done) => {
                if (!done) setAutoRebuy(null);
                reload();
              });
          }}
        />
        <div class="row">
          {out && (
            <ConfirmButton
              label="Rebuy now"
              title="Rebuy"
              verb="Rebuy"
              act={() => call('POST /api/season/rebuy', {})}
              done={reload}
            >
              <p>
                Your bot gets chips to play on with, and its score goes down by the penalty. It is rebuy number{' '}
                {of.rebuys + 1}.
              </p>
            </ConfirmButton>
          )}
          {of.premium ? (
            <span class="badge accent">Season pass</span>
          ) : (
            <ConfirmButton
              label="Buy the season pass"
              title="Buy the season pass"
              verb="Buy it"
              act={() => call('POST /api/season/pass', {})}
              done={reload}
            >
              <p>
                It opens analytics, charts and the history of all seasons, and lasts until this season ends. It is paid
                with credits{balance.data !== null && <>; you have ${balance.data.balance.toFixed(2)}</>}.
              </p>
            </ConfirmButton>
          )}
        </div>
        {sending.problem !== '' && (
          <p class="form-error" role="alert">
            {sending.problem}
          </p>
        )}
      </div>
    </Section>
  );
}

/** How well it plays, from its public page, which has no figures of a bot without one. */
function Play({ agent: { public_profile: shown, public_profile_slug: slug } }: { agent: Agent }) {
  const profile = useApi('GET /api/agents/{slug}', shown && slug !== null ? { params: { slug } } : null, {
    every: 30_000,
  });
  const of = profile.data?.season ?? null;
  if (!shown || slug === null)
    return <p class="soft part">Its graph comes with its page, once everybody may see that.</p>;
  if (of === null || of.hands_counted === 0 || of.bb_per_100 === null) {
    return <p class="soft part">Its graph comes when its first hands are counted.</p>;
  }
  return (
    <>
      <Figures
        of={[
          [
            'bb/100',
            <Estimate value={of.bb_per_100} interval={of.bb_per_100_ci95} hands={of.hands_counted} />,
            'Big blinds won per 100 hands, with the 95 % interval',
          ],
          [
            'luck-adjusted',
            of.bb_per_100_luck_adjusted === null ? (
              <span class="soft">after 100 hands</span>
            ) : (
              <Estimate
                value={of.bb_per_100_luck_adjusted}
                interval={of.bb_per_100_luck_adjusted_ci95}
                hands={of.hands_luck_adjusted}
              />
            ),
            'Big blinds per 100 hands less the luck of the cards, with the 95 % interval',
          ],
        ]}
      />
      <ChipsChart of={of} />
    </>
  );
}

const MISHAPS_SHOWN = 3;

/** The newest problems; nothing without one. */
function LastMishaps() {
  const { data } = useApi('GET /api/me/mishaps', {}, { every: 30_000 });
  const newest = (data?.mishaps ?? []).slice(0, MISHAPS_SHOWN);
  if (newest.length === 0) return null;
  return (
    <Section title="Last problems" aside={<a href={pathTo('botMishaps')}>All problems</a>}>
      <List label="Last problems" columns={MISHAPS} rows={newest} keyOf={({ at, code }) => `${at} ${code}`} />
    </Section>
  );
}

type Mishap = Answer<'GET /api/me/mishaps'>['mishaps'][number];

const MISHAPS: readonly Column<Mishap>[] = [
  { key: 'when', head: 'When', cell: ({ at }) => <When at={at} /> },
  { key: 'kind', head: 'Kind', cell: ({ kind }) => kind },
  { key: 'what', head: 'Message', names: true, cell: ({ message }) => <span class="soft cut">{message}</span> },
];

/** Links to the next steps of the owner. */
function Next({ agent: { public_profile: shown, public_profile_slug: slug } }: { agent: Agent }) {
  const entry = useApi('GET /api/season/me', {});
  if ((entry.data?.hands_played ?? 0) === 0) return null;
  return (
    <Section title="What to do next">
      <ul class="prose">
        <li>
          <a href={`${pathTo('botHands')}?order=biggest_loss`}>Look at its biggest losses</a>
        </li>
        <li>
          <a href={pathTo('botOpponents')}>See which opponents win from it</a>
        </li>
        {shown && slug !== null && (
          <li>
            <a href={`${pathTo('agent', { slug })}#compare`}>Compare it with another bot</a>
          </li>
        )}
        <li>
          <a href={pathTo('doc', { page: 'training' })}>Test the next version on recorded hands</a>
        </li>
      </ul>
    </Section>
  );
}

function SignedIn({ agent }: { agent: Agent }) {
  return (
    <Section title="Sign-in">
      <p>
        You are signed in as <strong>{session.value?.email}</strong>. Agent id <Id id={agent.agent_id} />
      </p>
      <button type="button" class="quiet" onClick={() => void signOut().catch((error: unknown) => ignoreAway(error))}>
        Sign out
      </button>
    </Section>
  );
}

/** The bar on top tells of a server that is away. */
function ignoreAway(error: unknown): void {
  if (!(error instanceof ApiError)) throw error;
}
