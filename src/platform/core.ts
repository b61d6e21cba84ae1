import { LivePools, rulesOfPools } from '../competitions/index.js';
import { EmailSender, logTransport, smtpTransport } from '../email/index.js';
import { Gateway } from '../gateway/gateway.js';
import type { ShardLink } from '../gateway/ports.js';
import { createLobby, SEASON_BUY_IN, systemClock, type PoolRules } from '../lobby/index.js';
import { houseAudience, tableRules } from '../lobby/table-rules.js';
import type { Logger } from '../ops/log.js';
import type { Config } from '../ops/settings.js';
import { OrderedChannels } from '../shard/fronts/ordered-channels.js';
import { prepareTables, recoverShard } from '../shard/main/boot.js';
import { TableRoutes } from '../shard/table-routes.js';
import { createShardPool, type ShardListener, type ShardPool, type ShardReport } from '../shard/main/pool.js';
import { isConnectionError } from '../store/database.js';
import { Displaced } from '../store/node/leadership.js';
import type { RemoteFronts, RemoteFrontsOptions } from '../nodes/remote-fronts.js';
import type { BorrowOptions, RemoteShards } from '../nodes/remote-shards.js';
import type { Store } from '../store/store.js';
import type { TableRules } from '../table/api.js';
import type { Metrics } from '../metrics/index.js';
import { Address } from './address.js';
import type { Part } from './parts.js';

/** What everything is built with. */
export interface Ground {
  config: Config;
  log: Logger;
  store: Store;
  /** The platform cannot go on. */
  fatal: (error: Error) => void;
  /** The sockets that other nodes hold as well; null where there are no others. */
  remoteFronts: ((options: Pick<RemoteFrontsOptions, 'own' | 'ownPlaces' | 'links'>) => RemoteFronts) | null;
  /** The shards that other nodes lend; called where there are remote fronts. */
  remoteShards?: (options: BorrowOptions & { rulesOf: (poolId: string) => { table: TableRules } }) => RemoteShards;
}

export type Core = Awaited<ReturnType<typeof buildCore>>;

/** The game without its features: shards, sockets and the lobby between them, and what sends e-mail. */
export async function buildCore({ config, log, store, fatal, remoteFronts: joined }: Ground) {
  const { sql, background } = store;
  const pools = new LivePools(sql);
  await pools.load();
  const rulesOf = rulesOfPools(pools, seasonRules(config));
  const { id: nodeId } = store.node;
  await prepareTables(background, config.THREADS, nodeId);

  /** Threads that hold the sockets, and shards, write to each other and to us. */
  const channels = config.FRONTS > 1 ? new OrderedChannels() : null;
  const shards = createShardPool({
    threads: config.THREADS,
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
    // Where another process leads, as where the database is away: soon somebody answers again.
    isAway: (error) => isConnectionError(error) || error instanceof Displaced,
    log,
    installation: store.installation,
    ...(channels && {
      threads: {
        channels,
        shards: config.THREADS,
        flushShards: () => shards.flush(),
        wantShards: (front) => shards.connectFront(front),
        fatal,
      },
    }),
  });
  const own = linksOf(shards, gateway);
  // Where others hold sockets, too, they send to shards by ways of their own.
  const { hub } = gateway;
  const routes =
    config.REBALANCE !== 'off' && config.THREADS > 1 && hub !== null && joined === null
      ? new TableRoutes(own, (socket) => lobby.shards.fromShard(0, { t: 'dropped', socket }))
      : null;
  // Behind our own those of other nodes are put.
  const links = [...(routes?.links ?? own)];
  const remoteFronts = joined?.({ own: gateway.sockets, ownPlaces: config.FRONTS, links }) ?? null;
  const lobby = createLobby({
    clock: systemClock,
    log,
    sockets: remoteFronts ?? gateway.sockets,
    shards: links,
    ...(config.LENT_SHARDS === 'first' && { openFrom: config.THREADS }),
    matchmaking: { graceMs: config.LOBBY_GRACE_MS, separateOwners: config.SEPARATE_OWNERS },
    paceGroups: config.PACE_GROUPS === 'on',
    seatsPerMinute: config.SEATS_PER_MINUTE,
    rulesOf,
    capacity: config.LOBBY_CAPACITY,
    watching: { perAddress: config.WATCHERS_PER_ADDRESS, inAll: config.WATCHERS },
    answerMs: 2000,
  });
  const moves =
    routes &&
    lobby.movable({
      hold: (table) => routes.hold(table),
      release: (table, shard, anew) => {
        routes.release(table, shard);
        hub?.moved(table, shard, anew);
      },
      send: (shard, message) => own[shard]!.send(message),
    });
  const transport =
    config.SMTP_URL === undefined ? logTransport(log) : smtpTransport(config.SMTP_URL, config.MAIL_FROM);
  return {
    clock: systemClock,
    address: new Address(config),
    pools,
    rulesOf,
    shards,
    shardNumbers: [...own.keys()],
    gateway,
    remoteFronts,
    links,
    lobby,
    moves,
    emails: new EmailSender({ sql, leadership: store.leadership, transport, log }),
    away: new DatabaseAway(log),
  };
}

