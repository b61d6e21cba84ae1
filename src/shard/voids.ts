import { SEQ_STEP } from '../table/numbering.js';
import type { HostedTable } from './hosted.js';
import { adoptTable, cashOut, closeTable, storedTables, type StoredTable } from './queries.js';
import type { Stage } from './stage.js';

/** A table whose hands are void so often in a minute is broken: it closes. Yet more, and it is given up from outside. */
const WINDOW_MS = 60_000;
const CLOSE_AFTER = 3;
const GIVE_UP_AFTER = 6;

/**
 * Recovery of a single table: after an exception or a refused commit its hand is void, and it is opened again from its
 * last committed state, as all tables of a shard are after a crash. Its neighbours notice nothing.
 */
export class Voids {
  constructor(private readonly host: Stage) {}

  /** The table is out of play already; it comes back when its operations under way are done. */
  reopen(hosted: HostedTable, error: Error): void {
    const now = this.host.clock();
    hosted.voids = [...hosted.voids.filter((at) => at > now - WINDOW_MS), now];
    const times = hosted.voids.length;
    if (times > CLOSE_AFTER) hosted.closeReason ??= 'table_error';
    this.host.send({
      t: 'log',
      level: 'error',
      message: 'a hand is void: the table is opened again from its last committed state',
      detail: { table: hosted.id, times, error: error.message, stack: error.stack },
    });
    if (hosted.reopening) return;
    hosted.reopening = true;
    hosted.ops.push(() => this.#again(hosted, times > GIVE_UP_AFTER));
  }

  async #again(hosted: HostedTable, giveUp: boolean): Promise<void> {
    const { durable, fence } = this.host;
    const all = await durable.run('load tables', (sql) => storedTables(sql, fence.shard));
    const stored = all.find(({ tableId }) => tableId === hosted.id);
    if (stored === undefined) return this.host.closed(hosted);
    if (giveUp) return this.#giveUp(hosted, stored);
    await durable.run('adopt table', (sql) => adoptTable(sql, fence, hosted.id, stored.seqFloor + SEQ_STEP));
    hosted.reopening = false;
    this.host.install(hosted, { ...stored, rules: hosted.opening.rules });
  }

  /** Not even closing works inside the table: its players get their chips back without it. */
  async #giveUp(hosted: HostedTable, { poolId, sittings }: StoredTable): Promise<void> {
    const { durable, fence } = this.host;
    for (const { sitting, seat, stack, player } of sittings) {
      const { agentId } = player;
      const balance = await durable.run('cash-out', (sql) => cashOut(sql, fence, { poolId, agentId, sitting, stack }));
      this.host.send({ t: 'left', table: hosted.id, poolId, agentId, seat, reason: 'closed', stack, balance });
    }
    await durable.run('close table', (sql) => closeTable(sql, fence, hosted.id));
    this.host.log('error', 'a broken table was closed, its players cashed out', { table: hosted.id });
    this.host.closed(hosted);
  }
}
