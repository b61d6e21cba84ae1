import { Cluster, Redis, type ClusterOptions, type RedisOptions } from 'ioredis';
import type { RedisAddress } from './redis-address.js';

export type ClusterAddress = Extract<RedisAddress, { kind: 'cluster' }>;
export type ServerAddress = Exclude<RedisAddress, ClusterAddress>;
/** Without how replies are mapped, which would be a client of another type. */
type ServerOptions = Omit<RedisOptions, 'replyMapping'>;
type OptionsOfAll = Omit<ClusterOptions, 'redisOptions'> & { redisOptions: Omit<ServerOptions, 'enableOfflineQueue'> };

/** A connection to one server, or to the one that Sentinels name, whichever that is from time to time. */
export function serverClient(address: ServerAddress, options: ServerOptions): Redis {
  if (address.kind === 'single') return new Redis(address.url, options);
  const { master, servers, tls } = address;
  return new Redis({
    ...{ ...options, ...credentialsOf(address), name: master, sentinels: servers, updateSentinels: false },
    ...(tls && { tls: {}, enableTLSForSentinelMode: true }),
  });
}

/** Connections to the servers of a Cluster, each with `redisOptions`. */
export function clusterClient(address: ClusterAddress, { redisOptions, ...options }: OptionsOfAll): Cluster {
  return new Cluster(address.servers, {
    ...options,
    redisOptions: { ...redisOptions, ...credentialsOf(address), ...(address.tls && { tls: {} }) },
  });
}

const credentialsOf = ({ username, password }: Exclude<RedisAddress, { kind: 'single' }>) => ({
  ...(username !== undefined && { username }),
  ...(password !== undefined && { password }),
});
