import { LinkedBus } from '../../src/nodes/bus.js';
import type { Carrier, CarrierListener } from '../../src/nodes/carrier.js';
import type { NodeId, Peer } from '../../src/nodes/peer.js';
import type { FrameBatch } from '../../src/table/outbox.js';
import { Broken, ensure } from './broken.js';
import { Dice } from './dice.js';
import { Kernel, type Thread } from './machine/kernel.js';
import { turnOff, turnOn, type Machine } from './machine/machine.js';
import { isOfLine, SimLine, type LineWord } from './node-lines.js';
import { Trace } from './trace.js';

/**
 * Nodes that talk over a bus, and nothing else of the platform: the bus loses, repeats, delays and reorders, is away, and
 * says of lost posts that they arrived; nodes die, freeze and are replaced. Whatever happens, each reads what another
 * sent from the first on, without a gap and nothing twice, or hears that the link is broken; nobody takes a dead node for
 * alive for long; and in the end all links stand and everything is read. Of what they say over a line nothing is lost, as
 * long as both live.
 */

export interface NodesResult {
  seed: number;
  /** Messages and frames that were read; how often a link stood, and broke; nodes that ended. */
  read: number;
  /** Of that, over lines. */
  said: number;
  healed: number;
  broken: number;
  lost: number;
}

const NODES = 3;
const UNREST_MS = 30_000;
const CALM_MS = 15_000;
const LEASE_MS = 5_000;
/** A link to a dead node is broken by then: the lease, and the time between two looks. */
const SILENT_MS = LEASE_MS + 300;

/** A post is late by so much at most, and its repetition later still. */
const LATE_MS = 3_000;

/** How the bus is just now: the shares of posts that are lost, come again, and are late. */
interface Weather {
  lost: number;
  again: number;
  late: number;
}
const FINE: Weather = { lost: 0, again: 0, late: 0 };

/** What one side knows of a link: terms are counted by each side for itself. */
interface Side {
  peer: Peer<Message>;
  line: SimLine;
  up: boolean;
  term: number;
  sent: number;
  /** Of what was read over the present link: the sender's term, and how much. */
  from: number;
  read: number;
  /** The sender's last term of which something was read. */
  lastFrom: number;
}

/** The sender's term, and the place within it. */
type Word = [term: number, at: number];
type Message = Word | LineWord;

interface Node {
  id: NodeId;
  name: string;
  thread: Thread;
  bus: LinkedBus<Message>;
  listener: CarrierListener | null;
  sides: Map<NodeId, Side>;
  /** When it died. */
  ended: number;
  /** The bus says of what is sent to it that it is heard: for a while longer, where its host vanished. */
  heardUntil: number;
}

class Nodes {
  readonly kernel = new Kernel(Date.UTC(2026, 0, 31, 12));
  readonly trace = new Trace(() => this.kernel.now);
  readonly result: NodesResult;
  readonly #dice: Dice;
  readonly #all = new Map<NodeId, Node>();
  /** When what was posted last arrives, by sender and reader. */
  readonly #arrivals = new Map<string, number>();
  #weather = FINE;
  #awayUntil = 0;
  /** Ways on which posts wait for a while, and those that come after overtake them. */
  readonly #stalls = new Map<string, { until: number; release: number }>();
  #calm = false;

  constructor(seed: number) {
    const { kernel } = this;
    this.#dice = new Dice(seed);
    this.result = { seed, read: 0, said: 0, healed: 0, broken: 0, lost: 0 };
    const none = () => {
      throw new Broken('there are no tables, sockets or databases here');
    };
    turnOn({
      ...{ kernel, dice: new Dice(seed + 1e9) },
      ...{ createTable: none, threadStarted: none, threadFailed: none },
      network: null as unknown as Machine['network'],
      storage: null as unknown as Machine['storage'],
    });
  }

