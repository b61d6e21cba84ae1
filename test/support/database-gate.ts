import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseAddress } from '../../src/store/database.js';
import { outliveTypeQueries } from '../../src/store/type-query.js';
import type { Scope } from './database.js';

// What breaks here breaks for the test's own pools as well.
outliveTypeQueries();

const SOCKET_FILE = '.s.PGSQL.5432';

/** A way to a database that can be closed: for what went through it, the database is away; others go on using it. */
export class DatabaseGate {
  readonly address: DatabaseAddress;
  readonly #folder = mkdtempSync(join(tmpdir(), 'agent-poker-gate-'));
  readonly #sockets = new Set<Socket>();
  readonly #target: string;
  #server: Server | null = null;
  #frozen = false;
  #trap: string | null = null;

  private constructor(target: DatabaseAddress) {
    const url = new URL(target.url);
    this.#target = join(decodeURIComponent(url.hostname), SOCKET_FILE);
    this.address = { url: target.url.replace(url.hostname, encodeURIComponent(this.#folder)) };
  }

  static async open(t: Scope, target: DatabaseAddress): Promise<DatabaseGate> {
    const gate = new DatabaseGate(target);
    await gate.mend();
    t.teardown(async () => {
      await gate.cut();
      rmSync(gate.#folder, { recursive: true, force: true });
    });
    return gate;
  }

  /** Breaks every connection and refuses new ones. */
  async cut(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    const closed = new Promise<void>((resolve) => (server === null ? resolve() : server.close(() => resolve())));
    this.breakConnections();
    await closed;
  }

  /** Breaks the connections there are; new ones are welcome. */
  breakConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** From now on nothing comes back on the connections there are, though they stay open. New ones are fine. */
  mute(): void {
    for (const socket of this.#sockets) socket.pause();
  }

  /** As a server that was stopped: connections stay open, new ones are made, and nothing ever comes back. */
  freeze(): void {
    this.#frozen = true;
    this.mute();
  }

  /** From now on a new connection breaks as soon as the client sends this, and then all is as after `cut`. */
  trap(text: string): void {
    this.#trap = text;
  }

  /** Ends a frost: connections of before are broken, new ones are fine. */
  thaw(): void {
    this.#frozen = false;
    this.breakConnections();
  }

  async mend(): Promise<void> {
    const server = createServer((client) => {
      if (this.#frozen) return this.#keep(client);
      client.on('data', (bytes) => {
        if (this.#trap === null || !bytes.includes(this.#trap)) return;
        this.#trap = null;
        void this.cut();
      });
      const target = connect(this.#target);
      for (const [from, to] of [
        [client, target],
        [target, client],
      ] as const) {
        this.#keep(from);
        from.on('data', (bytes) => to.write(bytes));
        from.on('error', () => to.destroy());
        from.on('close', () => to.destroy());
      }
    });
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(join(this.#folder, SOCKET_FILE), resolve));
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#sockets.delete(socket));
  }
}
