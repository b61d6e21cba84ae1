import { unseenIn, useEquities } from '../equity/ask.js';
import { percent } from '../lib/format.js';
import type { Step } from '../game/steps.js';
import { texts } from '../texts.js';

/** What the hands that are seen were worth when each street began. */
export function StreetEquity({ steps, nameOf }: { steps: readonly Step[]; nameOf: (seat: number) => string }) {
  const begun = steps.filter(({ event }) => event.kind === 'deal' || event.kind === 'street');
  const equities = useEquities(begun.map(({ view }) => view));
  const columns = begun.map(({ street, view }, i) => ({ street, view, equity: equities[i]! }));
  const seats = [...new Set(equities.flatMap((equity) => Object.keys(equity)))].map(Number).sort((a, b) => a - b);
  const words = texts.replay.equity;
  return (
    <section>
      <h2>{words.title}</h2>
      {seats.length === 0 ? (
        <p class="soft">{words.none}</p>
      ) : (
        <>
          <table class="street-equity" aria-label={words.title}>
            <thead>
              <tr>
                <th scope="col">
                  <span class="hidden">{words.player}</span>
                </th>
                {columns.map(({ street }) => (
                  <th key={street} scope="col">
                    {texts.streets[street]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {seats.map((seat) => (
                <tr key={seat}>
                  <th scope="row">{nameOf(seat)}</th>
                  {columns.map(({ street, equity }) => (
                    <td key={street}>{equity[seat] === undefined ? '' : percent(equity[seat].share)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          <p class="hint">
            {words.how}
            {columns.some(({ view, equity }) => Object.keys(equity).length > 0 && unseenIn(view) > 0) && words.without}
          </p>
        </>
      )}
    </section>
  );
}
