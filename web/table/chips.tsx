import type { JSX } from 'preact';

/** Chips lie in one stack, the large ones below. The figure beside it is what counts: of many, six are drawn. */
const VALUES = [25_000, 5_000, 1_000, 500, 100, 25, 5, 1] as const;
const MOST = 6;
const LIFT = 5;

export function chipValues(amount: number): number[] {
  const chips: number[] = [];
  let rest = amount;
  for (const value of VALUES) {
    for (; rest >= value && chips.length < MOST; rest -= value) chips.push(value);
  }
  // Less than one is a chip all the same.
  return chips.length === 0 && amount > 0 ? [1] : chips;
}

/** A stack of chips with the lowest one on the origin. */
export function Chips({ amount }: { amount: number }): JSX.Element {
  return (
    <g class="chips">
      <ellipse class="chip-shade" cx="1.5" cy="7" rx="16" ry="9.5" />
      {chipValues(amount).map((value, i) => (
        <Chip key={i} value={value} y={-i * LIFT} turned={i % 2 === 1} />
      ))}
    </g>
  );
}

function Chip({ value, y, turned }: { value: number; y: number; turned: boolean }): JSX.Element {
  return (
    <g class={`chip chip-${value}`} transform={`translate(0 ${y})`}>
      <path class="chip-side" d="M-15 0v5a15 9 0 0 0 30 0v-5z" />
      <path class="chip-edge" d={turned ? 'M-6.5 8v5M6.5 8v5' : 'M-12 5v5M0 9v5M12 5v5'} />
      <ellipse class="chip-top" rx="15" ry="9" />
      <ellipse class="chip-ring" rx="12.4" ry="7.2" />
      <ellipse class="chip-middle" rx="8.6" ry="4.9" />
    </g>
  );
}

/** How high a stack rises above its lowest chip. */
export const chipsHeight = (amount: number): number => Math.max(0, chipValues(amount).length - 1) * LIFT;
