import { assert } from '../../ops/assert.js';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as TlsAgent, request as httpsRequest, type AgentOptions } from 'node:https';
import { WebSocket } from 'ws';
import { NO_BODY, type NodeCertificates } from './internal-port.js';
import { SIGNATURE_HEADER, type Signatures } from './signature.js';

/** A living node, and where its internal port is. */
export interface PeerAddress {
  nodeId: string;
  /** host:port. */
  address: string;
}

/** The node is not known, refuses connections, has lost its lease, or does not answer in time. */
export class NodeAway extends Error {
  override readonly name = 'NodeAway';

  constructor(
    readonly nodeId: string,
    why: string,
  ) {
    super(`node ${nodeId} is away: ${why}`);
  }
}

export interface PeersOptions {
  signatures: Signatures;
  /** Calls go over https and wss with it. */
  tls?: NodeCertificates;
}

export interface CallOptions {
  /** For the head of the answer, in ms. */
  timeoutMs?: number;
  /** Ends the call, and its answer. */
  signal?: AbortSignal;
}

/** A node that is there answers within this time, in ms. */
export const ANSWER_MS = 1_000;
/** Shorter than the other side keeps an idle connection (internal-port.ts). */
const IDLE_MS = 10_000;

/** The other living nodes: calls to them, and sockets. */
export class Peers {
  #addresses = new Map<string, string>();
  readonly #agent: Agent;
  /** Calls that were sent. */
  calls = 0;

  constructor(private readonly options: PeersOptions) {
    const { tls } = options;
    const kept: AgentOptions = { keepAlive: true, timeout: IDLE_MS };
    this.#agent = tls === undefined ? new Agent(kept) : new TlsAgent({ ...kept, ...trust(tls) });
  }

  /** All living nodes; this one may be among them. */
  set(nodes: readonly PeerAddress[]): void {
    const others = nodes.filter(({ nodeId }) => nodeId !== this.options.signatures.nodeId);
    this.#addresses = new Map(others.map(({ nodeId, address }) => [nodeId, address]));
    assert(this.#addresses.size === others.length, 'a node has one address', others.length);
  }

  /** Ids of the others. */
  get ids(): string[] {
    return [...this.#addresses.keys()];
  }

  /** Resolves once the head of the answer is there, with any status but 401 and 503. Rejects with NodeAway. */
  async call(nodeId: string, path: string, body: Buffer, options: CallOptions = {}): Promise<IncomingMessage> {
    const { timeoutMs = ANSWER_MS, signal } = options;
    assert(timeoutMs > 0, 'a call waits for its answer', timeoutMs);
    assert(path.startsWith('/'), 'a call has a path', path);
    const { signatures, tls } = this.options;
    const address = this.#addresses.get(nodeId);
    if (address === undefined) throw new NodeAway(nodeId, 'no such node lives');
    assert(nodeId !== signatures.nodeId, 'a node calls others', nodeId);
    const headers = {
      [SIGNATURE_HEADER]: signatures.sign(nodeId, { method: 'POST', path, body }),
      'content-length': body.length,
    };
    const url = `${tls === undefined ? 'http' : 'https'}://${address}${path}`;
    const send = tls === undefined ? httpRequest : httpsRequest;
    this.calls++;
    return new Promise((resolve, reject) => {
      const asked = send(url, { method: 'POST', agent: this.#agent, headers, ...(signal && { signal }) });
      const timer = setTimeout(() => asked.destroy(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
      asked.on('response', (answer) => {
        clearTimeout(timer);
        const why = REFUSALS.get(answer.statusCode!);
        if (why === undefined) return resolve(answer);
        answer.resume();
        reject(new NodeAway(nodeId, why));
      });
      asked.on('error', (error) => {
        clearTimeout(timer);
        reject(new NodeAway(nodeId, error.message));
      });
      asked.end(body);
    });
  }

  /** A socket that opens, signed. Null: no such node lives. */
  open(nodeId: string, path: string): WebSocket | null {
    const { signatures, tls } = this.options;
    const address = this.#addresses.get(nodeId);
    if (address === undefined) return null;
    const signature = signatures.sign(nodeId, { method: 'GET', path, body: NO_BODY });
    return new WebSocket(`${tls === undefined ? 'ws' : 'wss'}://${address}${path}`, {
      ...(tls && trust(tls)),
      headers: { [SIGNATURE_HEADER]: signature },
      handshakeTimeout: ANSWER_MS,
      perMessageDeflate: false,
    });
  }

  /** Ends the connections that are kept. */
  close(): void {
    this.#addresses.clear();
    this.#agent.destroy();
  }
}

/** Refusals of the internal port itself: a node's answer to a call is in its body. */
const REFUSALS = new Map([
  [401, 'it does not accept our signature'],
  [503, 'its lease is over'],
]);

/** Without a CA of their own the certificates are verified by those of the system. */
const trust = ({ ca }: NodeCertificates) => (ca === undefined ? {} : { ca });
