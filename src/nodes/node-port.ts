import { credentialOf } from '../gateway/credentials.js';
import { transportOptions, type GatewayConfig } from '../gateway/gateway.js';
import { clientIp, ipLimitKey, isLoopback } from '../gateway/ip.js';
import { chooseTransport } from '../gateway/listen.js';
import { WATCH_PATHS, type HttpAnswer, type HttpRequest, type Log, type Transport } from '../gateway/transport.js';
import { CLOSE_REASONS, CloseCode } from '../protocol/codes.js';
import { NO_LEADER } from './leader-way.js';
import type { Member } from './member.js';

export interface NodePortOptions {
  config: GatewayConfig;
  /** What is answered here, whoever leads; null for what a leader answers. */
  local: (request: HttpRequest) => Promise<HttpAnswer> | null;
  /** The present life of the node; null between two. */
  member: () => Member | null;
  log: Log;
}

/** The port of a node, over all its lives: sockets are its own, requests are for whoever leads. */
export class NodePort {
  #transport: Transport | null = null;

  constructor(private readonly options: NodePortOptions) {}

  async listen(port: number): Promise<void> {
    const { config, local, member, log } = this.options;
    const open = chooseTransport(config.TRANSPORT, log);
    const ip = (request: HttpRequest) => clientIp(request, config.TRUSTED_PROXY);
    this.#transport = await open(
      { ...transportOptions(config), port, log },
      {
        http: async (request) => local(request) ?? member()?.leaderWay.request(request) ?? NO_LEADER,
        admit: (request) =>
          member()?.leaderWay.admit(ip(request), credentialOf(request), WATCH_PATHS.includes(request.path)) ??
          NO_LEADER,
        clientKey: (request) => (isLoopback(request.remote) ? null : ipLimitKey(ip(request))),
        open: (socket, request) => {
          const hub = member()?.hub;
          if (hub !== undefined) return hub.open(socket, request);
          // It was admitted in a life that ended meanwhile.
          setImmediate(() => socket.close(CloseCode.draining, CLOSE_REASONS[CloseCode.draining]));
          return { message: () => undefined, control: () => undefined, closed: () => undefined };
        },
      },
    );
  }

  get port(): number {
    return this.#transport?.port ?? 0;
  }

  publish(topic: string, frames: readonly Uint8Array[]): void {
    this.#transport?.publish(topic, frames);
  }

  /** Every socket ends with this code. */
  async close(code: CloseCode): Promise<void> {
    await this.#transport?.close(code, CLOSE_REASONS[code]);
  }
}
