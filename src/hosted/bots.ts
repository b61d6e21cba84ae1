import {
  PlayerClient,
  type PlayerOptions,
  heated,
  Temper,
  type Choice,
  type SlowStrategy,
  type Turn,
  type StrategyView,
} from '../bots/index.js';
import type { BotOrder, BotsTask, FromBots, ToBots } from './orders.js';
import { randomInt } from 'node:crypto';
import type { DecisionTask } from './decision.js';
import type { BotPlan } from './strategy.js';

/** What decides: threads, or a test. */
export type Decide = (task: DecisionTask) => Promise<Choice>;

/** The mind of a hosted bot: its plan, and its temper over the hands. The thinking itself is done elsewhere. */
class HostedMind {
  readonly #temper = new Temper();

  constructor(
    public plan: BotPlan,
    private readonly decide: Decide,
  ) {}

  readonly strategy: SlowStrategy = (turn, view) => {
    const mood = heated(this.plan.style, this.#temper.heat(turn, view));
    return this.decide({ turn: plainTurn(turn), view: plainView(view), mood, seed: randomInt(2 ** 31) });
  };
}

const plainTurn = ({ handId, seat, legal }: Turn): Turn => ({ handId, seat, legal });

/** The view of a client reads frames when asked; what goes to another thread is read before. */
function plainView(view: StrategyView): StrategyView {
  const { holeCards, board, button, smallBlind, bigBlind, pot, seats, actions } = view;
  const done = actions.map(({ seat, action, street }) => ({ seat, action, street }));
  return { holeCards, board, button, smallBlind, bigBlind, pot, seats, actions: done };
}

/** Sockets opened at a time, and the pause after them: a restart with many bots is no storm for the others. */
const AT_ONCE = 10;
const OPENING_MS = 25;
const TROUBLES: Readonly<Record<string, string>> = {
  email_not_verified: 'No rebuy before the e-mail address is verified',
};
const NO_CHIPS = 'Out of chips, and auto_rebuy is off';

interface Bot {
  order: BotOrder;
  mind: HostedMind;
  options: PlayerOptions;
  client: PlayerClient;
  leaving: boolean;
}

/** The bots of the thread: ordinary players over the WebSocket, each with a client and a mind. */
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
        for (const { client } of this.#bots.values()) client.hurry();
    }
  }

  /** Closes all sockets; seats are held by the server's rules. */
  async stop(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    const bots = [...this.#bots.values()];
    this.#bots.clear();
    await Promise.all(bots.map(({ client }) => client.stop()));
  }

  #play(order: BotOrder): void {
    this.#drop(order.agentId);
    const mind = new HostedMind(order, this.decide);
    const options = this.#options(order, mind);
    const bot: Bot = { order, mind, options, client: new PlayerClient(options), leaving: false };
    this.#bots.set(order.agentId, bot);
    this.#opening.push(bot);
    this.#timer ??= setTimeout(this.#open, 0);
  }

  readonly #open = (): void => {
    for (const bot of this.#opening.splice(0, AT_ONCE)) {
      if (this.#present(bot.order.agentId, bot.order.run) === bot) bot.client.start();
    }
    this.#timer = this.#opening.length > 0 ? setTimeout(this.#open, OPENING_MS) : null;
  };

  #options({ agentId, run, token, autoRebuy }: BotOrder, mind: HostedMind): PlayerOptions {
    const options: PlayerOptions = {
      wsUrl: this.task.wsUrl,
      apiKey: token,
      strategy: mind.strategy,
      autoRebuy,
      pace: () => this.#pause(),
      on: {
        connected: () => this.tell({ t: 'connected', agentId, run }),
        table_joined: () => this.tell({ t: 'seated', agentId, run }),
        error: ({ code }) => {
          const broke = code === 'insufficient_season_chips' && options.autoRebuy === false;
          const reason = broke ? NO_CHIPS : TROUBLES[code];
          if (reason !== undefined) this.tell({ t: 'trouble', agentId, run, reason });
        },
      },
      onUnseated: () => {
        const bot = this.#present(agentId, run);
        if (bot?.leaving === true) this.#left(bot);
      },
      onEnded: (code) => {
        const bot = this.#present(agentId, run);
        if (bot === undefined) return;
        this.#bots.delete(agentId);
        this.tell(bot.leaving ? { t: 'left', agentId, run } : { t: 'ended', agentId, run, code });
      },
    };
    return options;
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
    bot.mind.plan = plan;
    bot.options.autoRebuy = plan.autoRebuy;
    bot.client.setAutoRebuy(plan.autoRebuy);
  }

  #leave(agentId: string, run: number): void {
    const bot = this.#present(agentId, run);
    if (bot === undefined) return this.tell({ t: 'left', agentId, run });
    bot.leaving = true;
    // Without a socket nothing can be said: the server gives the seat up by its own rules.
    if (!bot.client.leave()) this.#left(bot);
  }

  #left(bot: Bot): void {
    const { agentId, run } = bot.order;
    this.#drop(agentId);
    this.tell({ t: 'left', agentId, run });
  }

  #drop(agentId: string): void {
    const bot = this.#bots.get(agentId);
    this.#bots.delete(agentId);
    void bot?.client.stop();
  }
}
