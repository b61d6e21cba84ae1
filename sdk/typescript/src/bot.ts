import { keyOf, turnSecondsOf } from './account.js';
import { Connection, FINAL_CODES, type ConnectionChange, type FinalCode } from './connection.js';
import { KitError, thrownText } from './errors.js';
import { Deals } from './fair.js';
import type { ClientMessage, ServerMessage } from './generated/messages.js';
import type { Action, Hand, Mix } from './hand.js';
import { LeanReader, protocolsOf } from './lean.js';
import { lineOf, Log, type LogLevel, type LogRecord } from './log.js';
import { socketUrlOf, type BotOptions, type HookEvents } from './options.js';
import { noteWarning, openSocket, printLine } from './platform.js';
import { PlayerMind, type Place, type PlayerEnd } from './player.js';
import type { Port, RebuyOffer, TimerName } from './port.js';
import type { Credential } from './socket.js';

/** How it went. */
export interface Summary {
  /** In which it was dealt in. */
  readonly hands: number;
  /** The stack after the last of them; null before the first. */
  readonly chips: number | null;
  /** `stopped`: by its signal. The last four come of a close code: 4001, 4002, 4003, 4009. */
  readonly reason: PlayerEnd | 'stopped' | (typeof FINAL_CODES)[FinalCode];
  readonly closeCode: number | null;
}

/** Plays until it is told to end. Rejects with KitError where it cannot go on. */
export const playBot = (options: BotOptions): Promise<Summary> => new Bot(options).run();

/** One bot, one run. */
export class Bot {
  readonly #options: BotOptions;
  readonly #log = new Log((record) => this.#write(record));
  readonly #deals: Deals | null;
  readonly #lean: LeanReader | null;
  readonly #timers = new Map<TimerName, ReturnType<typeof setTimeout>>();
  #player: PlayerMind | null = null;
  #connection: Connection | null = null;
  /** Settles `run`; null before it and after. */
  #end: { done: (summary: Summary) => void; failed: (error: unknown) => void } | null = null;

  constructor(options: BotOptions) {
    if (typeof options.decide !== 'function') throw new KitError('decide is to be a function');
    this.#options = options;
    if (options.lean === true && options.nonces === true) {
      throw new KitError('lean frames have nothing of fair deals: give lean or nonces');
    }
    this.#deals = options.nonces === true ? new Deals() : null;
    this.#lean = options.lean === true ? new LeanReader() : null;
  }

  /** As the server knows it, once it has said so. */
  get name(): string {
    return this.#player?.name || this.#options.name || 'bot';
  }

  /** Where it sits, as far as it knows; null without a seat. */
  get place(): Place | null {
    return this.#player?.place ?? null;
  }

  /** Says what the kit does not say by itself, such as `set_auto_rebuy`. False where there is no open connection. */
  send(message: ClientMessage): boolean {
    return this.#connection?.send(message) ?? false;
  }

  /** Gives the seat up at the end of the hand; `run` resolves then. */
  leave(): void {
    this.#do((player) => player.leave());
  }

  /** Plays until it is told to end. */
  async run(): Promise<Summary> {
    const { signal } = this.#options;
    if (signal?.aborted === true) return this.#summary('stopped');
    const onAbort = () => this.#finish(this.#summary('stopped'));
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      return await new Promise<Summary>((done, failed) => {
        this.#end = { done, failed };
        this.#start().catch((error: unknown) => this.#fail(error));
      });
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  async #start(): Promise<void> {
    const options = this.#options;
    const { botToken } = options;
    const key = botToken === undefined ? await keyOf(options, this.#log) : null;
    if (key !== null) this.#log.hide('key', key);
    const turnSeconds = await turnSecondsOf(options, key, this.#log);
    // Stopped meanwhile.
    if (this.#end === null) return;
    const { buyIn = null, version = null, rebuy = 'auto', hands = null, deadline = null } = options;
    const { competitionId, rejoinMs = 0 } = options;
    this.#player = new PlayerMind(this.#port, {
      buyIn,
      version,
      rebuy,
      hands,
      rejoinMs,
      reserveMs: deadline,
      turnSeconds,
      inCompetition: competitionId !== undefined,
    });
    const credential = async (): Promise<Credential> => {
      if (key !== null) return { key };
      const token = typeof botToken === 'function' ? await botToken() : (botToken ?? '');
      this.#log.hide('token', token);
      return { token };
    };
    const protocols = protocolsOf(this.#lean !== null);
    const isRenewed = typeof botToken === 'function';
    this.#connection = new Connection(socketUrlOf(options), credential, isRenewed, protocols, openSocket, {
      text: (text) => this.#read(text),
      changed: (change) => this.#changed(change),
      ended: (how) => (how instanceof Error ? this.#fail(how) : this.#finish(this.#summary(FINAL_CODES[how], how))),
    });
    this.#connection.open();
  }

  #summary(reason: Summary['reason'], closeCode: number | null = null): Summary {
    const { hands = 0, chips = null } = this.#player?.tally ?? {};
    return { hands, chips, reason, closeCode };
  }

