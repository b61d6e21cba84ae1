import { randomInt } from 'node:crypto';
import type { Action, Hand } from '../../sdk/typescript/src/hand.js';
import { heated, KitPlayer, Temper } from '../bots/index.js';
import type { DecisionTask } from './decision.js';
import type { BotOrder, BotsTask, FromBots, ToBots } from './orders.js';
import type { BotPlan } from './strategy.js';

/** The decision maker: threads, or a test. */
export type Decide = (task: DecisionTask) => Promise<Action>;

/** Sockets opened at a time, and the pause after them, so that a restart with many bots does not disturb others. */
const AT_ONCE = 10;
const OPENING_MS = 25;
const TROUBLES: Readonly<Record<string, string>> = {
  email_not_verified: 'No rebuy before the e-mail address is verified',
};
const NO_CHIPS = 'Out of chips, and auto_rebuy is off';
const NO_REBUYS = 'Out of chips, and no rebuy is left';

interface Bot {
  order: BotOrder;
  /** Its temper over the hands. Another thread decides. */
  temper: Temper;
  plan: BotPlan;
  player: KitPlayer;
  leaving: boolean;
  /** Whether the server has the bot's rebuy preference for this season. */
  isRebuySet: boolean;
  /** Answers a rebuy that waits for a plan with rebuys; null if none waits. */
  answerRebuy: ((wanted: boolean) => void) | null;
}

/** The bots of the thread: ordinary players over the WebSocket, each on the kit, with a plan. */
export class HostedBots {
  readonly #bots = new Map<string, Bot>();
  #opening: Bot[] = [];
  #timer: NodeJS.Timeout | null = null;
  #hurried = false;

  constructor(
    private readonly task: Pick<BotsTask, 'wsUrl' | 'paceMs'>,
    private readonly decide: Decide,
    private readonly tell: (message: FromBots) => void,
  ) {}

  order(order: Exclude<ToBots, { t: 'stop' }>): void {
    switch (order.t) {
      case 'play':
        for (const bot of order.bots) this.#play(bot);
        return;
      case 'plan':
        return this.#plan(order.agentId, order);
      case 'leave':
        return this.#leave(order.agentId, order.run);
      case 'drop':
        return this.#drop(order.agentId);
      case 'hurry':
        this.#hurried = true;
        for (const { player } of this.#bots.values()) player.hurry();
    }
  }

  /** Closes all sockets; seats are held by the server's rules. */
  async stop(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    const bots = [...this.#bots.values()];
    this.#bots.clear();
    await Promise.all(bots.map(({ player }) => player.stop()));
  }

  #play(order: BotOrder): void {
    this.#drop(order.agentId);
    const bot: Bot = {
      order,
      temper: new Temper(),
      plan: order,
      leaving: false,
      isRebuySet: false,
      answerRebuy: null,
      player: this.#player(order),
    };
    this.#bots.set(order.agentId, bot);
    this.#opening.push(bot);
    this.#timer ??= setTimeout(this.#open, 0);
  }

  readonly #open = (): void => {
    for (const bot of this.#opening.splice(0, AT_ONCE)) {
      if (this.#present(bot.order.agentId, bot.order.run) === bot) bot.player.start();
    }
    this.#timer = this.#opening.length > 0 ? setTimeout(this.#open, OPENING_MS) : null;
  };

  #player({ agentId, run, token }: BotOrder): KitPlayer {
    const present = () => this.#present(agentId, run);
    const trouble = (reason: string) => this.tell({ t: 'trouble', agentId, run, reason });
    return new KitPlayer({
      wsUrl: this.task.wsUrl,
      botToken: token,
      lean: true,
      pace: () => this.#pause(),
      decide: (hand) => this.#decide(present(), hand),
      rebuy: () => this.#wantsRebuy(present(), trouble),
      on: {
        connected: () => this.tell({ t: 'connected', agentId, run }),
        table_joined: () => this.tell({ t: 'seated', agentId, run }),
        lobby_joined: () => this.#setRebuy(present()),
        rebuy_confirmed: () => present()?.answerRebuy?.(false),
        season_ended: () => {
          const bot = present();
          if (bot === undefined) return;
          bot.isRebuySet = false;
          bot.answerRebuy?.(false);
        },
        error: ({ code }) => {
          const reason = TROUBLES[code];
          if (reason !== undefined) trouble(reason);
        },
      },
      onBroke: () => trouble(NO_REBUYS),
      onFault: trouble,
      onLeft: () => {
        const bot = present();
        if (bot !== undefined) this.#left(bot);
      },
      onEnded: (code) => {
        const bot = present();
        if (bot === undefined) return;
        this.#bots.delete(agentId);
        this.tell(bot.leaving ? { t: 'left', agentId, run } : { t: 'ended', agentId, run, code });
      },
    });
  }

  #decide(bot: Bot | undefined, hand: Hand): Action | Promise<Action> {
    if (bot === undefined) return hand.safe;
    const mood = heated(bot.plan.style, bot.temper.heat(hand));
    return this.decide({ hand: hand.toJSON(), mood, seed: randomInt(2 ** 31) });
  }

  /** Out of chips: by its plan, or by the next one that rebuys. */
  #wantsRebuy(bot: Bot | undefined, trouble: (reason: string) => void): boolean | Promise<boolean> {
    if (bot === undefined || bot.plan.autoRebuy) return bot !== undefined;
    trouble(NO_CHIPS);
    return new Promise((resolve) => {
      bot.answerRebuy = (wanted) => {
        bot.answerRebuy = null;
        resolve(wanted);
      };
    });
  }

  /** A season entry for the preference exists only once the bot is in the lobby. */
  #setRebuy(bot: Bot | undefined): void {
    if (bot === undefined || bot.isRebuySet) return;
    bot.isRebuySet = bot.player.send({ type: 'set_auto_rebuy', enabled: bot.plan.autoRebuy });
  }

  /** The bot, unless another attempt has taken its place. */
  #present(agentId: string, run: number): Bot | undefined {
    const bot = this.#bots.get(agentId);
    return bot?.order.run === run ? bot : undefined;
  }

  #pause(): number {
    return this.#hurried ? 0 : this.task.paceMs * (0.5 + Math.random());
  }

  #plan(agentId: string, plan: Extract<ToBots, { t: 'plan' }>): void {
    const bot = this.#bots.get(agentId);
    if (bot === undefined) return;
    bot.plan = plan;
    bot.isRebuySet = false;
    // A bot that waits for chips asks for them itself, and sends its preference in the lobby.
    if (plan.autoRebuy && bot.answerRebuy !== null) bot.answerRebuy(true);
    else this.#setRebuy(bot);
  }

  #leave(agentId: string, run: number): void {
    const bot = this.#present(agentId, run);
    if (bot === undefined) return this.tell({ t: 'left', agentId, run });
    bot.leaving = true;
    // Without a socket no message can be sent. The server gives the seat up by its own rules.
    if (!bot.player.leave()) this.#left(bot);
  }

  #left(bot: Bot): void {
    const { agentId, run } = bot.order;
    this.#drop(agentId);
    this.tell({ t: 'left', agentId, run });
  }

  #drop(agentId: string): void {
    const bot = this.#bots.get(agentId);
    this.#bots.delete(agentId);
    void bot?.player.stop();
  }
}
