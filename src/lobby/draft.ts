import { sameOwner } from './owners.js';
import type { OpenTable, Plan, Rules, Seated, Situation, Waiting } from './matchmaker.js';

/** A table as it will be once the plan under way is carried out. */
export interface DraftTable {
  readonly view: OpenTable;
  readonly members: Seated[];
  room: number;
  /** How many of the members are connected. */
  connected: number;
}

/** The plan under way: who sits where after the steps taken so far. */
export class Draft {
  readonly tables: DraftTable[];
  readonly sit: Plan['sit'] = [];
  readonly open: Plan['open'] = [];
  readonly #shards: { shard: number; players: number }[];
  /** Tables with members and room; a table that nobody plays at closes instead. */
  #joinable: DraftTable[];
  readonly #fresh: { members: Waiting[]; agentIds: string[] }[] = [];

  constructor(
    { tables, shards }: Situation,
    private readonly rules: Rules,
  ) {
    this.tables = tables.map((view) => ({
      view,
      members: [...view.players],
      room: view.free,
      connected: view.players.filter((player) => player.connected).length,
    }));
    this.#joinable = this.tables.filter((table) => table.room > 0 && table.members.length > 0);
    this.#shards = shards.map((shard) => ({ ...shard }));
  }

  /** Whether some shard can take a new table. */
  get canOpen(): boolean {
    return this.#shards.length > 0;
  }

  /** Whether a newcomer would find a seat after this plan. */
  get hasOpenSeat(): boolean {
    return this.#joinable.length > 0 || this.#fresh.some(({ agentIds }) => agentIds.length < this.rules.seats);
  }

  /** Seats a player at the best table with room, or at one that this plan opens. False when there is none. */
  seat(player: Waiting, apart: boolean): boolean {
    let best: DraftTable | undefined;
    for (const table of this.#joinable) {
      if (apart && table.members.some((member) => sameOwner(member.owner, player.owner))) continue;
      if (best === undefined || urgency(table) > urgency(best)) best = table;
    }
    if (best !== undefined) {
      this.#take(player, best);
      return true;
    }
    const fresh = this.#fresh.find(
      ({ members, agentIds }) =>
        agentIds.length < this.rules.seats && !(apart && members.some((m) => sameOwner(m.owner, player.owner))),
    );
    if (fresh === undefined) return false;
    fresh.members.push(player);
    fresh.agentIds.push(player.agentId);
    return true;
  }

  /** Seats a house bot where it keeps a real player company, leaving one seat open. */
  seatHouse(bot: Waiting): boolean {
    let best: DraftTable | undefined;
    for (const table of this.#joinable) {
      if (table.room >= 2 && (best === undefined || table.members.length < best.members.length)) best = table;
    }
    if (best === undefined) return false;
    this.#take(bot, best);
    return true;
  }

  /** Opens a table for a group on the shard with the fewest players. */
  openTable(group: readonly Waiting[]): void {
    const shard = this.#shards.reduce((least, other) => (other.players < least.players ? other : least));
    shard.players += group.length;
    const agentIds = group.map((player) => player.agentId);
    this.#fresh.push({ members: [...group], agentIds });
    this.open.push({ shard: shard.shard, agentIds });
  }

  #take(player: Waiting, table: DraftTable): void {
    this.sit.push({ agentId: player.agentId, tableId: table.view.tableId });
    table.members.push({ agentId: player.agentId, house: player.house, connected: true, owner: player.owner });
    table.connected++;
    table.room--;
    if (table.room === 0) this.#joinable = this.#joinable.filter((other) => other !== table);
  }
}

/** A lone player's table comes first, then the fullest; last come those where everybody is disconnected. */
function urgency(table: DraftTable): number {
  if (table.connected === 1) return 1000;
  return table.connected === 0 ? -1000 + table.members.length : table.members.length;
}
