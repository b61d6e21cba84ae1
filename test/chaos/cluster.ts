import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type DatabaseAddress } from '../../src/store/database.js';
import { openEmbedded, type EmbeddedDatabase } from '../../src/store/embedded.js';
import { serverOf } from '../../src/store/embedded/server.js';
import { silent, type Scope } from '../support/database.js';

/** A PostgreSQL of a test's own, that can be stopped, killed and frozen. */
export class OwnCluster {
  #server: EmbeddedDatabase | null;
  #frozen: number[] = [];

  private constructor(
    private readonly folder: string,
    server: EmbeddedDatabase,
  ) {
    this.#server = server;
    this.address = server.address;
  }

  /** The same over all its lives. */
  readonly address: DatabaseAddress;

  static async open(t: Scope): Promise<OwnCluster> {
    const folder = mkdtempSync(join(tmpdir(), 'agent-poker-chaos-'));
    const cluster = new OwnCluster(folder, await openEmbedded({ dataDir: folder, log: silent }));
    t.teardown(async () => {
      cluster.thaw();
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    });
    return cluster;
  }

  /** Ends all sessions and shuts down. */
  async stop(): Promise<void> {
    await this.#server?.stop();
    this.#server = null;
  }

  async start(): Promise<void> {
    this.#server ??= await openEmbedded({ dataDir: this.folder, log: silent });
  }

  /** kill -9. The server restarts by itself, and recovers. */
  crash(): void {
    process.kill(this.#postmaster(), 'SIGKILL');
  }

  /** Stops every process of the server. Connections stay open, new ones may open, and no answer comes. */
  async freeze(): Promise<void> {
    const sql = connect(this.address, { max: 1, name: 'chaos' });
    await sql`select 1`;
    const postmaster = this.#postmaster();
    process.kill(postmaster, 'SIGSTOP');
    this.#frozen = [postmaster];
    const sessions = await sql<{ pid: number }[]>`select pid from pg_stat_activity where pid <> pg_backend_pid()`;
    for (const { pid } of sessions) {
      process.kill(pid, 'SIGSTOP');
      this.#frozen.push(pid);
    }
    await sql.end();
  }

  thaw(): void {
    for (const pid of this.#frozen.splice(0)) process.kill(pid, 'SIGCONT');
  }

  #postmaster(): number {
    const pid = serverOf(join(this.folder, 'postgres'));
    if (pid === null) throw new Error('the cluster does not run');
    return pid;
  }
}
