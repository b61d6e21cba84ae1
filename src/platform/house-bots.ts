import type { Accounts } from '../accounts/index.js';
import { HouseThread, type HouseTask, type StrategyName } from '../bots/index.js';
import type { Logger } from '../ops/log.js';
import type { Config } from '../ops/settings.js';
import type { Leadership } from '../store/node/leadership.js';
import type { Address } from './address.js';
import type { Part } from './parts.js';

/** The calmer styles, so that the bots seldom bust and always have chips for a newcomer. */
const STYLES: readonly StrategyName[] = ['rock', 'shark', 'gto_lite', 'calling_station', 'rock'];

/** The house bots, on a thread of their own. Without any there is no thread. */
export class HouseBotsPart implements Part {
  #thread: HouseThread | null = null;

  constructor(
    private readonly config: Pick<Config, 'HOUSE_BOTS' | 'ACTION_TIMEOUT_MS'>,
    private readonly address: Address,
    private readonly accounts: Accounts,
    private readonly leadership: Leadership,
    private readonly log: Logger,
  ) {}

  async start(): Promise<void> {
    const { HOUSE_BOTS, ACTION_TIMEOUT_MS } = this.config;
    const bots: HouseTask['bots'][number][] = [];
    for (const [n, strategy] of STYLES.slice(0, HOUSE_BOTS).entries()) {
      const { name, apiKey } = await this.accounts.houseBot(this.leadership, n + 1);
      bots.push({ name, apiKey, strategy });
    }
    if (bots.length === 0) return;
    // Among themselves they take their time, but never so long that a turn runs out.
    const idlePauseMs = Math.min(4000, ACTION_TIMEOUT_MS / 4);
    const thread = new HouseThread({ wsUrl: this.address.ws, bots, idlePauseMs }, this.log);
    await thread.start();
    this.#thread = thread;
  }

  /** They hurry, so that their hands are over soon. */
  drain(): void {
    this.#thread?.hurry();
  }

  async stop(): Promise<void> {
    await this.#thread?.stop();
  }
}
