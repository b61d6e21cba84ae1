import { Gateway } from '../gateway/gateway.js';
import type { ShardLink } from '../gateway/ports.js';
import { OrderedChannels } from '../shard/fronts/ordered-channels.js';
import { prepareTables, recoverShard } from '../shard/main/boot.js';
import { createShardPool, type ShardPool } from '../shard/main/pool.js';
import { clockOrigin } from '../shard/steady-clock.js';
import { TableRoutes } from '../shard/table-routes.js';
import type { Ground, Lobby, RulesOf, Stage } from './ground.js';
import { gatewayOptions } from './stage.js';

/** Shards and sockets of a process that is alone. */
export async function aloneStage({ config, log, store, fatal }: Ground, rulesOf: RulesOf): Promise<Stage> {
  const { sql, background } = store;
  const { id: nodeId } = store.node;
  await prepareTables(background, config.THREADS, nodeId);
  /** Threads that hold the sockets, and shards, write to each other and to us. */
  const channels = config.FRONTS > 1 ? new OrderedChannels() : null;
  const pool = createShardPool({
    threads: config.THREADS,
    clockOrigin: clockOrigin(store.node.clock.now()),
    settings: {
      database: store.address,
      patientTables: config.COALESCE_MS > 0 ? config.COALESCE_TABLES : Infinity,
    },
    recover: (shard) => recoverShard(sql, nodeId, shard, rulesOf),
    onDisplaced: fatal,
    ...(channels && { fronts: { count: config.FRONTS, channels } }),
    log: (level, message, detail) => log[level](detail, message),
  });
  const gateway = new Gateway(config, {
    ...gatewayOptions({ log, store }),
    ...(channels && {
      threads: {
        channels,
        shards: config.THREADS,
        flushShards: () => pool.flush(),
        wantShards: (front) => pool.connectFront(front),
        fatal,
      },
    }),
  });
  const own = linksOf(pool, gateway);
  const { hub } = gateway;
  let dropped: (socket: number) => void = () => undefined;
  const movable = config.REBALANCE !== undefined && config.REBALANCE !== 'off' && config.THREADS > 1 && hub !== null;
  const routes = movable ? new TableRoutes(own, (socket) => dropped(socket)) : null;
  return {
    gateway,
    sockets: gateway.sockets,
    links: routes?.links ?? own,
    threads: {
      numbers: [...own.keys()],
      stats: (shard) => pool.stats(shard),
      isReady: (shard) => pool.isReady(shard),
    },
    frames: {
      onFrames: (_shard, bytes, index, used) => hub?.forward(bytes, index, used),
      fronts: gateway.fronts,
    },
    shardUp: (shard) => hub?.shardUp(shard),
    moves: (lobby: Lobby) => {
      if (routes === null) return null;
      dropped = (socket) => lobby.shards.fromShard(0, { t: 'dropped', socket });
      return lobby.movable({
        hold: (table, then) => {
          routes.hold(table);
          then();
        },
        release: (table, shard, anew) => {
          routes.release(table, shard);
          hub?.moved(table, shard, anew);
        },
        send: (shard, message) => own[shard]!.send(message),
      });
    },
    start: ({ listener }) => pool.start(listener),
    drain: (ms) => pool.drain(ms),
    stop: () => pool.stop(),
  };
}

/** What is sent to sockets and to shards is posted in the order it was sent in. */
function linksOf(pool: ShardPool, { fronts }: Gateway): readonly ShardLink[] {
  if (fronts === null) return pool.links;
  return pool.links.map((link) => ({
    send: (message) => {
      fronts.flush();
      link.send(message);
    },
  }));
}
