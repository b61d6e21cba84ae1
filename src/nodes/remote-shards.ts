import { setTimeout as sleep } from 'node:timers/promises';
import type { ShardLink } from '../gateway/ports.js';
import type { Log } from '../gateway/transport.js';
import type { ShardListener } from '../shard/main/options.js';
import type { DealtTable } from '../shard/main/lending.js';
import type { FromShard, ToShard } from '../shard/messages.js';
import type { FrameBatch } from '../table/outbox.js';
import { Line } from './line.js';
import { LostShards } from './lost-shards.js';
import type { FromGuest, Heard, LentShard, NodeMessage } from './node-messages.js';
import type { NodeId, Peer } from './peer.js';

/** What the leader borrows shards with. */
export interface BorrowOptions {
  /** By number: our own, behind which those of other nodes are put. */
  links: ShardLink[];
  /** Hears of them as of our own. */
  listener: ShardListener;
  lobby: {
    /** Its number is new: until it is heard of it is down. */
    down(shard: number): void;
    /** It will go: no newcomers. */
    retires(shard: number): void;
    /** It is lost for good, and others have its tables. */
    dealtOut(shard: number, tables: readonly DealtTable[]): void;
    players(shard: number): number;
  };
}

export interface RemoteShardsOptions extends BorrowOptions {
  /** What is stored of them (lending.ts), and whether a node that is not heard has ended, which never rejects. */
  store: {
    lend(shard: number, node: NodeId): Promise<number | null>;
    dealOut(shard: number, players: ReadonlyMap<number, number>): Promise<DealtTable[]>;
    hasEnded: (node: NodeId) => Promise<boolean>;
  };
  log: Log;
}

interface Lent extends LentShard {
  peer: Peer<NodeMessage>;
  line: Line<ToShard>;
  /** It plays. */
  up: boolean;
  /** Since when its link is broken. */
  brokenAt: number | null;
  drained: () => void;
}

/** What a message may weigh. */
const MESSAGE_BYTES = 300;
const BEAT_MS = 250;
/** A node that lives and is not heard for so long has them no more: so long clocks stand still there. */
const LONGEST_BREAK_MS = 60_000;

/**
 * The leader's side of the shards that other nodes lend it: for the lobby and the sockets each is a shard as any. A shard
 * that is lost, however, does not come back: its tables are dealt out to those that live.
 */
export class RemoteShards {
  readonly #own: number;
  readonly #lent = new Map<number, Lent>();
  /** Numbers that are being given out. */
  readonly #asked = new Set<number>();
  readonly #lost: LostShards;
  /** By node: the batches of frames since it last said something. */
  readonly #frames = new Map<NodeId, FrameBatch[]>();
  /** Nodes whose link stands, each time anew. */
  readonly #terms = new Map<NodeId, object>();
  readonly #timer: NodeJS.Timeout;
  #looking = false;
  #stopped = false;

