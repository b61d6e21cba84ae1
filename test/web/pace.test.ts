/** Live tables at the reader's pace: whole hands are shown or left out, nothing is lost of what they leave behind. */
import t from 'tap';
import type { WatchFrame } from '../../web/game/live.js';
import { ACTION_MS, PaceQueue, RESULT_MS } from '../../web/game/pace.js';

/** A hand with its number and so many actions. */
const hand = (n: number, actions = 2): WatchFrame[] =>
  [
    { type: 'hand_start', hand_number: n },
    ...Array.from({ length: actions }, () => ({ type: 'player_action', seat: n % 6 })),
    { type: 'hand_result' },
  ] as unknown as WatchFrame[];

const queueOf = (...frames: WatchFrame[][]) => {
  const queue = new PaceQueue();
  for (const frame of frames.flat()) queue.push(frame);
  return queue;
};

await t.test('live: all that has come is drawn at once', (t) => {
  const queue = queueOf(hand(1), hand(2));
  t.match(queue.next('live'), { leftOut: 0, stays: 0 });
  t.equal(queue.next('live'), null);
  t.end();
});

await t.test('at 1× each event has its time, at 4× a quarter', (t) => {
  const queue = queueOf(hand(1));
  const stays = Array.from({ length: 4 }, () => queue.next('1')!.stays);
  t.same(stays, [ACTION_MS, ACTION_MS, ACTION_MS, RESULT_MS]);
  t.equal(queueOf(hand(1)).next('4')!.stays, ACTION_MS / 4);
  t.equal(queueOf(hand(1)).next('step')!.stays, null);
  t.end();
});

await t.test('a state has no time of its own: that of the deal comes with it', (t) => {
  const state = { type: 'table_state' } as unknown as WatchFrame;
  const [start, ...rest] = hand(1);
  const queue = queueOf([state, start!, state], rest, [state]);
  t.same(
    queue.next('1')!.frames.map(({ type }) => type),
    ['table_state', 'hand_start', 'table_state'],
  );
  t.equal(queue.next('1')!.frames.length, 1);
  queue.next('1');
  t.same(
    queue.next('1')!.frames.map(({ type }) => type),
    ['hand_result'],
    'a result stays as it is for its time',
  );
  t.match(queue.next('1'), { stays: 0 });
  t.end();
});

await t.test('when more than one hand waits the oldest whole ones are left out, and counted', (t) => {
  const queue = queueOf(hand(1), hand(2), hand(3), hand(4, 1));
  const shown = queue.next('1')!;
  t.equal(shown.leftOut, 3);
  t.match(shown.frames.at(-1), { type: 'hand_start', hand_number: 4 });
  t.equal(shown.frames.length, 13, 'their frames are brought in all the same');
  t.equal(queue.length, 2);
  t.end();
});

await t.test('a hand that is being shown is shown to its end', (t) => {
  const queue = queueOf(hand(1));
  queue.next('1');
  for (const frame of [hand(2), hand(3)].flat()) queue.push(frame);
  const rest = Array.from({ length: 3 }, () => queue.next('1')!);
  t.ok(rest.every(({ leftOut, frames }) => leftOut === 0 && frames.length === 1));
  t.match(rest.at(-1)!.frames[0], { type: 'hand_result' });
  t.match(queue.next('1'), { leftOut: 1 });
  t.end();
});

await t.test(
  'who does not read on has no more than a thousand frames wait: the hand that is shown, and the last ones',
  (t) => {
    const queue = queueOf(hand(1));
    queue.next('step');
    for (let n = 2; n <= 1000; n++) for (const frame of hand(n)) queue.push(frame);
    t.ok(queue.length <= 1000, `${queue.length} wait`);
    const rest = Array.from({ length: 3 }, () => queue.next('step')!);
    t.same(
      rest.map(({ frames, leftOut }) => [frames.map(({ type }) => type), leftOut]),
      [
        [['player_action'], 0],
        [['player_action'], 0],
        [['hand_result'], 0],
      ],
      'the hand that is shown comes to its end',
    );
    const next = queue.next('step')!;
    t.equal(next.leftOut, 998, 'all but the last');
    t.match(next.frames.at(-1), { type: 'hand_start', hand_number: 1000 });
    t.match(queue.next('live'), { leftOut: 0 });
    t.end();
  },
);

await t.test("a fresh state replaces what waits, and what was left out before it is nobody's", (t) => {
  const queue = queueOf(...Array.from({ length: 400 }, (_, n) => hand(n)));
  queue.clear();
  t.equal(queue.next('1'), null);
  for (const frame of hand(7)) queue.push(frame);
  t.match(queue.next('1'), { leftOut: 0 });
  t.end();
});
