import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Answer } from '../lib/api.js';
import { amountText } from '../lib/amount.js';
import { pathTo } from '../lib/paths.js';
import { Stage } from '../table/stage.js';
import { TOO_MANY } from './watch.js';
import { Empty, NO_TABLES } from '../ui/states.js';
import { byInterest } from './interest.js';
import { LiveShow } from './show.js';
import { useWhileSeen } from './while-seen.js';

type Table = Answer<'GET /api/tables'>[number];

/** One of the tables that play, live and small; it leads to its page. The same as long as it plays. */
export default function Featured({ tables }: { tables: readonly Table[] }) {
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const [chosen, choose] = useState<string | null>(null);
  const open = tables.filter(({ table_id: id }) => !gone.has(id));
  const id = open.some((table) => table.table_id === chosen) ? chosen : (liveliest(open)?.table_id ?? null);
  useEffect(() => choose(id), [id]);
  if (id === null) {
    return (
      <Empty>
        <p>{NO_TABLES}</p>
        <a class="button main" href="#first-bot">
          Write a bot
        </a>
      </Empty>
    );
  }
  return <Small key={id} id={id} onGone={() => setGone(new Set([...gone, id]))} />;
}

/** Nothing is known of the play before one of the tables is watched. */
const liveliest = (tables: readonly Table[]) =>
  byInterest(tables, ({ players, hand_number: handNumber }) => ({ players, handNumber }))[0];

function Small({ id, onGone }: { id: string; onGone: () => void }) {
  const show = useMemo(() => new LiveShow(id, '1'), [id]);
  useWhileSeen(() => show.start(), show);
  const drawn = show.drawn.value;
  const state = show.state.value;
  const over = state === 'gone' || drawn.closed;
  useEffect(() => {
    if (over) onGone();
  }, [over]);
  const amount = amountText(drawn.view?.bigBlind ?? 0);
  show.amount = amount;
  return (
    <a class="featured" href={pathTo('table', { table_id: id })}>
      <span class="hidden">Watch this table</span>
      {drawn.view === null ? (
        <p class="featured-wait">{state === 'full' ? TOO_MANY : 'The table is coming.'}</p>
      ) : (
        <Stage
          view={drawn.view}
          before={drawn.before}
          step={String(drawn.step)}
          amount={amount}
          dimmed={state === 'lost'}
        />
      )}
    </a>
  );
}
