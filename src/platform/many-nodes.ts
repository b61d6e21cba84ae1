import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { backOff } from '../ops/backoff.js';
import type { Logger } from '../ops/log.js';
import { checkPorts, freePort } from '../ops/port-check.js';
import type { Config } from '../ops/settings.js';
import { openEmbedded } from '../store/embedded.js';
import type { Platform } from './platform.js';

/** A node says once a second that it lives. One that is silent for so long is killed, and starts again. */
const LOOK_MS = 1000;
const SILENT_MS = 5000;
const LONGEST_PAUSE_MS = 5000;
/** A life shorter than this counts as a failed start. */
const SHORT_LIFE_MS = 10_000;
const FAILED_STARTS = 3;
/** Connections of all front threads together, of the 200 that the embedded server has. */
const CONNECTIONS = 48;

interface Ready {
  url: string;
  wsUrl: string;
  port: number;
}

/**
 * NODES=n: starts n nodes of this machine one after the other, and starts each again that ends. They share the port and
 * the database. `begun` gets their end before the first node starts: a stop may come before all serve. Rejects if one of
 * them cannot start at first.
 */
export async function startNodes(
  config: Config,
  log: Logger,
  fatal: (error: Error) => void,
  begun: (nodes: Pick<Platform, 'stop' | 'abandon'>) => void,
  program = process.argv[1]!,
): Promise<Platform> {
  await checkPorts(config);
  const port = config.PORT === 0 ? await freePort(config.HOST) : config.PORT;
  const embedded =
    config.DATABASE_URL === undefined ? await openEmbedded({ dataDir: config.DATA_DIR, log: plain(log) }) : null;
  const shared = {
    NODES: '1',
    PORT: String(port),
    PORT_SHARED: 'on',
    NODE_ADDRESS: '127.0.0.1:0',
    CLUSTER_SECRET: config.CLUSTER_SECRET ?? randomBytes(32).toString('base64url'),
    DATABASE_URL: embedded?.address.url ?? config.DATABASE_URL!,
    DATABASE_CONNECTIONS: String(
      Math.max(2, Math.min(config.DATABASE_CONNECTIONS, Math.floor(CONNECTIONS / config.NODES))),
    ),
  };
  // DATABASE_URL says all of the database.
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PG')));
  const nodes = Array.from({ length: config.NODES }, (_, i) => {
    const metrics = config.METRICS_PORT === undefined ? {} : { METRICS_PORT: String(config.METRICS_PORT + i) };
    return new NodeProcess({ program, number: i + 1, env: { ...own, ...shared, ...metrics }, log, fatal });
  });
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    await embedded?.stop();
  };
  const abandon = () => {
    for (const node of nodes) node.kill();
    embedded?.kill();
  };
  begun({ stop, abandon });
  try {
    let ready: Ready | null = null;
    for (const node of nodes) ready = await node.start();
    const { url, wsUrl } = ready!;
    return { url, wsUrl, port, dataFolder: embedded?.folder ?? null, stop, abandon };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface NodeProcessOptions {
  program: string;
  number: number;
  env: NodeJS.ProcessEnv;
  log: Logger;
  fatal: (error: Error) => void;
}

/** One node, over all its lives. */
class NodeProcess {
  #child: ChildProcess | null = null;
  #ended: Promise<void> = Promise.resolve();
  #stopping = false;

  constructor(private readonly options: NodeProcessOptions) {}

  /** Resolves once it serves for the first time; rejects where it ends before. */
  start(): Promise<Ready> {
    return new Promise((ready, failed) => {
      this.#ended = this.#liveOn(ready, failed);
    });
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#child?.kill('SIGTERM');
    await this.#ended;
  }

  kill(): void {
    this.#child?.kill('SIGKILL');
  }

  async #liveOn(ready: (of: Ready) => void, failed: (error: Error) => void): Promise<void> {
    const { number, log, fatal } = this.options;
    let served = false;
    for (let failures = 0; !this.#stopping;) {
      const born = performance.now();
      const end = await this.#live((of) => {
        served = true;
        ready(of);
      });
      if (this.#stopping) return;
      if (!served) return failed(new Error(`node ${number} did not start: ${end}`));
      log.error({ node: number, end }, 'a node has ended and starts again');
      failures = performance.now() - born < SHORT_LIFE_MS ? failures + 1 : 0;
      if (failures === FAILED_STARTS) return fatal(new Error(`node ${number} does not start any more: ${end}`));
      await sleep(backOff(failures, 100, LONGEST_PAUSE_MS));
    }
  }

  /** Resolves with how it ended. */
  #live(ready: (of: Ready) => void): Promise<string> {
    const { program, env, number, log } = this.options;
    const child = fork(program, [], { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.#child = child;
    let heardAt = Infinity;
    child.on('message', (message: { event?: string } & Ready) => {
      heardAt = performance.now();
      if (message.event === 'ready') ready(message);
    });
    const watch = setInterval(() => {
      if (performance.now() - heardAt < SILENT_MS) return;
      log.error({ node: number }, 'a node is silent and is killed');
      child.kill('SIGKILL');
    }, LOOK_MS);
    return new Promise((ended) => {
      child.on('error', (error) => ended(error.message));
      child.on('exit', (code, signal) => {
        clearInterval(watch);
        this.#child = null;
        ended(signal ?? `exit code ${code}`);
      });
    });
  }
}

const plain = (log: Logger) => ({
  info: (message: string) => log.info({}, message),
  warn: (message: string) => log.warn({}, message),
  error: (message: string) => log.error({}, message),
});
