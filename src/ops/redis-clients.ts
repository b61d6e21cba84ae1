import { createRequire } from 'node:module';
import type * as ioredis from 'ioredis';
import type { Cluster, ClusterOptions, Redis, RedisOptions } from 'ioredis';
import type { RedisAddress } from './redis-address.js';

let client: typeof ioredis | null = null;
/** Loaded only where there is a Redis: to load it is a good part of what a start costs. */
const loaded = () => (client ??= createRequire(import.meta.url)('ioredis') as typeof ioredis);

export type ClusterAddress = Extract<RedisAddress, { kind: 'cluster' }>;
export type ServerAddress = Exclude<RedisAddress, ClusterAddress>;
/** Without how replies are mapped, which would be a client of another type. */
type ServerOptions = Omit<RedisOptions, 'replyMapping'> & { connectTimeout: number };
type OptionsOfAll = Omit<ClusterOptions, 'redisOptions'> & { redisOptions: Omit<ServerOptions, 'enableOfflineQueue'> };

/**
 * A connection to one server, or to the one that Sentinels name, whichever that is from time to time. It has
 * `connectTimeout` to find and reach it.
 */
export function serverClient(address: ServerAddress, options: ServerOptions): Redis {
  const { Redis } = loaded();
  if (address.kind === 'single') return new Redis(address.url, options);
  const { master, servers, tls } = address;
  // One that freezes must leave time to ask the next, each time anew, and to connect to the master.
  const sentinelCommandTimeout = options.connectTimeout / (servers.length + 1);
  return new Redis({
    ...options,
    ...credentialsOf(address),
    name: master,
    sentinels: servers,
    updateSentinels: false,
    sentinelCommandTimeout,
    ...(tls && { tls: {}, enableTLSForSentinelMode: true }),
  });
}

/** Connections to the servers of a Cluster, each with `redisOptions`. */
export function clusterClient(address: ClusterAddress, { redisOptions, ...options }: OptionsOfAll): Cluster {
  const { Cluster } = loaded();
  return new Cluster(address.servers, {
    ...options,
    redisOptions: { ...redisOptions, ...credentialsOf(address), ...(address.tls && { tls: {} }) },
  });
}

const credentialsOf = ({ username, password }: Exclude<RedisAddress, { kind: 'single' }>) => ({
  ...(username !== undefined && { username }),
  ...(password !== undefined && { password }),
});
