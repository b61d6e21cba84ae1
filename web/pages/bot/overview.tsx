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
import { overviewTexts as texts } from '../../texts/bot.js';

/** Everything of one bot at a glance, and what its owner may do. */
export default function Overview() {
  return (
    <OwnerPage>
      {(agent) => (
        <>
          {freshKey.value !== null && <ApiKey />}
          <Now />
          <SeasonPart />
          {freshKey.value === null && <ApiKey />}
          <Profile agent={agent} />
          <SignedIn agent={agent} />
        </>
      )}
    </OwnerPage>
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
        {texts.playsAtTable}
        <TableLink id={game.data.table_id} />
        {texts.inSeat}
        {game.data.seat}
        {texts.withWord}
        <Amount value={game.data.stack} /> {texts.chips}
        {game.data.competition_id !== null && texts.aCompetition}.
      </p>
    );
  }
  const hasPlayed = (entry.data?.hands_played ?? 0) > 0;
  if (hasPlayed) return <p class="notice">{texts.sitsAtNoTableNow}</p>;
  return (
    <Section title={texts.itHasNotPlayedYet}>
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
      <Section title={texts.season} id="season">
        <Empty>
          <p>
            {entry.error.message}
            {texts.yourBotEntersTheSeason}
          </p>
          <p>
            <button
              type="button"
              class="quiet"
              disabled={sending.busy}
              onClick={() => void sending.send(() => call('POST /api/season/register', {})).then(reload)}
            >
              {texts.enterTheSeason}
            </button>
          </p>
        </Empty>
      </Section>
    );
  }
  const of = entry.data;
  const out = of.chips_at_table === 0 && of.chip_balance < 1000;
  return (
    <Section title={texts.season} id="season" aside={<a href={pathTo('leaderboard')}>{texts.leaderboard}</a>}>
      <Figures
        of={[
          [
            texts.place,
            <>
              {count(of.rank)}{' '}
              <span class="soft">
                {texts.ofWord}
                {count(of.total_participants)}
              </span>
            </>,
          ],
          [texts.score, <Amount value={of.score} />],
          [texts.atTheTable, <Amount value={of.chips_at_table} />],
          [texts.balance, <Amount value={of.chip_balance} />],
          [texts.hands, count(of.hands_played)],
          [texts.rebuys, count(of.rebuys)],
        ]}
      />
      <div class="stack part">
        <Check
          label={texts.rebuyByItself}
          hint={texts.whenYourBotIsOut}
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
              label={texts.rebuyNow}
              title={texts.rebuy}
              verb={texts.rebuy}
              act={() => call('POST /api/season/rebuy', {})}
              done={reload}
            >
              <p>
                {texts.yourBotGetsChipsTo} {of.rebuys + 1}.
              </p>
            </ConfirmButton>
          )}
          {of.premium ? (
            <span class="badge accent">{texts.seasonPass}</span>
          ) : (
            <ConfirmButton
              label={texts.buyTheSeasonPass}
              title={texts.buyTheSeasonPass}
              verb={texts.buyIt}
              act={() => call('POST /api/season/pass', {})}
              done={reload}
            >
              <p>
                {texts.itOpensAnalyticsChartsAnd}
                {balance.data !== null && (
                  <>
                    {texts.youHave}
                    {balance.data.balance.toFixed(2)}
                  </>
                )}
                .
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
    <Section title={texts.signIn}>
      <p>
        {texts.youAreSignedInAs}
        <strong>{session.value?.email}</strong>
        {texts.agentId}
        <Id id={agent.agent_id} />
      </p>
      <button type="button" class="quiet" onClick={() => void signOut().catch((error: unknown) => ignoreAway(error))}>
        {texts.signOut}
      </button>
    </Section>
  );
}

/** The bar on top tells of a server that is away. */
function ignoreAway(error: unknown): void {
  if (!(error instanceof ApiError)) throw error;
}
