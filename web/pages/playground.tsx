import { useEffect, useMemo } from 'preact/hooks';
import { call, type ApiError } from '../lib/api.js';
import { asApiError, changed } from '../lib/use-api.js';
import { amountText } from '../lib/amount.js';
import { second } from '../lib/clock.js';
import { pathTo } from '../lib/paths.js';
import { ActionBar } from '../playground/action-bar.js';
import { FrameList } from '../playground/frame-list.js';
import { Play, type OpenTurn } from '../playground/play.js';
import { Log } from '../table/log.js';
import { Stage } from '../table/stage.js';
import type { TableView } from '../table/view.js';
import { counted } from '../lib/format.js';
import { Section } from '../ui/page.js';
import { Empty, Problem } from '../ui/states.js';
import { useSignal } from '@preact/signals';
import { OwnerPage } from './bot/owner.js';

const IN_LOBBY = 'In the lobby. A seat comes as soon as another player is there.';

/** A person plays as a bot, and sees what the protocol says. */
export default function Playground() {
  return <OwnerPage title="Playground">{(agent) => <Room name={agent.name} />}</OwnerPage>;
}

function Room({ name }: { name: string }) {
  const play = useMemo(() => new Play(), []);
  const refusal = useSignal<ApiError | null>(null);
  // A reader that leaves the page gives the seat up: nobody would see its turns.
  useEffect(() => () => play.leave(), [play]);
  const begin = async () => {
    refusal.value = null;
    try {
      // Before the seat is taken: a server that does not tell its clock seats nobody.
      const { action_timeout_ms: clockMs } = await call('GET /api/public-config', {});
      const { token } = await call('POST /api/bot/deploy', { body: { mode: 'browser' } });
      await playWith(play, token?.bot_token ?? '', clockMs / 1000);
    } catch (error) {
      refusal.value = asApiError(error);
    }
    changed('/api/bot', '/api/me', '/api/season/me');
  };
  return (
    <>
      <p class="lead prose">
        Play by hand as a bot would: the same lobby, the same tables, the same messages. The messages of the socket
        stand beside it.
      </p>
      {refusal.value !== null && <Problem error={refusal.value} />}
      <State play={play} begin={() => void begin()} />
      <Table play={play} name={name} />
      <Section title="Messages on the socket" aside={<a href={pathTo('messageReference')}>What each message means</a>}>
        <FrameList frames={play.frames} />
      </Section>
    </>
  );
}

/** Over when the person left, and the server knows that nobody plays here any more. */
async function playWith(play: Play, first: string, timeoutSeconds: number): Promise<void> {
  let fresh: string | null = first;
  const token = async () => {
    const known = fresh;
    fresh = null;
    return known ?? (await call('POST /api/bot/refresh-token', {})).bot_token;
  };
  const summary = await play.run({ url: location.origin, token, timeoutSeconds });
  if (summary === null || summary.reason === 'left' || summary.reason === 'busted')
    await call('POST /api/bot/stop', {});
}

function State({ play, begin }: { play: Play; begin: () => void }) {
  const state = play.state.value;
  const rebuy = play.offer.value !== null;
  return (
    <div class="notice seat-state">
      <p role="status">
        {play.note.value !== null && <strong>{play.note.value} </strong>}
        {state === 'away' &&
          'Your bot sits down in this page, with a bot token that only this page has. It takes over from your present bot, which stops.'}
        {rebuy && 'Your chips are gone. A rebuy brings 1,500 more, at a penalty of as many points.'}
        {state === 'lobby' && !rebuy && IN_LOBBY}
        {state === 'leaving' && 'Leaving: the seat is given up at the end of the hand.'}
        {state === 'seated' &&
          (play.connected.value
            ? `${counted(play.hands.value, 'hand')} played`
            : 'The connection is lost. The page reconnects, and the seat is held.')}
      </p>
      <div class="row">
        {state === 'away' && (
          <button type="button" class="main" onClick={begin}>
            Sit down
          </button>
        )}
        {rebuy && (
          <>
            <button type="button" class="main" onClick={() => play.answerRebuy(true)}>
              Rebuy
            </button>
            <button type="button" class="quiet" onClick={() => play.answerRebuy(false)}>
              Stop playing
            </button>
          </>
        )}
        {(state === 'seated' || (state === 'lobby' && !rebuy)) && (
          <button type="button" class="quiet" onClick={() => play.leave()}>
            Leave the table
          </button>
        )}
      </div>
    </div>
  );
}

function Table({ play, name }: { play: Play; name: string }) {
  const show = play.show.value;
  const drawn = show?.drawn.value;
  const turn = play.turn.value;
  // It runs by itself: a new one only where the picture is drawn anew.
  const clock = useMemo(() => clockOf(turn), [turn, drawn?.step]);
  if (show === null || !drawn?.view) {
    return (
      <Empty>
        <p>{play.state.value === 'lobby' ? IN_LOBBY : 'Not at a table.'}</p>
      </Empty>
    );
  }
  const amount = amountText(drawn.view.bigBlind);
  show.amount = amount;
  return (
    <div class="replayer">
      <div class="replay-table">
        <Stage
          view={own(drawn.view, name, clock)}
          before={drawn.before}
          step={String(drawn.step)}
          amount={amount}
          dimmed={!play.connected.value}
        />
        <TimeLeft turn={turn} />
        <ActionBar turn={turn} amount={amount} act={(action) => play.act(action)} />
        <p class="hidden" aria-live="polite">
          {show.spoken.value}
        </p>
      </div>
      <aside class="replay-side" aria-label="Events at the table">
        <Log lines={drawn.lines} label="What happens" at={drawn.step} />
      </aside>
    </div>
  );
}

const clockOf = (turn: OpenTurn | null) => turn && { total: turn.total, left: turn.hand.deadline - Date.now() };

function TimeLeft({ turn }: { turn: OpenTurn | null }) {
  const left = turn === null ? 0 : Math.max(0, turn.hand.deadline - second.value);
  return (
    <p class="odds">
      {turn === null
        ? 'Wait for your turn.'
        : `Your turn: ${Math.ceil(left / 1000)} s left, then it is a check or a fold.`}
    </p>
  );
}

/** The own seat marked, and with its clock in the own turn. */
function own(view: TableView, name: string, clock: TableView['clock']): TableView {
  const seat = view.seats.find((each) => each.name === name);
  if (seat === undefined) return view;
  const seats = view.seats.map((each) => (each === seat ? { ...each, followed: true } : each));
  return { ...view, seats, ...(clock && { clock, actor: seat.seat }) };
}
