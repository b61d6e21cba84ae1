import type { MessagePort } from 'node:worker_threads';
import { MAIN_LIFE } from '../../shard/channels.js';
import { BatchingLink } from '../../shard/link.js';
import { ThreadStats } from '../../shard/stats.js';
import type { FrameBatch } from '../../table/outbox.js';
import type { ShardPort } from '../../shard/wire.js';
import { Bundle } from './bundle.js';
import { ForwardedAsks } from './forward.js';
import type { FromFront, FromFrontPost, FrontTask, ToFront, ToFrontPost } from './front-messages.js';
import { clientIp, ipLimitKey, isLoopback } from '../ip.js';
import { loadUws } from '../listen.js';
import type { Registry, ShardLink } from '../ports.js';
import { credentialOf } from '../credentials.js';
import { SocketHub } from '../sockets.js';
import { WATCH_PATHS, type Log } from '../transport.js';
import { uwsChild, type ChildTransport } from '../uws.js';
import { OrderedChannels } from '../../shard/fronts/ordered-channels.js';

/** What has been dealt out to a failing front, but not arrived there, has so long to arrive before its app closes. */
const LATE_CONNECTIONS_MS = 100;

/**
 * A thread that holds sockets: the same sessions, limits and forwarding as on the main thread, with ports to the shards
 * and one to the main thread, where the registry, the routes and the limits by address and key are.
 */
export class Front {
  readonly #channels: OrderedChannels;
  readonly #main: Bundle<FromFront>;
  readonly #links: readonly BatchingLink[];
  readonly #ports: (MessagePort | null)[];
  readonly #hub: SocketHub;
  readonly #asks: ForwardedAsks;
  readonly #stats = new ThreadStats();
  readonly #transport: ChildTransport;
  #failed = false;

