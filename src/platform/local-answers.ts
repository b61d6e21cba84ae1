import { OperatorKey } from '../gateway/operator-key.js';
import { clientIp } from '../gateway/ip.js';
import { memoryLimits } from '../gateway/limits.js';
import { Router } from '../gateway/router.js';
import { sharesOf } from '../gateway/shares.js';
import type { HttpAnswer, HttpRequest } from '../gateway/transport.js';
import type { Metrics } from '../metrics/index.js';
import { healthAlone, probeRoutes, type AloneSources } from '../ops/health.js';
import type { Logger } from '../ops/log.js';
import type { Config } from '../ops/settings.js';
import { metricsPages } from './front.js';

/** What a node answers by itself while it does not lead: all else is the leader's to answer. */
const LOCAL = ['/health/live', '/health/ready', '/metrics'];
/** …and while no leader serves it: that it lives, and what it knows by itself. */
const ALONE = ['/health'];
/** Refusals that an address has answered at once. */
const REFUSALS_A_SECOND = 20;

export interface LocalAnswersOptions extends AloneSources {
  config: Config;
  metrics: Metrics;
  draining: () => boolean;
  isReady: () => boolean;
  log: Logger;
}

/** The probes and the metrics of a node that does not lead. */
export class LocalAnswers {
  readonly #operatorKey: OperatorKey;
  readonly #limits = memoryLimits();
  readonly #router: Router;

  constructor({ config, metrics, draining, isReady, log, ...alone }: LocalAnswersOptions) {
    this.#operatorKey = new OperatorKey(config.ADMIN_KEY, () => performance.now());
    this.#router = new Router({
      routes: [...probeRoutes(draining, async () => isReady()), healthAlone(alone)],
      pages: metricsPages(config, metrics),
      authenticate: async () => null,
      limits: this.#limits,
      unknownKeys: { ask: async () => null },
      operatorKey: this.#operatorKey,
      clientIp: (request) => clientIp(request, config.TRUSTED_PROXY),
      refusals: this.#limits.limiter('refusals', REFUSALS_A_SECOND, 1000),
      shares: sharesOf(config.DATABASE_CONNECTIONS),
      log,
    });
  }

  /** `served`: by a leader. */
  has(path: string, served: boolean): boolean {
    return LOCAL.includes(path) || (!served && ALONE.includes(path));
  }

  answer(request: HttpRequest): Promise<HttpAnswer> {
    return this.#router.handle(request);
  }

  async close(): Promise<void> {
    this.#operatorKey.close();
    await this.#limits.close();
  }
}
