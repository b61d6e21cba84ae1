import { useLocation, useRoute } from 'preact-iso';
import { handName, tableName } from '../../src/protocol/table-name.js';
import { useEffect, useMemo } from 'preact/hooks';
import { PACES, type Pace } from '../game/pace.js';
import { call } from '../lib/api.js';
import { second } from '../lib/clock.js';
import { amountText } from '../lib/amount.js';
import { count, counted } from '../lib/format.js';
import { kept } from '../lib/kept.js';
import { pathTo, tablePath } from '../lib/paths.js';
import { session } from '../lib/session.js';
import { LiveShow, type Drawn } from '../live/show.js';
import { TOO_MANY, type WatchState } from '../live/watch.js';
import { useKeys } from '../replay/keys.js';
import { Log } from '../table/log.js';
import { Stage } from '../table/stage.js';
import { Page } from '../ui/page.js';
import { Panels } from '../ui/panels.js';
import { Empty, Skeleton } from '../ui/states.js';
import { Copy } from '../ui/values.js';

const PACE_NAMES = { live: 'Live', 1: '1×', 2: '2×', 4: '4×', step: 'Step' };

const pace = kept('pace', PACES, '1');
/** How often a bot that left is looked for, in ms. */
const FOLLOW_MS = 3000;

/** A table, live. */
export default function TablePage() {
  const { params } = useRoute();
  const id = params['table_id'] ?? '';
  const show = useMemo(() => new LiveShow(id, pace.peek()), [id]);
  useEffect(() => show.start(), [show]);
  useEffect(() => show.setPace(pace.value), [show, pace.value]);
  const drawn = show.drawn.value;
  const amount = amountText(drawn.view?.bigBlind ?? 0);
  show.amount = amount;
  show.ownName = session.value?.agent_name ?? null;
  const state = show.state.value;
  const bot = useFollowing(id, drawn, state === 'gone');
  const { path, route } = useLocation();
  const follow = (slug: string | null) => route(slug === null ? path : `${path}?bot=${encodeURIComponent(slug)}`, true);
  useKeys({
    ArrowRight: pace.value === 'step' ? () => show.next() : undefined,
    ' ': pace.value === 'step' ? () => show.next() : undefined,
  });
  const gone = state === 'gone' || drawn.closed;
  return (
    <Page
      title={tableName(id)}
      lead={leadOf(drawn, state, gone)}
      actions={<Copy text={id} label="Copy the table's id" />}
      wide
    >
      {drawn.view === null && (gone ? <Gone /> : state === 'full' ? <Empty>{TOO_MANY}</Empty> : <Skeleton rows={12} />)}
      {drawn.view !== null && (
        <div class="replayer live-table">
          <div class="replay-table">
            <Stage
              view={followed(drawn, bot)}
              before={drawn.before}
              step={String(drawn.step)}
              amount={amount}
              dimmed={state === 'lost' || gone}
            />
            <Thinking drawn={drawn} />
            <PaceSwitch show={show} drawn={drawn} />
            <p class="hidden" aria-live="polite">
              {show.spoken.value}
            </p>
          </div>
          <Panels
            label="About this table"
            panels={[
              [
                'log',
                'What happens',
                <>
                  <Log lines={drawn.lines} label="What happens" at={drawn.step} />
                  {drawn.lastHand && (
                    <p>
                      <a href={pathTo('hand', { hand_id: drawn.lastHand.id })}>
                        {drawn.lastHand.number === null
                          ? 'Replay the last hand'
                          : `Replay ${handName(id, drawn.lastHand.number)}`}
                      </a>
                    </p>
                  )}
                </>,
              ],
              ['players', 'Players', <Seats drawn={drawn} bot={bot} follow={follow} />],
            ]}
          />
        </div>
      )}
    </Page>
  );
}

function leadOf(drawn: Drawn, state: WatchState, gone: boolean): string {
  if (gone) return 'This table is closed.';
  if (state === 'full') return TOO_MANY;
  if (state === 'lost') return 'The connection is lost. The page reconnects.';
  return drawn.leftOut > 0 ? `${counted(drawn.leftOut, 'hand')} later` : 'Live';
}

/** Bots mostly act within milliseconds: how long one takes is said once it is long. */
const LONG_S = 2;

function Thinking({ drawn: { view, at, waiting } }: { drawn: Drawn }) {
  const seconds = Math.floor((second.value - at) / 1000);
  const actor = view?.seats.find(({ seat }) => seat === view.actor);
  const thinks = actor?.name && waiting === 0 && seconds >= LONG_S;
  return <p class="odds">{thinks ? `${actor.name!} has thought for ${seconds} s.` : '\u00a0'}</p>;
}

const Gone = () => (
  <Empty>
    <p>
      This table is closed, or there never was one. <a href={pathTo('tables')}>All tables</a>
    </p>
  </Empty>
);

const followed = ({ view, players }: Drawn, bot: string | null) => {
  const seat = bot === null ? undefined : players.find(({ slug }) => slug === bot)?.seat;
  if (view === null || seat === undefined) return view!;
  return { ...view, seats: view.seats.map((each) => (each.seat === seat ? { ...each, followed: true } : each)) };
};

function PaceSwitch({ show, drawn }: { show: LiveShow; drawn: Drawn }) {
  return (
    <div class="controls" role="group" aria-label="Pace">
      {PACES.map((each: Pace) => (
        <button
          key={each}
          type="button"
          class={pace.value === each ? 'quiet chosen' : 'quiet'}
          aria-pressed={pace.value === each}
          onClick={() => (pace.value = each)}
        >
          {PACE_NAMES[each]}
        </button>
      ))}
      {pace.value === 'step' && (
        <button type="button" class="main" onClick={() => show.next()}>
          {drawn.waiting === 0 ? 'Next' : `Next (${count(drawn.waiting)} wait)`}
        </button>
      )}
    </div>
  );
}

function Seats(props: { drawn: Drawn; bot: string | null; follow: (slug: string | null) => void }) {
  const { drawn, bot, follow } = props;
  return (
    <section>
      <h2>Players</h2>
      <ul class="results">
        {drawn.players.map(({ seat, name, slug }) => (
          <li key={seat}>
            <span class="result-name">{slug === null ? name : <a href={pathTo('agent', { slug })}>{name}</a>}</span>
            {slug !== null && (
              <button
                type="button"
                class="quiet"
                aria-pressed={bot === slug}
                onClick={() => follow(bot === slug ? null : slug)}
              >
                {bot === slug ? 'Watching' : 'Watch this bot'}
                <span class="hidden"> {name}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The bot that the reader follows (`?bot=`), from table to table. */
function useFollowing(id: string, drawn: Drawn, gone: boolean): string | null {
  const { query, route } = useLocation();
  const slug = query['bot'] ?? null;
  const here = slug === null || (!gone && !drawn.closed && drawn.players.some((player) => player.slug === slug));
  const lost = !here && (gone || drawn.view !== null);
  useEffect(() => {
    if (slug === null || !lost) return;
    const look = async () => {
      const seat = await call('GET /api/agents/{slug}/table', { params: { slug } }).catch(() => null);
      const next = seat?.table_id ?? null;
      if (next !== null && next !== id) route(tablePath(next, slug), true);
    };
    void look();
    const timer = setInterval(() => void look(), FOLLOW_MS);
    return () => clearInterval(timer);
  }, [slug, lost, id]);
  return slug;
}
