import { setTimeout as sleep } from 'node:timers/promises';
import { ABNORMAL } from '../../protocol/mishap.js';
import type { ServerMessage } from '../../protocol/server.js';
import { Heartbeat } from '../../shard/heartbeat.js';
import type { FrontThreads } from '../../shard/main/options.js';
import type { LifeId } from '../../shard/channels.js';
import type { ShardPort } from '../../shard/wire.js';
import { placeOf, PLACES, serialOf, type SocketId } from '../../table/api.js';
import { Acceptor } from './acceptor.js';
import { ForwardedAnswers, type Answerer } from './forward.js';
import type { FromFront, FrontStats } from './front-messages.js';
import { FrontLife } from './front-life.js';
import type { Registry, TableRoute, Sockets, WatchRoute } from '../ports.js';
import { guardedRegistry } from '../guarded-registry.js';
import { withCountsOf, zero } from './front-stats.js';
import type { FrontsOptions } from './options.js';
import type { SocketStats } from '../socket-stats.js';
import type { UwsModule } from '../uws-types.js';
import type { OrderedChannels } from '../../shard/fronts/ordered-channels.js';

const ENTRY = new URL('../../../workers/front.js', import.meta.url);
const PING_MS = 500;
/** A front that says nothing for so long hangs. */
const SILENCE_MS = 8000;
/** It says nothing while it loads, which takes long on a busy machine. */
const START_MS = 60_000;
/** A thread that does not end by itself when told to. */
const STOP_MS = 5000;
/** A life shorter than this is a failed start: the next one waits a little. */
const SHORT_LIFE_MS = 5000;
const PAUSE_MS = 1000;

interface FrontSlot {
  life: FrontLife | null;
  answers: ForwardedAnswers | null;
  heartbeat: Heartbeat;
  born: number;
  /** The least socket id that no life has used. */
  nextId: SocketId;
  /** Of the present life, and of those before it. */
  stats: FrontStats;
  before: FrontStats;
}

/**
 * The threads that hold sockets, as the main thread sees them. A socket id tells its front. A front that throws is
 * replaced: its sockets are gone, their players come again. One that hangs cannot be: a thread with a live app of
 * µWebSockets.js must not be ended from outside, so the process has to start anew.
 */
export class Fronts implements Sockets, FrontThreads {
  readonly count: number;
  readonly channels: OrderedChannels;
  #registry: Registry | null = null;
  readonly #acceptor: Acceptor;
  readonly #slots: FrontSlot[];
  #answerer: Answerer | null = null;
  #timer: NodeJS.Timeout | undefined;
  #closing = false;
  #onServing: () => void = () => undefined;

