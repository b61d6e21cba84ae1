import { createRequire } from 'node:module';
import type { Cluster, Redis } from 'ioredis';
import type * as rateLimiters from 'rate-limiter-flexible';
import { redisAddress } from '../ops/redis-address.js';
import { clusterClient, serverClient } from '../ops/redis-clients.js';
import { SlidingWindow } from './sliding-window.js';
import type { Log } from './transport.js';

/** Lets at most so many through in any window of so many ms, per key. */
export interface Limiter {
  /**
   * 0: let through, and counted. Else ms until the key may try again; what is refused does not count. At once where it
   * is counted in this process.
   */
  take(key: string): number | Promise<number>;
}

/** Where limits are counted: in this process, or in Redis for all processes together. */
export interface Limits {
  /**
   * `name` tells limiters apart; whole seconds only. `ofAll`: all nodes together let `max` through. Without Redis each
   * node lets its part through, rounded up.
   */
  limiter(name: string, max: number, windowMs: number, ofAll?: boolean): Limiter;
  /** Whether what is counted holds as it should: false while Redis is away and each process counts for itself. */
  readonly healthy: boolean;
  close(): Promise<void>;
}

/**
 * `installation` names those who share their counts: servers of another one may use the same Redis. `nodes`: how many
 * live, this one included.
 */
export function createLimits(
  redisUrl: string | undefined,
  installation: string,
  log: Log,
  nodes: () => number = () => 1,
): Limits {
  const inMemory = memoryLimits(undefined, nodes);
  return redisUrl === undefined ? inMemory : redisLimits(redisUrl, installation, log, inMemory);
}

/** `now` in ms of a clock that never goes back. */
export function memoryLimits(now: () => number = () => performance.now(), nodes: () => number = () => 1): Limits {
  const sweeps: NodeJS.Timeout[] = [];
  return {
    healthy: true,
    limiter(_name, max, windowMs, ofAll = false) {
      const limiter = new MemoryLimiter(max, windowMs, now, ofAll ? nodes : () => 1);
      sweeps.push(setInterval(() => limiter.sweep(), windowMs).unref());
      return limiter;
    },
    async close() {
      for (const timer of sweeps) clearInterval(timer);
    },
  };
}

class MemoryLimiter implements Limiter {
  readonly #windows = new Map<string, SlidingWindow>();

  constructor(
    private readonly max: number,
    private readonly windowMs: number,
    private readonly now: () => number,
    /** So many nodes share the limit. */
    private readonly nodes: () => number,
  ) {}

  take(key: string): number {
    const own = Math.ceil(this.max / this.nodes());
    let window = this.#windows.get(key);
    if (window === undefined) this.#windows.set(key, (window = new SlidingWindow(this.max, this.windowMs)));
    const now = this.now();
    return window.take(now, own) ? 0 : window.wait(now, own);
  }

