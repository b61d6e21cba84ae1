import { Gateway, type GatewayConfig } from '../gateway/gateway.js';
import type { Route } from '../protocol/route.js';
import { MemoryPlatform, type MemoryPlatformOptions } from './platform.js';

/** `heard`: reads along what the tables send. */
export interface MemoryServerOptions extends Omit<MemoryPlatformOptions, 'sockets' | 'frames' | 'clock'> {
  heard(bytes: ArrayBuffer, index: Uint32Array): void;
  routes: readonly Route[];
}

/** Limits that no honest client meets, on a free port of this machine. */
const CONFIG: GatewayConfig = {
  HOST: '127.0.0.1',
  PORT: 0,
  TRANSPORT: 'ws',
  TRUSTED_PROXY: 0,
  CONNECTIONS_PER_ADDRESS: 512,
  WS_CONNECTS_PER_MINUTE: 100_000,
  REGISTRATIONS_PER_MINUTE: 100_000,
  WS_MESSAGES_PER_SECOND: 20,
  SOCKET_BUFFER_BYTES: 1 << 20,
  COALESCE_MS: 0,
  ACTION_TIMEOUT_MS: 120_000,
  DATABASE_CONNECTIONS: 8,
  SPECTATE: 'off',
  SPECTATE_DELAY_HANDS: 0,
};

/** The platform in memory behind the real gateway, for clients with sockets of their own. */
export class MemoryServer {
  readonly platform: MemoryPlatform;
  readonly #gateway: Gateway;

  private constructor(options: MemoryServerOptions) {
    this.#gateway = new Gateway(CONFIG, { log: options.log, installation: 'memory' });
    const { hub, sockets } = this.#gateway;
    this.platform = new MemoryPlatform({
      ...options,
      sockets,
      frames: (bytes, index) => {
        hub.forward(bytes, index);
        options.heard(bytes, index);
      },
    });
  }

  static async listen(options: MemoryServerOptions): Promise<MemoryServer> {
    const server = new MemoryServer(options);
    const { platform } = server;
    const { agentOf } = options;
    const upstream = {
      registry: platform.registry,
      link: (shard: number) => platform.shards[shard]!,
      authenticate: (key: string) => {
        const agent = agentOf(key);
        return Promise.resolve(agent && { agentId: agent.agentId, name: agent.name, isAdmin: false });
      },
      known: (key: string) => agentOf(key) !== null,
    };
    await server.#gateway.listen(upstream, options.routes);
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#gateway.port}`;
  }

  async close(): Promise<void> {
    this.platform.stop();
    await this.#gateway.close();
  }
}
