/** A replay window that is packed at any moment, and goes on elsewhere, is the window that stayed. */
import t from 'tap';
import { pack, unpack } from 'msgpackr';
import type { Stamp } from '../../src/table/numbering.js';
import type { PublicEvent } from '../../src/table/events.js';
import type { PackedWindow } from '../../src/table/api.js';
import { ReplayWindow } from '../../src/table/replay/window.js';

const LIMITS = { replayHands: 3, replayBytes: 4000, resyncBytes: 100_000 };

const hand = (n: number): PublicEvent[] => [
  { kind: 'player_joined', seat: n % 6, nameJson: `"bot ${n}"`, stack: 1000 + n },
  { kind: 'player_left', seat: n % 6, nameJson: `"böt ${n}"`, reason: 'left' },
];

/** All that can be read out of a window. */
function told(window: ReplayWindow): unknown[] {
  const lines: unknown[] = [];
  window.forEachAfter(0, (stamp, event) => lines.push([stamp, event]));
  return [window.startAfter(0), ...lines];
}

await t.test('packed after each event in turn', (t) => {
  const stayed = new ReplayWindow(LIMITS, 7);
  let moved = new ReplayWindow(LIMITS, 7);
  let tableSeq = 7;
  for (let n = 0; n < 400; n++) {
    for (const event of hand(n)) {
      const stamp: Stamp = { handId: null, tableSeq: ++tableSeq, handSeq: 0, micros: 1e15 + n };
      for (const window of [stayed, moved]) {
        window.record(stamp, event);
        window.measured(100);
      }
      const next = new ReplayWindow(LIMITS, 0);
      next.unpack(unpack(pack(moved.pack())) as PackedWindow);
      moved = next;
    }
  }
  t.same(told(moved), told(stayed));
  t.equal(moved.startAfter(0), stayed.startAfter(0));
  t.ok(Number(stayed.startAfter(0)) > 8, 'old events were dropped in both');
  t.end();
});
