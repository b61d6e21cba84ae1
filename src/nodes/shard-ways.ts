import type { ShardLink } from '../gateway/ports.js';
import { HeldTables } from '../shard/held-tables.js';
import type { TableMessage, ToShard } from '../shard/messages.js';
import type { NodeMessage } from './node-messages.js';
import type { NodeId, Peer } from './peer.js';

export interface ShardWaysOptions {
  /** False: it is none of ours. */
  own: (shard: number, message: ToShard) => boolean;
  /** Who leads may know where it is. */
  stray: (shard: number, message: ToShard) => void;
  /** A client's message came while too many are held. */
  dropped: (message: TableMessage) => void;
}

/** What is kept for a shard whose node cannot be spoken to. */
const MOST_WAITING = 1000;

/** The ways of a node's sockets to the shards: its own, and those of other nodes, straight to these. */
export class ShardWays {
  readonly #links: ShardLink[] = [];
  readonly #nodes: (Peer<NodeMessage> | undefined)[] = [];
  /** By shard whose node cannot be spoken to. */
  readonly #waiting = new Map<number, ToShard[]>();
  readonly #held: HeldTables;

  constructor(private readonly options: ShardWaysOptions) {
    this.#held = new HeldTables(options.dropped);
  }

  link(shard: number): ShardLink {
    return (this.#links[shard] ??= { send: (message) => this.#send(shard, message) });
  }

  /** The shard is that node's; null: ours. */
  shardAt(shard: number, peer: Peer<NodeMessage> | null): void {
    this.#nodes[shard] = peer ?? undefined;
    this.#flush(shard);
  }

  /** The numbers of shards that this node has, as far as is known here. */
  shardsOf(id: NodeId): Set<number> {
    return new Set(this.#nodes.flatMap((peer, shard) => (peer?.id === id ? [shard] : [])));
  }

  ended(id: NodeId): void {
    for (const shard of this.shardsOf(id)) this.#nodes[shard] = undefined;
  }

  healed({ id }: Peer<NodeMessage>): void {
    for (const shard of this.shardsOf(id)) this.#flush(shard);
  }

  /** Tables that were to move when this was last told of them. */
  get holding(): string[] {
    return this.#held.tables;
  }

  hold(table: string): void {
    this.#held.hold(table);
  }

  /** The table is that shard's from now on, or still: what was held goes there. */
  moved(table: string, shard: number): void {
    for (const message of this.#held.release(table)) this.#send(shard, message);
    for (const [from, waiting] of this.#waiting) {
      if (from === shard) continue;
      const ours = waiting.filter((message) => 'table' in message && message.table === table);
      if (ours.length === 0) continue;
      this.#waiting.set(from, waiting.filter((message) => !ours.includes(message))); // prettier-ignore
      for (const message of ours) this.#send(shard, message);
    }
  }

  #send(shard: number, message: ToShard): void {
    if (this.#held.keeps(message)) return;
    if (this.options.own(shard, message)) return;
    const peer = this.#nodes[shard];
    if (peer === undefined) this.options.stray(shard, message);
    else if (peer.up) peer.send({ t: 'toShard', shard, message });
    else this.#wait(shard, message);
  }

  #wait(shard: number, message: ToShard): void {
    const waiting = this.#waiting.get(shard) ?? [];
    this.#waiting.set(shard, waiting);
    if (waiting.length < MOST_WAITING) waiting.push(message);
    else if ('table' in message) this.options.dropped(message as TableMessage);
  }

  #flush(shard: number): void {
    const waiting = this.#waiting.get(shard) ?? [];
    this.#waiting.delete(shard);
    for (const message of waiting) this.#send(shard, message);
  }
}
