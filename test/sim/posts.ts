import type { MessagePort } from 'node:worker_threads';
import { MAIN_LIFE, type LifeId } from '../../src/shard/channels.js';
import { FrontTargets } from '../../src/shard/fronts/front-targets.js';
import { OrderedChannels } from '../../src/shard/fronts/ordered-channels.js';
import type { FromShard } from '../../src/shard/messages.js';
import { readMessages, type FromShardPost } from '../../src/shard/wire.js';
import { placeOf, PLACES } from '../../src/table/api.js';
import type { FrameBatch } from '../../src/table/outbox.js';
import { Broken, ensure } from './broken.js';
import { Dice } from './dice.js';
import { Kernel, type Thread } from './machine/kernel.js';
import { turnOff, turnOn, type Machine } from './machine/machine.js';
import { MessageChannel } from './machine/worker-threads.js';
import { Trace } from './trace.js';

/**
 * The posts of a main thread, of fronts and of shards to each other, and nothing else of the platform: each takes a
 * while, threads answer what they read, are killed, hang and are given up, and others take their place. Whatever
 * happens, what came about through a post is read after it, and nothing is waited for without end.
 */

export interface PostResult {
  seed: number;
  posts: number;
  /** Threads that ended, and were replaced. */
  lost: number;
}

const FRONTS = 2;
const SHARDS = 2;
const UNREST_MS = 1_500;
/** Whatever was under way has arrived. */
const CALM_MS = 2_000;
const SOCKETS = [PLACES, PLACES + 1];

/** A thread, from its start to its end. */
interface Line {
  kind: 'main' | 'front' | 'shard';
  place: number;
  life: LifeId;
  thread: Thread;
  channels: OrderedChannels;
  /** Open ports, to others. */
  ports: Map<Line, MessagePort>;
  /** Where a shard's frames and messages leave. */
  target: FrontTargets | null;
  /** Posts that it wrote or read, and all that led to those. */
  past: Set<number>;
  read: Set<number>;
}

interface Sent {
  from: Line;
  to: Line;
  /** All that led to it. */
  past: readonly number[];
}

/** What the main thread tells a front of shards: the front's port to a new one, or which one is lost. */
type Told = { shard: Line; port: MessagePort | null };
type Post = { id: number; told: Told | null };

class Posts {
  readonly kernel = new Kernel(Date.UTC(2026, 0, 31, 12));
  readonly trace = new Trace(() => this.kernel.now);
  readonly #seed: number;
  readonly #dice: Dice;
  readonly #sent: Sent[] = [];
  readonly #main: Line;
  readonly #others: Line[] = [];
  #lost = 0;
  #calm = false;

  constructor(seed: number) {
    const { kernel } = this;
    this.#seed = seed;
    this.#dice = new Dice(seed);
    const none = () => {
      throw new Broken('there are no tables, sockets or databases here');
    };
    turnOn({
      ...{ kernel, dice: new Dice(seed + 1e9) },
      ...{ createTable: none, threadStarted: none, threadFailed: none },
      network: null as unknown as Machine['network'],
      storage: null as unknown as Machine['storage'],
    });
    this.#main = this.#line('main', 0, MAIN_LIFE);
  }

  async run(): Promise<PostResult> {
    const { kernel } = this;
    try {
      for (let shard = 0; shard < SHARDS; shard++) this.#start('shard', shard, 0);
      for (let front = 0; front < FRONTS; front++) this.#start('front', front, 1);
      this.#trouble();
      await kernel.runUntil(kernel.now + UNREST_MS);
      this.#calm = true;
      await kernel.runUntil(kernel.now + CALM_MS);
      for (const [id, { from, to }] of this.#sent.entries()) {
        const both = from.thread.alive && to.thread.alive && from.ports.has(to) && to.ports.has(from);
        ensure(!both || to.read.has(id), () => `${nameOf(to)} never reads post ${id} of ${nameOf(from)}`);
      }
    } finally {
      turnOff();
    }
    return { seed: this.#seed, posts: this.#sent.length, lost: this.#lost };
  }

  #line(kind: Line['kind'], place: number, life: LifeId): Line {
    const { kernel } = this;
    const line: Line = {
      ...{ kind, place, life, channels: new OrderedChannels(life) },
      thread: kernel.spawn(kind, kernel.world, (error) => kernel.fail(error)),
      ...{ ports: new Map(), target: null, past: new Set(), read: new Set() },
    };
    if (kind !== 'main') this.#others.push(line);
    this.#goOn(line);
    return line;
  }

