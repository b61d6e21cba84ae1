import type { Matchmaking } from './matchmaking.js';
import type { LobbyState } from './state.js';
import type { LobbyTable } from './tables.js';

/** So long most players of an adopted table are relayed before it closes, in ms. */
const RELAYED_MS = 60_000;

/**
 * Tables of ended nodes. Their players come back at any node, so many of them are relayed. Such a table closes between
 * hands, and its players are seated at their own nodes again.
 */
export class AdoptedTables {
  /** Since when most players are relayed, epoch ms; null: they are not. */
  readonly #since = new Map<LobbyTable, number | null>();

  constructor(
    private readonly state: LobbyState,
    private readonly matchmaking: Matchmaking,
  ) {}

  add(table: LobbyTable): void {
    this.#since.set(table, null);
  }

  /** Call it every few seconds. */
  look(): void {
    const { tables, options } = this.state;
    const now = options.clock.now();
    for (const [table, since] of this.#since) {
      if (tables.get(table.tableId) !== table || table.state !== 'open') this.#since.delete(table);
      else if (!this.#isRelayed(table)) this.#since.set(table, null);
      else if (since === null) this.#since.set(table, now);
      else if (now - since >= RELAYED_MS) this.matchmaking.close(table, 'insufficient_players', false);
    }
  }

  #isRelayed({ occupants, poolId }: LobbyTable): boolean {
    const { agents, options } = this.state;
    // These gather at one node anyway.
    if (options.rulesOf(poolId).table.duplicate !== null) return false;
    const connected = [...occupants.keys()].flatMap((agentId) => agents.of(agentId) ?? []);
    const relayed = connected.filter(({ edge }) => edge !== null).length;
    return relayed > connected.length - relayed;
  }
}
