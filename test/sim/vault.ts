import type { HandRecord, Player, Sitting } from '../../src/table/api.js';

/** An invariant does not hold. */
export class Broken extends Error {}

export function ensure(holds: boolean, what: () => string): asserts holds {
  if (!holds) throw new Broken(what());
}

/**
 * What the database is in the simulation: balances, the seats as stored, the last stored hand. It refuses whatever the
 * real statements would refuse, and outlives the table.
 */
export class Vault {
  /** Chips off the table, by agent. */
  readonly balances = new Map<string, number>();
  readonly sittings = new Map<string, Sitting>();
  readonly hands = new Map<string, HandRecord>();
  handNumber = 0;
  button = -1;
  bigBlindSeat = -1;
  seqReserved = 0;
  /** All chips ever granted. */
  granted = 0;

  grant(agentId: string, chips: number): void {
    this.granted += chips;
    this.balances.set(agentId, this.balanceOf(agentId) + chips);
  }

  balanceOf(agentId: string): number {
    return this.balances.get(agentId) ?? 0;
  }

  buyIn(sitting: string, seat: number, player: Player, chips: number): Sitting | null {
    if (this.balanceOf(player.agentId) < chips) return null;
    for (const other of this.sittings.values()) {
      if (other.player.agentId === player.agentId) return null;
      ensure(other.seat !== seat, () => `seat ${seat} is sold twice`);
    }
    this.balances.set(player.agentId, this.balanceOf(player.agentId) - chips);
    const sold = { sitting, seat, player, stack: chips };
    this.sittings.set(sitting, sold);
    return sold;
  }

  /** Idempotent by sitting, as the real one. */
  cashOut(sitting: string, stack: number): void {
    const seat = this.sittings.get(sitting);
    if (seat === undefined) return;
    ensure(seat.stack === stack, () => `${seat.player.name} is cashed out with ${stack}, ${seat.stack} is stored`);
    this.balances.set(seat.player.agentId, this.balanceOf(seat.player.agentId) + stack);
    this.sittings.delete(sitting);
  }

  /** Idempotent by hand id, as the real one. */
  commit(record: HandRecord): void {
    if (this.hands.has(record.handId)) return;
    ensure(record.handNumber === this.handNumber + 1, () => `hand ${record.handNumber} after ${this.handNumber}`);
    let change = 0;
    for (const player of record.players) {
      const stored = this.sittings.get(player.sitting);
      const { name, stackStart, stackEnd } = player;
      ensure(stored !== undefined, () => `${name} played without a stored seat`);
      ensure(stored.stack === stackStart, () => `${name} began with ${stackStart}, ${stored.stack} is stored`);
      ensure(stackEnd >= 0 && Number.isInteger(stackEnd), () => `${name} ends with ${stackEnd}`);
      change += stackEnd - stackStart;
      stored.stack = stackEnd;
    }
    ensure(change === 0, () => `hand ${record.handId} makes ${change} chips`);
    this.hands.set(record.handId, record);
    this.handNumber = record.handNumber;
    this.button = record.button;
    this.bigBlindSeat = record.bigBlindSeat;
    this.seqReserved = Math.max(this.seqReserved, record.seqReserved);
  }

  /** No chip is lost or made, at any moment. */
  audit(): void {
    let total = 0;
    for (const chips of this.balances.values()) total += chips;
    for (const { stack } of this.sittings.values()) total += stack;
    ensure(total === this.granted, () => `${total} chips of ${this.granted} are left`);
  }
}
