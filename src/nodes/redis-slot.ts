import type { Redis } from 'ioredis';
import { memberClient, type ClusterAddress } from '../ops/redis-clients.js';

type Options = Parameters<typeof memberClient>[2];
type Slots = readonly (readonly [first: number, last: number, master: readonly [host: string | null, port: number]])[];

/**
 * How to connect to the server that has the slot of a channel, as the first one of a Cluster that answers knows it. A
 * connection of a Cluster's client would be led on to other servers command by command, and what one of them refused
 * would be sent again after what came later: the order of posts is that of one server.
 */
export async function connectorToMaster(
  address: ClusterAddress,
  channel: string,
  options: Options,
): Promise<() => Redis> {
  // They are asked as soon as they are connected.
  const asking = address.servers.map((at) => ({
    ...{ at, client: memberClient(address, at, { ...options, enableOfflineQueue: true }) },
  }));
  try {
    const master = await Promise.any(asking.map(({ at, client }) => ask(client, channel, at)));
    return () => memberClient(address, master, options);
  } catch (error) {
    throw error instanceof AggregateError ? (error.errors[0] as Error) : error;
  } finally {
    for (const { client } of asking) client.disconnect();
  }
}

async function ask(client: Redis, channel: string, asked: { host: string; port: number }) {
  let failed: Error | null = null;
  client.on('error', (error: Error) => (failed = error));
  try {
    const [slot, slots] = await Promise.all([
      client.cluster('KEYSLOT', channel),
      client.cluster('SLOTS') as Promise<unknown>,
    ]);
    const [, , [host, port]] = (slots as Slots).find(([first, last]) => first <= slot && slot <= last) ?? [0, 0, []];
    if (port === undefined) throw new Error('no server of the Cluster has the slot of the channel');
    // A server that does not know its own name is where it was asked.
    return { host: host || asked.host, port };
  } catch (error) {
    // Why it could not be connected says more than that there is no connection.
    throw failed ?? error;
  }
}
