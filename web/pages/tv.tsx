import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { tableName } from '../../src/protocol/table-name.js';
import type { AmountWords } from '../lib/amount-words.js';
import { amountText } from '../lib/amount.js';
import { count } from '../lib/format.js';
import { pathTo } from '../lib/paths.js';
import { unit } from '../lib/settings.js';
import { useApi } from '../lib/use-api.js';
import { Channels } from '../live/channels.js';
import type { LiveShow } from '../live/show.js';
import { TOO_MANY } from '../live/watch.js';
import { useWhileSeen } from '../live/while-seen.js';
import { useKeys } from '../replay/keys.js';
import { Stage } from '../table/stage.js';
import { Cards } from '../ui/cards.js';
import { KeysDialog } from '../ui/keys-dialog.js';
import { Page } from '../ui/page.js';
import { Empty, NO_TABLES, Problem, Skeleton } from '../ui/states.js';

const KEYS = [
  ['← →', 'another table'],
  ['Space', 'keep this table, or follow the most interesting one'],
  ['f', 'full screen'],
  ['c', 'chips or big blinds'],
  ['?', 'this list'],
] as const;

/** How often new tables are looked for, in ms. */
const LOOK_MS = 5000;
/** The pointer and the buttons go when nothing has moved for so long, in ms. */
const IDLE_MS = 3000;

/** One table as large as the window: always the one with the most to see. */
export default function TvPage() {
  const tables = useApi('GET /api/tables', {}, { every: LOOK_MS });
  const channels = useMemo(() => new Channels(), []);
  useWhileSeen(() => channels.start(), channels);
  useEffect(() => channels.list(tables.data ?? []), [channels, tables.data]);
  useWakeLock();
  const show = channels.shown.value;
  const name = show === null ? 'TV' : tableName(show.tableId);
  return (
    <Page title={name} wide>
      {show !== null ? (
        <Screen channels={channels} show={show} name={name} others={(tables.data?.length ?? 0) > 1} />
      ) : tables.data === null ? (
        tables.error === null ? (
          <Skeleton rows={12} />
        ) : (
          <Problem error={tables.error} retry={tables.reload} />
        )
      ) : (
        <Empty>
          <p>{NO_TABLES}</p>
          <a class="button main" href={`${pathTo('home')}#first-bot`}>
            Write a bot
          </a>
        </Empty>
      )}
    </Page>
  );
}

function Screen(props: { channels: Channels; show: LiveShow; name: string; others: boolean }) {
  const { channels, show, name, others } = props;
  const box = useRef<HTMLDivElement>(null);
  const [help, setHelp] = useState(false);
  const idle = useIdle();
  const { view, before, step, lines } = show.drawn.value;
  const amount = amountText(view?.bigBlind ?? 0);
  show.amount = amount;
  const pinned = channels.pinned.value;
  useTitle(titleOf(name, view?.pot ?? 0, amount));
  const togglePin = () => (channels.pinned.value = !pinned);
  const toggleUnit = () => (unit.value = unit.value === 'bb' ? 'chips' : 'bb');
  const fullScreen = () => void toggleFullScreen(box.current!);
  useKeys({
    ArrowRight: () => channels.step(1),
    ArrowLeft: () => channels.step(-1),
    ' ': togglePin,
    f: fullScreen,
    F: fullScreen,
    c: toggleUnit,
    '?': () => setHelp(true),
  });
  const state = show.state.value;
  const last = lines.findLast(({ step: of }) => of === step);
  return (
    <div class={idle && !help ? 'tv idle' : 'tv'} ref={box}>
      <div class="tv-picture">
        {view === null ? (
          <p class="tv-wait">{state === 'full' ? TOO_MANY : 'The table is coming.'}</p>
        ) : (
          <Stage view={view} before={before} step={String(step)} amount={amount} dimmed={state === 'lost'} />
        )}
      </div>
      <p class="tv-said">
        <b class="tv-name">{name} </b>
        {view !== null && view.handNumber !== null && <span class="soft">#{count(view.handNumber)} </span>}
        {last === undefined ? '\u00a0' : `${last.name ?? ''} ${last.text} `}
        {last !== undefined && <Cards cards={last.cards} />}
      </p>
      <p class="hidden" aria-live="polite">
        {show.spoken.value}
      </p>
      <div class="controls" role="group" aria-label="TV">
        <button type="button" class="quiet" disabled={!others} onClick={() => channels.step(-1)}>
          ←<span class="hidden"> Table before</span>
        </button>
        <button type="button" class="quiet" disabled={!others} onClick={() => channels.step(1)}>
          →<span class="hidden"> Next table</span>
        </button>
        <button type="button" class={pinned ? 'quiet chosen' : 'quiet'} aria-pressed={pinned} onClick={togglePin}>
          Keep this table
        </button>
        <button type="button" class="quiet" onClick={fullScreen}>
          Full screen
        </button>
        <a class="button quiet" href={pathTo('table', { table_id: show.tableId })}>
          The table's page
        </a>
        <button type="button" class="quiet" aria-label="Keys" onClick={() => setHelp(true)}>
          ?
        </button>
      </div>
      {help && <KeysDialog keys={KEYS} close={() => setHelp(false)} />}
    </div>
  );
}

const titleOf = (name: string, pot: number, amount: AmountWords) => (pot > 0 ? `${name} · pot ${amount(pot)}` : name);

/** The window's title says what goes on. It changes with the pot, the heading does not. */
function useTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}

/** A refusal of the browser leaves the page as it is: the button can be pressed again. */
async function toggleFullScreen(box: HTMLElement): Promise<void> {
  try {
    if (document.fullscreenElement === null) await box.requestFullscreen();
    else await document.exitFullscreen();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

/** Whether nothing was moved or pressed for a while. */
function useIdle(): boolean {
  const [idle, setIdle] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const moved = () => {
      clearTimeout(timer);
      setIdle(false);
      timer = setTimeout(() => setIdle(true), IDLE_MS);
    };
    moved();
    const events = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const;
    for (const event of events) addEventListener(event, moved);
    return () => {
      clearTimeout(timer);
      for (const event of events) removeEventListener(event, moved);
    };
  }, []);
  return idle;
}

/** The screen stays on while the page can be seen, where the browser can do that. It lets go by itself. */
function useWakeLock(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | null = null;
    let left = false;
    const take = async () => {
      // Absent on plain HTTP.
      const { wakeLock } = navigator as Partial<Pick<Navigator, 'wakeLock'>>;
      if (wakeLock === undefined || document.visibilityState !== 'visible') return;
      try {
        lock = await wakeLock.request('screen');
        if (left) await lock.release();
      } catch (error) {
        // Refused, as with a low battery: the screen goes off as it always does.
        if (!(error instanceof DOMException)) throw error;
      }
    };
    const look = () => void take();
    look();
    document.addEventListener('visibilitychange', look);
    return () => {
      left = true;
      document.removeEventListener('visibilitychange', look);
      void lock?.release();
    };
  }, []);
}
