import type { Answer } from '../../lib/api.js';
import { count, signed } from '../../lib/format.js';

type Cell = Answer<'GET /api/analytics'>['starting_hand_grid'][number];

const RANKS = 'AKQJT98765432';
/** Fewer hands say nothing. */
const ENOUGH = 20;
/** bb/100 from where on a colour is full. */
const FULL = 300;

/** The usual grid: pairs on the diagonal, suited hands above it. */
export function StartingHands({ cells }: { cells: readonly Cell[] }) {
  const byLabel = new Map(cells.map((cell) => [cell.label, cell]));
  return (
    <div class="grid-box">
      <table class="hands-grid" aria-label="Starting hands: big blinds won per 100 hands">
        <tbody>
          {[...RANKS].map((row, y) => (
            <tr key={row}>
              {[...RANKS].map((column, x) => {
                const label = x === y ? row + row : x > y ? `${row}${column}s` : `${column}${row}o`;
                return <Hand key={label} label={label} cell={byLabel.get(label)} />;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Hand({ label, cell }: { label: string; cell: Cell | undefined }) {
  const hands = cell?.hand_count ?? 0;
  const rate = cell?.bb_per_100 ?? 0;
  const counts = hands >= ENOUGH;
  const strength = Math.round(Math.min(1, Math.abs(rate) / FULL) * 55);
  const background = counts
    ? `color-mix(in srgb, var(${rate >= 0 ? '--good' : '--bad'}) ${strength}%, var(--raised))`
    : undefined;
  return (
    <td
      class={counts ? undefined : 'few'}
      style={background === undefined ? undefined : { background }}
      title={hands === 0 ? `${label}: not dealt yet` : `${label}: ${signed(rate, 1)} bb/100 over ${count(hands)} hands`}
    >
      <b>{label}</b>
      <small>{hands === 0 ? '' : count(hands)}</small>
    </td>
  );
}
