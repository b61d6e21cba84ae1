import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseAddress } from '../../src/store/database.js';
import { outliveTypeQueries } from '../../src/store/type-query.js';
import type { Scope } from './database.js';
import { Gate } from './gate.js';

// The faults here break the test's own pools as well.
outliveTypeQueries();

const SOCKET_FILE = '.s.PGSQL.5432';

/** A gate to a database. While it is closed, the database is away for its users, and others go on. */
export class DatabaseGate extends Gate {
  readonly address: DatabaseAddress;
  readonly #folder = mkdtempSync(join(tmpdir(), 'agent-poker-gate-'));
  #trap: string | null = null;

  private constructor(target: DatabaseAddress) {
    const url = new URL(target.url);
    super({ path: join(decodeURIComponent(url.hostname), SOCKET_FILE) });
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

  /** From now on a new connection breaks when its client sends this text. Then the gate acts as after `cut`. */
  trap(text: string): void {
    this.#trap = text;
  }

  protected async listen(server: Server): Promise<void> {
    await once(server.listen(join(this.#folder, SOCKET_FILE)), 'listening');
  }

  protected override sent(bytes: Buffer): void {
    if (this.#trap === null || !bytes.includes(this.#trap)) return;
    this.#trap = null;
    void this.cut();
  }
}
