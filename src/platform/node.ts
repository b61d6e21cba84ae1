import type { Logger } from '../ops/log.js';
import { freePort } from '../ops/port-check.js';
import type { RecentLines } from '../ops/recent-lines.js';
import type { Config } from '../ops/settings.js';
import { isNodeMessage, type NodeMessage } from '../nodes/node-messages.js';
import { LinkedBus } from '../nodes/bus.js';
import { RedisCarrier } from '../nodes/redis-carrier.js';
import type { NodeId, PeerBus } from '../nodes/peer.js';
import { RemoteFronts } from '../nodes/remote-fronts.js';
import { RemoteShards } from '../nodes/remote-shards.js';
import { API_VERSION } from '../protocol/rest/health.js';
import { knownMigrations } from '../store/migrate.js';
import { dealOut, lendShard } from '../shard/main/lending.js';
import { asked, DeathWatch } from '../store/node/death-watch.js';
import { endLapsed } from '../store/node/queries.js';
import { RoleTaken } from '../store/role-lock.js';
import { installationAt, openStore, type Store } from '../store/store.js';
import { Address } from './address.js';
import { Following } from './following.js';
import { leadPlatform, type Platform } from './leading.js';

/** Where a database and a Redis are shared there may be several nodes. */
export type NodeConfig = Config & { DATABASE_URL: string; REDIS_URL: string };

/** What nodes that work together have in common: the protocol, and the schema. */
const release = () => `${API_VERSION}, ${knownMigrations().at(-1)}`;

/** Starts a process as one of several nodes: it leads where nobody does, else holds sockets for the one that leads. */
export async function startNode(
  config: NodeConfig,
  log: Logger,
  fatal: (error: Error) => void,
  recent: RecentLines,
): Promise<Platform> {
  const node = new Node(config, log, fatal, recent);
  await node.start();
  return node;
}

/** One process over its lives: while another leads it holds sockets, and when that one ends it may lead itself. */
class Node implements Platform {
  readonly dataFolder = null;
  readonly #address: Address;
  #leading: Platform | null = null;
  #following: Following | null = null;
  /** An attempt to lead. */
  #claim: Promise<void> | null = null;
  #stopping = false;

  constructor(
    private readonly config: NodeConfig,
    private readonly log: Logger,
    private readonly fatal: (error: Error) => void,
    private readonly recent: RecentLines,
  ) {
    this.#address = new Address(config);
  }

  async start(): Promise<void> {
    // The same port over all lives.
    if (this.config.PORT === 0) this.#address.listensOn(await freePort(this.config.HOST));
    const store = await this.#open();
    if (store === null) await this.#follow();
    else await this.#lead(store);
  }

  get url(): string {
    return this.#address.http;
  }

  get wsUrl(): string {
    return this.#address.ws;
  }

  get port(): number {
    return this.#address.port;
  }

  async stop(): Promise<boolean> {
    this.#stopping = true;
    await this.#following?.drain();
    await this.#following?.stop();
    await this.#claim;
    return (await this.#leading?.stop()) ?? true;
  }

  /** The database, where this node leads from now on; null where another does. */
  async #open(): Promise<Store | null> {
    try {
      return await openStore(this.config, this.log, this.fatal);
    } catch (error) {
      if (error instanceof RoleTaken) return null;
      throw error;
    }
  }

  async #lead(store: Store): Promise<void> {
    const { config, log, fatal, recent } = this;
    const { node, background, leadership } = store;
    const watch = new DeathWatch(background, node.id);
    const bus = busOf(config, store.installation, node.id, log);
    this.#leading = await leadPlatform(
      {
        config: { ...config, PORT: this.#address.port },
        ...{ log, store, fatal },
        remoteFronts: (options) =>
          new RemoteFronts({
            ...{ ...options, bus, log, release: release() },
            hasEnded: asked(log, (other) => endLapsed(background, other, node.id)),
          }),
        remoteShards: ({ rulesOf, ...options }) =>
          new RemoteShards({
            ...{ ...options, log },
            store: {
              lend: (shard, other) => lendShard(background, leadership, shard, other),
              dealOut: (shard, players) => dealOut(background, leadership, { shard, players, rulesOf }),
              hasEnded: asked(log, (other) => watch.hasEnded(other)),
            },
          }),
      },
      recent,
    );
  }

  async #follow(): Promise<void> {
    const { config, log, fatal } = this;
    const installation = await installationAt({ url: config.DATABASE_URL });
    const following = new Following({
      config: { ...config, PORT: this.#address.port },
      ...{ log, fatal, release: release() },
      busOf: (node) => busOf(config, installation, node, log),
      leaderless: () => void (this.#claim ??= this.#succeed().finally(() => (this.#claim = null))),
    });
    await following.start();
    this.#following = following;
  }

  /** Leads from now on, if nobody else does: all begins as after a start. */
  async #succeed(): Promise<void> {
    try {
      const store = await this.#open();
      if (store === null) return;
      if (this.#stopping) return await store.close();
      this.log.info({ node: store.node.id }, 'nobody leads any more: this node does');
      const following = this.#following;
      this.#following = null;
      await following?.stop();
      await this.#lead(store);
    } catch (error) {
      // A claim that fails for now is made again; a leader that cannot start must go.
      if (this.#following === null) this.fatal(error as Error);
      else this.log.warn({ error: (error as Error).message }, 'this node could not take the lead');
    }
  }
}

function busOf({ REDIS_URL }: NodeConfig, installation: string, id: NodeId, log: Logger): PeerBus<NodeMessage> {
  const carrier = new RedisCarrier({ id, address: REDIS_URL, installation, log });
  return new LinkedBus({ id, carrier, check: isNodeMessage, log });
}
