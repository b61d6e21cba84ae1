import type { ClusterConfig } from '../cluster/settings.js';
import type { Site } from '../gateway/pages/site.js';
import type { PoolRules } from '../lobby/index.js';
import type { Logger } from '../ops/log.js';
import type { Config } from '../ops/settings.js';
import type { Store } from '../store/store.js';

/** Everything is built with these. */
export interface Ground {
  config: Config;
  log: Logger;
  store: Store;
  /** The pages for people; null where they are switched off. */
  site: Site | null;
  /** The settings of a node among others; null: this process serves the database by itself. */
  cluster: ClusterConfig | null;
  /** The platform cannot go on. */
  fatal: (error: Error) => void;
  /** Other nodes have ended this one. They may have its tables already, so no hand here counts any more. */
  isOver: () => boolean;
}

export type RulesOf = (poolId: string) => PoolRules;
