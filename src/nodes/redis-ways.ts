import type { Redis } from 'ioredis';
import type { RedisAddress } from '../ops/redis-address.js';
import { serverClient } from '../ops/redis-clients.js';
import type { Outgoing } from './carrier.js';
import type { NodeId } from './peer.js';
import { connectorToMaster } from './redis-slot.js';
import { TurnWriter } from './redis-turns.js';

/**
 * One connection to a Redis that hears what is sent to this node's channel, and one that writes to those of others, both
 * to the same server. Nothing of it is ever mended: what ends either ends the way, and another one is opened. So a way
 * is one subscription of one server, which is what the order between nodes goes by.
 */
export interface Way {
  /** Rejects at once while it is not open. Resolves to how many heard each post. */
  publish(posts: readonly Outgoing[]): Promise<readonly number[]>;
  /** What was written leaves. Nothing is told of it any more. */
  close(): void;
}

export interface WayEvents {
  heard(bytes: Buffer): void;
  /** The channel is heard, and something can be published. */
  opened(): void;
  /** It is over, or could not be opened. */
  lost(reason: string): void;
  /** Redis will never do this; the message says why. */
  refused(reason: string): void;
}

export interface WayOptions {
  address: RedisAddress;
  own: NodeId;
  channelOf: (id: NodeId) => string;
  silentMs: number;
}

/** Sharded pub/sub came with this version. */
const LEAST_VERSION = 7;

/**
 * What Redis answers where another server, or the same a little later, may do what is asked. EXECABORT says nothing of
 * why; it is what a server answers that has just lost the slot.
 */
const PASSING = /^(MOVED|ASK|EXECABORT|TRYAGAIN|CLUSTERDOWN|LOADING|MASTERDOWN|BUSY)\b/;

/** A connection that is not ready sends nothing later, and none is opened anew. */
const optionsOf = (silentMs: number) => ({
  ...{ enableOfflineQueue: false, maxRetriesPerRequest: 0, autoResendUnfulfilledCommands: false },
  ...{ autoResubscribe: false, retryStrategy: () => null, connectTimeout: silentMs },
});

/** Opens it; one of the events tells how that ended. It looks at no clock: who opened it gives it up in time. */
export function openWay(options: WayOptions, events: WayEvents): Way {
  const way = new RedisWay(options, events);
  void way.open();
  return way;
}

class RedisWay implements Way {
  #clients: Redis[] = [];
  #turns: TurnWriter | null = null;
  #over = false;

  constructor(
    private readonly options: WayOptions,
    private readonly events: WayEvents,
  ) {}

  async open(): Promise<void> {
    try {
      const connect = await this.#connector();
      if (this.#over) return;
      const [writer, reader] = [connect(), connect()];
      this.#clients = [writer, reader];
      await Promise.all([this.#ready(writer), this.#ready(reader)]);
      if (!(await this.#areOne(writer, reader))) return;
      await this.#subscribe(reader);
      if (this.#over) return;
      this.#turns = new TurnWriter(writer, this.options.channelOf);
      this.events.opened();
    } catch (error) {
      this.#lost((error as Error).message);
    }
  }

  publish(posts: readonly Outgoing[]): Promise<readonly number[]> {
    const turns = this.#over ? null : this.#turns;
    if (turns === null) return Promise.reject(new Error('there is no way to the others'));
    const counts = turns.publish(posts);
    // Whatever may have become of them: from here on nobody knows what others have read of this node.
    counts.catch((error: Error) => this.#failed(error));
    return counts;
  }

  close(): void {
    this.#over = true;
    for (const client of this.#clients) client.disconnect();
  }

  async #connector(): Promise<() => Redis> {
    const { address, own, channelOf, silentMs } = this.options;
    const options = optionsOf(silentMs);
    if (address.kind === 'cluster') return connectorToMaster(address, channelOf(own), options);
    return () => serverClient(address, { ...options, sentinelRetryStrategy: () => null });
  }

  /** Resolves once it can be used. Its end is the way's, whenever it comes. */
  #ready(client: Redis): Promise<void> {
    let reason = 'the connection was closed';
    client.on('error', (error: Error) => (reason = error.message));
    return new Promise((resolve, reject) => {
      const ended = () => {
        reject(new Error(reason));
        this.#lost(reason);
      };
      client.once('ready', resolve).once('close', ended).once('end', ended);
    });
  }

  /**
   * Whether both lead to one server, which has the last word of its slot: what a node writes to one server and reads from
   * another is in no order. An address may stand for several servers, and who leads may have changed in between.
   */
  async #areOne(writer: Redis, reader: Redis): Promise<boolean> {
    const [a, b] = await Promise.all([infoOf(writer), infoOf(reader)]);
    const version = a('redis_version');
    if (version !== undefined && Number.parseInt(version, 10) < LEAST_VERSION) {
      const needed = `${LEAST_VERSION}.0 or newer is needed`;
      this.#refused(`Redis ${version} cannot carry what nodes say to each other: ${needed}`);
      return false;
    }
    const masters = this.options.address.kind === 'single' || a('role') === 'master';
    if (a('run_id') !== b('run_id') || !masters) this.#lost('connections lead to servers of which not one leads');
    return !this.#over;
  }

  async #subscribe(reader: Redis): Promise<void> {
    const { own, channelOf } = this.options;
    reader.on('smessageBuffer', (_channel: Buffer, bytes: Buffer) => {
      if (!this.#over) this.events.heard(bytes);
    });
    // In a Cluster the server says so when it has given away the slot.
    reader.on('moved', () => this.#lost('the channel has moved to another server'));
    await reader.ssubscribe(channelOf(own)).catch((error: Error) => this.#failed(error));
  }

  /** What Redis itself answers to a command is no matter of connections. */
  #failed(error: Error): void {
    if (error.name !== 'ReplyError' || PASSING.test(error.message)) return this.#lost(error.message);
    this.#refused(`Redis refuses what nodes say to each other: ${error.message}`);
  }

  #lost(reason: string): void {
    if (this.#end()) this.events.lost(reason);
  }

  #refused(reason: string): void {
    if (this.#end()) this.events.refused(reason);
  }

  /** Nothing is read or written any more, not even what was on its way. */
  #end(): boolean {
    if (this.#over) return false;
    this.close();
    for (const { stream } of this.#clients) (stream as Redis['stream'] | undefined)?.destroy();
    return true;
  }
}

/** What a server says of itself; nothing, where that is forbidden. */
async function infoOf(client: Redis): Promise<(name: string) => string | undefined> {
  const text = await client.info().catch((error: Error) => {
    if (error.name !== 'ReplyError') throw error;
    return '';
  });
  return (name) => new RegExp(`^${name}:(\\S*)`, 'm').exec(text)?.[1];
}
