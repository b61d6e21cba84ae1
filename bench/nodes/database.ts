import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../src/command/folders.js';
import { connect, type Database } from '../../src/store/database.js';
import { openEmbedded, type EmbeddedDatabase } from '../../src/store/embedded.js';
import { cpuTimes } from '../host/cpu.js';

const quiet = { info: () => undefined, warn: console.warn, error: console.error };

/** Calls by their text, without parameters. */
export type Statements = ReadonlyMap<string, number>;

/** The embedded PostgreSQL as in production, for several nodes. */
export class SharedDatabase {
  private constructor(
    private readonly embedded: EmbeddedDatabase,
    readonly sql: Database,
  ) {}

  /** `countStatements` loads pg_stat_statements, which costs some time of each statement. */
  static async open({ countStatements = false } = {}): Promise<SharedDatabase> {
    const options = { dataDir: temporaryFolder('bench-nodes'), log: quiet };
    let embedded = await openEmbedded(options);
    if (countStatements) {
      const sql = connectTo(embedded);
      await sql.unsafe(`alter system set shared_preload_libraries = 'pg_stat_statements'`);
      await sql.end();
      await embedded.stop();
      embedded = await openEmbedded(options);
    }
    const sql = connectTo(embedded);
    if (countStatements) await sql.unsafe('create schema bench; create extension pg_stat_statements schema bench');
    return new SharedDatabase(embedded, sql);
  }

  get url(): string {
    return this.embedded.address.url;
  }

  /** CPU time of all its processes so far, in ms. */
  cpuMs(): number {
    const pid = Number(readFileSync(join(this.embedded.folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
    const { process, children } = cpuTimes(pid);
    return process + children;
  }

  /** Statements that clients have sent so far, by kind, without those of this connection. */
  async statements(): Promise<Statements> {
    const rows = await this.sql<{ query: string; calls: number }[]>`
      select query, sum(calls)::integer as calls from bench.pg_stat_statements(true)
      where query not like '%pg_stat_statements%' group by query`;
    return new Map(rows.map(({ query, calls }) => [query, calls]));
  }

  async stop(): Promise<void> {
    await this.sql.end();
    await this.embedded.stop();
  }
}

const connectTo = ({ address }: EmbeddedDatabase): Database => connect(address, { max: 1, name: 'bench' });
