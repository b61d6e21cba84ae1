import { Gateway } from '../gateway/gateway.js';
import { prepareTables, recoverShard } from '../shard/main/boot.js';
import { createShardPool } from '../shard/main/pool.js';
import { clockOrigin } from '../shard/steady-clock.js';
import { TableRoutes } from '../shard/table-routes.js';
import type { Ground, Lobby, RulesOf, Stage } from './ground.js';
import { gatewayOptions } from './stage.js';

/** Shards and sockets of a process that is alone. */
export async function aloneStage({ config, log, store, fatal }: Ground, rulesOf: RulesOf): Promise<Stage> {
  const { sql, background } = store;
  const { id: nodeId } = store.node;
  await prepareTables(background, config.THREADS, nodeId);
  const pool = createShardPool({
    threads: config.THREADS,
    clockOrigin: clockOrigin(store.node.clock.now()),
    settings: {
      database: store.address,
      patientTables: config.COALESCE_MS > 0 ? config.COALESCE_TABLES : Infinity,
    },
    recover: (shard) => recoverShard(sql, nodeId, shard, rulesOf),
    onDisplaced: fatal,
    log: (level, message, detail) => log[level](detail, message),
  });
  const gateway = new Gateway(config, gatewayOptions({ log, store }));
  const own = pool.links;
  const { hub } = gateway;
  let dropped: (socket: number) => void = () => undefined;
  const movable = config.REBALANCE !== undefined && config.REBALANCE !== 'off' && config.THREADS > 1;
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
    frames: { onFrames: (_shard, bytes, index, used) => hub.forward(bytes, index, used) },
    shardUp: (shard) => hub.shardUp(shard),
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
          hub.moved(table, shard, anew);
        },
        send: (shard, message) => own[shard]!.send(message),
      });
    },
    start: ({ listener }) => pool.start(listener),
    drain: (ms) => pool.drain(ms),
    stop: () => pool.stop(),
  };
}
