/** Posts among threads are read in causal order, however long each is on its way, and nobody waits for the dead. */
import t from 'tap';
import { CausalOrder, type Stamp } from '../../src/shard/fronts/causal-order.js';
import { FILE_MS } from '../support/limits.js';
import { SEED } from '../support/seed.js';
import { Dice } from '../sim/dice.js';

t.setTimeout(FILE_MS);

interface Post {
  id: number;
  /** All posts that led to it, itself among them. */
  past: ReadonlySet<number>;
}

/** Threads with ports between some of them; each port keeps its order, and nothing else is promised. */
class World {
  readonly ways = new Map<string, { stamp: Stamp; post: Post }[]>();
  readonly receiver = new Map<number, number>();
  readonly threads: { order: CausalOrder; past: Set<number>; seen: number[] }[];
  readonly faults: string[] = [];
  #ids = 0;

  constructor(
    count: number,
    readonly dice: Dice,
  ) {
    this.threads = Array.from({ length: count }, (_, own) => {
      const thread = {
        order: new CausalOrder(own),
        past: new Set<number>(),
        seen: [] as number[],
      };
      return thread;
    });
    for (const { order } of this.threads)
      for (let life = 0; life < count; life++)
        if (life !== order.own) order.meet(life, (post: Post) => this.#read(order.own, post));
  }

  send(from: number, to: number): void {
    const { order, past } = this.threads[from]!;
    const id = ++this.#ids;
    this.receiver.set(id, to);
    past.add(id);
    const way = this.ways.get(`${from} ${to}`) ?? [];
    this.ways.set(`${from} ${to}`, way);
    way.push({ stamp: structuredClone(order.stamp(to)), post: { id, past: new Set(past) } });
  }

  /** One post of some port arrives. */
  arrive(): boolean {
    const ways = [...this.ways].filter(([, way]) => way.length > 0);
    if (ways.length === 0) return false;
    const [name, way] = this.dice.pick(ways);
    const [from, to] = name.split(' ').map(Number) as [number, number];
    const { stamp, post } = way.shift()!;
    this.threads[to]!.order.arrived(from, stamp, post);
    return true;
  }

  #read(own: number, post: Post): void {
    const { past, seen } = this.threads[own]!;
    for (const id of post.past) {
      if (id !== post.id && this.receiver.get(id) === own && !seen.includes(id)) {
        this.faults.push(`${own} reads ${post.id} before ${id}, which led to it`);
      }
      past.add(id);
    }
    seen.push(post.id);
  }
}

await t.test(`thousands of posts among six threads (SEED=${SEED})`, (t) => {
  const dice = new Dice(SEED);
  let held = 0;
  for (let round = 0; round < 200; round++) {
    const world = new World(6, dice);
    for (let step = 0; step < 60; step++) {
      // As in the process: 0 writes to all, 1 to 3 (fronts) and 4, 5 (shards) not among themselves.
      const from = dice.int(0, 5);
      const kind = (life: number) => (life === 0 ? 'main' : life < 4 ? 'front' : 'shard');
      const to = dice.pick([0, 1, 2, 3, 4, 5].filter((life) => life !== from && kind(life) !== kind(from)));
      world.send(from, to);
      if (dice.chance(0.7)) world.arrive();
      held += world.threads.reduce((sum, { order }) => sum + order.waiting, 0);
    }
    while (world.arrive());
    if (world.faults.length > 0) return void t.same(world.faults, [], `round ${round}`);
    t.equal(
      world.threads.reduce((sum, { seen }) => sum + seen.length, 0),
      60,
    );
  }
  t.ok(held > 100, `${held} times a post had to wait`);
  t.end();
});

/** Three threads that know each other, and what the main thread has read. */
function three() {
  const read: string[] = [];
  const [main, front, shard] = [0, 1, 2].map((own) => new CausalOrder(own)) as [CausalOrder, CausalOrder, CausalOrder];
  const all = [main, front, shard];
  for (const order of all) {
    for (const { own } of all) if (own !== order.own) order.meet(own, (post: string) => read.push(post));
  }
  return { read, main, front, shard };
}

await t.test('a post may name another that leaves after it', (t) => {
  const { read, main, front, shard } = three();
  const at = shard.reserve(0);
  front.arrived(2, shard.stamp(1), 'frames');
  main.arrived(1, front.stamp(0), 'answer');
  t.same(read, ['frames'], 'the answer waits');
  main.arrived(2, shard.stamp(0, at), 'messages');
  t.same(read, ['frames', 'messages', 'answer']);
  t.end();
});

await t.test('nobody waits for a thread that is gone', (t) => {
  const { read, main, front, shard } = three();
  shard.stamp(0);
  front.arrived(2, shard.stamp(1), 'frames');
  main.arrived(1, front.stamp(0), 'answer');
  t.same(read, ['frames']);
  main.leave(2);
  t.same(read, ['frames', 'answer']);
  t.equal(main.waiting, 0);
  t.equal(shard.stamp(0).at, 2, 'what it would still write');
  main.arrived(2, shard.stamp(0), 'late');
  t.same(read, ['frames', 'answer'], 'is not read');
  t.same(main.stamp(2), { at: 0, knows: [] }, 'nor is it told anything');
  t.end();
});

await t.test('what a thread wrote before it went is read all the same, in its place', (t) => {
  const { read, main, front, shard } = three();
  const order = main.stamp(2);
  main.stamp(1);
  const first = shard.stamp(1);
  front.arrived(2, first, 'frames');
  const answer = front.stamp(2);
  shard.arrived(1, answer, 'read at once');
  const late = main.stamp(1);
  const told = main.stamp(2);
  front.arrived(0, late, 'to the front');
  shard.arrived(1, front.stamp(2), 'waits');
  shard.leave(1);
  t.same(
    read,
    ['frames', 'read at once', 'to the front', 'waits'],
    'main wrote to the front before it wrote to the shard',
  );
  shard.arrived(0, order, 'order');
  shard.arrived(0, told, 'told');
  t.same(read.slice(4), ['order', 'told']);
  t.end();
});

await t.test('of a life that is over nobody hears any more, however many there were', (t) => {
  const main = new CausalOrder(0);
  const front = new CausalOrder(1);
  const none = () => undefined;
  main.meet(1, none);
  front.meet(0, none);
  let longest = 0;
  for (let life = 2; life < 500; life++) {
    const shard = new CausalOrder(life);
    for (const each of [main, front]) {
      each.meet(life, none);
      shard.meet(each.own, none);
    }
    shard.arrived(0, main.stamp(life), 'begin');
    front.arrived(life, shard.stamp(1), 'frames');
    main.arrived(life, shard.stamp(0), 'messages');
    main.arrived(1, front.stamp(0), 'answer');
    for (const each of [main, front]) each.leave(life);
    main.forget(life);
    const stamp = main.stamp(1);
    longest = Math.max(longest, stamp.knows.length);
    front.arrived(0, stamp, 'lost');
  }
  t.ok(longest <= 6, `${longest} numbers`);
  t.end();
});
