import { once } from 'node:events';
import { connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net';

/**
 * A connection to a server that can be closed, be slow, or fall silent. Other connections to the server are not
 * affected.
 */
export abstract class Gate {
  readonly #sockets = new Set<Socket>();
  /** Sockets that came while the gate was silent, without a connection to the server yet. */
  readonly #waiting = new Set<Socket>();
  #server: Server | null = null;
  #frozen = false;
  #delayMs = 0;

  constructor(protected target: NetConnectOpts) {}

  /** Resolves once clients can connect, at the same address each time. */
  protected abstract listen(server: Server): Promise<void>;

  /** Gets the clients' bytes before they go on. */
  protected sent(_bytes: Buffer): void {}

  /** Works again, at the same address. */
  async mend(): Promise<void> {
    this.#delayMs = 0;
    this.#frozen = false;
    if (this.#server !== null) return;
    const server = createServer((client) => this.enter(client));
    this.#server = server;
    await this.listen(server);
  }

  /** Breaks every connection and refuses new ones. */
  async cut(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    const closed = server === null ? null : once(server, 'close');
    server?.close();
    this.breakConnections();
    await closed;
  }

  /** Breaks the connections there are; new ones are welcome. */
  breakConnections(): void {
    for (const socket of [...this.#sockets, ...this.#waiting]) socket.destroy();
  }

  /** From now on all bytes are later by this time, in both directions, in order. */
  delay(ms: number): void {
    this.#delayMs = ms;
  }

  /** From now on present connections pass nothing and stay open. New connections work. */
  mute(): void {
    for (const socket of this.#sockets) socket.pause();
  }

  /** Acts like a stopped server: connections stay open, new ones open, and no answer comes. */
  freeze(): void {
    this.#frozen = true;
    this.mute();
  }

  /** Ends a frost: old connections break, and new ones work. */
  thaw(): void {
    this.#frozen = false;
    this.breakConnections();
  }

  /** Ends a frost. All held bytes arrive now, late, also bytes of clients that have given up. */
  release(): void {
    this.#frozen = false;
    for (const socket of this.#sockets) socket.resume();
    for (const client of this.#waiting) this.#pass(client);
    this.#waiting.clear();
  }

  /** A client has come. */
  protected enter(client: Socket): void {
    // The other end shows the break, if at all.
    client.on('error', () => undefined);
    if (!this.#frozen) return this.#pass(client);
    this.#waiting.add(client);
    client.on('close', () => this.#waiting.delete(client));
  }

  #pass(client: Socket): void {
    const target = connect(this.target).on('error', () => undefined);
    client.on('data', (bytes) => this.sent(bytes));
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      this.#sockets.add(from);
      const queue = new LateQueue();
      from.on('data', (bytes) => queue.add(this.#delayMs, () => to.destroyed || to.write(bytes)));
      from.on('close', () => {
        this.#sockets.delete(from);
        queue.add(this.#delayMs, () => to.destroySoon());
      });
      from.resume();
    }
  }
}

/** Runs tasks in order, each one after its delay. */
class LateQueue {
  readonly #acts: { due: number; act: () => void }[] = [];

  add(delayMs: number, act: () => void): void {
    if (delayMs === 0 && this.#acts.length === 0) return act();
    this.#acts.push({ due: performance.now() + delayMs, act });
    if (this.#acts.length === 1) this.#wait();
  }

  #wait(): void {
    // One timer at a time: two timers of the same millisecond may fire in either order.
    setTimeout(() => {
      while (this.#acts.length > 0 && this.#acts[0]!.due <= performance.now()) this.#acts.shift()!.act();
      if (this.#acts.length > 0) this.#wait();
    }, this.#acts[0]!.due - performance.now());
  }
}
