import type { Answer } from '../../lib/api.js';
import { pathTo } from '../../lib/paths.js';
import { useApi } from '../../lib/use-api.js';
import { useQuery } from '../../lib/use-query.js';
import { Empty, Shown } from '../../ui/states.js';
import { When } from '../../ui/values.js';
import { OwnerPage } from './owner.js';

const FILTERS = {
  rejected: 'Rejected',
  timeout: 'Timed out',
  error: 'Errors',
  flood: 'Flooding',
  disconnect: 'Disconnected',
};

/** The close codes of docs/protocol.md, as a bot meets them. */
const CLOSES: Readonly<Record<string, string>> = {
  1000: 'Your bot closed the connection.',
  1001: 'Your bot went away.',
  1005: 'Your bot closed the connection without a code.',
  1006: 'The connection broke off, or was silent for too long.',
  1008: 'Your bot sent ten times the messages that a socket may, and was cut off.',
  1009: 'Your bot sent a frame above 16 KiB.',
  1012: 'The server asked it to connect again.',
  1013: 'Your bot read too slowly.',
  4001: 'The API key is no longer good.',
  4002: 'Another connection of your bot took over.',
  4003: 'The bot token has expired or was revoked.',
  4009: 'Your bot is seated in another competition.',
};

const BADGES = {
  rejected: 'rejected',
  timeout: 'timed out',
  error: 'error',
  flood: 'flood',
  disconnect: 'disconnect',
};

type Mishap = Answer<'GET /api/me/mishaps'>['mishaps'][number];
type Kind = Mishap['kind'];

const KINDS = Object.keys(FILTERS) as Kind[];
const EVERY_MS = 5000;

/** The own bot's recent mishaps, as they happen. */
export default function Mishaps() {
  return (
    <OwnerPage title="Problems">
      {() => (
        <>
          <p class="soft">
            The last hundred mishaps, newest first, each with its frame. They are kept in memory for a day, and go when
            the server restarts.
          </p>
          <Lately />
        </>
      )}
    </OwnerPage>
  );
}

function Lately() {
  const [query, change] = useQuery();
  const lately = useApi('GET /api/me/mishaps', {}, { every: EVERY_MS });
  const chosen = KINDS.find((kind) => kind === query['kind']);
  return (
    <Shown of={lately} rows={8}>
      {({ mishaps }) => {
        if (mishaps.length === 0) {
          return (
            <Empty>
              <p>
                Nothing went wrong lately. Rejected actions, errors, timeouts, flood warnings and ended connections
                stand here as they happen.
              </p>
            </Empty>
          );
        }
        const shown = mishaps.filter(({ kind }) => chosen === undefined || kind === chosen);
        return (
          <>
            <Filter mishaps={mishaps} chosen={chosen} choose={(kind) => change({ kind })} />
            {shown.length === 0 ? (
              <Empty>
                <p>None of this kind.</p>
              </Empty>
            ) : (
              <ul class="mishaps" aria-label="Mishaps">
                {shown.map((mishap, index) => (
                  <One key={`${mishap.at} ${shown.length - index}`} mishap={mishap} />
                ))}
              </ul>
            )}
          </>
        );
      }}
    </Shown>
  );
}

function Filter({
  mishaps,
  chosen,
  choose,
}: {
  mishaps: readonly Mishap[];
  chosen: Kind | undefined;
  choose: (kind: string) => void;
}) {
  const countOf = (kind: Kind) => mishaps.filter((mishap) => mishap.kind === kind).length;
  return (
    <div class="row choice filters" role="group" aria-label="Which mishaps">
      <button type="button" class="switch" aria-pressed={chosen === undefined} onClick={() => choose('')}>
        All ({mishaps.length})
      </button>
      {KINDS.filter((kind) => countOf(kind) > 0 || kind === chosen).map((kind) => (
        <button key={kind} type="button" class="switch" aria-pressed={kind === chosen} onClick={() => choose(kind)}>
          {FILTERS[kind]} ({countOf(kind)})
        </button>
      ))}
    </div>
  );
}

function One({ mishap }: { mishap: Mishap }) {
  const { at, kind, code, message, table_id: table, hand_id: hand, sent, received } = mishap;
  const words = kind === 'disconnect' ? (CLOSES[code] ?? message) : message;
  const answered =
    kind === 'timeout' ? 'It did not answer' : kind === 'disconnect' ? 'The server sent' : 'It was answered';
  return (
    <li>
      <details>
        <summary>
          <When at={at} />
          <span class={`kind ${kind}`}>{BADGES[kind]}</span>
          <span class="what">
            {words} <code>{code}</code>
          </span>
        </summary>
        <div class="frames">
          {(hand !== null || table !== null) && (
            <p class="row">
              {hand !== null && <a href={pathTo('hand', { hand_id: hand })}>The hand</a>}
              {table !== null && <a href={pathTo('table', { table_id: table })}>Its table</a>}
            </p>
          )}
          {sent !== null && <Frame name="Your bot sent" text={sent} />}
          {received !== null && <Frame name={answered} text={received} />}
          {sent === null && received === null && <p class="soft">No frame was kept.</p>}
        </div>
      </details>
    </li>
  );
}

function Frame({ name, text }: { name: string; text: string }) {
  return (
    <figure class="frame">
      <figcaption>{name}</figcaption>
      <pre tabIndex={0} aria-label={name}>
        <code>{spread(text)}</code>
      </pre>
    </figure>
  );
}

/** JSON over several lines; what is none as it is. */
function spread(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
