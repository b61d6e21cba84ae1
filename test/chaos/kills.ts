import { setTimeout as sleep } from 'node:timers/promises';
import { Dice } from '../sim/dice.js';
import type { Scope } from '../support/database.js';
import { Crowd, LOAD } from './crowd.js';
import { restless } from './guest.js';
import { answering, ownHome, rentedHome, untilReady, type Home } from './home.js';
import { findLost, storedSeats, type SeatRow } from './seats.js';
import { Truth } from './truth.js';

/** The moment of a kill: under full load, during the return after the last kill, or during the start. */
export type Moment = 'in play' | 'at the return' | 'at the start';

/** One kill, with its findings and figures. */
export interface Kill {
  moment: Moment;
  /** The database server was killed at the same moment. */
  all: boolean;
  /** Hands sent in the life that it ended, and hands that it cut off. */
  hands: number;
  voided: number;
  /** The life after it, unless the next kill came before play. */
  next: NextLife | null;
}

export interface NextLife {
  /** From the start of the process to /health/ready 200, and until all seats were reclaimed and a hand was over; ms. */
  readyMs: number;
  playMs: number;
  /** Seats that were stored, and reclaimed. */
  seats: number;
}

export interface KillOptions {
  kills: number;
  seed: number;
  /** rented: DATABASE_URL. own: the embedded database, with a server that is also killed now and then. */
  home: 'rented' | 'own';
  guests?: number;
  /** The longest time before guests act, in ms. By default they act at once. */
  thinksMs?: number;
  /** Another main program than the product's. */
  main?: string;
  /** Called after each kill. */
  onKill?: (kill: Kill, n: number) => void;
}

/** How many kills pass between replays of all hands, which take longer each time. The last check replays them again. */
const RECORDS_EVERY = 10;

/**
 * kill -9 of the whole platform at random moments under load, again and again. After each kill all sent frames are
 * compared with the database (reliability.md, "Campaigns"). Stops at the first finding.
 */
export async function killAgainAndAgain(t: Scope, options: KillOptions): Promise<KillCampaign> {
  const home = await (options.home === 'own' ? ownHome : rentedHome)(t, LOAD, options.main);
  const crowd = new Crowd(home.platform, options.seed, restless(options.thinksMs));
  const campaign = new KillCampaign(home, crowd, options);
  await crowd.gather(options.guests ?? 16);
  await campaign.run();
  return campaign;
}

export class KillCampaign {
  readonly findings: string[] = [];
  readonly kills: Kill[] = [];
  readonly truth: Truth;
  readonly #dice: Dice;
  /** Work of the last life that is under way: its start, or the return of the crowd. */
  #underWay: Promise<void> = Promise.resolve();
  /** By table, the highest table_seq that any guest had read at the last kill. */
  #highest: ReadonlyMap<string, number> = new Map();

  constructor(
    private readonly home: Home,
    readonly crowd: Crowd,
    private readonly options: KillOptions,
  ) {
    this.truth = new Truth(crowd, home.sql);
    this.#dice = new Dice(options.seed);
  }

  async run(): Promise<void> {
    let moment: Moment = 'in play';
    for (let n = 1; n <= this.options.kills && this.findings.length === 0; n++) {
      const sent = this.crowd.sent.size;
      const kill: Kill = { moment, all: this.#killsAll(), hands: 0, voided: 0, next: null };
      this.kills.push(kill);
      await this.#strike(kill);
      kill.hands = this.crowd.sent.size - sent;
      // The last life is whole, to show that the last kill was survived, too.
      moment = n === this.options.kills ? 'in play' : this.#nextMoment();
      await this.#live(kill, moment);
      this.options.onKill?.(kill, n);
    }
    if (this.findings.length > 0) return;
    await this.crowd.moreHands(50);
    this.#find('after the last of them', await this.truth.checkAll());
    await this.home.platform.stop();
  }

  #killsAll(): boolean {
    return this.options.home === 'own' && this.#dice.chance(0.5);
  }

  #nextMoment(): Moment {
    const die = this.#dice.int(1, 10);
    return die === 1 ? 'at the start' : die <= 3 ? 'at the return' : 'in play';
  }

  /** Waits for the moment, and kills. */
  async #strike({ moment, all }: Kill): Promise<void> {
    if (moment === 'in play') await this.crowd.moreHands(this.#dice.int(1, 200));
    await sleep(this.#dice.int(0, { 'in play': 20, 'at the return': 200, 'at the start': 900 }[moment]));
    await this.home.kill(all);
    await this.#underWay.catch(() => undefined);
    await this.crowd.closed();
    for (const guest of this.crowd.guests) guest.cameBack = null;
  }

  /** Runs the next life up to its end. */
  async #live(kill: Kill, moment: Moment): Promise<void> {
    const { platform, dark } = this.home;
    let seats = dark ? null : await this.#examine(kill);
    const change = { THREADS: this.#dice.pick([1, 2, 2, 3]) };
    if (moment === 'at the start') {
      this.#begin(platform.launch(change));
      return;
    }
    const started = performance.now();
    await platform.launch(change);
    await untilReady(platform, 200);
    const readyMs = performance.now() - started;
    seats ??= await this.#examine(kill);
    this.#begin(this.crowd.connect());
    if (moment === 'at the return') return;
    await this.#underWay;
    this.#find(`the return after a kill ${kill.moment}`, await findLost(this.crowd, seats, this.#highest));
    // Guests that read wrong frames may not play on.
    if (this.findings.length > 0) return;
    await this.crowd.moreHands(1);
    kill.next = { readyMs, playMs: performance.now() - started, seats: seats.length };
  }

  /** Work that the kill interrupts may fail. It is not awaited then. */
  #begin(work: Promise<void>): void {
    work.catch(() => undefined);
    this.#underWay = work;
  }

  /** Compares the frames of the dead life with its rows; resolves to the seats. */
  async #examine(kill: Kill): Promise<SeatRow[]> {
    await answering(this.home.sql);
    const when = `a kill ${kill.moment}`;
    this.#find(when, this.crowd.refusals());
    this.#find(when, await this.truth.check({ records: this.kills.length % RECORDS_EVERY === 0 }));
    const voided = await this.truth.settle();
    for (const [table, count] of voided) {
      kill.voided += count;
      if (count > 1) this.#find(when, [`${count} hands of table ${table} were cut off at once`]);
    }
    this.#highest = this.crowd.highest();
    return storedSeats(this.home.sql);
  }

  #find(when: string, findings: readonly string[]): void {
    const { seed, home } = this.options;
    this.findings.push(
      ...findings.map((what) => `kill ${this.kills.length} (${home}, seed ${seed}), ${when}: ${what}`),
    );
  }
}
