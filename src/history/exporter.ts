import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { Database, DatabaseAddress } from '../store/database.js';
import { FORMATS, type Format } from './export/formats.js';
import type { ExportPiece, ExportTask } from './export/task.js';
import { lengthOf, type Stretch, type Timeline } from './timeline.js';

export interface ExporterOptions {
  sql: Database;
  address: DatabaseAddress;
}

const ENTRY = new URL('../../workers/export.js', import.meta.url);
/** Hands of a piece: some 50 to 300 kB, and some 20 ms of the export thread. */
const PIECE = 200;
/** Files that one agent may have under way: each holds a piece in memory for as long as its reader takes. */
const AT_ONCE = 2;
const IDLE_MS = 30_000;

/**
 * Writes hands as files. All reading and formatting is done by a thread of its own, piece by piece, so the front only
 * passes bytes on, and many exports take turns. A piece is made when the client has taken the one before, so an export
 * of any size takes the memory of one piece, and ends when its client goes away.
 */
export class Exporter {
  readonly #pool: Piscina;
  readonly #underWay = new Map<string, number>();

  constructor(private readonly options: ExporterOptions) {
    this.#pool = new Piscina({
      filename: fileURLToPath(ENTRY),
      // None until somebody exports: a thread with its connections is not free.
      minThreads: 0,
      maxThreads: 1,
      concurrentTasksPerWorker: 2,
      idleTimeout: IDLE_MS,
      atomics: 'disabled',
      workerData: options.address,
    });
  }

  /** Whether the agent has as many exports under way as it may. */
  isBusy(agentId: string): boolean {
    return (this.#underWay.get(agentId) ?? 0) >= AT_ONCE;
  }

  /** The file, as fast as it is read. Throws when the database is away: the reader must not take the file for whole. */
  async *file(agentId: string, format: Format, timeline: Timeline, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    this.#count(agentId, 1);
    try {
      const { head, tail } = FORMATS[format];
      yield text(head);
      let written = 0;
      for (const stretch of timeline.stretches) {
        for await (const piece of this.#pieces(agentId, format, timeline, stretch, written)) {
          if (signal.aborted) return;
          written += piece.hands;
          yield piece.bytes;
        }
      }
      yield text(tail);
    } finally {
      this.#count(agentId, -1);
    }
  }

  /** Ends the thread; what is under way breaks off. */
  stop(): Promise<void> {
    return this.#pool.destroy();
  }

  async *#pieces(
    agentId: string,
    format: Format,
    timeline: Timeline,
    stretch: Stretch,
    before: number,
  ): AsyncGenerator<ExportPiece> {
    let from = await timeline.start(this.options.sql, stretch);
    let written = before;
    for (let left = lengthOf(stretch); left > 0 && from !== null;) {
      const task: ExportTask = { agentId, poolId: stretch.poolId, format, from, count: Math.min(PIECE, left), written };
      const piece = (await this.#pool.run(task)) as ExportPiece;
      yield piece;
      written += piece.hands;
      left -= piece.hands;
      from = piece.next;
    }
  }

  #count(agentId: string, change: number): void {
    const count = (this.#underWay.get(agentId) ?? 0) + change;
    if (count > 0) this.#underWay.set(agentId, count);
    else this.#underWay.delete(agentId);
  }
}

const text = (value: string) => new TextEncoder().encode(value);
