import type { Cluster } from '../cluster/cluster.js';
import { LivePools, rulesOfPools } from '../competitions/index.js';
import { EmailQuota, EmailSender, logTransport, smtpTransport } from '../email/index.js';
import { clockOf, createLobby, SEASON_BUY_IN, stoppableClock, type PoolRules } from '../lobby/index.js';
import { houseAudience, tableRules } from '../lobby/table-rules.js';
import type { Logger } from '../ops/log.js';
import type { Config } from '../ops/settings.js';
import type { ShardListener, ShardReport } from '../shard/main/pool.js';
import { Address } from './address.js';
import type { Ground } from './ground.js';
import type { Part } from './parts.js';
import { buildGame, type Game } from './game.js';

export type Core = Awaited<ReturnType<typeof buildCore>>;

/** The game without its features: shards, sockets and the lobby between them, and what sends e-mail. */
export async function buildCore(ground: Ground) {
  const { config, log, store } = ground;
  const { sql } = store;
  const pools = new LivePools(sql);
  const rulesOf = rulesOfPools(pools, seasonRules(config), config.COMPETITION_MIN_BETWEEN_HANDS_MS);
  const game = await buildGame(ground, rulesOf);
  // After the tables are claimed: a competition may begin at another node until then.
  await pools.load();
  const cluster = await clusterOf(ground, game);
  const clock = stoppableClock();
  const dates = stoppableClock(clockOf(store.node.clock));
  const lobby = createLobby({
    clock,
    log,
    sockets: game.sockets,
    shards: game.links,
    matchmaking: { graceMs: config.LOBBY_GRACE_MS, separateOwners: config.SEPARATE_OWNERS },
    paceGroups: config.PACE_GROUPS === 'on',
    seatsPerMinute: config.SEATS_PER_MINUTE,
    rulesOf,
    capacity: config.LOBBY_CAPACITY,
    watching: { perAddress: config.WATCHERS_PER_ADDRESS, inAll: config.WATCHERS },
    answerMs: 2000,
    ...(cluster && { others: cluster }),
  });
  const transport =
    config.SMTP_URL === undefined ? logTransport(log) : smtpTransport(config.SMTP_URL, config.MAIL_FROM);
  return {
    clock,
    dates,
    address: new Address(config),
    pools,
    rulesOf,
    game,
    cluster,
    threads: game.threads,
    gateway: game.gateway,
    links: game.links,
    lobby,
    emails: new EmailSender({ sql, leadership: store.leadership, transport, clock: dates, log }),
    quota: new EmailQuota(log),
    away: new DatabaseAway(log),
  };
}

/** This process among other nodes; null where it is alone. */
async function clusterOf({ cluster: config, store, fatal, log }: Ground, { gateway }: Game): Promise<Cluster | null> {
  if (config === null) return null;
  const { Cluster } = await import('../cluster/cluster.js');
  return Cluster.listen({ config, store, gateway, fatal, log });
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

/** Takes what shards say to the lobby and the sockets. */
function listenerOf({ lobby, away, game }: Core, { log }: Ground): ShardListener {
  return {
    ...game.frames,
    onMessage: (shard, message) => {
      if (message.t === 'database') away.note(shard, message);
      else lobby.shards.fromShard(shard, message);
    },
    onLost: (shard, reason) => {
      log.error({ shard, reason }, 'shard lost: its hands in progress are void');
      away.note(shard, { t: 'database', downSince: null });
      lobby.shards.shardDown(shard);
    },
    onReady: (shard, tables) => {
      lobby.shards.shardRestored(shard, tables);
      game.shardUp(shard);
    },
  };
}

/** The shards, which the lobby and the sockets hear of. */
export function shardsPart(core: Core, ground: Ground): Part {
  const { config, log, isOver } = ground;
  const { game } = core;
  return {
    start: () => game.start(listenerOf(core, ground)),
    drain: async () => {
      if (isOver()) return;
      if (!(await game.drain(config.DRAIN_MS))) log.warn({}, 'hands still running after DRAIN_MS are void');
    },
    stop: () => game.stop(),
  };
}

/** The shards without a database, and since when (epoch ms). */
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