  constructor(private readonly options: RemoteShardsOptions) {
    const { links, listener, lobby, log } = options;
    this.#own = links.length;
    this.#lost = new LostShards({
      ...{ links, log },
      dealOut: (shard) => options.store.dealOut(shard, this.#players()),
      dealt: (shard, tables) => lobby.dealtOut(shard, tables),
      answer: (shard, message) => listener.onMessage(shard, message),
    });
    this.#timer = setInterval(() => this.#beat(), BEAT_MS).unref();
  }

  /** Shards of other nodes, lost ones until others have their tables, and how many of these are not heard or do not play. */
  get counts() {
    const borrowed = this.#lent.size + this.#lost.size;
    return { borrowed, down: borrowed - this.#playing().filter(({ brokenAt }) => brokenAt === null).length };
  }

  /** No new hands; resolves once none is running there, or after `ms`. */
  async drain(ms: number): Promise<boolean> {
    const drained = this.#playing().map((lent) => {
      return new Promise<void>((resolve) => {
        lent.drained = resolve;
        this.#say(lent, { t: 'drain' });
      });
    });
    return Promise.race([Promise.all(drained).then(() => true), sleep(ms, false, { ref: false })]);
  }

  stop(): void {
    this.#stopped = true;
    this.#lost.stop();
    clearInterval(this.#timer);
  }

  // ---- from the nodes

  /** The link to the node stands. */
  met({ id }: Peer<NodeMessage>): void {
    this.#terms.set(id, {});
  }

  broken({ id }: Peer<NodeMessage>): void {
    this.#terms.delete(id);
    this.#frames.delete(id);
    for (const lent of this.#of(id)) {
      lent.line.shut();
      lent.brokenAt ??= performance.now();
    }
  }

  /** It has ended, or lends us nothing any more. */
  left(id: NodeId, why: string): void {
    for (const lent of this.#of(id)) this.#lose(lent, why);
  }

  frames({ id }: Peer<NodeMessage>, batch: FrameBatch): void {
    const batches = this.#frames.get(id);
    if (batches === undefined) this.#frames.set(id, [batch]);
    else batches.push(batch);
  }

  heard(peer: Peer<NodeMessage>, message: FromGuest): void {
    switch (message.t) {
      case 'lend':
        if (message.lent !== null) this.#sync(peer, message.lent);
        if (message.leaving) for (const { shard } of this.#of(peer.id)) this.options.lobby.retires(shard);
        for (let n = message.more; n > 0; n--) void this.#borrow(peer);
        return;
      case 'said':
        return this.#said(peer, message);
      case 'beat':
        for (const { heard, ...line } of message.lines) this.#find(peer, line)?.line.confirmed(heard);
        return;
      case 'over':
        return this.#lose(this.#find(peer, message), 'its node gives it back');
    }
  }

  #said(peer: Peer<NodeMessage>, { number, heard, message, ...of }: Extract<FromGuest, { t: 'said' }>): void {
    const batches = this.#frames.get(peer.id) ?? [];
    this.#frames.delete(peer.id);
    const lent = this.#find(peer, of);
    if (lent === undefined) return peer.send({ t: 'over', shard: of.shard, epoch: of.epoch });
    const what = lent.line.arrived(number, heard);
    if (what === 'false') return this.#lose(lent, 'something is missing that it said');
    if (what === 'again') return;
    const { listener } = this.options;
    if (message !== null) return this.#message(lent, message);
    for (const { bytes, index } of batches) listener.onFrames(lent.shard, bytes, index, () => undefined);
  }

  #message(lent: Lent, message: FromShard): void {
    const { listener, log } = this.options;
    switch (message.t) {
      case 'ready':
        lent.up = true;
        log.info({ node: lent.peer.id, shard: lent.shard }, 'a shard of another node plays');
        return listener.onReady?.(lent.shard, []);
      case 'drained':
        return lent.drained();
      case 'pong':
      case 'log':
      case 'fenced':
        return;
      default:
        return listener.onMessage(lent.shard, message);
    }
  }

  /** What the node has of ours when its link stands: each of these goes on, whatever is not there on both sides is over. */
  #sync(peer: Peer<NodeMessage>, lines: readonly Heard[]): void {
    const theirs = new Set<Lent>();
    for (const { shard, epoch, heard } of lines) {
      const lent = this.#find(peer, { shard, epoch });
      if (lent === undefined) {
        peer.send({ t: 'over', shard, epoch });
        continue;
      }
      theirs.add(lent);
      lent.brokenAt = null;
      peer.send({ t: 'goOn', shard, epoch, heard: lent.line.heard });
      if (!lent.line.goOn(heard)) this.#lose(lent, 'it heard what was never said');
    }
    for (const lent of this.#of(peer.id)) if (!theirs.has(lent)) this.#lose(lent, 'its node has it no more');
  }

  /** Gives the node a number for a shard of its. */
  async #borrow(peer: Peer<NodeMessage>): Promise<void> {
    const { links, lobby, store, log } = this.options;
    const term = this.#terms.get(peer.id);
    let shard = this.#own;
    while (this.#lent.has(shard) || this.#lost.has(shard) || this.#asked.has(shard)) shard++;
    this.#asked.add(shard);
    try {
      const epoch = await store.lend(shard, peer.id);
      // It asks again over the next link.
      if (epoch === null || this.#stopped || term === undefined || this.#terms.get(peer.id) !== term) return;
      for (; links.length <= shard; links.push(this.#link(links.length))) lobby.down(links.length);
      const line = new Line<ToShard>((number, heard, message) => {
        peer.send({ t: 'said', shard, epoch, number, heard, message });
      });
      line.goOn(0);
      this.#lent.set(shard, { shard, epoch, peer, line, up: false, brokenAt: null, drained: () => undefined });
      peer.send({ t: 'borrow', shard, epoch, now: Date.now() });
    } catch (error) {
      log.warn({ node: peer.id, error: (error as Error).message }, 'no shard could be borrowed yet');
    } finally {
      this.#asked.delete(shard);
    }
  }

  // ---- to the shards

  #link(shard: number): ShardLink {
    return {
      send: (message) => {
        const lent = this.#lent.get(shard);
        if (this.#lost.redirect(shard, message)) return;
        if (lent !== undefined) this.#say(lent, message);
        else this.#lost.send(shard, message);
      },
    };
  }

  #say(lent: Lent, message: ToShard): void {
    try {
      if (!lent.line.send(message, MESSAGE_BYTES)) this.#lose(lent, 'too much waits for it');
    } catch (error) {
      this.#lose(lent, (error as Error).message);
    }
  }

  // ---- lost ones

  #lose(lent: Lent | undefined, why: string): void {
    if (lent === undefined || this.#lent.get(lent.shard) !== lent) return;
    const { shard, epoch, up, peer, drained } = lent;
    this.#lent.delete(shard);
    this.#lost.lost(shard);
    peer.send({ t: 'over', shard, epoch });
    setImmediate(() => {
      drained();
      if (up) this.options.listener.onLost?.(shard, why);
      this.#lost.deal(shard);
    });
  }

  #players(): Map<number, number> {
    const lent = this.#playing().map(({ shard }) => shard);
    return new Map([...Array(this.#own).keys(), ...lent].map((shard) => [shard, this.options.lobby.players(shard)]));
  }

  #beat(): void {
    const lines = new Map<Peer<NodeMessage>, Heard[]>();
    for (const { shard, epoch, line, peer } of this.#lent.values()) {
      const heard = lines.get(peer) ?? [];
      lines.set(peer, heard);
      if (line.open && line.owes) heard.push({ shard, epoch, heard: line.heard });
    }
    for (const [peer, heard] of lines) if (this.#terms.has(peer.id)) peer.send({ t: 'beat', lines: heard });
    if (!this.#looking) void this.#look();
  }

  /** Of nodes that are not heard: which have ended, and which have been away for too long. */
  async #look(): Promise<void> {
    const silent = [...this.#lent.values()].filter(({ brokenAt }) => brokenAt !== null);
    this.#looking = true;
    for (const id of new Set(silent.map(({ peer }) => peer.id))) {
      if (await this.options.store.hasEnded(id)) this.left(id, 'its node has ended');
    }
    for (const lent of silent) {
      if (lent.brokenAt !== null && performance.now() - lent.brokenAt > LONGEST_BREAK_MS) {
        this.#lose(lent, 'its node is not heard');
      }
    }
    this.#looking = false;
  }

  #playing = () => [...this.#lent.values()].filter(({ up }) => up);
  #of = (id: NodeId) => [...this.#lent.values()].filter(({ peer }) => peer.id === id);

  #find(peer: Peer<NodeMessage>, { shard, epoch }: LentShard): Lent | undefined {
    const lent = this.#lent.get(shard);
    return lent?.epoch === epoch && lent.peer.id === peer.id ? lent : undefined;
  }
}
