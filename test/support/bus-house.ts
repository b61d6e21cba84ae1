import { randomUUID } from 'node:crypto';
import { LinkedBus, type BusOptions } from '../../src/nodes/bus.js';
import type { Carrier } from '../../src/nodes/carrier.js';
import type { NodeId, Peer, PeerEvents } from '../../src/nodes/peer.js';
import { eventually } from './limits.js';

/** What nodes say to each other in these tests. */
export interface Word {
  n: number;
  text?: string;
}

export const isWord = (message: unknown): message is Word =>
  typeof message === 'object' && message !== null && typeof (message as Word).n === 'number';

/** A node that keeps all it hears, each line with whom it is from. */
export class BusNode implements PeerEvents<Word> {
  readonly bus: LinkedBus<Word>;
  readonly heard: string[] = [];
  readonly logged: string[] = [];
  /** Whether it lets in who knocks. */
  open = true;
  onHealed: ((peer: Peer<Word>) => void) | null = null;

  constructor(
    carrier: (id: NodeId) => Carrier,
    options: Partial<BusOptions<Word>> = {},
    readonly id: NodeId = randomUUID(),
  ) {
    const log = { warn: (detail: object, line: string) => this.logged.push(`${line} ${JSON.stringify(detail)}`) };
    this.bus = new LinkedBus({
      ...{ id, carrier: carrier(id), check: isWord },
      log: log as unknown as BusOptions<Word>['log'],
      ...options,
    });
  }

  begin(): Promise<void> {
    return this.bus.begin(this);
  }

  healed(peer: Peer<Word>): void {
    this.#hear(peer, 'healed');
    this.onHealed?.(peer);
  }

  broken(peer: Peer<Word>, why: string): void {
    this.#hear(peer, `broken ${why}`);
  }

  message(peer: Peer<Word>, { n }: Word): void {
    this.#hear(peer, String(n));
  }

  frames(peer: Peer<Word>, { bytes, index }: { bytes: ArrayBuffer; index: Uint32Array }): void {
    const text = Buffer.from(bytes, index[1], index[2]! - index[1]!).toString();
    this.#hear(peer, `${index[0]}: ${text.length > 100 ? `${text.length} bytes` : text}`);
  }

  knocked(id: NodeId): void {
    if (this.open) this.bus.peer(id);
  }

  /** What came from one node. */
  from({ id }: BusNode): string[] {
    return this.heard.filter((line) => line.startsWith(id)).map((line) => line.slice(id.length + 1));
  }

  async hears(other: BusNode, line: string): Promise<void> {
    await eventually(`${line} of another node, after ${this.from(other).join(', ')}`, () =>
      this.from(other).includes(line),
    );
  }

  #hear({ id }: Peer<Word>, line: string): void {
    this.heard.push(`${id} ${line}`);
  }
}

/**
 * Nodes that say numbers to each other for as long as it goes on, each pair its own count; a number is said once. What
 * they read is held to what a link promises.
 */
export class Chatter {
  readonly #pairs: { from: BusNode; to: BusNode; count: number; said: number[] }[];
  #timer: NodeJS.Timeout | undefined;

  /** All have asked for links to all. */
  constructor(nodes: readonly BusNode[]) {
    this.#pairs = nodes.flatMap((from) =>
      nodes.filter((to) => to !== from).map((to) => ({ from, to, count: 0, said: [] as number[] })),
    );
    for (const node of nodes) {
      node.onHealed = ({ id }) => {
        for (const pair of this.#pairs) if (pair.from === node && pair.to.id === id) pair.said = [];
      };
    }
  }

  begin(): void {
    this.#timer = setInterval(() => this.#pairs.forEach((pair) => this.#say(pair)), 5);
  }

  #say(pair: { from: BusNode; to: BusNode; count: number; said: number[] }): void {
    const peer = pair.from.bus.peer(pair.to.id);
    if (!peer.up) return;
    peer.send({ n: ++pair.count });
    pair.said.push(pair.count);
  }

  /** Resolves once everybody has read something of all others that is said from now on. */
  async hears(): Promise<void> {
    for (const pair of this.#pairs) {
      const { count, from, to } = pair;
      await eventually('a number said later', () => Number(to.from(from).at(-1)) > count);
    }
  }

  /** Nobody says anything any more, and what was said last is read. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    for (const pair of this.#pairs) {
      const { from, to } = pair;
      await eventually('what was said last', () => {
        if (pair.said.length === 0) this.#say(pair);
        return from.bus.peer(to.id).up && to.from(from).at(-1) === String(pair.said.at(-1));
      });
    }
  }

  /** What was read twice, was missing from the middle of a link, or at its beginning, of those that stand; once it has ended. */
  faults(): string[] {
    return this.#pairs.flatMap(({ from, to, said }, n) => {
      const found: string[] = [];
      let [last, link] = [0, [] as number[]];
      for (const line of to.from(from)) {
        const read = Number(line);
        if (Number.isNaN(read)) {
          link = [];
          continue;
        }
        if (read <= last) found.push(`pair ${n}: ${read} after ${last}`);
        if (link.length > 0 && read !== last + 1) found.push(`pair ${n}: over one link ${read} after ${last}`);
        link.push((last = read));
      }
      if (link.join() !== said.join()) found.push(`pair ${n}: of the last link ${said.join()}, read ${link.join()}`);
      return found;
    });
  }
}

/** One frame for a socket, as a shard leaves it. */
export function frameOf(socket: number, text: string) {
  const bytes = Buffer.from(text);
  const at = (bytes.length + 3) & ~3;
  const buffer = new ArrayBuffer(at + 12);
  new Uint8Array(buffer).set(bytes);
  const index = new Uint32Array(buffer, at, 3);
  index.set([socket, 0, bytes.length]);
  return { bytes: buffer, index };
}
