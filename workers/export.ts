import { move, Piscina, transferableSymbol, valueSymbol } from 'piscina';
import { ExportWriter, type ExportTask } from '../src/history/export/task.js';
import { yieldToOthers } from '../src/ops/priority.js';
import type { DatabaseAddress } from '../src/store/database.js';
import { outliveTypeQueries } from '../src/store/type-query.js';

outliveTypeQueries();
yieldToOthers();

/** The export thread: pieces of hand histories, away from the sockets and the tables. */
const writer = new ExportWriter(Piscina.workerData as DatabaseAddress);

export default async function piece(task: ExportTask): Promise<unknown> {
  const written = await writer.write(task);
  // The bytes change hands; nothing is copied.
  return move({ [transferableSymbol]: written.bytes.buffer as ArrayBuffer, [valueSymbol]: written });
}
