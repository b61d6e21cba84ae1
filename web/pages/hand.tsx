import { useLocation, useRoute } from 'preact-iso';
import { useMemo, useRef } from 'preact/hooks';
import { handName, tableName } from '../../src/protocol/table-name.js';
import { fromPublicHand, type PublicHandAnswer } from '../game/public-hand.js';
import { pathTo } from '../lib/paths.js';
import { useApi } from '../lib/use-api.js';
import { Proof } from '../proof/proof.js';
import { Replayer } from '../replay/replayer.js';
import { signed } from '../lib/format.js';
import { Page } from '../ui/page.js';
import { Shown } from '../ui/states.js';
import { Copy, When } from '../ui/values.js';

const FORMATS = [
  ['PHH', '/file?format=phh', 'phhs'],
  ['PokerStars', '/file?format=pokerstars', 'txt'],
  ['JSON', '', 'json'],
] as const;

/** A finished hand, step by step. */
export default function HandPage() {
  const { params } = useRoute();
  const id = (params['hand_id'] ?? '').toLowerCase();
  const asked = useApi('GET /api/hands/{hand_id}', { params: { hand_id: id } });
  // The hand before stays until the next one is there.
  const last = useRef<PublicHandAnswer | null>(null);
  last.current = asked.data ?? (asked.error === null ? last.current : null);
  const hand = { ...asked, data: last.current };
  return (
    <Page
      title={hand.data === null ? 'Hand' : handName(hand.data.table_id, hand.data.hand_number)}
      lead={hand.data && <Lead hand={hand.data} />}
      actions={<Copy text={id} label="Copy the hand's id" />}
      wide
    >
      <Shown of={hand} rows={12}>
        {(data) => <Shared hand={data} awaited={data.hand_id !== id} />}
      </Shown>
    </Page>
  );
}

const Lead = ({ hand }: { hand: PublicHandAnswer }) => (
  <>
    <a href={pathTo('table', { table_id: hand.table_id })}>{tableName(hand.table_id)} now</a>
    {hand.competition && <> · {hand.competition.name}</>} · <When at={hand.started_at} />
  </>
);

/** `awaited`: another hand is on its way, so keys for the next one wait. */
function Shared({ hand, awaited }: { hand: PublicHandAnswer; awaited: boolean }) {
  const replayed = useMemo(() => fromPublicHand(hand), [hand]);
  const id = hand.hand_id;
  const { route } = useLocation();
  const beside = { before: hand.previous_hand_id, after: hand.next_hand_id };
  return (
    <Replayer
      hand={replayed}
      beside={beside}
      onHand={(by) => {
        const next = by === 1 ? beside.after : beside.before;
        if (next !== null && !awaited) route(pathTo('hand', { hand_id: next }));
      }}
      link={`${location.origin}${pathTo('hand', { hand_id: id })}`}
      panels={(secret) => [
        ['players', 'Players', <Players hand={hand} secret={secret} />],
        [
          'proof',
          'Proof',
          <section>
            <h2>Proof of the deal</h2>
            {secret ? (
              <p class="soft">No spoilers: the proof names the cards that were shown, so it comes with the result.</p>
            ) : (
              <Proof hand={hand} />
            )}
          </section>,
        ],
        [
          'take',
          'Files',
          <section>
            <h2>Take it with you</h2>
            <p class="row">
              {FORMATS.map(([name, path, ending]) => (
                <a key={name} class="button quiet" href={`/api/hands/${id}${path}`} download={`hand-${id}.${ending}`}>
                  {name}
                </a>
              ))}
              <Copy label="Copy the code to embed it" text={embedCode(id)} />
            </p>
          </section>,
        ],
      ]}
    />
  );
}

const embedCode = (id: string) =>
  `<iframe src="${location.origin}${pathTo('embedHand', { hand_id: id })}" width="720" height="560" style="border:0" title="A hand of Agent Poker"></iframe>`;

/** The players, and their results. */
function Players({ hand, secret }: { hand: PublicHandAnswer; secret: boolean }) {
  const gain = (player: PublicHandAnswer['players'][number]) => player.stack_end - player.stack_start;
  return (
    <section>
      <h2>Players</h2>
      <ul class="results">
        {hand.players.map((player) => (
          <li key={player.seat}>
            <span class="result-name">
              {player.public_profile_slug === null ? (
                player.name
              ) : (
                <a href={pathTo('agent', { slug: player.public_profile_slug })}>{player.name}</a>
              )}
            </span>
            {!secret && (
              <span class={gain(player) > 0 ? 'figure gain' : gain(player) < 0 ? 'figure loss' : 'figure'}>
                {signed(gain(player))}
              </span>
            )}
          </li>
        ))}
      </ul>
      {secret && <p class="soft">No spoilers: the winners come with the result.</p>}
    </section>
  );
}
