import { ABNORMAL } from '../../protocol/mishap.js';
import type { SocketId } from '../../table/api.js';
import { START } from '../../table/outbox.js';
import type { Registry, ShardLink, WatchHello, WatchRoute } from '../ports.js';
import type { ClientSocket } from '../relay/client-socket.js';
import type { HttpRequest } from '../transport.js';
import { WatchChannel, type ChannelHost } from './channel.js';
import { Watcher, type WatcherHost } from './watcher.js';

/** Public frames are gathered for so long before they are sent. */
const GATHER_MS = 20;
/** The largest part of a thread's time that watchers take, however many they are. */
const SHARE = 0.03;
/** The longest pause. A longer turn had another cause. A second counted for it would make a pause of half a minute. */
const LONGEST_PAUSE_MS = 1000;
const LOOK_AFTER_MS = 250;

export interface WatchHubOptions {
  delayHands: number;
  now: () => number;
  clientIp(request: HttpRequest): string;
  takeId(): SocketId;
  registry(): Registry;
  link(shard: number): ShardLink;
  publish(topic: string, frames: readonly Uint8Array[]): void;
  stats: { watchers: number; watchMs: number };
}

/**
 * The sockets of a front that watch tables. They share the thread with players and come after them. Their frames are
 * written in small portions, with pauses of thirty times a portion. Hands that do not fit are left out (stream.ts).
 */
export class WatchHub implements WatcherHost, ChannelHost {
  readonly #watchers = new Map<SocketId, { watcher: Watcher; channel: WatchChannel | null }>();
  readonly #byId = new Map<SocketId, WatchChannel>();
  readonly #byKey = new Map<string, WatchChannel>();
  readonly #due = new Set<WatchChannel>();
  #timer: NodeJS.Timeout | undefined;
  /** The pause after what was sent last is over then. */
  #notBefore = 0;
  #looker: NodeJS.Timeout | undefined;

  constructor(private readonly options: WatchHubOptions) {}

  get delayHands(): number {
    return this.options.delayHands;
  }

  now(): number {
    return this.options.now();
  }

  // ---- from the transport

  open(client: ClientSocket, hello: WatchHello): Watcher {
    const spareId = this.options.takeId();
    const watcher = new Watcher(this.options.takeId(), client, this, spareId);
    this.#watchers.set(watcher.id, { watcher, channel: null });
    this.options.stats.watchers++;
    client.listener = watcher;
    this.options.registry().watching(watcher.id, hello);
    return watcher;
  }

  /** The hello of a spectator's socket. */
  helloOf(request: HttpRequest): WatchHello {
    const { authorization, cookie, origin, host } = request.headers;
    const headers = Object.entries({ authorization, cookie, origin, host }).filter(([, value]) => value !== undefined);
    return {
      tableId: new URLSearchParams(request.query).get('table_id') ?? '',
      ip: this.options.clientIp(request),
      headers: Object.fromEntries(headers) as Record<string, string>,
    };
  }

  gone(watcher: Watcher): void {
    this.#forget(watcher);
    this.options.registry().closed(watcher.id, null, ABNORMAL);
  }

  /** Its socket, which goes to another node: the registry hears no end. Null: there is no such spectator. */
  release(socket: SocketId): ClientSocket | null {
    const { watcher } = this.#watchers.get(socket) ?? {};
    if (watcher === undefined || !watcher.release()) return null;
    this.#forget(watcher);
    return watcher.client;
  }

