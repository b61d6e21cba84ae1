import { PlayerClient } from './client.js';
import { createStrategy, type StrategyName } from './strategies/index.js';
import type { StrategyView } from './strategy.js';

/** What the thread of the house bots is started with. */
export interface HouseTask {
  wsUrl: string;
  bots: readonly { name: string; apiKey: string; strategy: StrategyName }[];
  /** Average ms of a decision among themselves; well below the time the server gives for one. */
  idlePauseMs?: number;
}

/** A hand takes half a minute. */
const IDLE_PAUSE_MS = 4000;
/** ms before a bot that gave its seat up, or lost it, offers itself again. */
const REJOIN_MS = 1000;

/**
 * The bots of the house, which keep a table open for a lone newcomer. They play by the ordinary protocol and have no
 * privileges: match-making seats them last, and makes one leave when a guest needs the seat. Among themselves they play
 * slowly, so that an idle server stays idle; as soon as a guest sits with them they decide at once.
 */
export class HouseBots {
  readonly #names: ReadonlySet<string>;
  readonly #clients: readonly PlayerClient[];
  readonly #idlePauseMs: number;
  #hurried = false;

  constructor({ wsUrl, bots, idlePauseMs = IDLE_PAUSE_MS }: HouseTask, onEnded: (name: string, code: number) => void) {
    this.#idlePauseMs = idlePauseMs;
    this.#names = new Set(bots.map((bot) => bot.name));
    this.#clients = bots.map(({ name, apiKey, strategy }) => {
      const client: PlayerClient = new PlayerClient({
        wsUrl,
        apiKey,
        strategy: createStrategy(strategy),
        autoRebuy: true,
        rejoinMs: REJOIN_MS,
        onEnded: (code) => onEnded(name, code),
        pace: (view) => this.#pause(view),
        on: {
          player_joined: (joined) => {
            if (this.#isGuest(joined.name)) client.hurry();
          },
        },
      });
      return client;
    });
  }

  start(): void {
    for (const client of this.#clients) client.start();
  }

  /** No more pauses: the server wants to close, and waits for the hand. */
  hurry(): void {
    this.#hurried = true;
    for (const client of this.#clients) client.hurry();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.stop()));
  }

  #isGuest(name: string): boolean {
    return !this.#names.has(name);
  }

  #pause({ seats }: StrategyView): number {
    if (this.#hurried || seats.some((seat) => this.#isGuest(seat.name))) return 0;
    return this.#idlePauseMs * (0.75 + Math.random() / 2);
  }
}
