import type { JSX } from 'preact';
import { Card } from './cards.js';
import type { Layout, SeatPlace } from './places.js';
import { cut, lettersOf } from './letters.js';
import type { ClockView, Said, SeatView } from './view.js';

const STATUSES = { away: 'away', sitting_out: 'leaving', disconnected: 'offline' };

const SAID = {
  fold: 'fold',
  check: 'check',
  call: 'call',
  bet: 'bet',
  raise: 'raise',
  all_in: 'all-in',
  small_blind: 'SB',
  big_blind: 'BB',
  return: 'post',
  straddle: 'straddle',
  ante: 'ante',
  dead: 'dead',
};

interface SeatProps {
  view: SeatView;
  place: SeatPlace;
  layout: Layout;
  acts: boolean;
  clock: ClockView | null;
  /** Share of the pot that its cards are worth, 0 to 1; null where it is not shown. */
  equity: number | null;
  amount: (chips: number) => string;
  /** Changes with every step: what moved moves anew. */
  step: string;
}

/** Room of a plate in letters of usual width: its upper line alone and beside a figure, and its lower line. */
const ROOM = { alone: 14, beside: 8, lower: 16 };

export function Seat(props: SeatProps): JSX.Element {
  const { view, place, layout } = props;
  const { width, height } = layout.plate;
  const at = `translate(${place.plate.x - width / 2} ${place.plate.y - height / 2})`;
  if (view.name === null) {
    return (
      <g class="seat seat-empty" transform={at}>
        <rect class="plate" width={width} height={height} rx="8" />
        <text class="plate-empty" x={width / 2} y={height / 2 + 5}>
          empty seat
        </text>
      </g>
    );
  }
  const classes = [
    'seat',
    view.faded && 'faded',
    props.acts && 'acts',
    view.won > 0 && 'won',
    view.followed && 'followed',
  ];
  return (
    <g class={classes.filter(Boolean).join(' ')} transform={at} data-seat={view.seat}>
      <title>{view.name}</title>
      <HoleCards cards={view.cards} layout={layout} step={props.step} />
      <rect class="plate" width={width} height={height} rx="8" />
      {view.won > 0 && <rect key={props.step} class="plate-glow" width={width} height={height} rx="8" />}
      {props.acts && <Clock clock={props.clock} width={width} height={height} step={props.step} />}
      <PlateText {...props} name={view.name} />
      <UnderPlate view={view} equity={props.equity} layout={layout} />
    </g>
  );
}

function HoleCards({
  cards,
  layout,
  step,
}: {
  cards: readonly string[];
  layout: Layout;
  step: string;
}): JSX.Element | null {
  if (cards.length === 0) return null;
  const { width, height } = layout.seatCard;
  const left = layout.plate.width / 2 - width - 2;
  return (
    <g class="hole">
      {cards.map((name, i) => {
        const key = `${i}${name}`;
        // A card that was turned comes with another key: it is drawn anew, and turns.
        const hidden = name === '??';
        return (
          <g
            key={key}
            transform={`translate(${left + i * (width + 4)} ${-height + 15})`}
            data-step={hidden ? undefined : step}
          >
            <g class={hidden ? 'card-deal' : 'card-turn'}>
              <Card name={name} width={width} height={height} />
            </g>
          </g>
        );
      })}
    </g>
  );
}

/** The ring around the plate of who is to act: it runs down with the time that is left. */
function Clock(props: { clock: ClockView | null; width: number; height: number; step: string }): JSX.Element {
  const { clock, width, height, step } = props;
  const ring = { x: -3, y: -3, width: width + 6, height: height + 6, rx: 11 };
  const run = clock && {
    animationDuration: `${clock.total}ms`,
    animationDelay: `${clock.left - clock.total}ms`,
  };
  return (
    <g class="clock" key={step}>
      <rect class="clock-track" {...ring} />
      <rect class={run ? 'clock-ring runs' : 'clock-ring'} {...ring} pathLength={100} {...(run && { style: run })} />
    </g>
  );
}

function PlateText({ view, layout, amount, name, equity }: SeatProps & { name: string }): JSX.Element {
  const { width, height } = layout.plate;
  const stack = amount(view.stack);
  const won = view.won > 0 ? `+${amount(view.won)}` : '';
  // Large figures do not fit side by side. The winnings go beside the name, or replace the stack.
  const isTight = lettersOf(stack + won) > ROOM.lower;
  const besideWon = ROOM.alone - lettersOf(won);
  const isAbove = isTight && besideWon >= 4;
  const isAlone = equity === null && view.status === null;
  const shown = cut(name, isAbove ? besideWon : isAlone ? ROOM.alone : ROOM.beside);
  const [upper, lower] = [height * 0.4, height * 0.82];
  return (
    <g class="plate-text">
      <text class="name" x="12" y={upper}>
        {shown}
      </text>
      {equity !== null && (
        <text class="equity-text" x={width - 12} y={upper} text-anchor="end">
          {(equity * 100).toFixed(equity > 0 && equity < 1 ? 1 : 0)} %
        </text>
      )}
      {view.status !== null && equity === null && (
        <text class="status" x={width - 12} y={upper} text-anchor="end">
          {STATUSES[view.status]}
        </text>
      )}
      {(!isTight || isAbove) && (
        <text class="stack" x="12" y={lower}>
          {stack}
        </text>
      )}
      {view.won > 0 ? (
        <text class="said said-won" x={width - 12} y={isAbove ? upper : lower} text-anchor="end">
          {won}
        </text>
      ) : (
        view.said && (
          <SaidText said={view.said} room={ROOM.lower - lettersOf(stack)} x={width - 12} y={lower} amount={amount} />
        )
      )}
    </g>
  );
}

interface SaidTextProps {
  said: Said;
  /** In letters. Without room for its amount a word stands alone: the amount lies before the plate. */
  room: number;
  x: number;
  y: number;
  amount: (chips: number) => string;
}

function SaidText({ said, room, x, y, amount }: SaidTextProps): JSX.Element {
  const word = SAID[said.word];
  const whole = said.amount === null ? word : `${word} ${amount(said.amount)}`;
  return (
    <text class={`said said-${said.word}`} x={x} y={y} text-anchor="end">
      {lettersOf(whole) > room ? word : whole}
    </text>
  );
}

/** The equity's bar, or the words for the hand. */
function UnderPlate({
  view,
  equity,
  layout,
}: {
  view: SeatView;
  equity: number | null;
  layout: Layout;
}): JSX.Element | null {
  const { width, height } = layout.plate;
  if (view.note !== null) {
    // Letters are about half as wide as high: the tab fits the words, whatever the font.
    const tab = Math.min(width + 60, view.note.length * height * 0.132 + 18);
    return (
      <g transform={`translate(${width / 2} ${height})`}>
        <path
          class="note-tab"
          d={`M${-tab / 2} 0v${height * 0.3}a6 6 0 0 0 6 6h${tab - 12}a6 6 0 0 0 6 -6v${-height * 0.3}z`}
        />
        <text class="note" y={height * 0.29} text-anchor="middle">
          {view.note}
        </text>
      </g>
    );
  }
  if (equity === null) return null;
  return (
    <g class="equity" transform={`translate(8 ${height + 5})`}>
      <rect class="equity-track" width={width - 16} height="5" rx="2.5" />
      <rect class="equity-bar" width={Math.max(5, (width - 16) * equity)} height="5" rx="2.5" />
    </g>
  );
}