  #forget(watcher: Watcher): void {
    const { channel } = this.#watchers.get(watcher.id) ?? {};
    this.#watchers.delete(watcher.id);
    this.options.stats.watchers--;
    if (channel === undefined || channel === null) return;
    channel.remove(watcher);
    if (channel.empty) this.#drop(channel);
  }

  // ---- from the registry

  has(socket: SocketId): boolean {
    return this.#watchers.has(socket) || this.#byId.has(socket);
  }

  watch(socket: SocketId, route: WatchRoute): void {
    const known = this.#watchers.get(socket);
    if (known === undefined || known.channel !== null) return;
    const key = keyOf(route);
    let channel = this.#byKey.get(key);
    if (channel === undefined || channel.over) {
      channel = new WatchChannel(known.watcher.spareId, route, this);
      this.#byKey.set(key, channel);
      this.#byId.set(channel.id, channel);
      // With a delay nobody waits for the answer, but the table is to know.
      if (this.delayHands > 0) this.ask(channel);
    }
    known.channel = channel;
    known.watcher.client.settled();
    channel.add(known.watcher);
  }

  refuse(socket: SocketId, error: { code: string; message: string }, closeCode: number): void {
    const { watcher } = this.#watchers.get(socket) ?? {};
    // Later: the transport may still be opening it.
    setImmediate(() => {
      watcher?.send([JSON.stringify({ type: 'error', code: error.code, message: error.message })]);
      watcher?.end(closeCode);
    });
  }

  /** The table is gone, or the server: of a table that says so itself the frames come first. */
  close(socket: SocketId, closeCode: number, reason: string): void {
    const known = this.#watchers.get(socket);
    if (known?.channel?.over === true) return;
    setImmediate(() => known?.watcher.end(closeCode, reason));
  }

  endAll(closeCode: number, reason: string): void {
    for (const socket of this.#watchers.keys()) this.close(socket, closeCode, reason);
  }

  // ---- from the shards

  /** A frame for a channel, or for nobody. */
  frame(id: SocketId, bytes: ArrayBuffer, marked: number, end: number): void {
    // A copy: the buffer goes back to the shard.
    this.#byId.get(id)?.take(new Uint8Array(bytes.slice(marked & START, end)), marked);
  }

  /** The shard plays (again): what we watch there it has to hear anew. */
  shardUp(shard: number): void {
    for (const channel of this.#byId.values()) if (channel.route.shard === shard) channel.again();
  }

  // ---- for the channels

  publish(topic: string, frames: readonly Uint8Array[]): void {
    this.options.publish(topic, frames);
  }

  ask({ id, route: { shard, table, agentId } }: WatchChannel): void {
    this.options.link(shard).send({ t: 'watch', table, watch: id, agentId });
  }

  due(channel: WatchChannel): void {
    this.#due.add(channel);
    this.#wait();
    this.#looker ??= setTimeout(() => this.#lookAfter(), LOOK_AFTER_MS);
  }

  #wait(): void {
    this.#timer ??= setTimeout(() => this.#portion(), Math.max(GATHER_MS, this.#notBefore - this.now()));
  }

  /** Writes to one group of one channel, then lets those who play have the thread. */
  #portion(): void {
    this.#timer = undefined;
    const [channel] = this.#due;
    if (channel === undefined) return;
    this.#due.delete(channel);
    const start = this.now();
    const more = channel.step();
    if (more) this.#due.add(channel);
    else if (channel.empty) this.#drop(channel);
    // The library writes at the end of this turn: what the turn took is known in the next.
    setImmediate(() => {
      const now = this.now();
      this.options.stats.watchMs += now - start;
      this.#notBefore = now + Math.min(LONGEST_PAUSE_MS, (now - start) * (1 / SHARE - 1));
      clearTimeout(this.#timer);
      this.#timer = undefined;
      if (more) this.#timer = setTimeout(() => this.#portion(), Math.max(1, this.#notBefore - now));
      else if (this.#due.size > 0) this.#wait();
    });
  }

  #lookAfter(): void {
    let lagging = 0;
    for (const channel of this.#byId.values()) lagging += channel.lookAfter();
    this.#looker = lagging > 0 ? setTimeout(() => this.#lookAfter(), LOOK_AFTER_MS) : undefined;
  }

  #drop(channel: WatchChannel): void {
    const { shard, table } = channel.route;
    this.#due.delete(channel);
    if (!this.#byId.delete(channel.id)) return;
    const key = keyOf(channel.route);
    if (this.#byKey.get(key) === channel) this.#byKey.delete(key);
    this.options.link(shard).send({ t: 'unwatch', table, watch: channel.id });
  }
}

/** Those who see the same share a channel. */
const keyOf = ({ table, agentId }: WatchRoute) => `${table} ${agentId ?? ''}`;
