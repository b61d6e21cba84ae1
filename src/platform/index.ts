import { availableParallelism } from 'node:os';
import { isCluster, type ClusterConfig } from '../cluster/settings.js';
import { contradictions } from '../ops/advice.js';
import type { Logger } from '../ops/log.js';
import { checkPorts, freePort } from '../ops/port-check.js';
import { connectionBound, openFilesAdvice } from '../ops/open-files.js';
import { receiveAdvice } from '../ops/advice.js';
import { RecentLines } from '../ops/recent-lines.js';
import type { Config } from '../ops/settings.js';
import { Displaced } from '../store/node/leadership.js';
import { RoleTaken } from '../store/role-lock.js';
import { openStore } from '../store/store.js';
import { runPlatform, type Platform } from './platform.js';
import { openSite, type Site } from '../gateway/pages/site.js';

/** The pages for people; null if they are switched off. */
const siteOf = ({ PAGES }: Pick<Config, 'PAGES'>): Site | null =>
  PAGES === 'off' ? null : openSite({ watch: PAGES === 'watch' });

export type { Platform } from './platform.js';

/**
 * Builds the whole platform and opens its port: the only place where its parts meet. Where a database and a Redis are
 * shared, it is a node among others, which leads or holds sockets for the one that does. `fatal` is called when the
 * platform cannot go on (another process took the database over) and should be stopped by its owner. `recent` is what
 * the log keeps for the operator.
 */
export async function startPlatform(
  given: Config,
  log: Logger,
  fatal: (error: Error) => void,
  recent = new RecentLines(),
): Promise<Platform> {
  const config = { ...given, MAX_CONNECTIONS: connectionBound(given) };
  for (const words of contradictions(config, availableParallelism())) log.warn({}, `settings: ${words}`);
  for (const advice of [receiveAdvice(config), openFilesAdvice(given)]) if (advice !== null) log.warn({}, advice);
  if (config.PORT_SHARED === 'off') await checkPorts(config);
  const cluster = isCluster(config) ? await withPort(config) : null;
  let isOver = false;
  const cannotGoOn = (error: Error) => {
    isOver ||= error instanceof Displaced || error instanceof RoleTaken;
    fatal(error);
  };
  const store = await openStore(config, log, { internal: cluster?.NODE_ADDRESS ?? null, fatal: cannotGoOn });
  const ground = { config, log, site: siteOf(config), store, cluster, fatal: cannotGoOn, isOver: () => isOver };
  return runPlatform(ground, recent);
}

/** Port 0 of NODE_ADDRESS is a free one. */
async function withPort(config: ClusterConfig): Promise<ClusterConfig> {
  const [, host = '', port] = /^(.*):(\d+)$/.exec(config.NODE_ADDRESS) ?? [];
  if (Number(port) !== 0) return config;
  return { ...config, NODE_ADDRESS: `${host}:${await freePort(host.replace(/^\[|\]$/g, ''))}` };
}
