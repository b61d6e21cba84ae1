import type { Hand } from '../../sdk/typescript/src/hand.js';
import { KitPlayer } from './kit-player.js';
import { createStrategy, type StrategyName } from './strategies/index.js';

/** The start data of the thread of house bots. */
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
  readonly #players: readonly KitPlayer[];
  readonly #idlePauseMs: number;
  #hurried = false;

  constructor(
    { wsUrl, bots, idlePauseMs = IDLE_PAUSE_MS }: HouseTask,
    onTrouble: (name: string, reason: string) => void,
  ) {
    this.#idlePauseMs = idlePauseMs;
    this.#names = new Set(bots.map((bot) => bot.name));
    this.#players = bots.map(({ name, apiKey, strategy }) => {
      const player: KitPlayer = new KitPlayer({
        wsUrl,
        apiKey,
        decide: createStrategy(strategy),
        rejoinMs: REJOIN_MS,
        pace: (hand) => this.#pause(hand),
        on: {
          player_joined: (joined) => {
            if (this.#isGuest(joined.name)) player.hurry();
          },
        },
        onEnded: (code) => onTrouble(name, `shut out with ${code}`),
        onBroke: () => onTrouble(name, 'no rebuy is left'),
        onFault: (text) => onTrouble(name, text),
      });
      return player;
    });
  }

  start(): void {
    for (const player of this.#players) player.start();
  }

  /** No more pauses: the server wants to close, and waits for the hand. */
  hurry(): void {
    this.#hurried = true;
    for (const player of this.#players) player.hurry();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#players.map((player) => player.stop()));
  }

  #isGuest(name: string): boolean {
    return !this.#names.has(name);
  }

  #pause({ players }: Hand): number {
    if (this.#hurried || players.some(({ name }) => this.#isGuest(name))) return 0;
    return this.#idlePauseMs * (0.75 + Math.random() / 2);
  }
}
