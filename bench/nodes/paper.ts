/*
 * What many machines could do, on paper: from what a hand costs each thread and process here, which of them is full
 * first. No network, no disk, no cache that grows too small: the real figure is lower. Two things that are measured are
 * not what many machines would have:
 *
 * - Here three nodes share two cores, and each plays a third of the hands, at which less is gathered. What a hand costs
 *   more because of that counts as a cost of speaking to other nodes: main threads of machines of their own take less.
 * - A post costs Redis as much whatever is in it. What gathers in one goes by how much a link carries, and with the number
 *   of nodes that falls: by its square. So beside each figure stands what a link would carry, and another figure by the
 *   costs of fewer tables, whose links carried less. Where links carry less than those did, Redis is full sooner yet.
 */

/** What a hand costs, ms of CPU. */
export interface Costs {
  /** The main threads of all nodes together, if every socket is where its table is. */
  sockets: number;
  /** …and more for each other node that a table speaks to. */
  away: number;
  /** The leader's main thread besides: what the lobby and the features take. */
  lobby: number;
  /** Redis, which does its work on one core, for each other node that a table speaks to; and a post. */
  redis: number;
  post: number;
  /** All but the main thread of one process: its shard. PostgreSQL: commits, each of as many hands as have ended meanwhile. */
  shard: number;
  database: number;
  /** The same where several nodes play: each has fewer hands to gather and to commit together. */
  shardOfSeveral: number;
  databaseOfSeveral: number;
}

/** What was measured of a case: CPU a hand in ms, and posts a hand. */
export interface Measured {
  nodes: number;
  leader: number;
  others: number;
  database: number;
  redis: number;
  posts: number;
}

/** Of a table. */
const PLAYERS = 6;
/** Of those that are measured: at each table sit some players of every node. */
const MEASURED_NODES = 3;
/** Each link carries so many empty posts a second, both ways together, when nothing else is said… */
const IDLE_POSTS = 2 * (3 / 5);
/** …and each node so many to itself: a twentieth of a lease lies between them (docs/NODES.md, "Links"). */
const ECHOES = 20 / 5;
/** More cannot be told apart (docs/NODES.md). */
export const MOST_MACHINES = 128;

/** Costs from one process, and from three nodes with tables and players spread evenly. */
export function costsOf(one: Measured, three: Measured): Costs {
  const others = MEASURED_NODES - 1;
  const lobby = Math.min(one.leader, Math.max(0, three.leader - three.others / others));
  return {
    sockets: one.leader - lobby,
    away: Math.max(0, three.leader + three.others - one.leader) / others,
    lobby,
    redis: three.redis / others,
    post: three.posts > 0 ? three.redis / three.posts : 0,
    shard: one.nodes - one.leader,
    database: one.database,
    shardOfSeveral: three.nodes - three.leader - three.others,
    databaseOfSeveral: three.database,
  };
}

export interface Park {
  machines: number;
  /** Of each, and of that of the database. */
  cores: number;
}

export interface Limit {
  what: 'main threads of the nodes' | 'main thread of the leader' | 'Redis' | 'database' | 'shards';
  handsPerSecond: number;
}

/** Other nodes that a table speaks to, in the mean: each of its players is with any node. */
export const spokenTo = (machines: number): number => (machines - 1) * (1 - (1 - 1 / machines) ** PLAYERS);

/** What all main threads take of a hand whose table speaks to so many other nodes, but for the lobby. */
export const mainOf = ({ sockets, away }: Costs, spoken: number): number => sockets + spoken * away;

/** Of a link, one way: hands a second that one of its nodes has at its tables for players of the other. */
export const carriedBy = (handsPerSecond: number, spoken: number, machines: number): number =>
  machines === 1 ? 0 : (handsPerSecond * spoken) / (machines * (machines - 1));

/**
 * What limits a platform of so many machines, what is full first coming first. Each machine has a core for its main
 * thread and the rest for shards; the database and Redis have machines of their own. Tables and players are spread
 * evenly, each player with any node. One machine is one process without Redis, with FRONTS=1 as it was measured:
 *
 *     spoken  = (machines - 1) * (1 - (1 - 1 / machines) ** 6)          other nodes that a table speaks to
 *     main    = sockets + spoken * away                                ms a hand, of all nodes' main threads
 *     nodes   = machines * 1000 / main                  leader = 1000 / (lobby + main / machines)
 *     redis   = (1000 - idle) / (spoken * redis)          idle = (machines * (machines - 1) / 2 * 1.2 + machines * 4) * post
 *     shards  = machines * (cores - 1) * 1000 / shard  database = cores * 1000 / database
 */
export function limitsOf(costs: Costs, { machines, cores }: Park): Limit[] {
  const spoken = spokenTo(machines);
  const main = mainOf(costs, spoken);
  const idle = (((machines * (machines - 1)) / 2) * IDLE_POSTS + machines * ECHOES) * costs.post;
  const [shard, database] =
    machines === 1 ? [costs.shard, costs.database] : [costs.shardOfSeveral, costs.databaseOfSeveral];
  // What costs nothing, such as Redis of one machine, or less than can be measured, limits nothing.
  const rate = (ms: number, budget = 1000) => (ms > 0 ? Math.max(0, budget) / ms : Infinity);
  const limits: Limit[] = [
    // First where the lobby takes nothing that can be measured. Of one machine it is the leader's.
    ...(machines === 1
      ? []
      : [{ what: 'main threads of the nodes', handsPerSecond: rate(main / machines) } satisfies Limit]),
    { what: 'main thread of the leader', handsPerSecond: rate(costs.lobby + main / machines) },
    { what: 'Redis', handsPerSecond: rate(spoken * costs.redis, 1000 - idle) },
    { what: 'database', handsPerSecond: rate(database, cores * 1000) },
    { what: 'shards', handsPerSecond: rate(shard, machines * (cores - 1) * 1000) },
  ];
  return limits.sort((a, b) => a.handsPerSecond - b.handsPerSecond);
}

/** What an operator does about what is full. */
export const REMEDIES: Readonly<Record<Limit['what'], string>> = {
  'main thread of the leader': 'let it hold fewer sockets (balancer), a faster core; then a second platform',
  'main threads of the nodes': 'more nodes, also several on one machine; lean frames',
  Redis: 'lean frames, a faster core; then a second platform',
  database: 'more cores for PostgreSQL, faster disks',
  shards: 'more NODE_SHARDS, more nodes',
};
/** Of one machine. */
export const REMEDY_ALONE = 'more FRONTS while cores idle; then more machines, where these can do more';
