import { once } from 'node:events';
import { connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net';

/**
 * A connection to a server that can be closed, be slow, or fall silent. Other connections to the server are not
 * affected.
 */
export abstract class Gate {
  readonly #sockets = new Set<Socket>();
  /** They came while it was silent, and lead nowhere yet. */
  readonly #waiting = new Set<Socket>();
  #server: Server | null = null;
  #frozen = false;
  #delayMs = 0;

  constructor(protected target: NetConnectOpts) {}

  /** Resolves once clients can come, at the same place each time. */
  protected abstract listen(server: Server): Promise<void>;

  /** Is shown what clients send, before it goes on. */
  protected sent(_bytes: Buffer): void {}

  /** As it was at first, at the same place. */
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

  /** Everything takes so much longer from now on, in both directions, in its order. */
  delay(ms: number): void {
    this.#delayMs = ms;
  }

  /** From now on nothing comes through on the connections there are, though they stay open. New ones are fine. */
  mute(): void {
    for (const socket of this.#sockets) socket.pause();
  }

  /** As a server that was stopped: connections stay open, new ones are made, and nothing ever comes back. */
  freeze(): void {
    this.#frozen = true;
    this.mute();
  }

  /** Ends a frost: connections of before are broken, new ones are fine. */
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
    // That it ended shows at its other end, if at all.
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

/** Does one thing after the other, each so long after it was added and never before those of before it. */
class LateQueue {
  readonly #acts: { due: number; act: () => void }[] = [];

  add(delayMs: number, act: () => void): void {
    if (delayMs === 0 && this.#acts.length === 0) return act();
    this.#acts.push({ due: performance.now() + delayMs, act });
    if (this.#acts.length === 1) this.#wait();
  }

  #wait(): void {
    // One timer at a time: two that are due in the same millisecond may fire in either order.
    setTimeout(() => {
      while (this.#acts.length > 0 && this.#acts[0]!.due <= performance.now()) this.#acts.shift()!.act();
      if (this.#acts.length > 0) this.#wait();
    }, this.#acts[0]!.due - performance.now());
  }
}
