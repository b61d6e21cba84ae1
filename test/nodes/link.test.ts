/**
 * The link between two nodes: whatever the bus between them loses, repeats, delays or reorders, each side reads what the
 * other sent in order, from the first on, or is told that the link is broken; and links stand again when the bus does.
 */
import fc from 'fast-check';
import t from 'tap';
import { Link, type Head } from '../../src/nodes/link.js';
import { FILE_MS } from '../support/limits.js';
import { SEED } from '../support/seed.js';

t.setTimeout(FILE_MS);

const SILENT_MS = 5000;
const MOST_WAITING = 10_000;
const BYTES = 100;

interface Post {
  head: Head;
  /** Time of the sender's link in which it left, counted by the test, and its place there; null: says nothing. */
  content: { term: number; at: number } | null;
}

class Side {
  readonly link = new Link(SILENT_MS, MOST_WAITING);
  /** How often a link stood, and what was sent and read over the present one. */
  terms = 0;
  sent = 0;
  read: { term: number; at: number }[] = [];
  /** The other's time of which something was read last. */
  lastTerm = 0;
  wasUp = false;

  /** What this side says now, if anything. */
  speak(now: number): Post | null {
    const { link } = this;
    if (!link.due(now)) return null;
    return link.up ? this.send(now) : { head: link.greeting(now), content: null };
  }

  send(now: number): Post {
    return { head: this.link.post(BYTES, now), content: { term: this.terms, at: ++this.sent } };
  }

  /** Returns what is wrong, or null. */
  arrived({ head, content }: Post, now: number): string | null {
    const { broken, healed, what } = this.link.arrived({ ...head }, BYTES, now);
    if (broken !== null) {
      const wrong = this.broke();
      if (wrong !== null) return wrong;
    }
    if (healed) {
      if (this.wasUp) return 'healed though it was not broken';
      [this.wasUp, this.sent, this.read] = [true, 0, []];
      this.terms++;
    }
    if (what !== 'read') return null;
    if (!this.wasUp || content === null) return 'read over no link';
    const last = this.read.at(-1);
    this.read.push(content);
    if (content.at !== this.read.length) return `read ${content.at} as number ${this.read.length}`;
    if (last !== undefined && last.term !== content.term) return `read of ${content.term} after ${last.term}`;
    if (last === undefined && content.term <= this.lastTerm) return `read of ${content.term} again`;
    this.lastTerm = content.term;
    return null;
  }

  look(now: number): string | null {
    return this.link.look(now) === null ? null : this.broke();
  }

  broke(): string | null {
    if (!this.wasUp) return 'broken though it did not stand';
    this.wasUp = false;
    return null;
  }
}

/** Two sides, and what is on its way between them. */
class Pair {
  now = 1_000_000;
  readonly sides: readonly [Side, Side] = [new Side(), new Side()];
  readonly ways: readonly [Post[], Post[]] = [[], []];
  readonly wrong: string[] = [];

  say(from: 0 | 1, post: Post | null): void {
    if (post !== null) this.ways[from].push(post);
  }

  /** Of what is on its way from this side, the one at a place; it may stay there, to come again. */
  arrive(from: 0 | 1, place: number, again: boolean): void {
    const way = this.ways[from];
    if (way.length === 0) return;
    const [post] = way.splice(place % way.length, 1);
    if (again) way.push(post!);
    const to = from === 0 ? 1 : 0;
    this.note(this.sides[to].arrived(post!, this.now));
  }

  note(wrong: string | null): void {
    if (wrong !== null) this.wrong.push(wrong);
  }

  look(ms: number): void {
    this.now += ms;
    for (const side of this.sides) this.note(side.look(this.now));
    for (const from of [0, 1] as const) this.say(from, this.sides[from].speak(this.now));
  }

  /** A bus that is in order. */
  calm(ms: number): void {
    for (let passed = 0; passed < ms; passed += 50) {
      this.look(50);
      while (this.ways[0].length + this.ways[1].length > 0) {
        for (const from of [0, 1] as const) this.arrive(from, 0, false);
        for (const from of [0, 1] as const) {
          const side = this.sides[from];
          if (side.link.due(this.now)) this.say(from, side.speak(this.now));
        }
      }
    }
  }
}

