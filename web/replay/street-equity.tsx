import { unseenIn, useEquities } from '../equity/ask.js';
import { percent } from '../lib/format.js';
import type { Step } from '../game/steps.js';
import { STREET_NAMES } from '../game/words.js';

/** The equities of the seen hands at the start of each street. */
export function StreetEquity({ steps, nameOf }: { steps: readonly Step[]; nameOf: (seat: number) => string }) {
  const begun = steps.filter(({ event }) => event.kind === 'deal' || event.kind === 'street');
  const equities = useEquities(begun.map(({ view }) => view));
  const columns = begun.map(({ street, view }, i) => ({ street, view, equity: equities[i]! }));
  const seats = [...new Set(equities.flatMap((equity) => Object.keys(equity)))].map(Number).sort((a, b) => a - b);
  return (
    <section>
      <h2>Equity a street</h2>
      {seats.length === 0 ? (
        <p class="soft">It needs the cards of two players that are still in. None are known here.</p>
      ) : (
        <>
          <table class="street-equity" aria-label="Equity a street">
            <thead>
              <tr>
                <th scope="col">
                  <span class="hidden">Player</span>
                </th>
                {columns.map(({ street }) => (
                  <th key={street} scope="col">
                    {STREET_NAMES[street]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {seats.map((seat) => (
                <tr key={seat}>
                  <th scope="row">{nameOf(seat)}</th>
                  {columns.map(({ street, equity }) => (
                    <td key={street}>{equity[seat] === undefined ? '' : shareText(equity[seat].share)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          <p class="hint">
            The share of the pot that a hand can expect, counted over every board that could still come.
            {columns.some(({ view, equity }) => Object.keys(equity).length > 0 && unseenIn(view) > 0) &&
              ' Cards that were never shown are left out.'}
          </p>
        </>
      )}
    </section>
  );
}

/** A certain share has no decimals: the columns are narrow. */
const shareText = (share: number): string => percent(share, share === 0 || share === 1 ? 0 : 1);