const seasonRules = (config: Config): PoolRules => ({
  scope: null,
  table: tableRules(config),
  audience: houseAudience(config),
  buyIn: {
    ...SEASON_BUY_IN,
    outOfRange: config.BUY_IN_OUT_OF_RANGE,
    aboveBalance: config.BUY_IN_ABOVE_BALANCE,
  },
});

/** What is sent to sockets and to shards is posted in the order it was sent in. */
function linksOf(shards: ShardPool, { fronts }: Gateway): readonly ShardLink[] {
  if (fronts === null) return shards.links;
  return shards.links.map((link) => ({
    send: (message) => {
      fronts.flush();
      link.send(message);
    },
  }));
}

/** Whom a shard's messages and frames go to, whosever it is. */
function listenerOf({ gateway, remoteFronts, lobby, away }: Core, { log }: Ground): ShardListener {
  return {
    onFrames: (_shard, bytes, index, used) => {
      remoteFronts?.forward(bytes, index);
      if (gateway.hub === null) used(bytes);
      else gateway.hub.forward(bytes, index, used);
    },
    fronts: gateway.fronts,
    onMessage: (shard, message) => {
      if (message.t === 'database') away.note(shard, message);
      else lobby.shards.fromShard(shard, message);
    },
    onLost: (shard, reason) => {
      log.error({ shard, reason }, 'shard lost: its hands in progress are void');
      lobby.shards.shardDown(shard);
    },
    onReady: (shard, tables) => {
      lobby.shards.shardRestored(shard, tables);
      gateway.hub?.shardUp(shard);
      remoteFronts?.shardUp(shard);
    },
  };
}

/** The shards' threads, which the lobby and the sockets hear of, and those that other nodes lend. */
export function shardsPart(core: Core, metrics: Metrics, ground: Ground): Part {
  const { shards } = core;
  const { config, log } = ground;
  const listener = listenerOf(core, ground);
  const lent = borrow(core, ground, listener);
  for (const borrowed of lent) metrics.borrowed(borrowed);
  return {
    start: () => shards.start(listener),
    drain: async () => {
      const finished = await Promise.all([shards, ...lent].map((each) => each.drain(config.DRAIN_MS)));
      if (finished.includes(false)) log.warn({}, 'hands still running after DRAIN_MS are void');
    },
    stop: () => shards.stop(),
  };
}

/** Threads that hold sockets would need ports to shards of other nodes: then there are none. */
function borrow({ links, rulesOf, lobby, gateway, remoteFronts, away }: Core, ground: Ground, heard: ShardListener) {
  const { remoteShards } = ground;
  if (remoteShards === undefined || remoteFronts === null) return [];
  if (gateway.hub === null) {
    ground.log.info({}, 'with FRONTS above 1 other nodes lend no shards');
    return [];
  }
  const { hub } = gateway;
  const tables = lobby.shards;
  const shards = remoteShards({
    ...{ links, rulesOf },
    listener: {
      ...heard,
      onLost: (shard, reason) => {
        away.note(shard, { t: 'database', downSince: null });
        heard.onLost?.(shard, reason);
      },
    },
    lobby: {
      down: (shard) => tables.shardDown(shard),
      retires: (shard) => tables.shardRetires(shard),
      players: (shard) => tables.playersOn(shard),
      dealtOut: (lost, dealt) => {
        tables.shardDealtOut(lost, dealt);
        for (const { opening, shard } of dealt) {
          hub.moved(opening.tableId, shard, true);
          remoteFronts.moved(opening.tableId, shard);
        }
      },
    },
  });
  remoteFronts.borrow(shards);
  return [shards];
}

/** Tables that move, where they may. */
export function movesPart({ moves }: Core, metrics: Metrics, { config, log }: Ground): Part {
  const { REBALANCE } = config;
  if (moves === null) {
    const words = 'REBALANCE does nothing here: it needs THREADS above 1, FRONTS=1 and no other node';
    return { start: () => REBALANCE === 'off' || log.warn({}, words) };
  }
  metrics.moves(moves);
  return { start: () => REBALANCE === 'off' || moves.start(REBALANCE), drain: () => moves.stop() };
}

/** The shards whose database is away, and since when (epoch ms). */
class DatabaseAway {
  readonly #since = new Map<number, number>();

  constructor(private readonly log: Logger) {}

  note(shard: number, { downSince }: Extract<ShardReport, { t: 'database' }>): void {
    if (downSince === null && !this.#since.has(shard)) return;
    if (downSince === null) this.#since.delete(shard);
    else this.#since.set(shard, downSince);
    const words = downSince === null ? 'database is back' : 'database is away: tables wait';
    this.log.warn({ shard, down_since: downSince }, words);
  }

  get shards(): number {
    return this.#since.size;
  }
}