  /** Forgets keys that have nothing in their window any more. */
  sweep(): void {
    const now = this.now();
    for (const [key, window] of this.#windows) if (window.isEmpty(now)) this.#windows.delete(key);
  }
}

/**
 * The same window kept by Redis: a sorted set of the times let through. Runs inside RateLimiterRedis, which expects the
 * points consumed (more than ARGV[3], the limit, is a refusal) and the ms to wait.
 */
const SLIDING_WINDOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local window = ARGV[2] * 1000
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
local count = redis.call('ZCARD', KEYS[1])
if count >= tonumber(ARGV[3]) then
  local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
  return {count + 1, first[2] + window - now}
end
redis.call('ZADD', KEYS[1], now, time[1] .. '.' .. time[2] .. '.' .. count)
redis.call('PEXPIRE', KEYS[1], window)
return {count + 1, window}`;

/** How often Redis is asked to count something. */
const PROBE_MS = 1000;
const PROBES = 1000;

/**
 * While Redis is away, slow, or answers errors, each process counts in its own memory; both turns are logged once. Redis
 * is judged by what it does: it is there once it has counted.
 */
function redisLimits(url: string, installation: string, log: Log, insurance: Limits): Limits {
  const client = openClient(url);
  let healthy = false;
  let warned = false;
  let stopping = false;
  const counts = () => {
    if (!healthy && !stopping) log.info({}, 'Redis is connected: limits hold over all processes');
    healthy = true;
  };
  const fails = (reason: string) => {
    if ((healthy || !warned) && !stopping) log.warn({ reason }, 'Redis is away: each process counts its own limits');
    healthy = false;
    warned = true;
  };
  const refused = ({ name, message }: Error) => name === 'ReplyError' && fails(message);
  const redisLimiter = (name: string, max: number, windowMs: number, instead: Limiter) =>
    new RedisLimiter(client, `${installation}:limit:${name}`, max, windowMs, instead, refused);
  const probe = redisLimiter('probe', PROBES, PROBE_MS, insurance.limiter('probe', PROBES, PROBE_MS));
  const look = () => void probe.counts().then((does) => does && counts());
  client.on('ready', look);
  const probing = setInterval(look, PROBE_MS).unref();
  // Each failed attempt to connect ends in `close`; the error itself would bring the process down unheard.
  let reason = '';
  client.on('error', (error: Error) => {
    reason = error.message;
  });
  client.on('close', () => fails(reason));
  return {
    get healthy() {
      return healthy;
    },
    limiter: (name, max, windowMs, ofAll) =>
      redisLimiter(name, max, windowMs, insurance.limiter(name, max, windowMs, ofAll)),
    async close() {
      stopping = true;
      clearInterval(probing);
      await insurance.close();
      client.disconnect();
    },
  };
}

/** After so long a server that says nothing is given up, and looked for anew: another one may have taken over from it. */
const SILENT_MS = 2000;

/** Commands fail at once while there is no connection: then each process counts for itself. */
function openClient(url: string): Redis | Cluster {
  const address = redisAddress(url);
  const options = { maxRetriesPerRequest: 0, commandTimeout: 500, connectTimeout: SILENT_MS, socketTimeout: SILENT_MS };
  return address.kind === 'cluster'
    ? clusterClient(address, { enableOfflineQueue: false, redisOptions: options })
    : serverClient(address, { enableOfflineQueue: false, ...options });
}

class RedisLimiter implements Limiter {
  readonly #redis: rateLimiters.RateLimiterRedis;
  readonly #Refusal: typeof rateLimiters.RateLimiterRes;

  constructor(
    client: Redis | Cluster,
    keyPrefix: string,
    max: number,
    windowMs: number,
    private readonly insurance: Limiter,
    /** Hears of what Redis refuses to do. */
    private readonly refused: (error: Error) => void,
  ) {
    // Loaded only where there is a Redis: a start without it is cheaper.
    const { RateLimiterRedis, RateLimiterRes } = createRequire(import.meta.url)(
      'rate-limiter-flexible',
    ) as typeof rateLimiters;
    this.#Refusal = RateLimiterRes;
    this.#redis = new RateLimiterRedis({
      storeClient: client,
      keyPrefix,
      points: max,
      duration: windowMs / 1000,
      rejectIfRedisNotReady: true,
      customIncrTtlLuaScript: SLIDING_WINDOW,
    });
  }

  async take(key: string): Promise<number> {
    try {
      await this.#redis.consume(key);
      return 0;
    } catch (refusal) {
      if (refusal instanceof this.#Refusal) return Math.max(1, refusal.msBeforeNext);
      this.refused(refusal as Error);
      return this.insurance.take(key);
    }
  }

  /** Whether Redis counts: asks it to. */
  async counts(): Promise<boolean> {
    try {
      await this.#redis.consume('probe');
      return true;
    } catch (refusal) {
      if (refusal instanceof this.#Refusal) return true;
      this.refused(refusal as Error);
      return false;
    }
  }
}