/** What happens, as often as it stands here. */
const KINDS = [
  ...['send', 'send', 'send', 'turn', 'turn', 'turn', 'turn', 'turn', 'turn', 'turn'],
  ...['arrive', 'arrive', 'early', 'again', 'lost', 'time', 'break'],
] as const;
type Step = [kind: (typeof KINDS)[number], from: 0 | 1, place: number];
const step: fc.Arbitrary<Step> = fc.tuple(fc.constantFrom(...KINDS), fc.constantFrom<0 | 1>(0, 1), fc.nat(20));
const steps = fc.array(step, { maxLength: 400, size: 'max' });

function run(pair: Pair, all: readonly Step[]): void {
  for (const [kind, from, place] of all) {
    const side = pair.sides[from];
    if (kind === 'send' && side.link.up) pair.say(from, side.send(pair.now));
    else if (kind === 'arrive') pair.arrive(from, 0, false);
    else if (kind === 'early') pair.arrive(from, place, false);
    else if (kind === 'again') pair.arrive(from, place, true);
    else if (kind === 'lost') pair.ways[from].splice(place, 1);
    else if (kind === 'time') pair.look(place * place * 10);
    else if (kind === 'break' && side.link.up && place < 5) {
      side.link.break('unsent');
      pair.note(side.broke());
    } else if (kind === 'turn') {
      pair.look(20);
      for (const each of [0, 1] as const) pair.arrive(each, 0, false);
    }
  }
}

await t.test('whatever the bus does, each side reads the beginning of what was sent', (t) => {
  let read = 0;
  let terms = 0;
  fc.assert(
    fc.property(steps, (all) => {
      const pair = new Pair();
      pair.calm(500);
      run(pair, all);
      terms += pair.sides[0].terms;
      read += pair.sides[0].read.length;
      return pair.wrong.length === 0;
    }),
    { numRuns: 2000, seed: SEED },
  );
  t.ok(read > 3000 && terms > 4000, `${read} posts read in ${terms} links`);
  t.end();
});

await t.test('links stand again when the bus does, and all that is sent is read', (t) => {
  fc.assert(
    fc.property(steps, (all) => {
      const pair = new Pair();
      run(pair, all);
      pair.calm(3 * SILENT_MS);
      const before = pair.sides.map(({ terms }) => terms);
      for (let i = 0; i < 50; i++) {
        for (const from of [0, 1] as const) pair.say(from, pair.sides[from].send(pair.now));
        pair.calm(200);
      }
      const [a, b] = pair.sides;
      const stand = a.link.up && b.link.up && a.terms === before[0] && b.terms === before[1];
      return stand && a.read.length === b.sent && b.read.length === a.sent && pair.wrong.length === 0;
    }),
    { numRuns: 300, seed: SEED },
  );
  t.end();
});

/** Two sides that have just met. */
function met(): Pair {
  const pair = new Pair();
  pair.calm(500);
  return pair;
}

await t.test('who has met sends empty posts, a third of the time in which silence breaks the link', (t) => {
  const pair = met();
  const { sent } = pair.sides[0];
  pair.calm(10 * SILENT_MS);
  t.equal(pair.sides[0].terms, 1);
  t.ok(pair.sides[0].sent - sent >= 29 && pair.sides[0].sent - sent <= 32, `${pair.sides[0].sent - sent} posts`);
  t.end();
});

