/**
 * Frames that may wait leave together, a few sockets at a time. New messages are handled in between. The buffer is
 * returned after the last frame, in every case.
 */
import { once } from 'node:events';
import t from 'tap';
import { Deferral } from '../../src/gateway/deferral.js';

/** A session's part: its frames leave at its next flush, and are noted. */
class Reader {
  deferral: Deferral | null = null;
  #frames: string[] = [];

  constructor(
    private readonly name: string,
    private readonly log: string[],
  ) {}

  get hasDeferred(): boolean {
    return this.#frames.length > 0;
  }

  takes(deferral: Deferral, frame: string): void {
    deferral.add(this);
    this.#frames.push(frame);
  }

  readonly flush = (): void => {
    this.log.push(...this.#frames.splice(0).map((frame) => `${this.name}${frame}`));
  };
}

/** Readers with a frame each that waits `ms`, in a buffer with a note of its return. */
function deferred(deferral: Deferral, readers: readonly Reader[], frame: string, log: string[], given: EventTarget) {
  for (const reader of readers) reader.takes(deferral, frame);
  deferral.retain(new ArrayBuffer(8), () => {
    log.push(`${frame} given back`);
    given.dispatchEvent(new Event(frame));
  });
}

const readersOf = (count: number, log: string[]) => Array.from({ length: count }, (_, n) => new Reader(`${n}`, log));
const sentOf = (log: readonly string[]) => log.filter((entry) => !entry.endsWith('back')).length;

await t.test('what has come in is heard while they leave, and the buffer is given back after the last', async (t) => {
  const log: string[] = [];
  const given = new EventTarget();
  const deferral = new Deferral(1);
  const readers = readersOf(30, log);
  deferred(deferral, readers, 'a', log, given);
  const heard: number[] = [];
  const listen = () => {
    heard.push(sentOf(log));
    if (!log.includes('a given back')) setImmediate(listen);
  };
  setImmediate(listen);
  await once(given, 'a');
  t.same(log, [...readers.map((_, n) => `${n}a`), 'a given back'], 'each once, in order');
  const between = heard.filter((count) => count > 0 && count < 30);
  t.ok(between.length >= 2, `heard after ${between.join(', ')} of 30`);
});

await t.test('who has been sent to already is not again; frames that come meanwhile go along', async (t) => {
  const log: string[] = [];
  const given = new EventTarget();
  const deferral = new Deferral(1);
  const readers = readersOf(20, log);
  deferred(deferral, readers, 'a', log, given);
  readers[19]!.flush();
  t.same(log.splice(0), ['19a'], 'something that could not wait took it along');
  while (log.length === 0) await new Promise((resolve) => setImmediate(resolve));
  t.ok(log.length < 19, 'a sweep is under way');
  deferred(deferral, [readers[18]!], 'b', log, given);
  await once(given, 'b');
  t.same(log.filter((entry) => entry.startsWith('18')), ['18a', '18b']); // prettier-ignore
  t.equal(sentOf(log), 20);
  t.ok(log.indexOf('a given back') > log.indexOf('18a') && log.indexOf('b given back') > log.indexOf('18b'));
  t.equal(log.at(-1), 'b given back');
});

await t.test('a buffer with frames that leave sooner is given back after those', async (t) => {
  const log: string[] = [];
  const given = new EventTarget();
  const sooner = new Deferral(60_000);
  const late = new Deferral(1, sooner);
  const [soon, lates] = [readersOf(60, log), readersOf(10, log)];
  for (const reader of soon) reader.takes(sooner, 'soon');
  deferred(late, lates, 'late', log, given);
  await once(given, 'late');
  t.equal(log.filter((entry) => entry.endsWith('soon')).length, 60);
  t.equal(log.filter((entry) => entry.endsWith('late')).length, 10);
  t.equal(log.at(-1), 'late given back');
});
