import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/store/database.js';
import type { Crowd } from './crowd.js';
import type { Guest } from './guest.js';
import { PATIENCE_MS } from '../support/limits.js';
import type { TestPlatform } from '../support/platform.js';

/** A seat as it is stored. */
export interface SeatRow {
  agent_id: string;
  table_id: string;
  seat_no: number;
  chips_at_table: number;
}

/** Less than a big blind is nothing to come back to: with auto-rebuy it is cashed out at once. */
export const BIG_BLIND = 20;

/** The seats that somebody can come back to. */
export async function storedSeats(sql: Database): Promise<SeatRow[]> {
  return sql<SeatRow[]>`
    select agent_id, table_id, seat_no, chips_at_table from entries
    where table_id is not null and chips_at_table >= ${BIG_BLIND}`;
}

/**
 * Waits until everybody who had a seat has read a table_state again. Returns what is wrong: it must be the own seat,
 * with the stored stack, under a table_seq above any that was seen before.
 */
export async function findLost(
  crowd: Crowd<TestPlatform>,
  seats: readonly SeatRow[],
  highest: ReadonlyMap<string, number>,
): Promise<string[]> {
  const byAgent = new Map(crowd.guests.map((guest) => [guest.account.agentId, guest]));
  const isBack = ({ agent_id }: SeatRow) => byAgent.get(agent_id)?.cameBack !== null;
  const { faults } = crowd.platform;
  // A player that was sent nonsense does not read on.
  const waits = () => !seats.every(isBack) && faults.length === 0;
  for (const deadline = performance.now() + PATIENCE_MS; waits() && performance.now() < deadline;) await sleep(20);
  const wrong = seats.flatMap(
    (row) => differenceOf(byAgent.get(row.agent_id), row, highest.get(row.table_id) ?? 0) ?? [],
  );
  return [...wrong, ...faults.map(({ message }) => message)];
}

function differenceOf(guest: Guest | undefined, row: SeatRow, highest: number): string | null {
  if (guest === undefined) return `a stranger has a seat: ${JSON.stringify(row)}`;
  const { cameBack: state } = guest;
  const expected = `${guest.account.name} has seat ${row.seat_no} at ${row.table_id} with ${row.chips_at_table}`;
  if (state === null) return `${expected}, and read nothing of it\n${guest.player.describe()}`;
  const stack = state.seats[row.seat_no]?.stack;
  if (state.table_id !== row.table_id || state.hero?.seat !== row.seat_no || stack !== row.chips_at_table) {
    return `${expected}, but read ${JSON.stringify({ table: state.table_id, hero: state.hero, stack })}`;
  }
  return state.table_seq > highest ? null : `${expected}, under table_seq ${state.table_seq}; ${highest} was seen`;
}
