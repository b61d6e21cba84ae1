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
import { playgroundTexts as texts } from '../texts/playground.js';
import { Section } from '../ui/page.js';
import { Empty, Problem } from '../ui/states.js';
import { useSignal } from '@preact/signals';
import { OwnerPage } from './bot/owner.js';

/** A person plays as a bot, and sees what the protocol says. */
export default function Playground() {
  return <OwnerPage title={texts.title}>{(agent) => <Room name={agent.name} />}</OwnerPage>;
}

function Room({ name }: { name: string }) {
  const play = useMemo(() => new Play(), []);
  const refusal = useSignal<ApiError | null>(null);
  // Who goes elsewhere gives the seat up: nobody would see its turns.
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
      <p class="lead prose">{texts.lead}</p>
      {refusal.value !== null && <Problem error={refusal.value} />}
      <State play={play} begin={() => void begin()} />
      <Table play={play} name={name} />
      <Section title={texts.frames} aside={<a href={pathTo('messageReference')}>{texts.reference}</a>}>
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
        {state === 'away' && texts.takes}
        {rebuy && texts.offer}
        {state === 'lobby' && !rebuy && texts.state.lobby}
        {state === 'leaving' && texts.leaving}
        {state === 'seated' && (play.connected.value ? texts.hands(play.hands.value) : texts.lost)}
      </p>
      <div class="row">
        {state === 'away' && (
          <button type="button" class="main" onClick={begin}>
            {texts.start}
          </button>
        )}
        {rebuy && (
          <>
            <button type="button" class="main" onClick={() => play.answerRebuy(true)}>
              {texts.rebuy}
            </button>
            <button type="button" class="quiet" onClick={() => play.answerRebuy(false)}>
              {texts.stop}
            </button>
          </>
        )}
        {(state === 'seated' || (state === 'lobby' && !rebuy)) && (
          <button type="button" class="quiet" onClick={() => play.leave()}>
            {texts.leave}
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
        <p>{play.state.value === 'lobby' ? texts.state.lobby : texts.state.away}</p>
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
      <aside class="replay-side" aria-label={texts.side}>
        <Log lines={drawn.lines} label={texts.log} at={drawn.step} />
      </aside>
    </div>
  );
}

const clockOf = (turn: OpenTurn | null) => turn && { total: turn.total, left: turn.hand.deadline - Date.now() };

function TimeLeft({ turn }: { turn: OpenTurn | null }) {
  const left = turn === null ? 0 : Math.max(0, turn.hand.deadline - second.value);
  return <p class="odds">{turn === null ? texts.others : texts.yours(Math.ceil(left / 1000))}</p>;
}

/** The own seat marked, and with its clock in the own turn. */
function own(view: TableView, name: string, clock: TableView['clock']): TableView {
  const seat = view.seats.find((each) => each.name === name);
  if (seat === undefined) return view;
  const seats = view.seats.map((each) => (each === seat ? { ...each, followed: true } : each));
  return { ...view, seats, ...(clock && { clock, actor: seat.seat }) };
}
