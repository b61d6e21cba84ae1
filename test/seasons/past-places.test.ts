/** Places of an hour and a day ago, exact to the step. They are null where unknown, and bounded in size. */
import t from 'tap';
import { PlaceMemory } from '../../src/seasons/past-places.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Looks each minute at an order that turns round each hour: who was first is last, and so on. */
function watched(minutes: number) {
  const memory = new PlaceMemory();
  for (let now = 0; now <= minutes * MINUTE; now += MINUTE) {
    const hour = Math.floor(now / HOUR);
    if (memory.due(now)) memory.see(now, hour % 2 === 0 ? ['a', 'b', 'c'] : ['c', 'b', 'a']);
  }
  return memory;
}

await t.test('what was before the first look is not known', (t) => {
  t.same(watched(59).of('a', 59 * MINUTE), { hourAgo: null, dayAgo: null });
  t.same(watched(60).of('a', 60 * MINUTE), { hourAgo: 1, dayAgo: null });
  t.same(watched(60).of('nobody', 60 * MINUTE), { hourAgo: null, dayAgo: null });
  t.end();
});

await t.test('an hour ago is an hour ago, to five minutes; a day ago to an hour', (t) => {
  for (let minutes = 24 * 60; minutes < 40 * 60; minutes += 7) {
    const now = minutes * MINUTE;
    const place = (ago: number, step: number) =>
      Math.floor((Math.floor((now - ago) / step) * step) / HOUR) % 2 === 0 ? 1 : 3;
    const expected = { hourAgo: place(HOUR, 5 * MINUTE), dayAgo: place(24 * HOUR, HOUR) };
    t.same(watched(minutes).of('a', now), expected, `minute ${minutes}`);
  }
  t.end();
});

await t.test('who came later had no place, and another season knows nothing of this one', (t) => {
  const memory = new PlaceMemory();
  memory.see(0, ['a']);
  memory.see(HOUR, ['late', 'a']);
  t.same(memory.of('late', HOUR), { hourAgo: null, dayAgo: null });
  t.same(memory.of('late', 2 * HOUR), { hourAgo: 1, dayAgo: null });
  memory.clear();
  t.ok(memory.due(2 * HOUR));
  t.same(memory.of('a', 2 * HOUR), { hourAgo: null, dayAgo: null });
  t.end();
});
