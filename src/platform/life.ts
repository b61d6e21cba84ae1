import { clientIp } from '../gateway/ip.js';
import type { Metrics } from '../metrics/index.js';
import { LinkedBus } from '../nodes/bus.js';
import { Member } from '../nodes/member.js';
import { isNodeMessage, type NodeMessage } from '../nodes/node-messages.js';
import type { PeerBus } from '../nodes/peer.js';
import { RedisCarrier } from '../nodes/redis-carrier.js';
import type { Logger } from '../ops/log.js';
import type { Config } from '../ops/settings.js';
import { releaseBuilt } from '../ops/release.js';
import { connect } from '../store/database.js';
import { followDatabase, leadDatabase, type NodeAmongOthers } from '../store/node/own-node.js';
import { RoleTaken } from '../store/role-lock.js';
import { leaveAsAsked, migrated, nodeName } from '../store/store.js';
import { guestThreads } from './guest-threads.js';

/** Where a database and a Redis are shared there may be several nodes. */
export type NodeConfig = Config & { DATABASE_URL: string; REDIS_URL: string };

/** Frames for other nodes that may wait do so for half of their time before they leave, and for the rest at the socket. */
const patienceOf = ({ COALESCE_MS }: Config) => COALESCE_MS / 2;

/** One life of a process as a node. */
export interface Life {
  node: NodeAmongOthers;
  bus: PeerBus<NodeMessage>;
  member: Member;
}

/** A node that has begun in the database. */
export interface Begun {
  node: NodeAmongOthers;
  /** Nobody led: it does. */
  leads: boolean;
}

/**
 * `follows`: another leads, as far as is known, which needs no proof where it is found out later that it does not.
 * `onEnded`: others took the node for dead.
 */
export async function beginNode(
  config: NodeConfig,
  log: Logger,
  { follows, onEnded }: { follows: boolean; onEnded: (error: Error) => void },
): Promise<Begun> {
  const address = { url: config.DATABASE_URL };
  const options = {
    address,
    name: nodeName(),
    onLost: (error: Error) => log.warn({ error: error.message }, "the database does not answer for this node's lease"),
    onRegained: () => log.info({}, "this node's lease is renewed again"),
    onEnded,
    onDrain: () => leaveAsAsked(log),
    clockLog: log,
  };
  if (follows) return { node: await followDatabase(options), leads: false };
  try {
    const migrate = async () => {
      const sql = connect(address, { max: 1, name: 'migrations' });
      await migrated(sql, log).finally(() => sql.end({ timeout: 1 }));
    };
    return { node: await leadDatabase({ ...options, alone: false, migrate }), leads: true };
  } catch (error) {
    if (!(error instanceof RoleTaken)) throw error;
    return { node: await followDatabase(options), leads: false };
  }
}

export interface LifeOptions {
  config: NodeConfig;
  installation: string;
  counts: Metrics;
  publish: (topic: string, frames: readonly Uint8Array[]) => void;
  /** The leader says that others took this node for dead. */
  onEnded: (error: Error) => void;
  log: Logger;
}

/** Its bus, which has not begun, and what it is as a member. */
export function lifeOf(node: NodeAmongOthers, options: LifeOptions): Life {
  const { config, installation, counts, publish, onEnded, log } = options;
  const carrier = new RedisCarrier({ id: node.id, address: config.REDIS_URL, installation, log });
  const patienceMs = patienceOf(config);
  const bus = new LinkedBus({ id: node.id, carrier, check: isNodeMessage, log, patienceMs });
  const member = new Member({
    ...{ id: node.id, place: node.place, release: releaseBuilt(), bus, publish, log },
    holds: () => node.holds,
    ended: () => onEnded(new RoleTaken('the leader says that it took over from this one')),
    shards: { count: config.NODE_SHARDS ?? config.THREADS, thread: guestThreads(config, log), counts },
    sockets: {
      messagesPerSecond: config.WS_MESSAGES_PER_SECOND,
      bufferBytes: config.SOCKET_BUFFER_BYTES,
      deferMs: config.COALESCE_MS,
      waitedMs: patienceMs,
      delayHands: config.SPECTATE_DELAY_HANDS,
      clientIp: (request) => clientIp(request, config.TRUSTED_PROXY),
    },
  });
  return { node, bus, member };
}
