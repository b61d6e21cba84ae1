import { windDownAt } from '../../src/seasons/rules.js';
import type { SimBot } from './bot.js';
import { ensure } from './broken.js';
import { activeSeason } from './vault/seasons.js';
import type { WatchedTable } from './watched-table.js';
import type { World } from './world.js';

const LOOK_MS = 1_000;
/** How long anything may take while nothing is wrong: an answer, a seat, the closing of a lone player's table. */
const PATIENCE_MS = 4_000;
/** How long match-making may look for somebody who decides as fast. */
const PACE_WAIT_MS = 5_000;

/** Looks at the whole now and then: whether everybody is answered, seated, and never left alone. */
export class Fairness {
  #ended = false;
  /** Since when something is as it must not stay, by what it is. */
  readonly #since = new Map<string, number>();
  readonly #still = new Map<string, { what: string; since: number }>();

  constructor(private readonly world: World) {}

  begin(): void {
    const { kernel } = this.world;
    kernel.later(LOOK_MS, () => {
      if (this.#ended) return;
      this.#look();
      this.begin();
    });
  }

  end(): void {
    this.#ended = true;
  }

  #look(): void {
    const { world } = this;
    this.#seats();
    if (!world.healthyFor(PATIENCE_MS)) {
      this.#since.clear();
      this.#still.clear();
      return;
    }
    for (const bot of world.bots) {
      if (!this.#reads(bot)) continue;
      const late = bot.questions.overdue(world.kernel.now - PATIENCE_MS);
      ensure(late === null, () => `${bot.agent.name} is not answered: ${late}`);
    }
    this.#hands();
    this.#connections();
    this.#sockets();
    if (this.#playing(PATIENCE_MS)) this.#company();
  }

  /** How long, in ms, something has been so; 0 when it is not. */
  #lasts(what: string, holds: boolean): number {
    const { now } = this.world.kernel;
    const since = this.#since.get(what) ?? now;
    if (holds) this.#since.set(what, since);
    else this.#since.delete(what);
    return holds ? now - since : 0;
  }

  /** Tables know who is connected and who is not. */
  #connections(): void {
    for (const { table, tableId } of this.#live()) {
      for (const { agentId, connected, leaving } of table.summary().players) {
        const bot = this.world.bots.find(({ agent }) => agent.agentId === agentId);
        if (bot === undefined || leaving) continue;
        const held = this.#lasts(`${agentId} held ${tableId}`, !connected && bot.welcome && this.#reads(bot));
        ensure(held < PATIENCE_MS, () => `${bot.agent.name} is connected, and held as disconnected at ${tableId}`);
        const kept = this.#lasts(`${agentId} kept ${tableId}`, connected && bot.line === null);
        ensure(kept < PATIENCE_MS, () => `${bot.agent.name} is gone, and counts as connected at ${tableId}`);
      }
    }
  }

