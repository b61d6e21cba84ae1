/**
 * The line of a shard: over a link that keeps order and breaks at any moment, losing what was under way, each side reads
 * what the other said once, in order, without a gap; and nothing is kept for ever.
 */
import fc from 'fast-check';
import t from 'tap';
import { Line } from '../../src/nodes/line.js';
import { FILE_MS } from '../support/limits.js';
import { SEED } from '../support/seed.js';

t.setTimeout(FILE_MS);

type Post = { number: number; heard: number; item: number } | { goOn: number } | { heard: number };

/** One side, and what is on its way to the other. */
class Side {
  readonly out: Post[] = [];
  readonly read: number[] = [];
  said = 0;
  readonly line = new Line<number>((number, heard, item) => this.out.push({ number, heard, item }), 1e9);

  say(): void {
    this.line.send(++this.said, 10);
  }

  /** Null where all is well. */
  arrived(post: Post): string | null {
    if ('goOn' in post) return this.line.goOn(post.goOn) ? null : `could not go on from ${post.goOn}`;
    if (!('item' in post)) return this.line.confirmed(post.heard) ? null : `${post.heard} was confirmed`;
    const what = this.line.arrived(post.number, post.heard);
    if (what === 'false') return `${post.number} was read as if nobody could have said it`;
    if (what === 'next') this.read.push(post.item);
    return null;
  }
}

type Step = 'say' | 'answer' | 'there' | 'back' | 'confirm' | 'break' | 'shut' | 'heal';

class Pair {
  readonly a = new Side();
  readonly b = new Side();
  #up = false;

  step(step: Step): string | null {
    const { a, b } = this;
    switch (step) {
      case 'say':
        return (a.say(), null);
      case 'answer':
        return (b.say(), null);
      case 'there':
        return this.#carry(a, b);
      case 'back':
        return this.#carry(b, a);
      case 'confirm':
        if (this.#up && b.line.owes) b.out.push({ heard: b.line.heard });
        return null;
      case 'break':
        return (this.break(), null);
      case 'shut':
        return (a.line.shut(), null);
      case 'heal':
        return (this.heal(), null);
    }
  }

  #carry(from: Side, to: Side): string | null {
    const post = from.out.shift();
    return post === undefined ? null : to.arrived(post);
  }

  /** All that was under way is lost. */
  break(): void {
    this.#up = false;
    for (const side of [this.a, this.b]) {
      side.out.length = 0;
      side.line.shut();
    }
  }

  heal(): void {
    if (this.#up && this.a.line.open && this.b.line.open) return;
    this.#up = true;
    for (const side of [this.a, this.b]) side.out.push({ goOn: side.line.heard });
  }

  /** All is well from now on. */
  settle(): string | null {
    this.break();
    this.heal();
    for (const { a, b } = this; a.out.length + b.out.length > 0;) {
      const wrong = this.#carry(a, b) ?? this.#carry(b, a);
      if (wrong !== null) return wrong;
    }
    return null;
  }
}

const step = fc.constantFrom<Step>('say', 'answer', 'there', 'back', 'confirm', 'break', 'shut', 'heal');
/** What happens most. */
const often = fc.constantFrom<Step>('say', 'answer', 'there', 'back', 'there', 'back');

await t.test('whatever breaks, all is read once and in order', async (t) => {
  fc.assert(
    fc.property(fc.array(fc.oneof(often, often, step), { maxLength: 200 }), (steps) => {
      const pair = new Pair();
      pair.heal();
      for (const step of steps) {
        const wrong = pair.step(step);
        if (wrong !== null) throw new Error(wrong);
      }
      const wrong = pair.settle();
      if (wrong !== null) throw new Error(wrong);
      for (const [from, to] of [
        [pair.a, pair.b],
        [pair.b, pair.a],
      ] as const) {
        if (to.read.join() !== Array.from({ length: from.said }, (_, i) => i + 1).join()) {
          throw new Error(`of ${from.said} was read ${to.read.join()}`);
        }
      }
    }),
    { seed: SEED, numRuns: 2000 },
  );
  t.pass();
});

/** Both sides in one process: what one says the other reads at once, and it may have an answer to it. */
function atOnce(answers: (read: number) => boolean) {
  const end = () => ({ read: [] as number[], said: 0, line: new Line<number>(() => undefined) });
  const [a, b] = [end(), end()];
  const say = (side: typeof a) => side.line.send(++side.said, 10);
  const reads = (side: typeof a) => (number: number, heard: number, item: number) => {
    const what = side.line.arrived(number, heard);
    if (what === 'false') throw new Error(`${number} was read as if nobody could have said it`);
    if (what === 'again') return;
    side.read.push(item);
    if (answers(item)) say(side);
  };
  a.line = new Line(reads(b));
  b.line = new Line(reads(a));
  const heal = () => {
    const heard = b.line.heard;
    if (!b.line.goOn(a.line.heard) || !a.line.goOn(heard)) throw new Error('it could not go on');
  };
  heal();
  return { a, b, say, heal };
}

await t.test('what is answered before it is said to the end is read once and in order, too', async (t) => {
  const step = fc.constantFrom('say', 'say', 'answer', 'shut', 'heal');
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 2, max: 4 }), (steps, every) => {
      const { a, b, say, heal } = atOnce((read) => read % every !== 0);
      for (const step of steps) {
        if (step === 'say' || step === 'answer') say(step === 'say' ? a : b);
        else if (step === 'heal') heal();
        else for (const { line } of [a, b]) line.shut();
      }
      heal();
      for (const [from, to] of [
        [a, b],
        [b, a],
      ] as const) {
        // prettier-ignore
        if (to.read.join() !== Array.from({ length: from.said }, (_, i) => i + 1).join()) {
          throw new Error(`of ${from.said} was read ${to.read.join()}`);
        }
      }
    }),
    { seed: SEED, numRuns: 2000 },
  );
  t.pass();
});

await t.test('what is confirmed is kept no more', async (t) => {
  const pair = new Pair();
  pair.heal();
  for (const step of ['there', 'back', 'say', 'say', 'there', 'there'] as const) t.equal(pair.step(step), null);
  t.same(pair.b.read, [1, 2]);
  t.equal(pair.a.line.kept, 20);
  t.equal(pair.b.line.owes, true);
  for (const step of ['confirm', 'back'] as const) t.equal(pair.step(step), null);
  t.equal(pair.a.line.kept, 0);
  t.equal(pair.b.line.owes, false);
});

await t.test('a line that would keep too much is over', async (t) => {
  const line = new Line<string>(() => undefined, 100);
  t.equal(line.send('a', 60), true);
  t.equal(line.send('b', 40), true);
  t.equal(line.send('c', 1), false);
});

await t.test('what nobody can have said ends the line', async (t) => {
  const line = new Line<string>(() => undefined);
  line.send('a', 1);
  t.equal(line.arrived(1, 2), 'false', 'it has heard what was never said');
  t.equal(line.arrived(2, 0), 'false', 'one is missing');
  t.equal(line.goOn(2), false);
  t.equal(line.goOn(1), true);
  t.equal(line.goOn(0), false, 'what was confirmed is forgotten');
});

await t.test('who says something may find that the link is broken', async (t) => {
  const said: string[] = [];
  const line: Line<string> = new Line((_number, _heard, item) => {
    said.push(item);
    if (item === 'b') line.shut();
  });
  for (const item of ['a', 'b', 'c']) line.send(item, 1);
  line.goOn(0);
  t.same(said, ['a', 'b']);
  line.goOn(2);
  t.same(said, ['a', 'b', 'c']);
});