  constructor(
    uws: UwsModule,
    private readonly options: FrontsOptions,
  ) {
    this.count = options.count;
    this.channels = options.channels;
    this.#acceptor = new Acceptor(uws);
    this.#slots = Array.from({ length: options.count }, (_, front) => ({
      life: null,
      answers: null,
      heartbeat: new Heartbeat(PING_MS, performance.now()),
      born: 0,
      nextId: front + PLACES,
      stats: zero(),
      before: zero(),
    }));
  }

  /** Starts the threads, then listens. */
  async listen(host: string, port: number, registry: Registry, answerer: Answerer): Promise<void> {
    this.#registry = guardedRegistry(registry, this.options.log);
    this.#answerer = answerer;
    const serving = new Promise<void>((resolve) => (this.#onServing = resolve));
    for (const front of this.#slots.keys()) this.#begin(front);
    this.#timer = setInterval(() => this.#tick(), PING_MS);
    await serving;
    await this.#acceptor.listen(host, port);
  }

  get port(): number {
    return this.#acceptor.port;
  }

  /** Ends every socket with this code, and the threads. False where one hangs, and goes on doing so. */
  async stop(closeCode: number, reason: string): Promise<boolean> {
    this.#closing = true;
    this.#acceptor.refuse();
    clearInterval(this.#timer);
    const lives = this.#slots.flatMap(({ life }) => (life === null ? [] : [life]));
    for (const life of lives) {
      life.ending = true;
      life.send({ t: 'end', closeCode, reason });
      life.flush();
    }
    const ended = Promise.all(lives.map((life) => life.gone));
    const late = (await Promise.race([ended, sleep(STOP_MS, 'late', { ref: false })])) === 'late';
    if (late) this.options.log.warn({}, 'a front did not stop by itself');
    this.#acceptor.close();
    return !late;
  }

  /** What was sent to sockets so far is posted. */
  flush(): void {
    for (const { life } of this.#slots) life?.flush();
  }

  /** Of all fronts together. */
  get stats(): SocketStats {
    const all = [...this.#slots.keys()].map((front) => this.statsOf(front));
    const now = (pick: (stats: FrontStats) => number) => all.reduce((sum, stats) => sum + pick(stats), 0);
    const [sockets, watchers] = [now((stats) => stats.sockets), now((stats) => stats.watchers)];
    return { ...all.reduce(withCountsOf, zero()), sockets, watchers };
  }

  /** Of one front, over all its lives. */
  statsOf(front: number): FrontStats {
    const { stats, before } = this.#slots[front]!;
    return withCountsOf(stats, before);
  }

  // ---- from the registry

  welcome(socket: SocketId, agent: { agentId: string; name: string }, route: TableRoute | null): void {
    this.#lifeWith(socket)?.send({ t: 'welcome', socket, agent, route });
  }

  refuse(socket: SocketId, error: { code: string; message: string }, closeCode: number): void {
    this.#lifeWith(socket)?.send({ t: 'refuse', socket, error, closeCode });
  }

  watch(socket: SocketId, route: WatchRoute): void {
    this.#lifeWith(socket)?.send({ t: 'watch', socket, route });
  }

  send(socket: SocketId, message: ServerMessage): void {
    this.#lifeWith(socket)?.send({ t: 'send', socket, message });
  }

  route(socket: SocketId, route: TableRoute | null): void {
    this.#lifeWith(socket)?.send({ t: 'route', socket, route });
  }

  close(socket: SocketId, closeCode: number, reason: string): void {
    this.#lifeWith(socket)?.send({ t: 'close', socket, closeCode, reason });
  }

  untold(socket: SocketId): void {
    this.#lifeWith(socket)?.send({ t: 'untold', socket });
  }

  round(socket: SocketId, shard: number, table: string, round: number): void {
    this.#lifeWith(socket)?.send({ t: 'round', socket, shard, table, round });
  }

  /** Only where another registry may follow this one is that asked for: sockets of threads end with their process. */
  handled(): void {
    return;
  }

  // ---- from the shard pool

  lifeOf(front: number): LifeId | null {
    const life = this.#slots[front]?.life ?? null;
    return life === null || life.failing ? null : life.id;
  }

  connect(front: number, shard: ShardPort): void {
    this.#slots[front]!.life!.connectShard(shard);
  }

  lost(shard: number): void {
    for (const { life } of this.#slots) life?.send({ t: 'lost', shard });
  }

  // ---- the lives of the threads

  #begin(front: number): void {
    const slot = this.#slots[front]!;
    const { options } = this;
    const life = new FrontLife({
      entry: options.entry ?? ENTRY,
      channels: this.channels,
      task: { front, shards: options.shards, firstId: slot.nextId, ...options.settings },
      beforePost: () => options.flushShards(),
      received: (from, post) => {
        // What waited for others until its front was gone: the sockets it speaks of are closed.
        if (slot.life !== from) return;
        slot.heartbeat.heard();
        for (const message of post) this.#message(from, message);
      },
      ended: (ended, reason) => this.#ended(ended, reason),
    });
    slot.life = life;
    slot.born = performance.now();
    slot.heartbeat = new Heartbeat(PING_MS, slot.born);
    slot.answers = new ForwardedAnswers(this.#answerer!, (message) => life.send(message));
    options.wantShards(front);
  }

  #tick(): void {
    const now = performance.now();
    for (const [front, { life, heartbeat }] of this.#slots.entries()) {
      if (life === null) continue;
      const silent = heartbeat.tick(now);
      if (silent > (life.descriptor === null ? START_MS : SILENCE_MS)) {
        clearInterval(this.#timer);
        this.options.fatal(new Error(`front ${front} hangs: silent for ${Math.round(silent)} ms`));
        return;
      }
      if (life.descriptor !== null && !life.failing) life.send({ t: 'ping' });
    }
  }

  #message(life: FrontLife, message: FromFront): void {
    const slot = this.#slots[life.front]!;
    switch (message.t) {
      case 'serving':
        life.descriptor = message.descriptor;
        this.#acceptor.add(message.descriptor);
        if (this.#slots.every(({ life: each }) => each !== null && each.descriptor !== null)) this.#onServing();
        return;
      case 'opened':
        this.#took(life, slot, message.socket);
        return this.#registry?.opened(message.socket, message.hello);
      case 'watching':
        this.#took(life, slot, message.socket);
        return this.#registry?.watching(message.socket, message.hello);
      case 'message':
        return this.#registry?.message(message.socket, message.agentId, message.message);
      case 'closed':
        life.sockets.delete(message.socket);
        return this.#registry?.closed(message.socket, message.agentId, message.end);
      case 'mishap':
        return this.#registry?.mishap(message.agentId, message.mishap);
      case 'admit':
        return void slot.answers?.admit(message);
      case 'request':
        return void slot.answers?.request(message);
      case 'pull':
        return void slot.answers?.pull(message.ask);
      case 'gone':
        return void slot.answers?.gone(message.ask);
      case 'pong':
        slot.stats = message.stats;
        return;
      case 'log':
        return this.options.log[message.level](message.detail, message.message);
      case 'failing':
        return this.#failing(life, message.reason);
    }
  }

  #took(life: FrontLife, slot: FrontSlot, socket: SocketId): void {
    life.sockets.add(socket);
    slot.nextId = Math.max(slot.nextId, serialOf(socket) + PLACES);
  }

  /** It ends as soon as no connection can come its way any more. */
  #failing(life: FrontLife, reason: string): void {
    life.failing = true;
    this.options.log.error({ front: life.front, reason }, 'front lost: its sockets are closed');
    if (life.descriptor !== null) this.#acceptor.remove(life.descriptor);
    life.send({ t: 'removed' });
    life.flush();
  }

  #ended(life: FrontLife, reason: string): void {
    const slot = this.#slots[life.front]!;
    slot.life = null;
    void slot.answers?.allGone();
    slot.before = withCountsOf(slot.before, slot.stats);
    slot.stats = zero();
    for (const socket of life.sockets) this.#registry?.closed(socket, null, ABNORMAL);
    if (this.#closing) return;
    if (!life.failing) return this.options.fatal(new Error(`front ${life.front} ended out of order: ${reason}`));
    const pause = performance.now() - slot.born < SHORT_LIFE_MS ? PAUSE_MS : 0;
    setTimeout(() => this.#closing || this.#begin(life.front), pause);
  }

  #lifeWith(socket: SocketId): FrontLife | null {
    return this.#slots[placeOf(socket)]!.life;
  }
}
