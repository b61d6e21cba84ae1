import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** How often a node is asked whether it is ready, and how long it may take to say so, in ms. */
const PROBE_MS = 1000;
const UNAVAILABLE = 503;

/** Where one may be sent to. */
export interface Target {
  /** Of the loopback; null while it does not serve. */
  readonly port: number | null;
}

/**
 * A load balancer of connections: each goes, as bytes, to the node with the fewest of them, of those that say that they
 * are ready. It stands for the one that an operator has (compose.cluster.yaml has HAProxy), and knows as little: nothing
 * of bots, nothing of tables.
 */
export class Balancer {
  readonly #server: Server;
  readonly #open = new Map<Target, Set<Socket>>();
  /** They did not answer the last probe, or not with yes. */
  readonly #unready = new Set<Target>();
  readonly #prober = setInterval(() => this.#probe(), PROBE_MS);

  /** More targets may come later. */
  constructor(private readonly targets: readonly Target[]) {
    this.#server = createServer({ allowHalfOpen: true }, (client) => this.#pass(client));
  }

  async listen(host: string, port: number): Promise<number> {
    this.#server.listen(port, host);
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    clearInterval(this.#prober);
    this.#server.close();
    for (const sockets of this.#open.values()) for (const socket of sockets) socket.destroy();
    await once(this.#server, 'close');
  }

  /** How many connections a node has. */
  connections(target: Target): number {
    return this.#open.get(target)?.size ?? 0;
  }

  #probe(): void {
    for (const target of this.targets) {
      if (target.port === null) continue;
      fetch(`http://127.0.0.1:${target.port}/health/ready`, { signal: AbortSignal.timeout(PROBE_MS) }).then(
        ({ status, body }) => {
          void body?.cancel();
          if (status === UNAVAILABLE) this.#unready.add(target);
          else this.#unready.delete(target);
        },
        () => this.#unready.add(target),
      );
    }
  }

  #pass(client: Socket): void {
    const serving = this.targets.filter((target) => target.port !== null && !this.#unready.has(target));
    const target = serving.sort((a, b) => this.connections(a) - this.connections(b))[0];
    // Nobody serves: the client sees a closed connection, and tries again, as behind any balancer.
    if (target === undefined) return void client.destroy();
    const open = this.#open.get(target) ?? new Set();
    this.#open.set(target, open);
    const node = connect({ port: target.port!, host: '127.0.0.1', allowHalfOpen: true });
    for (const socket of [client, node]) socket.setNoDelay(true);
    open.add(client);
    // A reset on one side ends the other; that of a client is nobody's fault here.
    client.on('error', () => node.destroy()).on('close', () => (open.delete(client), node.destroy()));
    node.on('error', () => client.destroy()).on('close', () => client.destroy());
    client.pipe(node).pipe(client);
  }
}
