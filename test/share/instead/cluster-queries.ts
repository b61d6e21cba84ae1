import type * as real from '../../../src/cluster/queries.js';
import { statement } from './statement.js';

/** src/cluster/queries.ts on rows in memory. */

export const claimHome: typeof real.claimHome = (sql, agentId, nodeId) =>
  statement(sql, (rows) => rows.claimHome(agentId, nodeId));

export const giveHome: typeof real.giveHome = (sql, agentId, from, to) =>
  statement(sql, (rows) => rows.giveHome(agentId, from, to));

export const freeHomes: typeof real.freeHomes = (sql, nodeId, agentIds) =>
  statement(sql, (rows) => rows.freeHomes(nodeId, agentIds));

export const keepHomes: typeof real.keepHomes = (sql, nodeId, agentIds) =>
  statement(sql, (rows) => {
    for (const agentId of agentIds) if (!rows.homes.has(agentId)) rows.homes.set(agentId, nodeId);
  });

export const ownHomes: typeof real.ownHomes = (sql, nodeId) =>
  statement(sql, (rows) => [...rows.homes].filter(([, home]) => home === nodeId).map(([agentId]) => agentId));

export const claimHost: typeof real.claimHost = (sql, poolId, nodeId) =>
  statement(sql, (rows) => rows.claimHost(poolId, nodeId));

export const poolsOfOthers: typeof real.poolsOfOthers = (sql, nodeId) =>
  statement(sql, (rows) => rows.poolsOfOthers(nodeId));

export const storePlayers: typeof real.storePlayers = (sql, nodeId, players) =>
  statement(sql, (rows) => void rows.players.set(nodeId, new Map(players)));

export const storeDrain: typeof real.storeDrain = (sql, nodeId) =>
  statement(sql, (rows) => {
    rows.nodes.get(nodeId)!.draining = true;
  });

export const hasOrphans: typeof real.hasOrphans = (sql) => statement(sql, (rows) => rows.orphans.length > 0);

export const sweepEnded: typeof real.sweepEnded = (sql) =>
  statement(sql, (rows) => {
    for (const nodeId of rows.players.keys()) if (!rows.lives(nodeId)) rows.players.delete(nodeId);
  });

export const nodeOfTable: typeof real.nodeOfTable = (sql, tableId) => statement(sql, (rows) => rows.nodeOf(tableId));

export const homeOf: typeof real.homeOf = (sql, agentId) => statement(sql, (rows) => rows.homes.get(agentId) ?? null);

export const leaderOf: typeof real.leaderOf = (sql) => statement(sql, (rows) => rows.leader);

/** GET /tables is not asked here. */
export const tablesElsewhere: typeof real.tablesElsewhere = () => Promise.reject(new Error('nobody lists tables here'));
