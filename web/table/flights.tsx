import type { JSX } from 'preact';
import { Chips } from './chips.js';
import type { Layout, Place, SeatPlace } from './places.js';
import type { TableView } from './view.js';

/** Chips on their way between two views: bets that are collected, and the pot to whom it goes. */
export function Flights(props: {
  view: TableView;
  before: TableView;
  layout: Layout;
  places: ReadonlyMap<number, SeatPlace>;
}): JSX.Element {
  const { view, before, layout, places } = props;
  const pot = { x: layout.pot.x, y: layout.pot.y + 46 };
  const flights = view.seats.flatMap((seat) => {
    const place = places.get(seat.seat);
    const last = before.seats.find((other) => other.seat === seat.seat);
    if (!place || !last) return [];
    const collected = last.bet > 0 && seat.bet === 0 ? [flight(`bet ${seat.seat}`, last.bet, place.bet, pot)] : [];
    const won = seat.won > 0 && last.won === 0 ? [flight(`won ${seat.seat}`, seat.won, pot, place.plate)] : [];
    return [...collected, ...won];
  });
  return <g class="flights">{flights}</g>;
}

function flight(key: string, amount: number, from: Place, to: Place): JSX.Element {
  const way = { '--dx': `${to.x - from.x}px`, '--dy': `${to.y - from.y}px` };
  return (
    <g key={key} transform={`translate(${from.x} ${from.y})`}>
      <g class="flight" style={way}>
        <Chips amount={amount} />
      </g>
    </g>
  );
}
