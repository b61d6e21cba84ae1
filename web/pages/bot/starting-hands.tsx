import { useState } from 'preact/hooks';
import type { Answer } from '../../lib/api.js';
import { count, signed } from '../../lib/format.js';
import { List, type Column } from '../../ui/list.js';
import { Section } from '../../ui/page.js';
import { Estimate } from '../rate.js';

type Figures = Answer<'GET /api/analytics'>;
type Cell = Figures['starting_hand_grid'][number];
type HandGroup = Figures['starting_hand_groups'][number];

const RANKS = 'AKQJT98765432';
/** Fewer hands say nothing. */
const ENOUGH = 20;
/** The grid is shown first once so many of its cells have enough hands. */
const MOST_CELLS = 85;
/** bb/100 from where on a colour is full. */
const FULL = 300;

const GROUPS: readonly Column<HandGroup>[] = [
  {
    key: 'group',
    head: 'Group',
    cell: ({ name, labels }) => <span title={labels.join(' ')}>{name}</span>,
  },
  { key: 'hands', head: 'Hands', cell: ({ hand_count: hands }) => count(hands), right: true },
  {
    key: 'rate',
    head: 'bb/100',
    title: 'Big blinds won per 100 hands of the group, with the 95 % interval',
    cell: (group) =>
      group.hand_count === 0 ? (
        <span class="soft">–</span>
      ) : (
        <Estimate value={group.bb_per_100} interval={group.bb_per_100_ci95} />
      ),
    right: true,
  },
];

/** By groups while most single hands were dealt too rarely, then as the usual grid. The reader may switch. */
export function StartingHands({ cells, groups }: { cells: readonly Cell[]; groups: readonly HandGroup[] }) {
  const known = cells.filter(({ hand_count: hands }) => hands >= ENOUGH).length;
  const [chosen, choose] = useState<'groups' | 'grid' | null>(null);
  const shown = chosen ?? (known >= MOST_CELLS ? 'grid' : 'groups');
  return (
    <Section
      title="Starting hands"
      aside={
        <span class="row choice" role="group" aria-label="Starting hands by">
          {(['groups', 'grid'] as const).map((each) => (
            <button key={each} type="button" class="switch" aria-pressed={shown === each} onClick={() => choose(each)}>
              {each === 'groups' ? 'Groups' : 'Single hands'}
            </button>
          ))}
        </span>
      }
    >
      {shown === 'groups' ? (
        <List label="Starting hands by group" columns={GROUPS} rows={groups} keyOf={({ name }) => name} />
      ) : (
        <>
          <p class="soft">
            {count(known)} of 169 hands were dealt {ENOUGH} times or more. The others are grey. A cell names its
            interval and its hands when you point at it.
          </p>
          <Grid cells={cells} />
        </>
      )}
    </Section>
  );
}

/** Pairs on the diagonal, suited hands above it. */
function Grid({ cells }: { cells: readonly Cell[] }) {
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
  const [low = null, high = null] = cell?.bb_per_100_ci95 ?? [];
  const limits = low === null || high === null ? '' : ` (${signed(low, 0)} to ${signed(high, 0)})`;
  return (
    <td
      class={counts ? undefined : 'few'}
      style={background === undefined ? undefined : { background }}
      title={
        hands === 0
          ? `${label}: not dealt yet`
          : `${label}: ${signed(rate, 1)} bb/100${limits} over ${count(hands)} hands`
      }
    >
      <b>{label}</b>
      <small>{hands === 0 ? '' : count(hands)}</small>
    </td>
  );
}
