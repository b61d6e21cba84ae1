import type { EquityBySeat } from '../equity/ask.js';
import { cardWords } from '../game/card-words.js';
import type { AmountWords } from '../lib/amount-words.js';
import { counted } from '../lib/format.js';
import { useMedia } from '../ui/use-media.js';
import { TablePicture } from './picture.js';
import type { TableView } from './view.js';

interface StageProps {
  view: TableView;
  before: TableView | null;
  step: string;
  equity?: EquityBySeat;
  amount: AmountWords;
  dimmed?: boolean;
}

/** The picture in one sentence. */
function labelOf({ board, pot, seats }: TableView, amount: (chips: number) => string): string {
  const playing = seats.filter(({ name, faded }) => name !== null && !faded).length;
  const cards = board.length === 0 ? 'no board' : `board ${board.map(cardWords).join(', ')}`;
  return `The table: ${counted(playing, 'player')} in, ${cards}, pot ${amount(pot)}`;
}

/** The picture in the form that fits the window. */
export function Stage({ view, before, step, equity = {}, amount, dimmed }: StageProps) {
  const upright = useMedia(NARROW);
  return (
    <div class={`stage${upright ? ' upright-stage' : ''}${dimmed ? ' dimmed' : ''}`}>
      <TablePicture
        view={described(view, equity)}
        before={before}
        step={step}
        upright={upright}
        equity={view.seats.some(({ won }) => won > 0) ? {} : sharesOf(equity)}
        amount={amount}
        label={labelOf(view, amount)}
      />
    </div>
  );
}

const sharesOf = (equity: EquityBySeat) =>
  Object.fromEntries(Object.entries(equity).map(([seat, { share }]) => [seat, share]));

/** At the showdown hands get their words, also those that the record has none for. */
function described(view: TableView, equity: EquityBySeat): TableView {
  if (!view.seats.some(({ won }) => won > 0)) return view;
  const seats = view.seats.map((seat) => ({ ...seat, note: seat.note ?? equity[seat.seat]?.words ?? null }));
  return { ...view, seats };
}

const NARROW = '(max-width: 719px) and (orientation: portrait), (max-width: 519px)';