  async run(): Promise<NodesResult> {
    const { kernel } = this;
    const rejected = (error: unknown) => kernel.fail(error as Error);
    process.on('unhandledRejection', rejected);
    try {
      for (let i = 0; i < NODES; i++) this.#start(this.#dice.int(0, 500));
      this.#look();
      this.#trouble();
      await kernel.runUntil(kernel.now + UNREST_MS);
      this.#calm = true;
      this.#weather = FINE;
      await kernel.runUntil(kernel.now + CALM_MS);
      for (const a of this.#living()) for (const b of this.#living()) if (a !== b) this.#judge(a, b);
    } finally {
      process.off('unhandledRejection', rejected);
      turnOff();
    }
    return this.result;
  }

  #judge(a: Node, b: Node): void {
    const [out, back] = [a.sides.get(b.id), b.sides.get(a.id)];
    ensure(out?.up === true && out.peer.up, () => `${a.name} has no link to ${b.name} though nothing is wrong`);
    out!.line.judge(back!.line);
    ensure(back?.read === out!.sent, () => `${b.name} has read ${back?.read} of ${out!.sent} that ${a.name} sent`);
  }

  #living = () => [...this.#all.values()].filter(({ thread }) => thread.alive);

  // ---- nodes

  #start(ms: number): void {
    const { kernel } = this;
    kernel.later(ms, () => {
      const number = this.#all.size + 1;
      const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
      const thread = kernel.spawn('node', kernel.world, (error) => kernel.fail(error));
      kernel.plan(kernel.now, () => void this.#begin(id, `node ${number}`, thread), thread);
    });
  }

  async #begin(id: NodeId, name: string, thread: Thread): Promise<void> {
    const bus = new LinkedBus<Message>({
      ...{ id, carrier: this.#carrier(id), log: { warn: () => undefined }, silentMs: LEASE_MS },
      check: (message): message is Message => typeof message === 'object' && message !== null,
    });
    const node: Node = {
      id,
      name,
      thread,
      bus,
      listener: null,
      sides: new Map(),
      ended: Infinity,
      heardUntil: Infinity,
    };
    this.#all.set(id, node);
    thread.onEnd(() => this.#ended(node));
    await bus.begin({
      healed: (peer) => this.#healed(node, peer),
      broken: (peer, why) => this.#broken(node, peer, why),
      message: (peer, message) => this.#heard(node, peer, message),
      frames: (peer, batch) => {
        if (isOfLine(batch)) this.#side(node, peer).line.batch(batch);
        else this.#read(node, peer, wordOf(batch));
      },
      knocked: (other) => this.#all.get(other)?.thread.alive && void this.#meet(node, other),
    });
    for (const other of this.#living()) if (other !== node) this.#meet(node, other.id);
    this.#talk(node);
  }

  #meet(node: Node, other: NodeId): void {
    const peer = node.bus.peer(other);
    if (node.sides.has(other)) return;
    const line = new SimLine(peer as Peer<LineWord>, () => node.name);
    node.sides.set(other, { peer, line, up: false, term: 0, sent: 0, from: 0, read: 0, lastFrom: 0 });
  }

  #ended(node: Node): void {
    const { kernel } = this;
    node.ended = kernel.now;
    node.heardUntil = kernel.now + (this.#dice.chance(0.5) ? 0 : 15_000);
    this.result.lost++;
    this.#start(this.#dice.int(10, 3_000));
    // Who leads finds it in the database, sooner or later.
    for (const other of this.#living()) {
      kernel.later(this.#dice.int(1, 20_000), () =>
        kernel.plan(kernel.now, () => this.#forget(other, node.id), other.thread),
      );
    }
  }

  #forget(node: Node, dead: NodeId): void {
    node.sides.get(dead)?.peer.end();
    node.sides.delete(dead);
  }

  // ---- what nodes hear

  #side(node: Node, { id }: Peer<Message>): Side {
    const side = node.sides.get(id);
    if (side === undefined) throw new Broken(`${node.name} hears of a node that it has forgotten`);
    return side;
  }

