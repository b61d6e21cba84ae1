import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server as Listener, type Socket } from 'node:net';
import type { Target } from '../../src/load/socket.js';

/**
 * A load balancer as compose.cluster.haproxy.cfg has it: clients of a port go to one node as long as it is up. A node
 * that does not answer two checks loses its connections, and its clients come to the next node.
 */

const CHECK_MS = 1000;
const FALL = 2;

interface Backend {
  port: number;
  failures: number;
  sockets: Set<Socket>;
}

export class Balancer {
  readonly #backends: Backend[];
  readonly #listeners: Listener[] = [];
  readonly #timer: NodeJS.Timeout;

  private constructor(ports: readonly number[]) {
    this.#backends = ports.map((port) => ({ port, failures: 0, sockets: new Set() }));
    this.#timer = setInterval(() => this.#backends.forEach((backend) => void this.#check(backend)), CHECK_MS);
  }

  /** Opens a port for the clients of each node. */
  static async open(ports: readonly number[]): Promise<{ balancer: Balancer; targets: Target[] }> {
    const balancer = new Balancer(ports);
    const targets: Target[] = [];
    for (const node of ports.keys()) {
      const listener = createServer({ noDelay: true }, (client) => balancer.#bring(client, node, ports.length));
      balancer.#listeners.push(listener);
      listener.listen(0, '127.0.0.1');
      await once(listener, 'listening');
      targets.push({ host: '127.0.0.1', port: (listener.address() as AddressInfo).port });
    }
    return { balancer, targets };
  }

  close(): void {
    clearInterval(this.#timer);
    for (const listener of this.#listeners) listener.close();
    for (const { sockets } of this.#backends) for (const socket of sockets) socket.destroy();
  }

  /** To the first node that is up and accepts it, from `node` on. */
  #bring(client: Socket, node: number, tries: number): void {
    const backend = this.#backends[node % this.#backends.length]!;
    client.on('error', () => client.destroy());
    if (tries === 0) return void client.destroy();
    const next = () => this.#bring(client, node + 1, tries - 1);
    if (backend.failures >= FALL) return next();
    const upstream = connect({ host: '127.0.0.1', port: backend.port, noDelay: true });
    upstream.once('error', next);
    upstream.once('connect', () => {
      upstream.off('error', next);
      backend.sockets.add(upstream);
      upstream.on('error', () => client.destroy());
      upstream.on('close', () => {
        backend.sockets.delete(upstream);
        client.destroy();
      });
      client.on('close', () => upstream.destroy());
      client.pipe(upstream);
      upstream.pipe(client);
    });
  }

  async #check(backend: Backend): Promise<void> {
    const answers = await fetch(`http://127.0.0.1:${backend.port}/health/live`, {
      signal: AbortSignal.timeout(CHECK_MS),
    }).then(
      (answer) => answer.ok,
      () => false,
    );
    backend.failures = answers ? 0 : backend.failures + 1;
    if (backend.failures === FALL) for (const socket of backend.sockets) socket.destroy();
  }
}
