import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Scope } from './database.js';

/** A way to a Redis on a Unix socket, as REDIS_URL has it, that can be closed and made slow; others go on using it. */
export class RedisGate {
  readonly #sockets = new Set<Socket>();
  #server: Server | null = null;
  #port = 0;
  #delayMs = 0;

  private constructor(private readonly path: string) {}

  static async open(t: Scope, path: string): Promise<RedisGate> {
    const gate = new RedisGate(path);
    await gate.mend();
    t.teardown(() => gate.cut());
    return gate;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.#port}`;
  }

  /** Breaks every connection and refuses new ones. */
  async cut(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server === null) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** As it was at first, on the same port. */
  async mend(): Promise<void> {
    this.#delayMs = 0;
    if (this.#server !== null) return;
    const server = createServer((client) => this.#pass(client)).listen(this.#port, '127.0.0.1');
    await once(server, 'listening');
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
  }

  /** Everything takes so much longer from now on, in both directions, in its order. */
  delay(ms: number): void {
    this.#delayMs = ms;
  }

  #pass(client: Socket): void {
    const target = connect(this.path);
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      this.#sockets.add(from);
      // A shorter delay than before must not let bytes overtake: each waits for those before it.
      let due = 0;
      from.on('data', (bytes) => {
        due = Math.max(due, performance.now() + this.#delayMs);
        const waits = due - performance.now();
        if (waits <= 0) to.write(bytes);
        else setTimeout(() => to.destroyed || to.write(bytes), waits);
      });
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
    }
  }
}
