import { move, Piscina, transferableSymbol, valueSymbol } from 'piscina';
import { ExportWriter } from '../src/history/export/task.js';
import { searchPiece } from '../src/history/search/task.js';
import type { HistoryTask } from '../src/history/thread.js';
import { yieldToOthers } from '../src/ops/priority.js';
import { connect, isConnectionError, type DatabaseAddress } from '../src/store/database.js';
import { outliveTypeQueries } from '../src/store/type-query.js';

outliveTypeQueries();
yieldToOthers();

/** The history thread: pieces of exports and of searches, on connections of its own. */
const sql = connect(Piscina.workerData as DatabaseAddress, { max: 2, name: 'export' });
const writer = new ExportWriter(sql);

export default async function piece(task: HistoryTask): Promise<unknown> {
  if (task.kind === 'search') return searchPiece(sql, task).catch(nullIfAway);
  const written = await writer.write(task);
  // The bytes change hands; nothing is copied.
  return move({ [transferableSymbol]: written.bytes.buffer as ArrayBuffer, [valueSymbol]: written });
}

/** In place of a result: an error's own text does not come over from another thread. */
function nullIfAway(error: unknown): null {
  if (isConnectionError(error)) return null;
  throw error;
}
