import { Bot, type Summary } from '../../sdk/typescript/src/bot.js';
import type { ClientMessage } from '../../sdk/typescript/src/generated/messages.js';
import type { Action, Hand, Mix } from '../../sdk/typescript/src/hand.js';
import type { BotOptions } from '../../sdk/typescript/src/options.js';
import type { Place } from '../../sdk/typescript/src/player.js';
import type { SlowStrategy } from './strategy.js';

/** ms before a bot comes back that could not play on: where its rebuys are over, and where it cannot connect. */
const [BROKE_MS, REFUSED_MS] = [60_000, 10_000];

export interface KitPlayerOptions extends Pick<
  BotOptions,
  'wsUrl' | 'apiKey' | 'botToken' | 'rebuy' | 'rejoinMs' | 'lean' | 'on'
> {
  decide: SlowStrategy;
  /** ms before a turn is decided. `hurry` cuts them short. */
  pace?: (hand: Hand) => number;
  /** The session is over for good, by this close code. */
  onEnded?: (code: number) => void;
  /** It has given its seat up, as `leave` asked. */
  onLeft?: () => void;
  /** It is out of chips, and no rebuy is left. It tries again in a minute. */
  onBroke?: () => void;
  /** A fault of the bot's own, such as a `decide` that throws. */
  onFault?: (text: string) => void;
}

/** A bot of this program's own on the TypeScript kit: with a pace, and back at a table whatever ends its stay. */
export class KitPlayer {
  readonly #stop = new AbortController();
  #bot: Bot | null = null;
  #isConnected = false;
  #isLeaving = false;
  /** Ends the pause before the open turn; null where none is paced. */
  #endPause: (() => void) | null = null;
  #run: Promise<void> = Promise.resolve();

  constructor(private readonly options: KitPlayerOptions) {}

  start(): void {
    this.#run = this.#play();
  }

  /** Ends the connection; the seat is held by the server's rules. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#run;
  }

  get place(): Place | null {
    return this.#bot?.place ?? null;
  }

  /** False where there is no open connection. */
  send(message: ClientMessage): boolean {
    return this.#bot?.send(message) ?? false;
  }

  /** Gives the seat up, and comes back no more. False where there is no open connection to say so. */
  leave(): boolean {
    this.#isLeaving = true;
    if (!this.#isConnected) return false;
    this.#bot?.leave();
    return true;
  }

  /** Takes its chips off the table and sits down anew. */
  changeSeat(): void {
    this.#bot?.leave();
  }

  /** Makes the decision that is being paced now. */
  hurry(): void {
    this.#endPause?.();
  }

  async #play(): Promise<void> {
    const { signal } = this.#stop;
    const { onEnded, onLeft, onBroke, onFault } = this.options;
    while (!signal.aborted) {
      const end = await this.#playOnce();
      this.#isConnected = false;
      if (signal.aborted) return;
      if (end instanceof Error) {
        onFault?.(end.message);
        await pauseOf(REFUSED_MS, signal).over;
      } else if (end.closeCode !== null) return onEnded?.(end.closeCode);
      else if (this.#isLeaving) return onLeft?.();
      else if (end.reason === 'busted') {
        onBroke?.();
        await pauseOf(BROKE_MS, signal).over;
      }
    }
  }

  /** How one run of the kit ended. */
  async #playOnce(): Promise<Summary | Error> {
    const { wsUrl, apiKey, botToken, rebuy, rejoinMs, lean, on = {} } = this.options;
    this.#bot = new Bot({
      wsUrl,
      apiKey,
      botToken,
      rebuy,
      rejoinMs,
      lean,
      signal: this.#stop.signal,
      decide: (hand) => this.#decide(hand),
      on: {
        ...on,
        connection: (change) => {
          this.#isConnected = change.state === 'open';
          return on.connection?.(change);
        },
        log: ({ level, event, text }) => {
          if (level === 'error' || event === 'decide') this.options.onFault?.(text);
        },
      },
    });
    try {
      return await this.#bot.run();
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  async #decide(hand: Hand): Promise<Action | Mix> {
    const { pace, decide } = this.options;
    const ms = pace?.(hand) ?? 0;
    if (ms <= 0) return decide(hand);
    const { over, end } = pauseOf(ms, hand.signal);
    this.#endPause = end;
    await over;
    // The kit drops what is said to a turn that is over.
    return hand.signal.aborted ? hand.safe : decide(hand);
  }
}

/** `over` resolves after so many ms, at `end`, and when the signal is aborted. */
function pauseOf(ms: number, signal: AbortSignal): { over: Promise<void>; end: () => void } {
  let end = (): void => undefined;
  const over = new Promise<void>((resolve) => {
    end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
  });
  return { over, end };
}
