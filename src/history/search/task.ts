import type { Queryable } from '../../store/database.js';
import { decodeRecord, type StoredHand } from '../../table/record/record-codec.js';
import { selectPlayed, selectRecordsOf } from './queries.js';
import { fitsRecord, fitsRow, needsRecord, weightOf, type HandFilter, type HandOrder } from './filter.js';

/** One piece of a search: hands of an agent in a pool, from one of them down. */
export interface SearchTask {
  agentId: string;
  poolId: string;
  /** The newest hand of the piece. */
  from: string;
  count: number;
  filter: HandFilter;
  order: HandOrder;
}

export interface FoundHand {
  handId: string;
  /** Hands of the piece that are newer. */
  at: number;
  weight: number;
}

export interface SearchPiece {
  /** The newest first. */
  found: FoundHand[];
  hands: number;
  /** The oldest hand of the piece; null without a hand. */
  last: string | null;
  /** Id of the hand that follows, null where none does. */
  next: string | null;
}

/** Looks through the hands of a piece. It reads the records of the hands only if the filter needs them. */
export async function searchPiece(sql: Queryable, task: SearchTask): Promise<SearchPiece> {
  const { agentId, poolId, from, count, filter, order } = task;
  const rows = await selectPlayed(sql, { poolId, agentId }, from, count + 1);
  const looked = rows.slice(0, count);
  const fitting = looked.map((row, at) => ({ row, at })).filter(({ row }) => fitsRow(filter, row));
  const records = needsRecord(filter, order)
    ? await selectRecordsOf(
        sql,
        poolId,
        fitting.map(({ row }) => row.handId),
      )
    : null;
  const found = fitting.flatMap(({ row, at }) => {
    let stored: StoredHand | null = null;
    if (records !== null) {
      const record = records.get(row.handId);
      if (record === undefined) return [];
      stored = decodeRecord(record);
      if (!fitsRecord(filter, row, stored)) return [];
    }
    const weight = weightOf(order, row, stored);
    return weight === null ? [] : [{ handId: row.handId, at, weight }];
  });
  return { found, hands: looked.length, last: looked.at(-1)?.handId ?? null, next: rows[count]?.handId ?? null };
}