  #finish(summary: Summary): void {
    const end = this.#cleanUp();
    end?.done(summary);
  }

  #fail(error: unknown): void {
    const end = this.#cleanUp();
    end?.failed(error);
  }

  #cleanUp() {
    const end = this.#end;
    this.#end = null;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.#player?.stopThinking();
    this.#connection?.stop();
    return end;
  }

  // ---- what comes in

  /** One step of the player. A fault of the kit ends the run; it is never just dropped. */
  #do(step: (player: PlayerMind) => void): void {
    const player = this.#player;
    if (this.#end === null || player === null) return;
    try {
      step(player);
    } catch (error) {
      return this.#fail(error);
    }
    if (player.reason !== null) this.#finish(this.#summary(player.reason));
  }

  #read(text: string): void {
    this.#do((player) => {
      try {
        const frame = JSON.parse(text) as ServerMessage;
        if (frame.type === 'connected') {
          this.#connection?.welcomed();
          player.name = frame.name;
          this.#log.add('info', 'connected', `connected to ${socketUrlOf(this.#options)}`);
        }
        this.#tell(frame.type, frame);
        if (this.#deals !== null) this.#followDeals(this.#deals, frame, player.isResyncing);
        for (const each of this.#lean?.read(frame) ?? [frame]) player.read(each);
      } catch (error) {
        // A later server may send what this kit does not understand: that is no reason to lose the seat.
        const about = { error, frame: text.slice(0, 500) };
        this.#port.warn('frame', `a frame that the kit cannot read: ${String(error)}`, about);
      }
    });
  }

  #followDeals(deals: Deals, frame: ServerMessage, isResyncing: boolean): void {
    const isAnswer = frame.type === 'resync_response';
    // It comes again with what was missed.
    if (!isAnswer && isResyncing && frame.type !== 'deal_nonce_ack') return;
    for (const event of isAnswer ? [...frame.replayed_events, frame.snapshot] : [frame]) {
      const { send, verified } = deals.read(event);
      const isNow = !isAnswer || ('hand_id' in event && event.hand_id === frame.snapshot.hand_id);
      if (send !== undefined && isNow) this.#connection?.send(send);
      if (verified === undefined) continue;
      this.#tell('verified', verified);
      const { handId, faults } = verified;
      if (faults.length > 0) this.#port.warn('unfair', `hand ${handId}: ${faults.join('; ')}`, { handId, faults });
    }
  }

  #changed(change: ConnectionChange): void {
    this.#tell('connection', change);
    if (change.state === 'open') return;
    const { state, code, text, retryInMs } = change;
    const with_ = code === null ? '' : ` with ${code}`;
    const again = retryInMs === null ? '' : `; again in ${(retryInMs / 1000).toFixed(1)} s`;
    const line = `connection ${state}${with_}${text === '' ? '' : ` (${text})`}${again}`;
    this.#log.add('warn', 'connection', line, { state, code });
    this.#do((player) => player.disconnected());
  }

  // ---- what the player needs done

  readonly #port: Port = {
    send: (message: ClientMessage) => {
      this.#deals?.sent(message);
      return this.#connection?.send(message) ?? false;
    },
    later: (name, ms) => {
      this.#port.cancel(name);
      this.#timers.set(
        name,
        setTimeout(() => this.#do((player) => player.ring(name)), ms),
      );
    },
    cancel: (name) => {
      clearTimeout(this.#timers.get(name));
      this.#timers.delete(name);
    },
    think: (token, hand) => void this.#think(token, hand),
    askRebuy: (offer) => void this.#askRebuy(offer),
    decision: (hand: Hand, action: Action | Mix) => this.#tell('decision', { hand, action }),
    warn: (kind, text, about = {}) => {
      this.#tell('warning', { ...about, kind, text });
      noteWarning(kind, this.#log.clean(text));
      this.#log.add('warn', kind, text, { ...about, error: undefined });
    },
    log: (level: LogLevel, event, text, fields = {}) => this.#log.add(level, event, text, fields),
    slowDown: () => this.#connection?.slowDown(),
    now: () => Date.now(),
  };

  // ---- what the author wrote

  async #think(token: string, hand: Hand): Promise<void> {
    let [answer, error]: [unknown, unknown] = [null, null];
    try {
      answer = await this.#options.decide(hand);
    } catch (thrown) {
      error = thrown ?? new Error('nothing');
    }
    this.#do((player) => player.decided(token, answer, error));
  }

  async #askRebuy(offer: RebuyOffer): Promise<void> {
    const { rebuy } = this.#options;
    let wanted = false;
    try {
      if (typeof rebuy === 'function') wanted = await rebuy(offer);
    } catch (error) {
      this.#hookFailed('rebuy', error);
    }
    this.#do((player) => player.rebuyDecided(wanted));
  }

  #tell<E extends keyof HookEvents>(event: E, about: HookEvents[E]): void {
    const handler = this.#options.on?.[event];
    if (handler === undefined) return;
    try {
      const done: unknown = handler(about);
      if (done instanceof Promise) done.catch((error: unknown) => this.#hookFailed(event, error));
    } catch (error) {
      this.#hookFailed(event, error);
    }
  }

  #hookFailed(event: string, error: unknown): void {
    const text = `the handler of ${event} threw ${thrownText(error)}`;
    const stack = error instanceof Error ? error.stack : undefined;
    const record: LogRecord = { level: 'error', event: 'hook', text, fields: { stack } };
    // Where the log's own handler fails, there is nobody left to tell but people.
    if (event === 'log') this.#print(record);
    else this.#write(record);
  }

  #write(record: LogRecord): void {
    if (this.#options.on?.log === undefined) this.#print(record);
    else this.#tell('log', record);
  }

  #print(record: LogRecord): void {
    const line = lineOf(this.name, record);
    if (line !== null) printLine(line);
  }
}
