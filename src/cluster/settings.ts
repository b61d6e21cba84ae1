import type { Config } from '../ops/settings.js';

/** The settings of a node that has others beside it. */
export type ClusterConfig = Config & { NODE_ADDRESS: string; CLUSTER_SECRET: string };

export const isCluster = (config: Config): config is ClusterConfig =>
  config.NODE_ADDRESS !== undefined && config.CLUSTER_SECRET !== undefined;
