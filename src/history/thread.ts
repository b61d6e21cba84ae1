import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { POOL_OPTIONS } from '../ops/pool-options.js';
import { inTime, NoDatabaseAnswer } from '../store/bounded.js';
import type { DatabaseAddress } from '../store/database.js';
import type { ExportPiece, ExportTask } from './export/task.js';
import type { SearchPiece, SearchTask } from './search/task.js';

/** A job of the history thread. */
export type HistoryTask = ({ kind: 'export' } & ExportTask) | ({ kind: 'search' } & SearchTask);

const ENTRY = new URL('../../workers/export.js', import.meta.url);
const IDLE_MS = 30_000;
const SEARCH_MS = 10_000;

/**
 * Reads hands away from the sockets and the tables: pieces of exports, and pieces of searches. The pieces of all
 * requests take turns, so a long one delays the others by a piece only.
 */
export class HistoryThread {
  readonly #pool: Piscina;

  constructor(address: DatabaseAddress) {
    this.#pool = new Piscina({
      ...POOL_OPTIONS,
      filename: fileURLToPath(ENTRY),
      // None until somebody asks: a thread with its connections is not free.
      minThreads: 0,
      maxThreads: 1,
      concurrentTasksPerWorker: 2,
      idleTimeout: IDLE_MS,
      workerData: address,
    });
  }

  export(task: ExportTask): Promise<ExportPiece> {
    return this.#run<ExportPiece>({ kind: 'export', ...task });
  }

  /** Throws NoDatabaseAnswer while the database is away. */
  async search(task: SearchTask): Promise<SearchPiece> {
    const piece = await inTime(this.#run<SearchPiece | null>({ kind: 'search', ...task }), SEARCH_MS);
    if (piece === null) throw new NoDatabaseAnswer('the history thread does not reach the database');
    return piece;
  }

  /** Ends the thread; what is under way breaks off. */
  stop(): Promise<void> {
    return this.#pool.destroy();
  }

  async #run<Piece>(task: HistoryTask): Promise<Piece> {
    return (await this.#pool.run(task)) as Piece;
  }
}
