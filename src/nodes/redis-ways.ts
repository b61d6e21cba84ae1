import type { Cluster, Redis } from 'ioredis';
import type { RedisAddress } from '../ops/redis-address.js';
import { clusterClient, serverClient, type ClusterAddress, type ServerAddress } from '../ops/redis-clients.js';

/** Connections to Redis over which one node hears what is sent to its channel, and writes to those of others. */
export interface Way {
  /** Rejects at once while there is no connection. Resolves to how many heard it. */
  publish(channel: string, bytes: Buffer | string): Promise<number>;
  /** What the server says of itself (INFO). */
  info(): Promise<string>;
  close(): void;
}

export interface WayEvents {
  heard(bytes: Buffer): void;
  /** Something can be published, and the channel is heard; or the one or the other is over. */
  opened(): void;
  lost(reason: string): void;
  /** Redis refuses the channel. */
  refused(error: Error): void;
}

const RETRY_MS = 50;
const MOST_RETRY_MS = 500;

const later = (times: number) => Math.min(times * RETRY_MS, MOST_RETRY_MS);

/** What is not answered is never sent again: it would come late, and out of its order. */
const optionsOf = (silentMs: number) => ({
  ...{ enableOfflineQueue: false, maxRetriesPerRequest: 0, autoResendUnfulfilledCommands: false },
  // It subscribes itself whenever it is ready: what ioredis would do by itself fails unheard.
  ...{ autoResubscribe: false, retryStrategy: later, socketTimeout: silentMs, connectTimeout: silentMs },
});

/** Opens connections, which are kept up until `close`. `silentMs`: what is not answered for so long is given up. */
export function openWay(address: RedisAddress, channel: string, silentMs: number, events: WayEvents): Way {
  return address.kind === 'cluster'
    ? clusterWay(address, channel, silentMs, events)
    : serverWay(address, channel, silentMs, events);
}

/** One server, or the one that leads: one connection that hears, and one that writes. */
function serverWay(address: ServerAddress, channel: string, silentMs: number, events: WayEvents): Way {
  const connect = () => serverClient(address, { ...optionsOf(silentMs), sentinelRetryStrategy: later });
  const [writer, reader] = [connect(), connect()];
  watch(writer, events);
  watch(reader, events);
  writer.on('ready', () => events.opened());
  reader.on('ready', () => void reader.ssubscribe(channel).then(() => events.opened(), refusal(events)));
  reader.on('smessageBuffer', (_channel: Buffer, bytes: Buffer) => events.heard(bytes));
  return {
    publish: (to, bytes) => writer.spublish(to, bytes) as Promise<number>,
    info: () => writer.info('server'),
    close: () => {
      for (const client of [writer, reader]) client.disconnect();
    },
  };
}

/** A Cluster: ioredis hears each channel at the server that has its slot, and follows when it moves. */
function clusterWay(address: ClusterAddress, channel: string, silentMs: number, events: WayEvents): Way {
  const cluster = clusterClient(address, {
    ...{ shardedSubscribers: true, enableOfflineQueue: false, clusterRetryStrategy: later },
    slotsRefreshTimeout: silentMs,
    redisOptions: {
      ...{ maxRetriesPerRequest: 0, autoResendUnfulfilledCommands: false },
      ...{ socketTimeout: silentMs, connectTimeout: silentMs },
    },
  });
  watch(cluster, events);
  cluster.on('ready', () => void cluster.ssubscribe(channel).then(() => events.opened(), refusal(events)));
  cluster.on('subscribersReady', () => events.opened());
  cluster.on('-subscriber', () => events.lost('no connection that hears'));
  cluster.on('smessageBuffer', (_channel: Buffer, bytes: Buffer) => events.heard(bytes));
  return {
    publish: (to, bytes) => cluster.spublish(to, bytes) as Promise<number>,
    info: () => cluster.info('server'),
    close: () => cluster.disconnect(),
  };
}

/** Each attempt that fails ends in `close`; an error that nobody hears would end the process. */
function watch(client: Redis | Cluster, { lost }: WayEvents): void {
  let reason = 'the connection was closed';
  client.on('error', (error: Error) => (reason = error.message));
  client.on('close', () => lost(reason));
}

/** What Redis says to the channel itself; that a connection broke is told by its end. */
const refusal = (events: WayEvents) => (error: Error) => {
  if (error.name === 'ReplyError') events.refused(error);
};