  #healed(node: Node, peer: Peer<Message>): void {
    const side = this.#side(node, peer);
    this.#note(`${node.name} has a link to ${this.#all.get(peer.id)!.name}`);
    ensure(!side.up, () => `${node.name} has a link healed that did not break`);
    Object.assign(side, { up: true, term: side.term + 1, sent: 0, from: 0, read: 0 });
    this.result.healed++;
    side.line.healed();
    // Where only one side has heard of a link yet, the most can go wrong.
    if (!this.#calm && this.#dice.chance(0.1)) this.#stall(`${node.id} ${peer.id}`);
  }

  #broken(node: Node, peer: Peer<Message>, why: string): void {
    const side = this.#side(node, peer);
    this.#note(`${node.name} has lost the link to ${this.#all.get(peer.id)!.name}: ${why}`);
    ensure(side.up, () => `${node.name} has a link broken that did not stand`);
    side.up = false;
    side.line.broken();
    this.result.broken++;
  }

  #heard(node: Node, peer: Peer<Message>, message: Message): void {
    if (Array.isArray(message)) return this.#read(node, peer, message);
    const { line } = this.#side(node, peer);
    const before = line.read;
    line.arrived(message);
    this.result.said += line.read - before;
  }

  #read(node: Node, peer: Peer<Message>, [term, at]: Word): void {
    const side = this.#side(node, peer);
    const what = () =>
      `${node.name} reads ${term}/${at} of ${this.#all.get(peer.id)!.name} after ${side.from}/${side.read}`;
    ensure(side.up, () => `${what()}, over no link`);
    if (side.read === 0) ensure(term > side.lastFrom, () => `${what()}, of an older link`);
    else ensure(term === side.from, () => `${what()}, of another link`);
    ensure(at === side.read + 1, what);
    side.read = at;
    side.from = side.lastFrom = term;
    this.result.read++;
  }

  #talk(node: Node): void {
    const { kernel } = this;
    const dice = this.#dice;
    const go = () => {
      for (const side of node.sides.values()) {
        if (this.#calm) side.line.confirm();
        if (this.#calm || dice.chance(0.5)) continue;
        this.#chat(side.line);
        for (let n = dice.int(1, 3); n > 0 && side.peer.up && side.up; n--) {
          const word: Word = [side.term, ++side.sent];
          if (dice.chance(0.3)) side.peer.frames(batchOf(word));
          else side.peer.send(word);
          if (dice.chance(0.2)) side.peer.flush();
        }
      }
      kernel.plan(kernel.now + dice.int(5, 100), go, node.thread);
    };
    kernel.plan(kernel.now, go, node.thread);
  }

  /** Over a line much is said while the link is broken. */
  #chat(line: SimLine): void {
    for (let n = this.#dice.int(0, 2); n > 0; n--) line.say();
    if (this.#dice.chance(0.2)) line.confirm();
  }

  // ---- the bus

  #carrier(own: NodeId): Carrier {
    const isUp = () => this.kernel.now >= this.#awayUntil;
    return {
      get up() {
        return isUp();
      },
      deafMs: 0,
      begin: (listener) => {
        this.#all.get(own)!.listener = listener;
        return Promise.resolve();
      },
      publish: async (posts) => {
        const copies = posts.map(({ to, post }) => ({ to, post: Buffer.from(post) }));
        return Promise.all(copies.map(({ to, post }) => this.#publish(own, to, post)));
      },
      close: () => Promise.resolve(),
    };
  }

  async #publish(from: NodeId, to: NodeId, post: Buffer): Promise<number> {
    const { kernel } = this;
    const dice = this.#dice;
    const { lost, again, late } = this.#weather;
    const node = this.#all.get(to);
    if (kernel.now < this.#awayUntil) {
      // The connection broke: what was on it may have come through.
      if (dice.chance(0.5) || node === undefined) throw new Error('the bus is away');
      this.#arrive(from, node, post, 0);
      throw new Error('the bus is away');
    }
    if (node === undefined || kernel.now > node.heardUntil) return 0;
    const stall = this.#stalls.get(`${from} ${to}`);
    if (stall !== undefined && kernel.now < stall.until) {
      this.#arrive(from, node, post, stall.release - kernel.now);
      return dice.chance(0.3) ? 0 : 1;
    }
    if (dice.chance(lost)) return dice.chance(0.3) ? 0 : 1;
    this.#arrive(from, node, post, dice.chance(late) ? dice.int(1, LATE_MS) : 0);
    while (dice.chance(again)) this.#arrive(from, node, post, dice.int(1, 8_000));
    return 1;
  }

  #stall(way: string): void {
    const until = this.kernel.now + this.#dice.int(20, 300);
    this.#stalls.set(way, { until, release: until + this.#dice.int(20, 300) });
  }

  /** In order, unless it is late by so many ms. */
  #arrive(from: NodeId, { id, thread }: Node, post: Buffer, lateMs: number): void {
    const { kernel } = this;
    const way = `${from} ${id}`;
    const soon = Math.max(kernel.now + this.#dice.delay(2), this.#arrivals.get(way) ?? 0);
    if (lateMs === 0) this.#arrivals.set(way, soon);
    kernel.plan(soon + lateMs, () => this.#all.get(id)!.listener?.post(Buffer.from(post)), thread);
  }

  // ---- trouble

  #look(): void {
    const { kernel } = this;
    for (const node of this.#living()) {
      if (node.thread.hungUntil > kernel.now) continue;
      for (const [id, { peer }] of node.sides) {
        const dead = this.#all.get(id)!;
        const silent = kernel.now - Math.max(dead.ended, node.thread.hungUntil);
        ensure(
          !peer.up || silent < SILENT_MS + LATE_MS + 200,
          () => `${node.name} takes ${dead.name} for alive, which is dead`,
        );
      }
    }
    kernel.later(100, () => this.#look());
  }

  #trouble(): void {
    const { kernel } = this;
    const dice = this.#dice;
    kernel.later(dice.int(200, 3_000), () => {
      if (this.#calm) return;
      this.#weather = dice.pick([
        FINE,
        { lost: 0.01, again: 0, late: 0 },
        { lost: 0, again: 0.2, late: 0 },
        { lost: 0, again: 0.02, late: 0.02 },
        { lost: 0.2, again: 0.4, late: 0.3 },
        { lost: 0.1, again: 0.1, late: 0.6 },
      ]);
      const living = this.#living();
      const node = living.length === 0 ? null : dice.pick(living);
      const kind = dice.int(1, 6);
      if (kind === 1) {
        this.#awayUntil = kernel.now + dice.int(10, 4_000);
        this.#note('the bus is away');
      } else if (kind === 2 && node !== null) {
        this.#note(`${node.name} dies`);
        node.thread.end();
      } else if (kind <= 4 && node !== null) {
        const ms = dice.int(10, 9_000);
        this.#note(`${node.name} freezes for ${ms} ms`);
        node.thread.hungUntil = Math.max(node.thread.hungUntil, kernel.now + ms);
      }
      this.#trouble();
    });
  }

  #note(line: string): void {
    this.trace.add('*', () => line);
  }
}

function batchOf([term, at]: Word): FrameBatch {
  const words = Uint32Array.of(term, at, 1, 0, 8);
  return { bytes: words.buffer, index: words.subarray(2) };
}

function wordOf({ bytes }: FrameBatch): Word {
  const words = new Uint32Array(bytes, 0, 2);
  return [words[0]!, words[1]!];
}

/** Runs one seed; a broken promise is reported with the seed and what happened. */
export async function simulateNodes(seed: number): Promise<NodesResult> {
  const nodes = new Nodes(seed);
  try {
    return await nodes.run();
  } catch (error) {
    const what = error instanceof Broken ? error.message : String((error as Error).stack);
    throw new Error(`seed ${seed} at ${new Date(nodes.kernel.now).toISOString()}: ${what}\n${nodes.trace}`);
  }
}
