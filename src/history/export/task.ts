import type { Database } from '../../store/database.js';
import { decodeRecord } from '../../table/record/record-codec.js';
import { LOWEST, selectHands, selectNames, selectPoolHands } from '../queries.js';
import type { Sight } from '../sight.js';
import { FORMATS, POOL_FORMATS, type FileForm, type Format, type Stored } from './formats.js';

/** An order for an export. */
export interface ExportOrder {
  /** The agent that asked for it. */
  agentId: string;
  /** For a player its own hands, else those of the pool. */
  sight: Sight;
  /** No hand of the pool below this one. */
  downTo?: string;
  format: Format;
  /** The hands are of a competition, not of seasons. */
  inCompetition: boolean;
}

/** One piece of an export. */
export interface ExportTask extends ExportOrder {
  poolId: string;
  /** The newest hand of the piece. */
  from: string;
  count: number;
  /** Hands written before it, in the whole file. */
  written: number;
}

export interface ExportPiece {
  bytes: Uint8Array;
  hands: number;
  /** Id of the hand that follows, null where none does. */
  next: string | null;
}

/** Reads and writes pieces of exports: a part of the work of the history thread. */
export class ExportWriter {
  constructor(private readonly sql: Database) {}

  async write(task: ExportTask): Promise<ExportPiece> {
    const { sight, poolId, from, downTo = LOWEST, count, format } = task;
    // One more than is written, to know where the next piece begins.
    if (sight.kind === 'player') {
      const rows = await selectHands(this.sql, { poolId, agentId: sight.agentId }, from, count + 1);
      const hands = rows.map((row) => ({ row, stored: decodeRecord(row.record) }));
      return this.#piece(task, FORMATS[format], hands, rows[count]);
    }
    const rows = await selectPoolHands(this.sql, { poolId, from, downTo }, count + 1);
    const hands = rows.map(({ record }) => ({ stored: decodeRecord(record) }));
    return this.#piece(task, POOL_FORMATS[format], hands, rows[count]);
  }

  async #piece<H extends Stored>(
    { sight, inCompetition, written, count }: ExportTask,
    form: FileForm<H>,
    read: readonly H[],
    next: { handId: string } | undefined,
  ): Promise<ExportPiece> {
    const hands = read.slice(0, count);
    const players = new Set(hands.flatMap(({ stored }) => stored.players.map((player) => player.agentId)));
    const names = await selectNames(this.sql, [...players]);
    const text = form.write({ sight, inCompetition, hands, names, written });
    return { bytes: new TextEncoder().encode(text), hands: hands.length, next: next?.handId ?? null };
  }
}