  #on({ thread }: Line, work: () => void): void {
    this.kernel.plan(this.kernel.now, work, thread);
  }

  // ---- lives, as the main thread begins and ends them

  #start(kind: 'front' | 'shard', place: number, ms: number): void {
    const main = this.#main;
    this.kernel.later(ms, () =>
      this.#on(main, () => {
        const line = this.#line(kind, place, main.channels.newLife());
        const { port1, port2 } = channel();
        this.#listen(main, line, port1);
        port1.on('close', () => this.#ended(line));
        this.#on(line, () => {
          this.#listen(line, main, port2);
          if (kind === 'shard') line.target = new FrontTargets(line.channels, port2, FRONTS, BLOCKS);
        });
        for (const other of this.#others) {
          if (other.kind === kind || !main.ports.has(other)) continue;
          if (kind === 'front') this.#introduce(line, other);
          else this.#introduce(other, line);
        }
      }),
    );
  }

  /** First the front hears of the shard, then the shard of the front. */
  #introduce(front: Line, shard: Line): void {
    const { port1, port2 } = channel();
    this.#send(this.#main, front, { shard, port: port1 });
    this.#send(this.#main, shard, { shard: front, port: port2 });
  }

  #ended(line: Line): void {
    const main = this.#main;
    main.ports.delete(line);
    line.thread.end();
    this.#note(`${nameOf(line)} has ended`);
    this.#lost++;
    if (line.kind === 'shard') {
      for (const other of this.#others) {
        if (other.kind === 'front' && main.ports.has(other)) this.#send(main, other, { shard: line, port: null });
      }
    }
    this.#start(line.kind as 'front' | 'shard', line.place, this.#dice.int(0, 50));
  }

  // ---- posts

  #listen(line: Line, peer: Line, port: MessagePort): void {
    line.ports.set(peer, port);
    port.on('close', () => line.ports.delete(peer));
    line.channels.listen(port, peer.life, (post: Post | FrameBatch | FromShardPost) => {
      // Who was given up is not heard any more.
      if (!line.ports.has(peer)) return;
      for (const { id, told } of contentOf(post)) {
        this.#read(line, id);
        if (told !== null) this.#told(line, told);
      }
      if (this.#dice.chance(0.5)) this.#write(line);
    });
  }

  #told(line: Line, { shard: other, port }: Told): void {
    if (port !== null) {
      this.#listen(line, other, port);
      line.target?.connect(other.place, port);
    } else line.ports.get(other)?.close();
  }

  #read(line: Line, id: number): void {
    for (const each of this.#sent[id]!.past) {
      const { from, to } = this.#sent[each]!;
      ensure(
        to !== line || line.read.has(each) || !line.ports.has(from),
        () => `${nameOf(line)} reads post ${id} before ${each} of ${nameOf(from)}, which led to it`,
      );
      line.past.add(each);
    }
    line.past.add(id);
    line.read.add(id);
  }

  #number(from: Line, to: Line, past = [...from.past]): number {
    const id = this.#sent.push({ from, to, past }) - 1;
    from.past.add(id);
    return id;
  }

  #send(from: Line, to: Line, told: Told | null = null): void {
    const post: Post = { id: this.#number(from, to), told };
    from.channels.post(from.ports.get(to)!, post);
  }

  #goOn(line: Line): void {
    this.kernel.later(this.#dice.int(1, 20), () => {
      if (this.#calm || !line.thread.alive) return;
      this.#on(line, () => this.#write(line));
      this.#goOn(line);
    });
  }

  /** To somebody; what a shard says goes the way of its frames and messages. */
  #write(line: Line): void {
    const dice = this.#dice;
    const peers = [...line.ports.keys()];
    if (this.#calm || peers.length === 0) return;
    if (line.target === null) return this.#send(line, dice.pick(peers));
    const fronts = peers.filter((peer) => peer.kind === 'front' && dice.chance(0.7));
    const tellsMain = line.ports.has(this.#main) && (fronts.length === 0 || dice.chance(0.5));
    // Nothing comes of the frames before the messages are told; whose frames leave first is open.
    const message = tellsMain ? this.#number(line, this.#main) : null;
    const past = [...line.past];
    const frames = framesOf(fronts.map((front) => [front.place, this.#number(line, front, past)]));
    line.target.post(frames, message === null ? null : [messageOf(message)]);
  }

  // ---- trouble

  #trouble(): void {
    const { kernel } = this;
    const dice = this.#dice;
    kernel.later(dice.int(20, 400), () => {
      if (this.#calm) return;
      const line = dice.pick(this.#others);
      if (dice.chance(0.5)) {
        this.#note(`${nameOf(line)} is killed`);
        line.thread.end();
      } else {
        const ms = dice.int(1, 100);
        this.#note(`${nameOf(line)} hangs for ${ms} ms`);
        line.thread.hungUntil = Math.max(line.thread.hungUntil, kernel.now + ms);
        // As the supervisor gives up a thread that is silent.
        if (line.kind === 'shard' && dice.chance(0.5)) this.#on(this.#main, () => this.#main.ports.get(line)?.close());
      }
      this.#trouble();
    });
  }

  #note(line: string): void {
    this.trace.add('*', () => line);
  }
}

const nameOf = ({ kind, place, life }: Line) => (kind === 'main' ? kind : `${kind} ${place} (life ${life})`);

const channel = () => new MessageChannel() as unknown as { port1: MessagePort; port2: MessagePort };

const BLOCKS = { takeBlock: (bytes: number) => new ArrayBuffer(bytes), recycle: () => undefined };

const messageOf = (id: number): FromShard => ({ t: 'log', level: 'info', message: String(id), detail: {} });

/** One frame for each: its content is the number of the post. */
function framesOf(posts: readonly (readonly [front: number, id: number])[]): FrameBatch | null {
  if (posts.length === 0) return null;
  const { buffer } = Uint32Array.from(posts, ([, id]) => id);
  const index = posts.flatMap(([front], i) => [SOCKETS.find((socket) => placeOf(socket) === front)!, 4 * i, 4 * i + 4]);
  return { bytes: buffer as ArrayBuffer, index: Uint32Array.from(index) };
}

function contentOf(post: Post | FrameBatch | FromShardPost): Post[] {
  if ('id' in post) return [post];
  if (post.bytes !== null) {
    const { bytes, index } = post;
    return [...index!.filter((_, i) => i % 3 === 1)].map((at) => ({
      id: new Uint32Array(bytes, at, 1)[0]!,
      told: null,
    }));
  }
  return readMessages(post as FromShardPost).map((each) => ({
    id: Number(each.t === 'log' ? each.message : Number.NaN),
    told: null,
  }));
}

/** Runs one seed; a broken promise is reported with the seed and what happened. */
export async function simulatePosts(seed: number): Promise<PostResult> {
  const posts = new Posts(seed);
  try {
    return await posts.run();
  } catch (error) {
    const what = error instanceof Broken ? error.message : String((error as Error).stack);
    throw new Error(`seed ${seed} at ${new Date(posts.kernel.now).toISOString()}: ${what}\n${posts.trace}`);
  }
}
