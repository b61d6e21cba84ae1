import { JSON_HEADERS } from '../gateway/answer-headers.js';
import { ForwardedAsks } from '../gateway/fronts/forward.js';
import type { Registry, ShardLink } from '../gateway/ports.js';
import { SocketHub, type SocketHubOptions } from '../gateway/sockets.js';
import type { HttpAnswer, HttpRequest } from '../gateway/transport.js';
import { Detail } from '../protocol/rest/errors.js';
import type { FrameBatch } from '../table/outbox.js';
import type { FromFrontNode, NodeMessage } from './node-messages.js';
import type { Peer } from './peer.js';

/** What is asked of a node that reaches no leader: the client comes again, here or elsewhere. */
export const NO_LEADER: HttpAnswer = {
  status: 503,
  headers: { ...JSON_HEADERS, 'retry-after': '1' },
  body: JSON.stringify({ detail: Detail.databaseAway }),
};

const BROKE = 'the link to the leader broke';

export interface FrontLinkOptions extends SocketHubOptions {
  peer: Peer<NodeMessage>;
  publish(topic: string, frames: readonly Uint8Array[]): void;
}

/**
 * What a node serves over one link to its leader, from the leader's `begin` until the link breaks: the sockets of that
 * time, which are as much its end as its beginning. All that they say, to whomever, leaves in one order.
 */
export class FrontLink {
  readonly hub: SocketHub;
  readonly #asks: ForwardedAsks;
  #over = false;

  constructor(private readonly options: FrontLinkOptions) {
    this.hub = new SocketHub(options);
    this.#asks = new ForwardedAsks((message) => this.#send(message as FromFrontNode));
    this.hub.serve({ registry: this.#registry(), link: (shard) => this.#shard(shard) }, options.publish);
  }

  request(request: HttpRequest): Promise<HttpAnswer> {
    return this.#asks.request(request);
  }

  /** Null: the address may open a socket. */
  admit(ip: string, key: string | null, watch: boolean): Promise<HttpAnswer | null> {
    return this.#asks.admit(ip, key, watch);
  }

  frames({ bytes, index }: FrameBatch): void {
    this.hub.forward(bytes, index);
  }

  message(message: NodeMessage): void {
    const { hub } = this;
    switch (message.t) {
      case 'welcome':
        return hub.welcome(message.socket, message.agent, message.route);
      case 'refuse':
        return hub.refuse(message.socket, message.error, message.closeCode);
      case 'watch':
        return hub.watch(message.socket, message.route);
      case 'send':
        return hub.send(message.socket, message.message);
      case 'route':
        return hub.route(message.socket, message.route);
      case 'close':
        return hub.close(message.socket, message.closeCode, message.reason);
      case 'shardUp':
        return hub.shardUp(message.shard);
      case 'moved':
        return hub.moved(message.table, message.shard, true);
      case 'answer':
        return this.#asks.answered(message);
      case 'chunk':
        return this.#asks.chunk(message);
      case 'broken':
        return this.#asks.broken(message);
      default:
        return;
    }
  }

  /** Ends every socket, after what was read for it; what was asked may still be answered. */
  endSockets(closeCode: number, reason: string): void {
    this.hub.endAll(closeCode, reason);
  }

  /** The same, and nothing more is heard from the leader, or said to it. */
  end(closeCode: number, reason: string): void {
    if (this.#over) return;
    this.#over = true;
    this.#asks.abandon(NO_LEADER, BROKE);
    this.endSockets(closeCode, reason);
  }

  #send(message: FromFrontNode): void {
    if (!this.#over) this.options.peer.send(message);
  }

  #shard(shard: number): ShardLink {
    return { send: (message) => this.#send({ t: 'toShard', shard, message }) };
  }

  #registry(): Registry {
    return {
      opened: (socket, hello) => this.#send({ t: 'opened', socket, hello }),
      watching: (socket, hello) => this.#send({ t: 'watching', socket, hello }),
      message: (socket, agentId, message) => this.#send({ t: 'message', socket, agentId, message }),
      mishap: (agentId, mishap) => this.#send({ t: 'mishap', agentId, mishap }),
      closed: (socket, agentId, end) => this.#send({ t: 'closed', socket, agentId, end }),
      // Who holds sockets is asked for them.
      resumed: () => undefined,
    };
  }
}