  /** The last socket of an agent is its only one. */
  #sockets(): void {
    for (const bot of this.world.bots) {
      const two = this.#lasts(`${bot.agent.agentId} has two`, bot.openSockets > 1);
      ensure(two < PATIENCE_MS, () => `${bot.agent.name} has two sockets`);
    }
  }

  /** Nobody holds two seats, as the living tables have it. */
  #seats(): void {
    const seats = new Map<string, string>();
    for (const { table, tableId } of this.#live()) {
      for (const { agentId } of table.summary().players) {
        const other = seats.get(agentId);
        ensure(other === undefined, () => `${agentId} sits at ${other} and at ${tableId}`);
        seats.set(agentId, tableId);
      }
    }
  }

  /** Whether there was a season in which new hands were dealt, for so long. */
  #playing(ms: number): boolean {
    const { vault, config, kernel } = this.world;
    const season = activeSeason(vault);
    if (season === undefined || kernel.now - season.start < ms) return false;
    const ending = windDownAt(
      { startsAt: season.start, endsAt: season.end },
      { windDownSeconds: config.WIND_DOWN_SECONDS },
    );
    return kernel.now < ending;
  }

  #live(): WatchedTable[] {
    return [...this.world.tables.values()].filter((table) => table.lives);
  }

  #open(): WatchedTable[] {
    const season = activeSeason(this.world.vault)?.seasonId;
    return this.#live().filter(({ table, poolId }) => poolId === season && !table.summary().closing);
  }

  /** A waiting player gets a free seat, or a partner. No player stays alone at a table. */
  #company(): void {
    const { config } = this.world;
    const open = this.#open();
    this.#deals(open);
    // While others come back from a table that closes, a lone player waits for them.
    const returning = this.#live().some(({ table }) => table.summary().closing && table.summary().occupied > 0);
    for (const { table, tableId } of open) {
      const { players } = table.summary();
      const lone = !returning && players.length === 1 && players[0]?.connected === true && !players[0].leaving;
      const alone = this.#lasts(`alone ${tableId}`, lone);
      const bound = config.LOBBY_GRACE_MS + PATIENCE_MS;
      ensure(alone < bound, () => `${players[0]?.agentId} is left alone at ${tableId}`);
    }
    const waiting = this.world.bots.filter((bot) => this.#waitsLong(bot));
    const who = waiting.map(({ agent }) => agent.name).join(', ');
    ensure(waiting.length <= 1, () => `${who} wait, and are not put together`);
    for (const { table, tableId, seats } of open) {
      const free = table.summary().occupied < seats;
      const ignored = this.#lasts(`free ${tableId}`, free && waiting.length > 0);
      ensure(ignored < PATIENCE_MS, () => `${who} waits though ${tableId} has a free seat`);
    }
  }

  #waitsLong(bot: SimBot): boolean {
    const { vault, kernel } = this.world;
    // A player that joined while the last season wound down may be seated since this one began, and waits for its pace
    // from then on.
    const since = Math.max(bot.waitingSince ?? Infinity, activeSeason(vault)?.start ?? Infinity);
    const waits = this.#reads(bot) && kernel.now - since > PACE_WAIT_MS + PATIENCE_MS;
    if (!waits || bot.agent.isHouse) return false;
    // A player that still gives a seat up, in a hand that takes its time, waits for itself.
    const entries = [...vault.allEntries()].filter(({ agentId }) => agentId === bot.agent.agentId);
    return entries.every(({ tableId }) => tableId === null);
  }

  /** It has read all that was said to it. */
  #reads({ line }: SimBot): boolean {
    return line !== null && this.world.kernel.now - line.readingSince > PATIENCE_MS;
  }

  /** A hand goes on: the clock of a turn, or the storing of the result, moves it. */
  #hands(): void {
    const { kernel, config } = this.world;
    for (const watched of this.#live()) {
      const { hand_id, actor_seat, pot, board } = watched.state();
      const what = `${hand_id} ${actor_seat} ${pot} ${board.length}`;
      const before = this.#still.get(watched.tableId);
      const since = before?.what === what && watched.table.inHand ? before.since : kernel.now;
      this.#still.set(watched.tableId, { what, since });
      const bound = config.ACTION_TIMEOUT_MS + PATIENCE_MS;
      ensure(kernel.now - since < bound, () => `the hand ${hand_id} stands still at ${watched.tableId}`);
    }
  }

  /** Where two can play they do. */
  #deals(open: readonly WatchedTable[]): void {
    const bound = this.world.config.BETWEEN_HANDS_MS + PATIENCE_MS;
    for (const { table, tableId } of open) {
      const { players, handNumber } = table.summary();
      const able = players.filter(({ connected, leaving }) => connected && !leaving).length > 1;
      const idle = this.#lasts(`idle ${tableId} ${handNumber}`, able && !table.inHand);
      ensure(
        idle < bound,
        () =>
          `no hand begins at ${tableId} (${JSON.stringify([table.nextDeadline - this.world.kernel.now, table.summary()])})`,
      );
    }
  }
}
