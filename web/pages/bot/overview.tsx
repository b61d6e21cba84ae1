import { useEffect, useState } from 'preact/hooks';
import { ApiError, call } from '../../lib/api.js';
import { count } from '../../lib/format.js';
import { pathTo } from '../../lib/paths.js';
import { session, signOut } from '../../lib/session.js';
import { changed, useApi } from '../../lib/use-api.js';
import { ConfirmButton } from '../../ui/dialog.js';
import { Check, useSending } from '../../ui/form.js';
import { Figures, Section } from '../../ui/page.js';
import { TableLink } from '../../ui/links.js';
import { Empty, Problem, Skeleton } from '../../ui/states.js';
import { Amount, Id } from '../../ui/values.js';
import { FirstBot } from '../first-bot.js';
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
  // As the reader has set it, until the server's next answer.
  const [autoRebuy, setAutoRebuy] = useState<boolean | null>(null);
  useEffect(() => setAutoRebuy(null), [entry.data]);
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
            void sending.send(() => call('PATCH /api/season/me', { body: { auto_rebuy: on } })).then(reload);
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
