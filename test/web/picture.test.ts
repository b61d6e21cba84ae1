/**
 * The same view gives the same picture: views drawn as SVG text are those in test/web/pictures. UPDATE=1 writes them
 * anew; look at them in a browser then. The picture shows what it is given and nothing else.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { h } from 'preact';
import { render } from 'preact-render-to-string';
import t from 'tap';
import { TablePicture, type TablePictureProps } from '../../web/table/picture.js';
import { compact } from '../../web/lib/format.js';
import { fit, type Measure } from '../../web/table/fit.js';
import { LANDSCAPE, placesOf, PORTRAIT } from '../../web/table/places.js';
import type { SeatView, TableView } from '../../web/table/view.js';
import { chipValues } from '../../web/table/chips.js';

const FOLDER = fileURLToPath(new URL('../../../test/web/pictures/', import.meta.url));

const seat = (number: number, name: string | null, stack: number, more: Partial<SeatView> = {}): SeatView => ({
  seat: number,
  name,
  stack,
  bet: 0,
  cards: name === null ? [] : ['??', '??'],
  faded: false,
  said: null,
  status: null,
  note: null,
  won: 0,
  followed: false,
  ...more,
});

const EMPTY: TableView = {
  seats: [0, 1, 2, 3, 4, 5].map((n) => seat(n, null, 0)),
  board: [],
  pot: 0,
  collected: 0,
  pots: [],
  button: null,
  actor: null,
  clock: null,
  smallBlind: 10,
  bigBlind: 20,
  handNumber: null,
  waiting: 'Waiting for players',
};

const FLOP: TableView = {
  ...EMPTY,
  board: ['7c', '8d', 'Kh'],
  pot: 420,
  collected: 120,
  pots: [420],
  button: 1,
  actor: 4,
  clock: { total: 120_000, left: 80_000 },
  handNumber: 1412,
  waiting: null,
  seats: [
    seat(0, 'ada', 1940, { bet: 60, cards: ['Ks', 'Td'], followed: true, said: { word: 'bet', amount: 60 } }),
    seat(1, 'a_name_that_is_longer_than_a_plate', 12_940, { bet: 180, said: { word: 'raise', amount: 180 } }),
    seat(2, 'cleo', 720, { faded: true, said: { word: 'fold', amount: null } }),
    seat(3, 'house', 2110, { bet: 60, said: { word: 'call', amount: 60 } }),
    seat(4, 'dora', 3333),
    seat(5, null, 0),
  ],
};

const RESULT: TableView = {
  ...FLOP,
  board: ['7c', '8d', 'Kh', 'Kd', '2s'],
  pot: 4456,
  collected: 0,
  pots: [3000, 1456],
  actor: null,
  clock: null,
  seats: FLOP.seats.map((each) =>
    each.seat === 0
      ? { ...each, bet: 0, stack: 4940, won: 3000, note: 'Full House, Kings over Eights', said: null }
      : { ...each, bet: 0, status: each.seat === 2 ? ('disconnected' as const) : null },
  ),
};

const rounded = (from: number) => (chips: number) => (chips < from ? String(chips) : `${Math.floor(chips / 1000)}k`);
const amount = Object.assign((chips: number) => String(chips), { short: rounded(100_000), shortest: rounded(1000) });
/** A font with letters of one width. */
const measure: Measure = (text, size) => Array.from(text).length * size * 0.55;

const drawn = (props: Partial<TablePictureProps> & { view: TableView }) =>
  render(h(TablePicture, { before: null, step: '1', amount, measure, label: 'The table', ...props })).replaceAll(
    '><',
    '>\n<',
  );

const PICTURES: Readonly<Record<string, string>> = {
  empty: drawn({ view: EMPTY }),
  flop: drawn({ view: FLOP, equity: { 0: 0.213, 4: 1 } }),
  'flop-upright': drawn({ view: FLOP, upright: true }),
  result: drawn({ view: RESULT, before: FLOP }),
};

