import type { Answer } from '../../lib/api.js';
import { pathTo } from '../../lib/paths.js';
import { useApi } from '../../lib/use-api.js';
import { useQuery } from '../../lib/use-query.js';
import { mishapTexts as texts } from '../../texts/mishaps.js';
import { Empty, Shown } from '../../ui/states.js';
import { When } from '../../ui/values.js';
import { OwnerPage } from './owner.js';

type Mishap = Answer<'GET /api/me/mishaps'>['mishaps'][number];
type Kind = Mishap['kind'];

const KINDS = Object.keys(texts.kinds) as Kind[];
const EVERY_MS = 5000;

/** What went wrong for the own bot lately, as it happens. */
export default function Mishaps() {
  return (
    <OwnerPage title={texts.title}>
      {() => (
        <>
          <p class="soft">{texts.lead}</p>
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
              <p>{texts.none}</p>
            </Empty>
          );
        }
        const shown = mishaps.filter(({ kind }) => chosen === undefined || kind === chosen);
        return (
          <>
            <Filter mishaps={mishaps} chosen={chosen} choose={(kind) => change({ kind })} />
            {shown.length === 0 ? (
              <Empty>
                <p>{texts.noneOf}</p>
              </Empty>
            ) : (
              <ul class="mishaps" aria-label={texts.list}>
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
    <div class="row choice filters" role="group" aria-label={texts.filter}>
      <button type="button" class="switch" aria-pressed={chosen === undefined} onClick={() => choose('')}>
        {texts.all(mishaps.length)}
      </button>
      {KINDS.filter((kind) => countOf(kind) > 0 || kind === chosen).map((kind) => (
        <button key={kind} type="button" class="switch" aria-pressed={kind === chosen} onClick={() => choose(kind)}>
          {texts.kinds[kind]} ({countOf(kind)})
        </button>
      ))}
    </div>
  );
}

function One({ mishap }: { mishap: Mishap }) {
  const { at, kind, code, message, table_id: table, hand_id: hand, sent, received } = mishap;
  const words = kind === 'disconnect' ? (texts.closes[code] ?? message) : message;
  const answered = kind === 'timeout' || kind === 'disconnect' ? texts.received[kind] : texts.received.other;
  return (
    <li>
      <details>
        <summary>
          <When at={at} />
          <span class={`kind ${kind}`}>{texts.of[kind]}</span>
          <span class="what">
            {words} <code>{code}</code>
          </span>
        </summary>
        <div class="frames">
          {(hand !== null || table !== null) && (
            <p class="row">
              {hand !== null && <a href={pathTo('hand', { hand_id: hand })}>{texts.hand}</a>}
              {table !== null && <a href={pathTo('table', { table_id: table })}>{texts.table}</a>}
            </p>
          )}
          {sent !== null && <Frame name={texts.sent} text={sent} />}
          {received !== null && <Frame name={answered} text={received} />}
          {sent === null && received === null && <p class="soft">{texts.nothing}</p>}
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
