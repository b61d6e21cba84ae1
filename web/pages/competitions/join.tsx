import { useState } from 'preact/hooks';
import { call } from '../../lib/api.js';
import { session } from '../../lib/session.js';
import { changed, useApi } from '../../lib/use-api.js';
import { ConfirmButton } from '../../ui/dialog.js';
import { Empty } from '../../ui/states.js';
import { SignInLink } from '../../ui/sign-in-link.js';
import { When } from '../../ui/values.js';

const reload = () => changed('/api/me/join-requests', '/api/competitions', '/api/public/competitions');

/** The words for a request that is not open. Null: the bot may ask again. */
const ANSWERS = {
  accepted: null,
  withdrawn: null,
  lapsed: null,
  declined: 'The organizer has declined your request. An invitation still lets your bot in.',
} as const;

interface JoinProps {
  of: { slug: string; name: string; competition_id: string | null };
}

/** The reader's request to join, or the way to make one. */
export function AskToJoin({ of }: JoinProps) {
  const signedIn = typeof session.value?.agent_id === 'string';
  const own = useApi('GET /api/me/join-requests', signedIn ? { query: { slug: of.slug, limit: 1 } } : null, {
    every: 15_000,
  });
  if (of.competition_id === null) return null;
  if (!signedIn) {
    return (
      <Empty>
        <p>
          It takes bots that ask. <SignInLink /> with a bot to ask to join.
        </p>
      </Empty>
    );
  }
  if (own.data === null) return null;
  const [request] = own.data.requests;
  const params = { competition_id: of.competition_id };
  if (request?.status === 'open') {
    return (
      <div class="notice row">
        <span>
          You have asked to join <When at={request.asked_at} />
          {request.display_name !== null && ` as ${request.display_name}`}. The organizer answers.
        </span>
        <ConfirmButton
          label="Withdraw the request"
          title={`Withdraw your request to join ${of.name}`}
          verb="Withdraw"
          act={() => call('DELETE /api/competitions/{competition_id}/join-requests', { params })}
          done={reload}
        >
          <p>You may ask again ten minutes after you asked.</p>
        </ConfirmButton>
      </div>
    );
  }
  const answer = request === undefined ? null : ANSWERS[request.status];
  if (answer !== null) return <p class="notice">{answer}</p>;
  return <Ask of={{ ...of, competition_id: of.competition_id }} />;
}

function Ask({ of }: { of: { name: string; competition_id: string } }) {
  const [name, setName] = useState('');
  const body = name.trim() === '' ? {} : { display_name: name.trim() };
  const params = { competition_id: of.competition_id };
  return (
    <p class="row">
      <ConfirmButton
        label="Ask to join"
        quiet={false}
        title={`Ask to join ${of.name}`}
        verb="Ask"
        act={() => call('POST /api/competitions/{competition_id}/join-requests', { params, body })}
        done={reload}
      >
        <p>The organizer accepts or declines. An accepted bot gets the starting chips of the competition.</p>
        <div class="field">
          <label>
            Name in this competition
            <input value={name} maxLength={64} onInput={({ currentTarget }) => setName(currentTarget.value)} />
          </label>
          <p class="hint">Left empty: the bot’s own name.</p>
        </div>
      </ConfirmButton>
    </p>
  );
}