  constructor(private readonly task: FrontTask) {
    const { front, shards, port, firstId } = task;
    this.#channels = new OrderedChannels(task.life);
    this.#ports = Array.from({ length: shards }, () => null);
    this.#links = Array.from({ length: shards }, () => new BatchingLink(this.#channels));
    this.#main = new Bundle((messages) => {
      // Whoever reads this may ask the shards about it: they shall have what was sent to them before.
      for (const link of this.#links) link.flush();
      this.#channels.post(port, messages satisfies FromFrontPost);
    });
    this.#asks = new ForwardedAsks((message) => this.#main.add(message));
    const links = this.#links.map((link): ShardLink => ({
      send: (message) => {
        this.#main.flush();
        link.send(message);
      },
    }));
    this.#hub = new SocketHub({
      messagesPerSecond: task.messagesPerSecond,
      bufferBytes: task.bufferBytes,
      deferMs: task.deferMs,
      delayHands: task.delayHands,
      clientIp: (request) => clientIp(request, task.trustedProxies),
      log: this.#log,
      firstId,
    });
    this.#hub.serve({ registry: this.#registry(), link: (shard) => links[shard]!, shards: links }, (topic, frames) =>
      this.#transport.publish(topic, frames),
    );
    const uws = loadUws();
    if (uws.module === null) throw new Error(`front ${front}: no µWebSockets.js loads (${uws.failures.join('; ')})`);
    this.#transport = uwsChild(
      uws.module,
      { ...task.transport, log: this.#log },
      {
        http: (request) => this.#asks.request(request),
        admit: (request) =>
          this.#asks.admit(
            clientIp(request, task.trustedProxies),
            credentialOf(request),
            WATCH_PATHS.includes(request.path),
          ),
        open: (socket, request) => this.#hub.open(socket, request),
        // Bots that we host come over the loopback.
        clientKey: (request) => {
          const ip = clientIp(request, task.trustedProxies);
          return isLoopback(ip) ? null : ipLimitKey(ip);
        },
      },
    );
    this.#channels.listen(port, MAIN_LIFE, (post: ToFrontPost) => this.#received(post));
    this.#main.add({ t: 'serving', descriptor: this.#transport.descriptor });
  }

  /** An exception that nobody caught. The thread ends in an order that µWebSockets.js survives. */
  fail(error: unknown): void {
    if (this.#failed) return;
    this.#failed = true;
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#main.add({ t: 'failing', reason });
    this.#main.flush();
  }

  #received(post: ToFrontPost): void {
    if (!Array.isArray(post)) return this.#connectShard(post as ShardPort);
    for (const message of post as readonly ToFront[]) this.#message(message);
  }

  #message(message: ToFront): void {
    const hub = this.#hub;
    switch (message.t) {
      case 'welcome':
        return hub.welcome(message.socket, message.agent, message.route);
      case 'refuse':
        return hub.refuse(message.socket, message.error, message.closeCode);
      case 'watch':
        return hub.watch(message.socket, message.route);
      case 'send':
        return hub.send(message.socket, message.message);
      case 'route':
        return hub.route(message.socket, message.route);
      case 'close':
        return hub.close(message.socket, message.closeCode, message.reason);
      case 'untold':
        return hub.untold(message.socket);
      case 'round':
        return hub.round(message.socket, message.shard, message.table, message.round);
      case 'answer':
        return this.#asks.answered(message);
      case 'chunk':
        return this.#asks.chunk(message);
      case 'broken':
        return this.#asks.broken(message);
      case 'lost':
        return this.#lost(message.shard);
      case 'ping':
        return this.#pong();
      case 'end':
        hub.flush();
        return void this.#transport.close(message.closeCode, message.reason).then(() => this.#end());
      case 'removed':
        setTimeout(() => {
          this.#transport.abandon();
          this.#end();
        }, LATE_CONNECTIONS_MS);
        return;
    }
  }

  #connectShard({ shard, life, port }: ShardPort): void {
    this.#lost(shard);
    this.#ports[shard] = port;
    const used = (bytes: ArrayBuffer): void => this.#links[shard]!.giveBack(bytes);
    this.#channels.listen(port, life, ({ bytes, index }: FrameBatch) => {
      if (this.#ports[shard] !== port) return;
      this.#hub.forward(bytes, index, used);
    });
    port.on('close', () => {
      if (this.#ports[shard] === port) this.#lost(shard);
    });
    this.#links[shard]!.connect(port, []);
    this.#hub.shardUp(shard);
  }

  #lost(shard: number): void {
    this.#links[shard]!.disconnect();
    this.#ports[shard]?.close();
    this.#ports[shard] = null;
  }

  #pong(): void {
    const { loopMeanMs, loopP99Ms, cpuMs } = this.#stats.report(0);
    this.#main.add({ t: 'pong', stats: { ...this.#hub.stats, loopMeanMs, loopP99Ms, cpuMs } });
  }

  /** Nothing keeps the thread after this. */
  #end(): void {
    this.#stats.stop();
    this.#hub.stop();
    this.#main.flush();
    for (const shard of this.#ports.keys()) this.#lost(shard);
    this.task.port.close();
  }

  #registry(): Registry {
    return {
      opened: (socket, hello) => this.#main.add({ t: 'opened', socket, hello }),
      watching: (socket, hello) => this.#main.add({ t: 'watching', socket, hello }),
      message: (socket, agentId, message) => this.#main.add({ t: 'message', socket, agentId, message }),
      mishap: (agentId, mishap) => this.#main.add({ t: 'mishap', agentId, mishap }),
      closed: (socket, agentId, end) => this.#main.add({ t: 'closed', socket, agentId, end }),
      // Who holds sockets is asked for them.
      resumed: () => undefined,
    };
  }

  readonly #log: Log = {
    info: (detail, message) => this.#say('info', detail, message),
    warn: (detail, message) => this.#say('warn', detail, message),
    error: (detail, message) => this.#say('error', detail, message),
  };

  #say(level: 'info' | 'warn' | 'error', detail: object, message: string): void {
    this.#main.add({ t: 'log', level, detail: { front: this.task.front, ...detail }, message });
  }
}

/** Runs a front in the thread that calls it, until the main thread ends it. */
export function runFront(task: FrontTask): void {
  const front = new Front(task);
  process.on('uncaughtException', (error) => front.fail(error));
}
