/*
 * What many machines could do, on paper: from what a hand costs each thread and process here, which of them is full
 * first. No network, no disk, no cache that grows too small: the real figure is lower.
 */

/** CPU a hand that grows with what is elsewhere, in ms: of `own`, if all is at the leader. */
export interface Cost {
  own: number;
  /** More where all six players are connected to other nodes. */
  remote: number;
  /** More where the table is on another node. */
  lent: number;
}

/** What a hand costs, ms of CPU. */
export interface Costs {
  /** The leader's main thread: what passes between tables and sockets, wherever they are, passes it. */
  main: Cost;
  /** The main threads of the other nodes, together. */
  others: Cost;
  /** Redis, which does its work on one core. */
  redis: Cost;
  /** All but the main thread of one process: its shard. */
  shard: number;
  /** PostgreSQL: commits, each of as many hands as have ended meanwhile. */
  database: number;
}

/** What was measured of a case: CPU a hand in ms. */
export interface Measured {
  nodes: number;
  leader: number;
  others: number;
  database: number;
  redis: number;
}

/**
 * Costs from one process, from nodes with so large a `share` of the players on others, and from the same with all tables
 * on others. What is between is taken for a straight line: main(share) = own + share * remote, and lent * more.
 */
export function costsOf(one: Measured, nodes: Measured, lent: Measured, share: number): Costs {
  const cost = (of: 'leader' | 'others' | 'redis'): Cost => ({
    own: one[of],
    remote: (nodes[of] - one[of]) / share,
    lent: lent[of] - nodes[of],
  });
  return {
    main: cost('leader'),
    others: cost('others'),
    redis: cost('redis'),
    shard: one.nodes - one.leader,
    database: one.database,
  };
}

export interface Park {
  machines: number;
  /** Of each, and of that of the database. */
  cores: number;
  /** Whether the others lend shards, and tables are spread evenly over all machines; else all are on the leader. */
  lent: boolean;
}

export interface Limit {
  what: 'main thread of the leader' | 'main threads of the others' | 'Redis' | 'database' | 'shards';
  handsPerSecond: number;
}

/**
 * What limits a platform of so many machines, what is full first coming first. Each machine has a core for its main
 * thread and the rest for shards; the database and Redis have machines of their own. Players are spread evenly, so that
 * away = 1 - 1 / machines of them are not with the leader, and as large a share of the tables where they are lent:
 *
 *     cost(main, others, redis) = own + away * remote + (lent ? away * lent : 0)         ms a hand
 *     main    = 1000 / cost(main)                        others = (machines - 1) * 1000 / cost(others)
 *     redis   = 1000 / cost(redis)                     database = cores * 1000 / database
 *     shards  = (lent ? machines : 1) * (cores - 1) * 1000 / shard
 */
export function limitsOf({ main, others, redis, shard, database }: Costs, { machines, cores, lent }: Park): Limit[] {
  const away = 1 - 1 / machines;
  const cost = ({ own, remote, lent: more }: Cost) => own + away * remote + (lent ? away * more : 0);
  // What costs nothing, such as Redis of one machine, or less than can be measured, limits nothing.
  const rate = (ms: number, many = 1) => (ms > 0 ? (1000 * many) / ms : Infinity);
  const limits: Limit[] = [
    { what: 'main thread of the leader', handsPerSecond: rate(cost(main)) },
    { what: 'main threads of the others', handsPerSecond: machines > 1 ? rate(cost(others), machines - 1) : Infinity },
    { what: 'Redis', handsPerSecond: rate(cost(redis)) },
    { what: 'database', handsPerSecond: rate(database, cores) },
    { what: 'shards', handsPerSecond: rate(shard, (lent ? machines : 1) * (cores - 1)) },
  ];
  return limits.sort((a, b) => a.handsPerSecond - b.handsPerSecond);
}

/** What an operator does about what is full. */
export const REMEDIES: Readonly<Record<Limit['what'], string>> = {
  'main thread of the leader': 'lean frames, a faster core; then a second platform',
  'main threads of the others': 'more front nodes',
  Redis: 'lean frames, a faster core; then a second platform',
  database: 'more cores for PostgreSQL, faster disks',
  shards: 'more THREADS on the leader, NODE_SHARDS on the others',
};