for (const [name, text] of Object.entries(PICTURES)) {
  const file = `${FOLDER}${name}.svg`;
  if (process.env['UPDATE'] === '1') writeFileSync(file, `${text}\n`);
  t.equal(text, readFileSync(file, 'utf8').trimEnd(), name);
}

await t.test('chips move from where they were, and only when something was before', (t) => {
  const flights = (text: string) => text.split('class="flight"').length - 1;
  t.equal(flights(PICTURES['result']!), 4, 'three bets to the pot, the pot to its winner');
  t.equal(flights(drawn({ view: RESULT })), 0);
  t.match(drawn({ view: RESULT }), /class="table-picture still"/);
  t.end();
});

await t.test('a name is text, whatever it is made of', (t) => {
  const view = { ...FLOP, seats: [seat(0, '<script>alert(1)</script>', 5)] };
  t.notMatch(drawn({ view }), /<script/);
  t.end();
});

await t.test('a text that has no room is shortened, and its title has the whole', (t) => {
  const face = { size: 10, weight: 400 };
  t.equal(fit(measure, face, 56, 'ten letters', 'ten letter'), 'ten letter', 'the first that fits');
  t.equal(fit(measure, face, 23, 'ten letters'), 'ten…');
  t.equal(fit(measure, face, 0, 'ten letters'), 't…', 'a letter stays at least');
  const rich = {
    ...RESULT,
    seats: [seat(0, 'W'.repeat(32), 1_243_508, { won: 243_504, note: 'Full House, Kings over Eights' })],
  };
  const text = drawn({ view: rich });
  t.match(text, /1243k\n?<title>1243508<\/title>/);
  t.match(text, /\+243k\n?<title>\+243504<\/title>/);
  t.match(text, />W+…\n?</);
  t.match(drawn({ view: { ...rich, seats: [seat(0, 'ada', 99_999)] } }), />99999\n?</, 'exact below 100,000');
  t.end();
});

await t.test('amounts in three figures say no more than there is', (t) => {
  const shown = [100_000, 243_504, 999_999, 1_243_508, 1_240_000, 12_399_999, 4_000_000_000].map(compact);
  t.same(shown, ['100k', '243k', '999k', '1.24M', '1.24M', '12.3M', '4.00B']);
  t.end();
});

await t.test('two to six players sit at places of their own, and none lies over another', (t) => {
  for (const layout of [LANDSCAPE, PORTRAIT]) {
    for (const players of [2, 3, 4, 5, 6]) {
      // Of any seats: only their order counts.
      const seats = [0, 1, 2, 3, 4, 5].slice(6 - players).map((number) => seat(number, 'ada', 5));
      const { places } = placesOf(layout, seats);
      const plates = [...places.values()].map(({ plate }) => plate);
      t.same(
        [...places.keys()],
        seats.map(({ seat: number }) => number),
      );
      const { width, height } = layout.plate;
      const whole = height + layout.seatCard.height + 2;
      for (const [i, { x, y }] of plates.entries()) {
        t.ok(x >= width / 2 && x <= layout.width - width / 2, 'within the picture');
        t.ok(y - height / 2 >= layout.seatCard.height, 'with its cards');
        for (const other of plates.slice(i + 1)) {
          t.ok(Math.abs(other.x - x) >= width || Math.abs(other.y - y) >= whole, `${players} players`);
        }
      }
    }
  }
  const pair = [seat(1, 'ada', 5), seat(4, 'bob', 5, { followed: true })];
  t.equal(placesOf(LANDSCAPE, pair).places.get(4), LANDSCAPE.rounds[2].seats[0], 'the followed one sits near');
  t.end();
});

await t.test('chips add up as far as they are drawn', (t) => {
  t.same(chipValues(1131), [1000, 100, 25, 5, 1]);
  t.same(chipValues(0), []);
  t.equal(chipValues(999_999).length, 6);
  t.end();
});

t.end();
