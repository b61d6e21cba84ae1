import { LivePools, rulesOfPools } from '../competitions/index.js';
import { EmailQuota, EmailSender, logTransport, smtpTransport } from '../email/index.js';
import { clockOf, createLobby, SEASON_BUY_IN, stoppableClock, type PoolRules } from '../lobby/index.js';
import { houseAudience, tableRules } from '../lobby/table-rules.js';
import type { Metrics } from '../metrics/index.js';
import type { Logger } from '../ops/log.js';
import type { Config } from '../ops/settings.js';
import type { ShardListener, ShardReport } from '../shard/main/pool.js';
import { Address } from './address.js';
import type { Ground } from './ground.js';
import type { Part } from './parts.js';
import { aloneStage } from './stage-alone.js';
import { clusterStage } from './stage.js';

export type Core = Awaited<ReturnType<typeof buildCore>>;

/** The game without its features: shards, sockets and the lobby between them, and what sends e-mail. */
export async function buildCore(ground: Ground) {
  const { config, log, store, cluster } = ground;
  const { sql } = store;
  const pools = new LivePools(sql);
  await pools.load();
  const rulesOf = rulesOfPools(pools, seasonRules(config), config.COMPETITION_MIN_BETWEEN_HANDS_MS);
  const stage = cluster === null ? await aloneStage(ground, rulesOf) : clusterStage(ground, cluster);
  const clock = stoppableClock();
  const dates = stoppableClock(clockOf(store.node.clock));
  const lobby = createLobby({
    clock,
    log,
    sockets: stage.sockets,
    shards: stage.links,
    inherits: cluster !== null,
    matchmaking: { graceMs: config.LOBBY_GRACE_MS, separateOwners: config.SEPARATE_OWNERS },
    paceGroups: config.PACE_GROUPS === 'on',
    seatsPerMinute: config.SEATS_PER_MINUTE,
    rulesOf,
    capacity: config.LOBBY_CAPACITY,
    watching: { perAddress: config.WATCHERS_PER_ADDRESS, inAll: config.WATCHERS },
    answerMs: 2000,
  });
  const transport =
    config.SMTP_URL === undefined ? logTransport(log) : smtpTransport(config.SMTP_URL, config.MAIL_FROM);
  return {
    clock,
    dates,
    address: new Address(config),
    pools,
    rulesOf,
    stage,
    threads: stage.threads,
    gateway: stage.gateway,
    links: stage.links,
    lobby,
    moves: stage.moves(lobby),
    emails: new EmailSender({ sql, leadership: store.leadership, transport, clock: dates, log }),
    quota: new EmailQuota(log),
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

/** Whom a shard's messages go to, whosever it is. */
function listenerOf({ lobby, away, stage }: Core, { log }: Ground): ShardListener {
  return {
    ...stage.frames,
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
      stage.shardUp(shard);
    },
  };
}

/** The shards, which the lobby and the sockets hear of. */
export function shardsPart(core: Core, ground: Ground): Part {
  const { config, log } = ground;
  const { stage, lobby, rulesOf } = core;
  return {
    start: () => stage.start({ listener: listenerOf(core, ground), lobby: lobby.shards, rulesOf }),
    drain: async () => {
      if (!(await stage.drain(config.DRAIN_MS))) log.warn({}, 'hands still running after DRAIN_MS are void');
    },
    stop: () => stage.stop(),
    end: () => stage.stop(),
  };
}

/** Tables that move, where they may. */
export function movesPart({ moves }: Core, metrics: Metrics, { config, log, cluster }: Ground): Part {
  const { REBALANCE = cluster === null ? 'off' : 'on' } = config;
  if (moves === null) {
    const words = 'REBALANCE does nothing here: it needs THREADS above 1';
    return { start: () => REBALANCE === 'off' || log.warn({}, words) };
  }
  metrics.moves(moves);
  return {
    start: () => REBALANCE === 'off' || moves.start(REBALANCE),
    drain: () => moves.finish(),
    end: () => moves.stop(),
  };
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
