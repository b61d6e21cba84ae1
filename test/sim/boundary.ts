import { windDownAt } from '../../src/seasons/rules.js';
import { activeSeason } from './vault/seasons.js';
import type { World } from './world.js';

const LOOK_MS = 250;

/** The states of bots at the end of a season. */
export const BOUNDARY_STATES = ['in hand', 'in lobby', 'held', 'cooling down', 'busted', 'buying in'] as const;
export type BoundaryState = (typeof BOUNDARY_STATES)[number];

/** Notes the states that bots were in between the wind-down and the end of seasons. */
export class Boundary {
  readonly seen = new Set<BoundaryState>();

  constructor(private readonly world: World) {}

  begin(): void {
    const { kernel } = this.world;
    kernel.later(LOOK_MS, () => {
      this.#look();
      this.begin();
    });
  }

  #look(): void {
    const { vault, kernel, config } = this.world;
    const season = activeSeason(vault);
    if (season === undefined) return;
    const times = { startsAt: season.start, endsAt: season.end };
    if (kernel.now < windDownAt(times, { windDownSeconds: config.WIND_DOWN_SECONDS })) return;
    for (const state of this.#states(season.seasonId)) this.seen.add(state);
  }

  *#states(seasonId: string): Iterable<BoundaryState> {
    const { bots, tables, vault, storage } = this.world;
    if (storage.buyIns > 0) yield 'buying in';
    if (bots.some(({ waitingSince }) => waitingSince !== null)) yield 'in lobby';
    for (const { tableId, rebuyDueAt, chipBalance } of vault.entries.get(seasonId)?.values() ?? []) {
      if (rebuyDueAt !== null && rebuyDueAt > vault.now()) yield 'cooling down';
      else if (tableId === null && chipBalance < 1_000) yield 'busted';
    }
    for (const table of tables.values()) {
      if (!table.lives) continue;
      const { street, seats } = table.state();
      if (street !== 'idle') yield 'in hand';
      if (seats.some(({ status }) => status === 'disconnected')) yield 'held';
    }
  }
}
