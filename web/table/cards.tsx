import type { JSX } from 'preact';

/** Cards: rank at the top left, suit below it; the large ones carry the suit once more. */

const HEART =
  'M12 21.6C5.2 16.1 1.8 12.4 1.8 8.2A5.3 5.3 0 0 1 12 6.3 5.3 5.3 0 0 1 22.2 8.2C22.2 12.4 18.8 16.1 12 21.6Z';
const DIAMOND = 'M12 1.4Q15.6 7.2 20.4 12 15.6 16.8 12 22.6 8.4 16.8 3.6 12 8.4 7.2 12 1.4Z';
const SPADE =
  'M12 1.6C15 6.9 21.8 10.2 21.8 15A4.7 4.7 0 0 1 13.2 17.4C13.4 19.8 14.4 21.4 16.2 22.4H7.8C9.6 21.4 10.6 19.8 10.8 17.4A4.7 4.7 0 0 1 2.2 15C2.2 10.2 9 6.9 12 1.6Z';
const CLUB =
  'M12 1.8A4.7 4.7 0 0 1 15.8 9.3 4.8 4.8 0 1 1 13.2 16.7C13.4 19.5 14.4 21.4 16.2 22.4H7.8C9.6 21.4 10.6 19.5 10.8 16.7A4.8 4.8 0 1 1 8.2 9.3 4.7 4.7 0 0 1 12 1.8Z';
const SHAPES: Readonly<Record<string, string>> = { h: HEART, d: DIAMOND, s: SPADE, c: CLUB };
const RANKS: Readonly<Record<string, string>> = { T: '10' };

interface CardProps {
  /** Such as "Kh"; `??` lies face down. */
  name: string;
  width: number;
  height: number;
  /** With a second, larger suit. */
  large?: boolean;
}

/** A card with its top left corner on the origin. */
export function Card({ name, width, height, large = false }: CardProps): JSX.Element {
  if (name === '??') return <CardBack width={width} height={height} />;
  const [rank = '', suit = ''] = name;
  const size = width * 0.58;
  const [left, top] = [width * 0.12, width * 0.55];
  const pip = width * (large ? 0.3 : 0.42);
  return (
    <g class={`playing-card suit-${suit}`}>
      <rect class="card-face" width={width} height={height} rx={width * 0.09} />
      <text
        class="card-rank"
        x={rank === 'T' ? left - 1 : left}
        y={top}
        font-size={size}
        letter-spacing={rank === 'T' ? -size * 0.13 : 0}
      >
        {RANKS[rank] ?? rank}
      </text>
      <Suit suit={suit} x={left} y={top + width * 0.09} size={pip} />
      {large && <Suit suit={suit} x={width * 0.4} y={height - width * 0.62} size={width * 0.52} />}
    </g>
  );
}

function Suit({ suit, x, y, size }: { suit: string; x: number; y: number; size: number }): JSX.Element {
  return <path class="card-suit" d={SHAPES[suit] ?? ''} transform={`translate(${x} ${y}) scale(${size / 24})`} />;
}

function CardBack({ width, height }: { width: number; height: number }): JSX.Element {
  const [edge, radius] = [width * 0.07, width * 0.09];
  return (
    <g class="playing-card">
      <rect class="card-face" width={width} height={height} rx={radius} />
      <rect class="card-back" x={edge} y={edge} width={width - 2 * edge} height={height - 2 * edge} rx={radius * 0.6} />
      <rect
        class="card-weave"
        fill="url(#card-weave)"
        x={edge}
        y={edge}
        width={width - 2 * edge}
        height={height - 2 * edge}
        rx={radius * 0.6}
      />
    </g>
  );
}

/** The pattern of the backs. */
export function CardPattern(): JSX.Element {
  return (
    <pattern id="card-weave" width="8" height="8" patternUnits="userSpaceOnUse">
      <path class="weave" d="M0 4L4 0L8 4L4 8Z" />
    </pattern>
  );
}
