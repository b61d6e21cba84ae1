import type { JSX } from 'preact';
import type { AmountWords } from '../lib/amount-words.js';
import { count } from '../lib/format.js';
import { Card } from './cards.js';
import { Chips, chipsHeight } from './chips.js';
import { Felt } from './felt.js';
import { fit, measureInPage, type Measure } from './fit.js';
import { Flights } from './flights.js';
import { Exact, type Pen } from './pen.js';
import { LANDSCAPE, placesOf, PORTRAIT, type Place, type SeatPlace } from './places.js';
import { Seat } from './seat.js';
import type { TableView } from './view.js';

export interface TablePictureProps {
  view: TableView;
  /** The picture before: the difference is animated. Null where there is none, as after a jump. */
  before: TableView | null;
  /** Names this view among those before and after it. */
  step: string;
  upright?: boolean;
  /** By seat, 0 to 1. */
  equity?: Readonly<Record<number, number>>;
  amount: AmountWords;
  /** The picture in one sentence. */
  label: string;
  measure?: Measure;
}

export function TablePicture({
  view,
  before,
  step,
  upright,
  equity = {},
  amount,
  label,
  measure = measureInPage,
}: TablePictureProps): JSX.Element {
  const layout = upright ? PORTRAIT : LANDSCAPE;
  const pen: Pen = { layout, amount, measure };
  const { places, caption } = placesOf(layout, view.seats);
  const placed = view.seats.flatMap((seat) => {
    const place = places.get(seat.seat);
    return place ? [{ seat, place }] : [];
  });
  const button = view.button === null ? undefined : places.get(view.button);
  const classes = ['table-picture', upright && 'upright', !before && 'still'].filter(Boolean).join(' ');
  return (
    <svg class={classes} viewBox={`0 0 ${layout.width} ${layout.height}`} role="img" aria-label={label}>
      <Felt layout={layout} />
      <Middle view={view} before={before} caption={caption} pen={pen} />
      {button && <Button place={button} />}
      {placed.map(({ seat, place }) => (
        <Seat
          key={seat.seat}
          view={seat}
          place={place}
          acts={view.actor === seat.seat}
          clock={view.clock}
          equity={equity[seat.seat] ?? null}
          step={step}
          pen={pen}
        />
      ))}
      {placed.map(({ seat, place }) => {
        if (seat.bet === 0) return null;
        const grew = before !== null && (before.seats.find((other) => other.seat === seat.seat)?.bet ?? 0) < seat.bet;
        return <Bet key={`${seat.seat} ${seat.bet}`} chips={seat.bet} place={place} grew={grew} pen={pen} />;
      })}
      {before && <Flights key={step} view={view} before={before} layout={layout} places={places} />}
    </svg>
  );
}

/** The disc slides to its next place. */
const Button = ({ place: { button } }: { place: SeatPlace }): JSX.Element => (
  <g class="button-disc" style={{ transform: `translate(${button.x}px, ${button.y}px)` }}>
    <circle class="button-shade" cx="1" cy="2.5" r="14" />
    <circle class="button-face" r="14" />
    <text class="button-letter" y="5.5" text-anchor="middle">
      D
    </text>
  </g>
);

function Bet(props: { chips: number; place: SeatPlace; grew: boolean; pen: Pen }): JSX.Element {
  const { chips, place, grew, pen } = props;
  const { bet, plate, figure } = place;
  const from = { '--dx': `${(plate.x - bet.x) * 0.6}px`, '--dy': `${(plate.y - bet.y) * 0.6}px` };
  const text = { left: { x: -23, y: 6, anchor: 'end' }, right: { x: 23, y: 6, anchor: 'start' } };
  const { x, y, anchor } = figure === 'below' ? { x: 0, y: 32, anchor: 'middle' } : text[figure];
  return (
    <g class="bet" transform={`translate(${bet.x} ${bet.y})`}>
      <g class={grew ? 'arrive' : ''} style={from}>
        <Chips amount={chips} />
      </g>
      <text
        class="bet-figure"
        x={x}
        y={y}
        font-size={pen.layout.faces.bet.size}
        text-anchor={anchor as 'end' | 'start' | 'middle'}
      >
        <Exact text={pen.amount.short(chips)} whole={pen.amount(chips)} />
      </text>
    </g>
  );
}

interface MiddleProps {
  view: TableView;
  before: TableView | null;
  caption: Place;
  pen: Pen;
}

/** The board and the pot. */
function Middle({ view, before, caption, pen }: MiddleProps): JSX.Element {
  const { layout, amount } = pen;
  const { width, height, gap } = layout.boardCard;
  const left = layout.board.x - (5 * width + 4 * gap) / 2;
  const top = layout.board.y - height / 2;
  const lay = before?.board.length ?? view.board.length;
  return (
    <g class="middle">
      {view.waiting !== null && view.board.length === 0 && (
        <text class="waiting" x={layout.board.x} y={layout.board.y + 6} text-anchor="middle">
          {view.waiting}
        </text>
      )}
      {view.waiting === null &&
        Array.from({ length: 5 }, (_, i) => (
          <rect
            key={`place ${i}`}
            class="card-place"
            x={left + i * (width + gap)}
            y={top}
            width={width}
            height={height}
            rx={width * 0.09}
          />
        ))}
      {view.board.map((name, i) => (
        <g key={`${i}${name}`} transform={`translate(${left + i * (width + gap)} ${top})`}>
          <g class={i >= lay ? 'card-turn' : ''} style={{ animationDelay: `${Math.max(0, i - lay) * 70}ms` }}>
            <Card name={name} width={width} height={height} large />
          </g>
        </g>
      ))}
      {view.pot > 0 && <Pot view={view} pen={pen} />}
      <text class="caption" x={caption.x} y={caption.y} text-anchor="middle">
        {amount(view.smallBlind)} / {amount(view.bigBlind)}
        {view.handNumber === null ? '' : ` · hand ${count(view.handNumber)}`}
      </text>
    </g>
  );
}

function potLabel(pot: number, pots: readonly number[], amount: (chips: number) => string): string {
  const [main, ...sides] = pots;
  if (main === undefined || sides.length === 0) return `pot ${amount(pot)}`;
  return `pot ${amount(main)}${sides.map((side) => ` · side ${amount(side)}`).join('')}`;
}

function Pot({ view: { pot, pots, collected }, pen }: { view: TableView; pen: Pen }): JSX.Element {
  const { layout, amount, measure } = pen;
  const { x, y, room } = layout.pot;
  const whole = potLabel(pot, pots, amount);
  const texts = [whole, potLabel(pot, pots, amount.short), potLabel(pot, [], amount.short)];
  return (
    <g class="pot" transform={`translate(${x} ${y})`}>
      {collected > 0 && (
        <g transform={`translate(0 ${46 + chipsHeight(collected) / 4})`}>
          <Chips amount={collected} />
        </g>
      )}
      <text class="pot-figure" y="2" font-size={layout.faces.pot.size} text-anchor="middle">
        <Exact text={fit(measure, layout.faces.pot, room, ...texts)} whole={whole} />
      </text>
    </g>
  );
}
