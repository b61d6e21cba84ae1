import type { Pace } from '../../table/seats/pace.js';
import { sameOwner } from '../owners.js';
import { alike } from '../paces.js';
import type { OpenTable, Plan, MatchRules, SeatedPlayer, MatchSituation, WaitingPlayer } from './plan.js';

/** A table as it will be once the plan under way is carried out. */
export interface DraftTable {
  readonly view: OpenTable;
  readonly members: SeatedPlayer[];
  room: number;
  /** How many of the members are connected: those that can play. */
  connected: number;
  /** The slowest of them; null while none is known. */
  pace: Pace | null;
}

/** The company that a player looks for: other owners, and its own pace. If there is none, held seats will do. */
export interface Wish {
  apart: boolean;
  alike: boolean;
  held?: boolean;
}

/** Seats are held for others, and nobody plays meanwhile. */
export const isHeldOnly = ({ members, connected }: DraftTable) => connected < Math.min(2, members.length);

/** The plan under way: who sits where after the steps taken so far. */
export class Draft {
  readonly tables: DraftTable[];
  readonly sit: Plan['sit'] = [];
  readonly open: Plan['open'] = [];
  readonly #shards: { shard: number; players: number }[];
  /** Tables with members and room; a table that nobody plays at closes instead. */
  #joinable: DraftTable[];
  /** Some table is about to open with room. */
  readonly seatOpens: boolean;
  readonly #fresh: { members: WaitingPlayer[]; agentIds: string[] }[] = [];

  constructor(
    { tables, opening, shards }: MatchSituation,
    private readonly rules: MatchRules,
  ) {
    this.seatOpens = opening > 0;
    this.tables = tables.map((view) => {
      const connected = view.players.filter((player) => player.connected);
      const pace = connected.map((player) => player.pace).reduce(slower, null);
      return { view, members: [...view.players], room: view.free, connected: connected.length, pace };
    });
    this.#joinable = this.tables.filter((table) => table.room > 0 && table.members.length > 0);
    this.#shards = shards.map((shard) => ({ ...shard }));
  }

  /** Whether some shard can take a new table. */
  get canOpen(): boolean {
    return this.#shards.length > 0;
  }

  /** Whether a newcomer would find a seat after this plan. */
  get hasOpenSeat(): boolean {
    return (
      this.seatOpens ||
      this.#joinable.some(({ connected }) => connected > 0) ||
      this.#fresh.some(({ agentIds }) => agentIds.length < this.rules.seats)
    );
  }

  /** Seats a player at the best table with room, or at one that this plan opens. False when there is none. */
  seat(player: WaitingPlayer, wish: Wish): boolean {
    const { apart, held = false } = wish;
    const strangers = (others: readonly Pick<WaitingPlayer, 'owner'>[]) =>
      !apart || !others.some(({ owner }) => sameOwner(owner, player.owner));
    let best: DraftTable | undefined;
    for (const table of this.#joinable) {
      if (isHeldOnly(table) && !held) continue;
      if (wish.alike && !alike(table.pace, player.pace)) continue;
      if (!strangers(table.members)) continue;
      if (best === undefined || rankOf(table) > rankOf(best)) best = table;
    }
    if (best !== undefined) {
      this.#take(player, best);
      return true;
    }
    const fresh = this.#fresh.find(
      ({ members, agentIds }) =>
        agentIds.length < this.rules.seats &&
        strangers(members) &&
        (!wish.alike || members.every(({ pace }) => alike(pace, player.pace))),
    );
    if (fresh === undefined) return false;
    fresh.members.push(player);
    fresh.agentIds.push(player.agentId);
    return true;
  }

  /** Seats a house bot where it keeps a real player company, leaving one seat open. */
  seatHouse(bot: WaitingPlayer): boolean {
    let best: DraftTable | undefined;
    for (const table of this.#joinable) {
      if (table.room < 2 || table.connected === 0) continue;
      if (best === undefined || table.members.length < best.members.length) best = table;
    }
    if (best === undefined) return false;
    this.#take(bot, best);
    return true;
  }

  /** Whether there is room where seats are held and nobody plays. */
  get hasHeldSeat(): boolean {
    return this.#joinable.some(isHeldOnly);
  }

  /** Whether whoever leaves this table would find a seat, or somebody as lonely, at another one. */
  hasCompanyBeside(table: DraftTable): boolean {
    return this.tables.some(
      (other) => other !== table && other.connected > 0 && (other.room > 0 || other.connected === 1),
    );
  }

  /** Opens a table for a group on the shard with the fewest players. */
  openTable(group: readonly WaitingPlayer[]): void {
    const shard = this.#shards.reduce((least, other) => (other.players < least.players ? other : least));
    shard.players += group.length;
    const agentIds = group.map((player) => player.agentId);
    this.#fresh.push({ members: [...group], agentIds });
    this.open.push({ shard: shard.shard, agentIds });
  }

  #take(player: WaitingPlayer, table: DraftTable): void {
    this.sit.push({ agentId: player.agentId, tableId: table.view.tableId });
    const { agentId, house, owner, pace } = player;
    table.members.push({ agentId, house, owner, pace, connected: true, parts: false });
    table.connected++;
    table.pace = slower(table.pace, pace);
    table.room--;
    if (table.room === 0) this.#joinable = this.#joinable.filter((other) => other !== table);
  }
}

const slower = (a: Pace | null, b: Pace | null): Pace | null => (a === null || (b !== null && b > a) ? b : a);

/**
 * Tables are ranked by connected players, since held seats play no hand (protocol.md, "Match-making"). Before them
 * comes who has no company at all, not even held seats: nobody is left alone while the lobby has players.
 */
const rankOf = ({ members, connected }: DraftTable): number => (members.length === 1 ? Infinity : connected);
