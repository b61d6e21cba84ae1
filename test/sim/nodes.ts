import { LinkedBus } from '../../src/nodes/bus.js';
import type { NodeId, Peer } from '../../src/nodes/peer.js';
import type { FrameBatch } from '../../src/table/outbox.js';
import { Broken, ensure } from './broken.js';
import { Dice } from './dice.js';
import { Kernel, type Thread } from './machine/kernel.js';
import { turnOff, turnOn, type Machine } from './machine/machine.js';
import { LATE_MS, ServerBus, WildBus, type BusEnd, type SimBus } from './node-bus.js';
import { Causes, type Cause } from './node-causes.js';
import { isOfLine, SimLine, type LineWord, wordsOf } from './node-lines.js';
import { Trace } from './trace.js';

/**
 * Nodes that talk over a bus, and nothing else of the platform. In half of the worlds the bus loses, repeats, delays and
 * reorders, is away, and says of lost posts that they arrived; in the others it is one server, to which connections break.
 * Nodes die, freeze and are replaced. Whatever happens, each reads what another sent from the first on, without a gap and
 * nothing twice, or hears that the link is broken; nobody takes a dead node for alive for long; and in the end all links
 * stand and everything is read. Of what they say over a line nothing is lost, as long as both live. And where there is one
 * server, what was said because of something is read after it, or after the end of the link that lost it.
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
/** Longer than most turns are apart. */
const PATIENCE_MS = 200;
/** A link to a dead node is broken by then: the lease, and the time between two looks. */
const SILENT_MS = LEASE_MS + 300;

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
  /** Of the sender's terms those before belong to links before the present one. */
  since: number;
}

/** The sender's term, the place within it, and what led to it. */
type Word = [term: number, at: number, causes: readonly Cause[]];
type Message = Word | LineWord;

interface Node extends BusEnd {
  id: NodeId;
  name: string;
  bus: LinkedBus<Message>;
  sides: Map<NodeId, Side>;
  causes: Causes;
  /** Frames that may wait, the last of them for each node: so far nothing can have come of them. */
  unsaid: Map<NodeId, Cause>;
  /** When it died. */
  ended: number;
}

class Nodes {
  readonly kernel = new Kernel(Date.UTC(2026, 0, 31, 12));
  readonly trace = new Trace(() => this.kernel.now);
  readonly result: NodesResult;
  readonly #dice: Dice;
  readonly #all = new Map<NodeId, Node>();
  readonly #bus: SimBus;
  /** Posts have one order for all. */
  readonly #ordered: boolean;
  #calm = false;

  constructor(seed: number) {
    const { kernel } = this;
    this.#dice = new Dice(seed);
    this.#ordered = seed % 2 === 0;
    this.#bus = new (this.#ordered ? ServerBus : WildBus)(kernel, this.#dice, this.#all);
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
      this.#bus.calm();
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
      ...{
        id,
        carrier: this.#bus.carrier(id),
        log: { warn: () => undefined },
        silentMs: LEASE_MS,
        patienceMs: PATIENCE_MS,
      },
      check: (message): message is Message => typeof message === 'object' && message !== null,
    });
    const node: Node = {
      ...{ id, name, thread, bus, sides: new Map(), causes: new Causes(), unsaid: new Map() },
      ...{ ended: Infinity, heardUntil: Infinity },
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
    node.sides.set(other, { peer, line, up: false, term: 0, sent: 0, from: 0, read: 0, lastFrom: 0, since: 0 });
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
    // The other knows our present number, so of its links it is the present one or the next.
    const other = this.#all.get(peer.id)!.sides.get(node.id);
    const since = other === undefined ? 1 : other.up ? other.term : other.term + 1;
    Object.assign(side, { up: true, term: side.term + 1, sent: 0, from: 0, read: 0, since });
    this.result.healed++;
    side.line.healed();
    this.#bus.healed(node.id, peer.id);
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

  #read(node: Node, peer: Peer<Message>, [term, at, causes]: Word): void {
    for (const cause of causes) this.#caused(node, peer, cause);
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
    // Somebody else hears of it at once.
    const [other] = [...node.sides].find(([id]) => id !== peer.id) ?? [];
    if (!this.#ordered || this.#calm || other === undefined || this.#dice.chance(0.7)) return;
    this.#say(node, this.#side(node, node.bus.peer(other)));
    if (this.#dice.chance(0.5)) peer.flush();
  }

  /** What a node says shows that somebody had said so much to this one before. */
  #caused(node: Node, peer: Peer<Message>, cause: Cause): void {
    const [from, to, term, sent] = cause;
    const side = to === node.id ? node.sides.get(from) : undefined;
    node.causes.add(cause);
    if (side === undefined || !side.up || from === peer.id) return;
    const read = side.from > term || (side.from === term && side.read >= sent);
    const name = (id: NodeId) => this.#all.get(id)!.name;
    ensure(
      read || (side.from === 0 && term < side.since),
      () =>
        `${node.name} has read ${side.from}/${side.read} of ${name(from)}, and ${name(peer.id)} ${term}/${sent} sooner`,
    );
  }

  #talk(node: Node): void {
    const { kernel } = this;
    const dice = this.#dice;
    const go = () => {
      const sides = [...node.sides.values()];
      for (const { line } of sides) {
        if (this.#calm) line.confirm();
        else if (dice.chance(0.5)) this.#chat(line);
      }
      // To one and the other in turns, so that a post holds what was said before and after what is in another.
      for (let n = this.#calm ? 0 : dice.int(0, 2 * sides.length); n > 0 && sides.length > 0; n--) {
        const side = dice.pick(sides);
        this.#say(node, side);
        if (dice.chance(0.2)) side.peer.flush();
      }
      kernel.plan(kernel.now + dice.int(5, 100), go, node.thread);
    };
    kernel.plan(kernel.now, go, node.thread);
  }

  #say(node: Node, side: Side): void {
    const { peer } = side;
    if (!peer.up || !side.up) return;
    const [term, at] = [side.term, ++side.sent];
    const cause: Cause = [node.id, peer.id, term, at];
    if (this.#dice.chance(0.3)) {
      const mayWait = this.#dice.chance(0.5);
      peer.frames(batchOf(term, at), mayWait);
      if (mayWait) return void node.unsaid.set(peer.id, cause);
    } else {
      // It takes along what may wait, whomever that is for.
      for (const unsaid of node.unsaid.values()) node.causes.add(unsaid);
      node.unsaid.clear();
      peer.send([term, at, this.#ordered ? node.causes.all : []]);
    }
    node.causes.add(cause);
  }

  /** Over a line much is said while the link is broken. */
  #chat(line: SimLine): void {
    for (let n = this.#dice.int(0, 2); n > 0; n--) line.say();
    if (this.#dice.chance(0.2)) line.confirm();
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
      const living = this.#living();
      const node = living.length === 0 ? null : dice.pick(living);
      if (node !== null) this.#bus.worsen(node.id);
      const kind = dice.int(1, 6);
      if (kind === 1) {
        this.#bus.away(dice.int(10, 4_000));
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

function batchOf(term: number, at: number): FrameBatch {
  const words = Uint32Array.of(term, at, 1, 0, 8);
  return { bytes: words.buffer, index: words.subarray(2) };
}

function wordOf(batch: FrameBatch): Word {
  const words = wordsOf(batch);
  return [words[0]!, words[1]!, []];
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
