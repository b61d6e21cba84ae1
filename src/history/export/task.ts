import { connect, type Database, type DatabaseAddress } from '../../store/database.js';
import { decodeRecord } from '../../table/record-codec.js';
import { selectHands, selectNames } from '../queries.js';
import { FORMATS, type Format } from './formats.js';

/** One piece of an export. */
export interface ExportTask {
  agentId: string;
  poolId: string;
  format: Format;
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

/** Reads and writes pieces of exports: the work of the export thread, on connections of its own. */
export class ExportWriter {
  readonly #sql: Database;

  constructor(address: DatabaseAddress) {
    this.#sql = connect(address, { max: 2, name: 'export' });
  }

  async write({ agentId, poolId, format, from, count, written }: ExportTask): Promise<ExportPiece> {
    // One more than is written, to know where the next piece begins.
    const rows = await selectHands(this.#sql, { poolId, agentId }, from, count + 1);
    const hands = rows.slice(0, count).map((row) => ({ row, stored: decodeRecord(row.record) }));
    const players = new Set(hands.flatMap(({ stored }) => stored.players.map((player) => player.agentId)));
    const names = await selectNames(this.#sql, [...players]);
    const text = FORMATS[format].write({ agentId, hands, names, written });
    return { bytes: new TextEncoder().encode(text), hands: hands.length, next: rows[count]?.handId ?? null };
  }
}
