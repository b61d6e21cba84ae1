import { endSeasonIn, wakeServer } from '../../../src/admin/queries.js';
import { transaction } from '../../../src/store/database.js';
import type { Dice } from '../../sim/dice.js';
import { Cup } from '../../support/cup.js';
import { eventually } from '../../support/limits.js';
import type { Crowd } from '../crowd.js';
import type { Guest } from '../guest.js';
import type { Returning } from './returning.js';
import { seasonNumber } from './stored.js';
import type { Entrance } from './world.js';

/** Resolves once the end that has begun is over on all nodes. */
type Over = () => Promise<void>;

const CUP = { starting_chips: 100_000, rebuys_enabled: true, max_rebuys: 20 };

/** Seasons and competitions that end while something happens to the nodes. */
export class PoolEnds {
  #cup: { cup: Cup; guests: readonly Guest[] } | null = null;

  constructor(
    private readonly crowd: Crowd<Entrance>,
    private readonly returning: Returning,
    private readonly dice: Dice,
    private readonly every = 5,
  ) {}

  /** The pools that end during the nth event. */
  due(n: number): { season: boolean; cup: boolean } {
    const { every } = this;
    return { season: n % every === 0, cup: this.#cup !== null && n % (4 * every) === 2 * every + 1 };
  }

  /** A competition with guests of its own. */
  async openCup(size: number): Promise<void> {
    if (size === 0) return;
    const { crowd } = this;
    const before = crowd.guests.length;
    const cup = await Cup.open(crowd.platform, CUP);
    await cup.step('start');
    await crowd.gather(size, cup);
    const guests = crowd.guests.slice(before);
    for (const guest of guests) this.returning.add(guest);
    this.#cup = { cup, guests };
  }

  /** The season ends in a moment. */
  async endSeason(): Promise<Over> {
    const sql = this.crowd.platform.sql!;
    const number = await seasonNumber(sql);
    await transaction(sql, async (tx) => {
      await endSeasonIn(tx, number, this.dice.int(0, 2));
      await wakeServer(tx);
    });
    return async () => void (await eventually('the season ends', async () => (await seasonNumber(sql)) > number, 50));
  }

  /** The competition ends now. Its guests leave the crowd. */
  async endCup(): Promise<Over> {
    const { cup, guests } = this.#cup!;
    this.#cup = null;
    await cup.step('end');
    const over = async () => ['results_pending', 'finalized'].includes(await cup.state());
    return async () => {
      await eventually('the competition ends', over, 50);
      this.returning.retire(guests);
      await Promise.all(guests.map(({ player }) => player.drop()));
    };
  }
}
