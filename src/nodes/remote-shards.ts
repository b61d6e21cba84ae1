import { setTimeout as sleep } from 'node:timers/promises';
import type { ShardLink } from '../gateway/ports.js';
import { HeldTables } from '../shard/held-tables.js';
import type { FromShard, ToShard } from '../shard/messages.js';
import type { RemoteShardsOptions } from './borrowing.js';
import { LentShards, type Lent } from './lent-shards.js';
import { Line } from './line.js';
import { LostShards } from './lost-shards.js';
import type { FromGuest, Heard, NodeMessage } from './node-messages.js';
import type { NodeId, Peer } from './peer.js';

/** What a message may weigh. */
const MESSAGE_BYTES = 300;
const BEAT_MS = 250;
/** A node that lives and is not heard for so long has them no more: so long clocks stand still there. */
const LONGEST_BREAK_MS = 60_000;
/** Those of nodes that live have so long to say what is there, before others are seated without them. */
const REPORT_MS = 3000;

/**
 * The leader's side of all shards, each of some node, its own among them: for the lobby each is a shard as any. Those of
 * nodes that live are taken as they are, whoever led before. One that is lost does not come back: its tables are dealt out
 * to those that live.
 */
export class RemoteShards {
  readonly #lent = new LentShards();
  /** Numbers that are being given out. */
  readonly #asked = new Set<number>();
  readonly #lost: LostShards;
  /** What the lobby says is never too much. */
  readonly #held = new HeldTables(() => undefined);
  /** Nodes whose link stands, each time anew. */
  readonly #terms = new Map<NodeId, object>();
  readonly #timer: NodeJS.Timeout;
  #looking = false;
  #stopped = false;

