import { leadership } from './database.js';
import { eventually } from './limits.js';
import type { Test } from 'tap';
import type { BotsPort, Threads } from '../../src/hosted/fleet.js';
import { createHosted } from '../../src/hosted/index.js';
import type { BotOrder, FromBots, ToBots } from '../../src/hosted/orders.js';
import type { Identity } from '../../src/lobby/index.js';
import { readConfig } from '../../src/ops/config.js';
import { stopParts } from './parts.js';
import { asker } from './rest.js';
import { SeasonHouse } from './season-house.js';

/** The thread of the hosted bots, with the test in its role. */
export class FakeThread implements Threads, BotsPort {
  readonly orders: ToBots[] = [];
  opened = 0;
  stopped = false;
  #listener: Parameters<Threads['open']>[0] | null = null;
  #waiting: (() => void)[] = [];

  open(listener: Parameters<Threads['open']>[0]): BotsPort {
    this.opened++;
    this.#listener = listener;
    return this;
  }

  post(order: ToBots): void {
    this.orders.push(order);
    for (const wake of this.#waiting.splice(0)) wake();
  }

  async stop(): Promise<void> {
    this.stopped = true;
  }

  /** The last bot that was sent to play. */
  get last(): BotOrder {
    const bots = this.orders.flatMap((order) => (order.t === 'play' ? order.bots : []));
    const bot = bots.at(-1);
    if (bot === undefined) throw new Error('no bot was sent to play');
    return bot;
  }

  /** The number of bots sent to play so far. */
  get plays(): number {
    return this.orders.reduce((sum, order) => sum + (order.t === 'play' ? order.bots.length : 0), 0);
  }

  say(message: FromBots): void {
    this.#listener?.onMessage(message);
  }

  /** A message of the bot that was sent to play last. */
  tell(
    message: { t: 'connected' | 'seated' | 'left' } | { t: 'ended'; code: number } | { t: 'trouble'; reason: string },
  ) {
    const { agentId, run } = this.last;
    this.say({ ...message, agentId, run });
  }

  die(): void {
    this.#listener?.ended('shot');
  }

  async posted(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

/** Hosted bots on a database of their own, beside the seasons: no sockets, no threads, and a clock that the test moves. */
export class HostedHouse {
  readonly thread = new FakeThread();
  readonly hosted: ReturnType<typeof createHosted>;
  readonly ask: ReturnType<typeof asker>;
  /** Off: no season is active. */
  inSeason = true;

  private constructor(
    readonly seasons: SeasonHouse,
    env: Record<string, string>,
  ) {
    const config = readConfig(env);
    const quiet = () => undefined;
    this.hosted = createHosted({
      sql: seasons.sql,
      leadership,
      config,
      clock: seasons.clock,
      threads: this.thread,
      log: { info: quiet, warn: quiet, error: quiet },
      season: () => (this.inSeason ? seasons.seasons.season.current : null),
      wsUrl: () => 'unused',
      keys: { authenticate: async () => null, holderOf: async () => null },
    });
    seasons.seasons.season.onOpened(() => this.hosted.seasonOpened());
    this.ask = asker(this.hosted.routes);
  }

  static async open(t: Test, env: Record<string, string> = {}): Promise<HostedHouse> {
    const house = new HostedHouse(await SeasonHouse.open(t, env), env);
    t.teardown(() => stopParts(house.hosted));
    return house;
  }

  /** A new agent. `pro`: with the season pass. */
  async agent({ pro = false } = {}): Promise<string> {
    const agentId = await this.seasons.agent();
    if (pro) {
      await this.seasons.seasons.play.enter(agentId);
      await this.seasons.sql`update entries set premium = true where agent_id = ${agentId}`;
    }
    return agentId;
  }

  /** The identity that a token gives. */
  async comes(token: string): Promise<Identity | 'expired' | null> {
    return this.hosted.authentication.authenticate({ secret: token }, '192.0.2.1');
  }

  async until(done: () => boolean | Promise<boolean>): Promise<void> {
    const look = async () => {
      await this.seasons.clock.settle();
      return done();
    };
    await eventually('what the house was to do', look, 1);
  }
}