await t.test('a gap breaks the link for both, and what comes after it is not read', (t) => {
  const [a, b] = [new Link(SILENT_MS, MOST_WAITING), new Link(SILENT_MS, MOST_WAITING)];
  b.arrived(a.greeting(0), BYTES, 0);
  t.same(a.arrived(b.greeting(0), BYTES, 0), { broken: null, healed: true, what: 'greeting' });
  const [first, , third, fourth] = [1, 2, 3, 4].map(() => a.post(BYTES, 0));
  t.same(b.arrived(first!, BYTES, 0), { broken: null, healed: true, what: 'read' });
  t.same(b.arrived(first!, BYTES, 0), { broken: null, healed: false, what: 'again' });
  t.same(b.arrived(third!, BYTES, 0), { broken: 'gap', healed: false, what: 'late' });
  t.same(b.arrived(fourth!, BYTES, 0), { broken: null, healed: false, what: 'late' });
  t.same(a.arrived(b.greeting(0), BYTES, 0), { broken: 'anew', healed: false, what: 'greeting' });
  t.same(b.arrived(a.greeting(0), BYTES, 0), { broken: null, healed: true, what: 'greeting' });
  t.same(b.arrived(fourth!, BYTES, 0), { broken: null, healed: false, what: 'late' }, 'of the old link');
  t.same(a.arrived(b.post(BYTES, 0), BYTES, 0), { broken: null, healed: true, what: 'read' });
  t.end();
});

await t.test('a post of a link that only the other side knew is late for the next one', (t) => {
  const [a, b] = [new Link(SILENT_MS, MOST_WAITING), new Link(SILENT_MS, MOST_WAITING)];
  b.arrived(a.greeting(0), BYTES, 0);
  a.arrived(b.greeting(0), BYTES, 0);
  const old = a.post(BYTES, 0);
  a.break('unsent');
  t.same(b.arrived(a.greeting(0), BYTES, 0), { broken: null, healed: true, what: 'greeting' });
  t.same(b.arrived(old, BYTES, 0), { broken: null, healed: false, what: 'late' });
  t.same(a.arrived(b.post(BYTES, 0), BYTES, 0), { broken: null, healed: true, what: 'read' });
  t.same(b.arrived(a.post(BYTES, 0), BYTES, 0), { broken: null, healed: false, what: 'read' });
  t.end();
});

await t.test('silence is noticed before what came too late is read', (t) => {
  const pair = met();
  const [a, b] = pair.sides;
  const post = a.link.post(BYTES, pair.now);
  t.same(b.link.arrived(post, BYTES, pair.now + SILENT_MS + 1000), { broken: 'silent', healed: false, what: 'late' });
  t.end();
});

await t.test('what the other has not read waits, and it says in time how far it is', (t) => {
  const pair = met();
  const [a, b] = pair.sides;
  const base = a.link.waiting;
  for (let i = 0; i < 20; i++) b.link.arrived(a.link.post(BYTES, pair.now), BYTES, pair.now);
  t.equal(a.link.waiting, base + 20 * BYTES);
  t.ok(b.link.due(pair.now), 'more than an eighth of what may wait');
  a.link.arrived(b.link.post(BYTES, pair.now), BYTES, pair.now);
  t.equal(a.link.waiting, 0);
  t.notOk(a.link.full);
  for (let i = 0; i < 101; i++) a.link.post(BYTES, pair.now);
  t.ok(a.link.full);
  a.link.break('full');
  t.equal(a.link.waiting, 0);
  t.end();
});

await t.test('what nobody can have sent changes nothing', (t) => {
  const pair = met();
  const [a, b] = pair.sides;
  const head = a.link.post(BYTES, pair.now);
  const nothing = { broken: null, healed: false, what: 'false' };
  t.same(b.link.arrived({ ...head, own: 0 }, BYTES, pair.now), nothing);
  t.same(b.link.arrived({ ...head, other: 0 }, BYTES, pair.now), nothing);
  t.same(b.link.arrived({ ...head, other: head.other + 1 }, BYTES, pair.now), nothing, 'a link of ours that never was');
  t.same(b.link.arrived({ ...head, heard: 1000 }, BYTES, pair.now), nothing, 'read what was not sent');
  t.same(b.link.arrived({ ...head, number: 0, heard: 1 }, BYTES, pair.now), nothing, 'a greeting that has read');
  t.same(b.link.arrived(head, BYTES, pair.now), { ...nothing, what: 'read' });
  t.end();
});