  constructor(private readonly options: RemoteShardsOptions) {
    const { links, listener, lobby, log, inherits } = options;
    this.#lost = new LostShards({
      ...{ links, log },
      someUp: () => this.#lent.when(() => this.#lent.playing.length > 0),
      dealOut: (shard) => options.store.dealOut(shard, this.#players()),
      dealt: (shard, tables) => lobby.dealtOut(shard, tables),
      answer: (shard, message) => listener.onMessage(shard, message),
    });
    for (const { shard, epoch, holder } of inherits.living) {
      this.#add({ shard, epoch, peer: options.peer(holder), state: 'asked' });
      options.shardAt(shard, holder);
    }
    for (const shard of inherits.orphaned) {
      this.#linkUpTo(shard);
      this.#lost.lost(shard);
      this.#lost.deal(shard);
    }
    this.#timer = setInterval(() => this.#beat(), BEAT_MS).unref();
  }

  /** Resolves once it is known what is at those shards that live, and others have the tables of those that do not. */
  async settled(): Promise<void> {
    const known = () => !this.#lent.all.some(({ state }) => state === 'asked');
    await Promise.race([this.#lent.when(known), sleep(REPORT_MS, null, { ref: false })]);
    const open = () => this.#openMissing();
    await (this.#lent.playing.length > 0 ? this.#lost.between(open) : open());
  }

  async #openMissing(): Promise<void> {
    const { lobby, store, inherits } = this.options;
    await Promise.all(
      inherits.living.map(async ({ shard }) => {
        const state = this.#lent.get(shard)?.state;
        if (state === 'up') lobby.openMissing(shard, await store.tables(shard));
        else if (state === 'asked') lobby.unheard(shard, await store.tables(shard));
      }),
    );
  }

  /** Shards there are, lost ones until others have their tables, and how many of these are not heard or do not play. */
  get counts() {
    const borrowed = this.#lent.size + this.#lost.size;
    return { borrowed, down: borrowed - this.#lent.playing.filter(({ brokenAt }) => brokenAt === null).length };
  }

  /** No new hands; resolves once none is running, or after `ms`. */
  async drain(ms: number): Promise<boolean> {
    const drained = this.#lent.playing.map((lent) => {
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

  /** It has no tables any more, and its node shall not have it either. */
  vacated(shard: number): void {
    const lent = this.#lent.get(shard);
    if (lent === undefined) return;
    // Nothing is lost with it.
    lent.state = 'starting';
    this.#lose(lent, 'its node leaves');
  }

  // ---- from the nodes

  /** The link to the node stands. */
  met({ id }: Peer<NodeMessage>): void {
    this.#terms.set(id, {});
  }

  broken({ id }: Peer<NodeMessage>): void {
    this.#terms.delete(id);
    for (const lent of this.#lent.of(id)) {
      lent.line.shut();
      lent.brokenAt ??= performance.now();
    }
  }

  /** It has ended, or gives all back. */
  left(id: NodeId, why: string): void {
    for (const lent of this.#lent.of(id)) this.#lose(lent, why);
  }

  heard(peer: Peer<NodeMessage>, message: FromGuest): void {
    switch (message.t) {
      case 'lend':
        if (message.lent !== null) this.#sync(peer, message.lent);
        if (message.leaving) for (const lent of this.#lent.of(peer.id)) this.#retire(lent);
        for (let n = message.more; n > 0; n--) void this.#borrow(peer);
        return;
      case 'said':
        return this.#said(peer, message);
      case 'beat':
        for (const { heard, ...line } of message.lines) this.#lent.find(peer, line)?.line.confirmed(heard);
        return;
      case 'over':
        return this.#lose(this.#lent.find(peer, message), 'its node gives it back');
    }
  }

  #said(peer: Peer<NodeMessage>, { number, heard, message, ...of }: Extract<FromGuest, { t: 'said' }>): void {
    const lent = this.#lent.find(peer, of);
    if (lent === undefined) return peer.send({ t: 'over', shard: of.shard, epoch: of.epoch });
    const what = lent.line.arrived(number, heard);
    if (what === 'false') return this.#lose(lent, 'something is missing that it said');
    if (what === 'next') this.#message(lent, message);
  }

  #message(lent: Lent, message: FromShard): void {
    const { listener, lobby, log } = this.options;
    const { shard } = lent;
    switch (message.t) {
      case 'ready':
        log.info({ node: lent.peer.id, shard }, 'a shard plays');
        listener.onReady?.(shard, []);
        return this.#up(lent);
      case 'report':
        if (lent.state !== 'asked') return;
        lobby.inherited(shard, message.tables);
        return this.#up(lent);
      case 'drained':
        return lent.drained();
      case 'pong':
      case 'log':
      case 'fenced':
        return;
      default:
        // What it said to whoever led before stands in its report.
        if (lent.state !== 'asked') listener.onMessage(shard, message);
    }
  }

  /** One whose tables are not known yet retires once they are: it would pass for empty. */
  #retire(lent: Lent): void {
    lent.retires = true;
    if (lent.state !== 'asked') this.options.lobby.retires(lent.shard);
  }

  #up(lent: Lent): void {
    lent.state = 'up';
    // Its node was told to stop before it began, or reported.
    if (lent.retires) this.#retire(lent);
    this.#lent.changed();
  }

  /** What the node has of ours when its link stands: each of these goes on, whatever is not there on both sides is over. */
  #sync(peer: Peer<NodeMessage>, lines: readonly Heard[]): void {
    const theirs = new Set<Lent>();
    for (const { shard, epoch, heard } of lines) {
      const lent = this.#lent.find(peer, { shard, epoch });
      if (lent === undefined) {
        peer.send({ t: 'over', shard, epoch });
        continue;
      }
      theirs.add(lent);
      // Once it has read something of ours the line is the same on both sides, and goes on.
      const anew = lent.state === 'asked' && lent.line.heard === 0 && heard === 0;
      lent.brokenAt = null;
      // Within a process all that is kept there is read before this returns: answers wait until the line goes on.
      lent.line.shut();
      peer.send({ t: 'goOn', shard, epoch, heard: lent.line.heard, anew });
      if (!lent.line.goOn(anew ? 0 : heard)) this.#lose(lent, 'it heard what was never said');
    }
    for (const lent of this.#lent.of(peer.id)) if (!theirs.has(lent)) this.#lose(lent, 'its node has it no more');
  }

  /** Gives the node a number for a shard of its. */
  async #borrow(peer: Peer<NodeMessage>): Promise<void> {
    const { store, log } = this.options;
    const term = this.#terms.get(peer.id);
    let shard = 0;
    while (this.#lent.has(shard) || this.#lost.has(shard) || this.#asked.has(shard)) shard++;
    this.#asked.add(shard);
    try {
      const epoch = await store.lend(shard, peer.id);
      // It asks again over the next link.
      if (epoch === null || this.#stopped || term === undefined || this.#terms.get(peer.id) !== term) return;
      this.#add({ shard, epoch, peer, state: 'starting' }).line.goOn(0);
      this.options.shardAt(shard, peer.id);
      peer.send({ t: 'borrow', shard, epoch, now: this.options.now() });
    } catch (error) {
      log.warn({ node: peer.id, error: (error as Error).message }, 'no shard could be borrowed yet');
    } finally {
      this.#asked.delete(shard);
    }
  }

  #add({ shard, epoch, peer, state }: Pick<Lent, 'shard' | 'epoch' | 'peer' | 'state'>): Lent {
    this.#linkUpTo(shard);
    const line = new Line<ToShard>((number, heard, message) => {
      peer.send({ t: 'said', shard, epoch, number, heard, message });
    });
    const brokenAt = state === 'asked' ? performance.now() : null;
    const lent: Lent = { shard, epoch, peer, line, state, brokenAt, retires: false, drained: () => undefined };
    this.#lent.add(lent);
    // The first that it reads, of a line that is new.
    if (state === 'asked') line.send({ t: 'report' }, MESSAGE_BYTES);
    return lent;
  }

  // ---- to the shards

  #linkUpTo(shard: number): void {
    const { links, lobby } = this.options;
    for (; links.length <= shard; links.push(this.#link(links.length))) lobby.down(links.length);
  }

  #link(shard: number): ShardLink {
    return {
      send: (message) => {
        if (!this.#held.keeps(message)) this.send(shard, message);
      },
    };
  }

  /** Past what is held for tables that move. */
  send(shard: number, message: ToShard): void {
    if (this.#lost.redirect(shard, message)) return;
    const lent = this.#lent.get(shard);
    if (lent !== undefined) this.#say(lent, message);
    else this.#lost.send(shard, message);
  }

  /** What the lobby says to the table waits. */
  hold(table: string): void {
    this.#held.hold(table);
  }

  /** It goes there. */
  release(table: string, shard: number): void {
    this.#lost.moved(table, shard);
    for (const message of this.#held.release(table)) this.send(shard, message);
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
    const { shard, epoch, state, peer, drained } = lent;
    this.#lent.delete(shard);
    this.#lost.lost(shard);
    peer.send({ t: 'over', shard, epoch });
    setImmediate(() => {
      drained();
      if (state === 'up') this.options.listener.onLost?.(shard, why);
      // One that was given back, or did not play yet: nothing is sent there any more.
      else this.options.lobby.down(shard);
      this.#lost.deal(shard);
      this.#lent.changed();
    });
  }

  #players(): Map<number, number> {
    const lent = this.#lent.playing.map(({ shard }) => shard);
    return new Map(lent.map((shard) => [shard, this.options.lobby.players(shard)]));
  }

  #beat(): void {
    const lines = new Map<Peer<NodeMessage>, Heard[]>();
    for (const { shard, epoch, line, peer } of this.#lent.all) {
      const heard = lines.get(peer) ?? [];
      lines.set(peer, heard);
      if (line.open && line.owes) heard.push({ shard, epoch, heard: line.heard });
    }
    for (const [peer, heard] of lines) if (this.#terms.has(peer.id)) peer.send({ t: 'beat', lines: heard });
    if (!this.#looking) void this.#look();
  }

  /** Of nodes that are not heard: which have ended, and which have been away for too long. */
  async #look(): Promise<void> {
    const silent = this.#lent.all.filter(({ brokenAt }) => brokenAt !== null);
    this.#looking = true;
    for (const id of new Set(silent.map(({ peer }) => peer.id))) {
      if (!(await this.options.store.hasEnded(id))) continue;
      // First nobody reads it any more: then others have its tables.
      this.options.ended(id);
      this.left(id, 'its node has ended');
    }
    for (const lent of silent) {
      if (lent.brokenAt !== null && performance.now() - lent.brokenAt > LONGEST_BREAK_MS) {
        this.#lose(lent, 'its node is not heard');
      }
    }
    this.#looking = false;
  }
}
