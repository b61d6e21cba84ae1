import type { JSX } from 'preact';
import { Avatar } from '../ui/avatar.js';
import { Card } from './cards.js';
import { fit } from './fit.js';
import { Exact, type Pen } from './pen.js';
import type { Layout, SeatPlace } from './places.js';
import type { ClockView, SeatView } from './view.js';

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
  acts: boolean;
  clock: ClockView | null;
  /** Share of the pot that its cards are worth, 0 to 1; null where it is not shown. */
  equity: number | null;
  /** Changes with every step: what moved moves anew. */
  step: string;
  pen: Pen;
}

/** Between the plate's edge, its avatar and its texts, and between two texts of a line. */
const EDGE = 9;
const GAP = 6;

export function Seat(props: SeatProps): JSX.Element {
  const { view, place, pen } = props;
  const { layout } = pen;
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
    view.opened && 'opened',
  ];
  return (
    <g class={classes.filter(Boolean).join(' ')} transform={at} data-seat={view.seat}>
      <title>{view.name}</title>
      <HoleCards cards={view.cards} layout={layout} step={props.step} />
      <rect class="plate" width={width} height={height} rx="8" />
      {view.won > 0 && <rect key={props.step} class="plate-glow" width={width} height={height} rx="8" />}
      {props.acts && <Clock clock={props.clock} width={width} height={height} step={props.step} />}
      <PlateText {...props} name={view.name} />
      <UnderPlate view={view} equity={props.equity} place={place} pen={pen} />
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
            transform={`translate(${left + i * (width + 4)} ${-height - 2})`}
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

function PlateText({ view, pen, name, equity }: SeatProps & { name: string }): JSX.Element {
  const { layout, amount, measure } = pen;
  const { width, height, avatar } = layout.plate;
  const { name: nameFace, small, stack: stackFace, said: saidFace } = layout.faces;
  const left = EDGE + avatar + EDGE - 1;
  const right = width - EDGE;
  const room = right - left;
  const widthOf = (text: string) => (text === '' ? 0 : measure(text, small.size, small.weight) + GAP);
  const nameWidth = measure(name, nameFace.size, nameFace.weight);
  const status = view.status === null ? '' : STATUSES[view.status];
  // Whole per cents leave more room to a long name.
  const besides = equity === null ? [status] : [share(equity, 1), share(equity, 0)];
  const beside = besides.find((text) => nameWidth + widthOf(text) <= room) ?? besides.at(-1)!;
  const lower = lowerLine(view, pen, room);
  const [upperY, lowerY] = [height * 0.42, height * 0.83];
  return (
    <g class="plate-text">
      <Avatar name={name} size={avatar} x={EDGE} y={(height - avatar) / 2} />
      <text class="name" x={left} y={upperY} font-size={nameFace.size}>
        {fit(measure, nameFace, room - widthOf(beside), name)}
      </text>
      {beside !== '' && (
        <text
          class={equity === null ? 'status' : 'equity-text'}
          x={right}
          y={upperY}
          font-size={small.size}
          text-anchor="end"
        >
          {beside}
        </text>
      )}
      {lower.stack !== null && (
        <text class="stack" x={left} y={lowerY} font-size={stackFace.size}>
          <Exact text={lower.stack} whole={amount(view.stack)} />
        </text>
      )}
      {lower.said !== null && (
        <text
          class={view.won > 0 ? 'said said-won' : `said said-${view.said!.word}`}
          x={right}
          y={lowerY}
          font-size={view.won > 0 ? stackFace.size : saidFace.size}
          text-anchor="end"
        >
          <Exact text={lower.said} whole={saidOf(view, amount)} />
        </text>
      )}
    </g>
  );
}

const share = (equity: number, digits: number) => `${(equity * 100).toFixed(equity > 0 && equity < 1 ? digits : 0)} %`;

/** The last winning or action of a player, with its amount; empty for nothing. */
function saidOf({ won, said }: SeatView, amount: (chips: number) => string): string {
  if (won > 0) return `+${amount(won)}`;
  if (said === null) return '';
  return said.amount === null ? SAID[said.word] : `${SAID[said.word]} ${amount(said.amount)}`;
}

/**
 * The stack, and beside it what was won or done last. Without room for both, amounts are shortened. Then an action
 * stands alone, since its amount lies before the plate, and winnings take the place of the stack.
 */
function lowerLine(view: SeatView, { layout, amount, measure }: Pen, room: number) {
  const { stack: stackFace, said: saidFace } = layout.faces;
  const face = view.won > 0 ? { ...stackFace, weight: 700 } : saidFace;
  const widthOf = (stack: string, said: string) =>
    measure(stack, stackFace.size, stackFace.weight) + (said === '' ? 0 : GAP + measure(said, face.size, face.weight));
  const tries: [string, string][] = [
    [amount.short(view.stack), saidOf(view, amount.short)],
    [amount.short(view.stack), saidOf(view, amount.shortest)],
    [amount.shortest(view.stack), saidOf(view, amount.shortest)],
    ...(view.won === 0 && view.said !== null
      ? [[amount.short(view.stack), SAID[view.said.word]] as [string, string]]
      : []),
  ];
  const found = tries.find(([stack, said]) => widthOf(stack, said) <= room);
  const [stack, said] = found ?? tries.at(-1)!;
  return { stack: found === undefined && said !== '' ? null : stack, said: said === '' ? null : said };
}

/** The equity's bar, or the words for the hand. */
function UnderPlate({ view, equity, place, pen }: Pick<SeatProps, 'view' | 'equity' | 'place' | 'pen'>) {
  const { layout, measure } = pen;
  const { width, height } = layout.plate;
  const { note: face } = layout.faces;
  if (view.note !== null) {
    // Near the edge of the picture a tab is as wide as its plate.
    const widest = width + 2 * Math.min(30, place.plate.x - width / 2, layout.width - place.plate.x - width / 2);
    // "Full House, Kings over Eights": the kind of hand alone where the ranks have no room.
    const text = fit(measure, face, widest - 18, view.note, view.note.split(',')[0]!);
    const tab = measure(text, face.size, face.weight) + 18;
    return (
      <g transform={`translate(${width / 2} ${height})`}>
        <path
          class="note-tab"
          d={`M${-tab / 2} 0v${height * 0.3}a6 6 0 0 0 6 6h${tab - 12}a6 6 0 0 0 6 -6v${-height * 0.3}z`}
        />
        <text class="note" y={height * 0.29} font-size={face.size} text-anchor="middle">
          <Exact text={text} whole={view.note} />
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
