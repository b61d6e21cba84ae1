import type { JSX } from 'preact';
import { CardPattern } from './cards.js';
import type { Layout } from './places.js';

/** The table without anything on it. */
export function Felt({ layout: { felt } }: { layout: Layout }): JSX.Element {
  const inner = (by: number) => ({
    x: felt.x + by,
    y: felt.y + by,
    width: felt.width - 2 * by,
    height: felt.height - 2 * by,
    rx: felt.radius - by,
  });
  return (
    <g class="felt">
      <defs>
        <radialGradient id="felt-light" cx="50%" cy="42%" r="62%">
          <stop class="felt-near" offset="0" />
          <stop class="felt-far" offset="1" />
        </radialGradient>
        <CardPattern />
      </defs>
      <rect class="felt-shade" {...inner(-2)} y={felt.y + 6} />
      <rect class="felt-rail" {...inner(0)} />
      <rect class="felt-rail-light" {...inner(3)} />
      <rect class="felt-cloth" fill="url(#felt-light)" {...inner(17)} />
      <rect class="felt-line" {...inner(62)} />
    </g>
  );
}
