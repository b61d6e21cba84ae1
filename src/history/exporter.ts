import type { Database } from '../store/database.js';
import { frameOf } from './export/formats.js';
import type { ExportOrder, ExportPiece, ExportTask } from './export/task.js';
import type { HistoryThread } from './thread.js';
import { lengthOf, type TimelineStretch, type Timeline } from './timeline.js';

/** Where the hands of a file are: stretches of pools, the newest first. */
export type Source = Pick<Timeline, 'stretches' | 'start'>;

export interface ExporterOptions {
  sql: Database;
  thread: Pick<HistoryThread, 'export'>;
}

/** Hands of a piece: some 50 to 300 kB, and some 20 ms of the history thread. */
const PIECE = 200;
/** Files that one agent may have under way: each holds a piece in memory for as long as its reader takes. */
const AT_ONCE = 2;

/**
 * Writes hands as files. The history thread reads and formats, piece by piece. The front only passes bytes on, and
 * many exports take turns. A piece is made when the client has taken the last one. So an export of any size takes the
 * memory of one piece, and ends when its client goes away.
 */
export class Exporter {
  readonly #underWay = new Map<string, number>();

  constructor(private readonly options: ExporterOptions) {}

  /**
   * The file, as fast as it is read; null where the agent has as many under way as it may. It counts from this call on,
   * until it is read to its end, returned, or its client is gone. Throws when the database is away: the reader must not
   * take the file for whole.
   */
  file(order: ExportOrder, source: Source, signal: AbortSignal): AsyncIterable<Uint8Array> | null {
    const { agentId } = order;
    const underWay = this.#underWay.get(agentId) ?? 0;
    if (underWay >= AT_ONCE) return null;
    this.#underWay.set(agentId, underWay + 1);
    return whileRead(this.#chunks(order, source, signal), signal, () => this.#release(agentId));
  }

  async *#chunks(order: ExportOrder, source: Source, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const { head, tail } = frameOf(order.sight, order.format);
    yield text(head);
    let written = 0;
    for (const stretch of source.stretches) {
      for await (const piece of this.#pieces(order, source, stretch, written)) {
        if (signal.aborted) return;
        written += piece.hands;
        yield piece.bytes;
      }
    }
    yield text(tail);
  }

  async *#pieces(
    order: ExportOrder,
    source: Source,
    stretch: TimelineStretch,
    before: number,
  ): AsyncGenerator<ExportPiece> {
    let from = await source.start(this.options.sql, stretch);
    let written = before;
    for (let left = lengthOf(stretch); left > 0 && from !== null;) {
      const task: ExportTask = { ...order, poolId: stretch.poolId, from, count: Math.min(PIECE, left), written };
      const piece = await this.options.thread.export(task);
      yield piece;
      written += piece.hands;
      left -= piece.hands;
      from = piece.next;
    }
  }

  #release(agentId: string): void {
    const left = (this.#underWay.get(agentId) ?? 0) - 1;
    if (left > 0) this.#underWay.set(agentId, left);
    else this.#underWay.delete(agentId);
  }
}

/** The same chunks; `over` is called once when they end in whatever way, also where the first was never asked for. */
function whileRead(
  chunks: AsyncGenerator<Uint8Array>,
  signal: AbortSignal,
  over: () => void,
): AsyncIterable<Uint8Array> {
  let isOver = false;
  const end = () => {
    if (isOver) return;
    isOver = true;
    signal.removeEventListener('abort', end);
    over();
  };
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  const ending = <T>(step: Promise<T>) => step.catch((error: unknown) => (end(), Promise.reject(error as Error)));
  const iterator: AsyncIterator<Uint8Array> = {
    async next() {
      const step = await ending(chunks.next());
      if (step.done === true) end();
      return step;
    },
    return: () => ending(chunks.return(undefined)).finally(end),
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

const text = (value: string) => new TextEncoder().encode(value);
