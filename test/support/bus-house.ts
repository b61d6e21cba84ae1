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
