/**
 * The TV page shows the table with the most to see. A table stays for a whole hand, and changes between hands only. At
 * most three tables are watched at a time. The reader's choice and a kept table stand above all.
 */
import { signal } from '@preact/signals';
import t from 'tap';
import { Channels } from '../../web/live/channels.js';
import { byInterest, interestOf } from '../../web/live/interest.js';
import type { Drawn, LiveShow } from '../../web/live/show.js';
import type { WatchState } from '../../web/live/watch.js';

interface Play {
  hand: number;
  pot?: number;
  allIn?: boolean;
  won?: number;
  waiting?: string | null;
}

/** Tables with pictures that the test draws. */
function tv(tables: readonly string[]) {
  const shows = new Map<string, LiveShow>();
  const watched = new Set<string>();
  const channels = new Channels((tableId) => {
    const show = {
      tableId,
      drawn: signal({ view: null, closed: false } as Drawn),
      state: signal<WatchState>('open'),
      start: () => {
        watched.add(tableId);
        return () => watched.delete(tableId);
      },
    } as unknown as LiveShow;
    shows.set(tableId, show);
    return show;
  });
  const listed = (ids: readonly string[]) => ids.map((id, n) => ({ table_id: id, players: 6 - n, hand_number: 1 }));
  channels.list(listed(tables));
  const stop = channels.start();
  const draw = async (id: string, { hand, pot = 30, allIn = false, won = 0, waiting = null }: Play) => {
    const said = allIn ? { word: 'all_in', amount: pot } : null;
    const view = { handNumber: hand, pot, bigBlind: 10, waiting, seats: [{ won, said, faded: false }] };
    const show = shows.get(id)!;
    show.drawn.value = { ...show.drawn.peek(), view: view as unknown as Drawn['view'] };
    await Promise.resolve();
  };
  return { channels, shows, watched, draw, stop, listed, now: () => channels.shown.value?.tableId ?? null };
}

void t.test('pots, all-ins and players make a table interesting', (t) => {
  const play = (pot: number, allIn = false) => ({ pot, bigBlind: 10, allIn });
  t.ok(
    interestOf({ players: 2, handNumber: 1, play: play(900) }) >
      interestOf({ players: 6, handNumber: 9, play: play(30) }),
  );
  t.ok(
    interestOf({ players: 2, handNumber: 1, play: play(30, true) }) >
      interestOf({ players: 6, handNumber: 1, play: play(30) }),
  );
  const tables = [
    { id: 'few', players: 2, handNumber: 900 },
    { id: 'full', players: 6, handNumber: 1 },
    { id: 'older', players: 6, handNumber: 2 },
  ];
  t.same(
    byInterest(tables, (table) => table).map(({ id }) => id),
    ['older', 'full', 'few'],
    'without a look the fullest, and then the longest played',
  );
  t.end();
});

void t.test('a table stays for a whole hand, and changes between hands', async (t) => {
  const { draw, now, watched } = tv(['a', 'b', 'c', 'd', 'e']);
  t.equal(now(), 'a');
  t.same([...watched].sort(), ['a', 'b', 'c'], 'three at a time');
  await draw('a', { hand: 7 });
  await draw('b', { hand: 3, pot: 4000, allIn: true });
  t.equal(now(), 'a');
  await draw('a', { hand: 7, won: 30 });
  await draw('a', { hand: 8 });
  t.equal(now(), 'a', 'the hand that was under way is no whole one');
  await draw('a', { hand: 8, won: 30 });
  t.equal(now(), 'a', 'the result can be read');
  await draw('a', { hand: 9 });
  t.equal(now(), 'b');
  await draw('b', { hand: 3, pot: 4000, won: 4000 });
  await draw('b', { hand: 4 });
  await draw('a', { hand: 9, pot: 900 });
  t.equal(now(), 'b', 'at least one whole hand');
  await draw('b', { hand: 4, won: 30 });
  await draw('b', { hand: 5 });
  t.equal(now(), 'a');
});

void t.test('a kept table stays; the reader goes to others by hand', async (t) => {
  const { channels, draw, now } = tv(['a', 'b', 'c']);
  channels.pinned.value = true;
  await draw('a', { hand: 1 });
  await draw('b', { hand: 1, pot: 5000 });
  for (const hand of [2, 3]) {
    await draw('a', { hand });
    await draw('a', { hand, won: 30 });
  }
  await draw('a', { hand: 4 });
  t.equal(now(), 'a');
  channels.step(1);
  t.equal(now(), 'b');
  channels.step(-1);
  channels.step(-1);
  t.equal(now(), 'c', 'round and round');
});

void t.test('a closed table gives its place to another; without any there is none', async (t) => {
  const { channels, shows, now, watched, listed, stop } = tv(['a', 'b']);
  channels.pinned.value = true;
  shows.get('a')!.state.value = 'gone';
  await Promise.resolve();
  t.same([now(), channels.pinned.value], ['b', false]);
  t.same([...watched], ['b']);
  channels.list([]);
  t.equal(now(), null);
  channels.list(listed(['c']));
  t.equal(now(), 'c');
  stop();
  t.equal(watched.size, 0, 'a page that nobody sees watches nothing');
});

void t.test('a table that waits for players does not hold the screen', async (t) => {
  const { channels, draw, now, listed } = tv(['a', 'b']);
  await draw('a', { hand: 1 });
  await draw('a', { hand: 2 });
  await draw('a', { hand: 2, won: 30, waiting: 'Waiting for players' });
  await draw('b', { hand: 1, pot: 300 });
  t.equal(now(), 'a');
  channels.list(listed(['a', 'b']));
  t.equal(now(), 'b');
});
