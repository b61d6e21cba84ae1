import { backOff } from '../ops/backoff.js';
import { CLOSE_REASONS, CloseCode } from '../protocol/codes.js';
import type { Clock, LobbyLog } from '../lobby/index.js';
import { Displaced } from '../store/node/leadership.js';
import type { BotOrder, FromBots, ToBots } from './orders.js';
import type { BotPlan } from './strategy.js';
import type { BotTokens } from './tokens.js';

/** One deployment of a hosted bot. */
export interface HostedBot {
  agentId: string;
  /** The generation of the agent's runtime. */
  generation: number;
  plan: BotPlan;
}

/** The thread with the bots, or what stands for it in a test. */
export interface Threads {
  open(listener: { onMessage: (message: FromBots) => void; ended: (reason: string) => void }): BotsPort;
}
export interface BotsPort {
  post(order: ToBots): void;
  stop(): Promise<void>;
}

export interface FleetOptions {
  tokens: Pick<BotTokens, 'issueOwn' | 'extend'>;
  threads: Threads;
  clock: Clock;
  log: LobbyLog;
  tokenMinutes: number;
  /** Something went wrong with this deployment. */
  failed: (bot: HostedBot, error: string) => void;
  /** Another socket of the agent has taken over. */
  takenOver: (bot: HostedBot) => void;
}

/** A deployment on its way through attempts. */
interface Run {
  bot: HostedBot;
  /** The number of the present attempt. */
  number: number;
  state: 'starting' | 'running' | 'error';
  failures: number;
  /** Resolve when it has left. */
  leaving: (() => void)[] | null;
  /** Calls the next attempt off. */
  cancel: () => void;
}

/** So many failures in a row are an error. */
const ERROR_AFTER = 3;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;
/** A hand that lasts longer is left to end without the socket. */
const LEAVE_MS = 300_000;
const RESTART_MS = 1000;

/** All hosted bots of this server: keeps each one playing for as long as it is deployed. */
export class Fleet {
  readonly #runs = new Map<string, Run>();
  /** Opened when it is first needed. */
  #port: BotsPort | null = null;
  #numbers = 0;
  #due: Run[] = [];
  #stopped = false;
  /** Calls the next renewal of tokens off, where one is to come. */
  #renewal: (() => void) | null = null;

  constructor(private readonly options: FleetOptions) {}

  /** Lets a bot play, in the place of an earlier deployment of its agent. */
  play(bot: HostedBot): void {
    this.#forget(bot.agentId);
    const run: Run = { bot, number: 0, state: 'starting', failures: 0, leaving: null, cancel: () => undefined };
    this.#runs.set(bot.agentId, run);
    this.#attempt(run);
  }

  /** Another plan for a bot that plays. */
  plan(agentId: string, plan: BotPlan): void {
    const run = this.#runs.get(agentId);
    if (run === undefined) return;
    run.bot = { ...run.bot, plan };
    this.#port?.post({ t: 'plan', agentId, ...plan });
  }

  /** Lets it end its hand and go. Resolves when it has. */
  leave(agentId: string): Promise<void> {
    const run = this.#runs.get(agentId);
    if (run === undefined || this.#port === null) {
      this.drop(agentId);
      return Promise.resolve();
    }
    run.cancel();
    run.leaving ??= [];
    run.cancel = this.options.clock.after(LEAVE_MS, () => this.drop(agentId));
    this.#port.post({ t: 'leave', agentId, run: run.number });
    return new Promise((resolve) => run.leaving?.push(resolve));
  }

  /** Lets go of its socket at once. */
  drop(agentId: string): void {
    if (this.#forget(agentId)) this.#port?.post({ t: 'drop', agentId });
  }

  stateOf(agentId: string): Run['state'] | null {
    return this.#runs.get(agentId)?.state ?? null;
  }

  /** Decisions without pauses from now on. */
  hurry(): void {
    this.#port?.post({ t: 'hurry' });
  }

  /** Closes all sockets; what is deployed stays so. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#renewal?.();
    for (const agentId of [...this.#runs.keys()]) this.#forget(agentId);
    await this.#port?.stop();
  }

  #forget(agentId: string): boolean {
    const run = this.#runs.get(agentId);
    if (run === undefined) return false;
    run.cancel();
    this.#runs.delete(agentId);
    for (const resolve of run.leaving ?? []) resolve();
    return true;
  }

  #isPresent(run: Run): boolean {
    return this.#runs.get(run.bot.agentId) === run;
  }

  // ---- attempts

  #attempt(run: Run): void {
    run.number = ++this.#numbers;
    this.#due.push(run);
    if (this.#due.length === 1) this.options.clock.soon(() => void this.#start());
  }

  /** All that are due get their tokens at once. */
  async #start(): Promise<void> {
    const runs = this.#due.filter((run) => this.#isPresent(run) && run.leaving === null);
    this.#due = [];
    if (runs.length === 0 || this.#stopped) return;
    const { tokens, log } = this.options;
    const issued = await tokens.issueOwn(runs.map(({ bot }) => bot)).catch((error: unknown) => {
      if (error instanceof Displaced) this.#stopped = true;
      else log.warn({ err: error }, 'no tokens for hosted bots');
      return null;
    });
    if (this.#stopped) return;
    const orders: BotOrder[] = [];
    for (const run of runs) {
      if (!this.#isPresent(run) || run.leaving !== null) continue;
      const { agentId, plan } = run.bot;
      const token = issued?.get(agentId)?.token;
      if (token !== undefined) orders.push({ agentId, run: run.number, token, ...plan });
      else this.#failed(run, issued === null ? 'The database is away' : 'The agent may not play now');
    }
    if (orders.length === 0) return;
    this.#open().post({ t: 'play', bots: orders });
    this.#renewSoon();
  }

  #open(): BotsPort {
    this.#port ??= this.options.threads.open({
      onMessage: (message) => this.#onMessage(message),
      ended: (reason) => this.#threadEnded(reason),
    });
    return this.#port;
  }

  #failed(run: Run, error: string): void {
    run.failures++;
    run.state = run.failures >= ERROR_AFTER ? 'error' : 'starting';
    this.options.failed(run.bot, error);
    const pause = backOff(run.failures - 1, FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
    run.cancel = this.options.clock.after(pause * (0.5 + Math.random() / 2), () => this.#attempt(run));
  }

  // ---- from the thread

  #onMessage(message: FromBots): void {
    const run = this.#runs.get(message.agentId);
    if (run?.number !== message.run) return;
    switch (message.t) {
      case 'connected':
        run.state = 'running';
        return;
      case 'seated':
        run.failures = 0;
        return;
      case 'left':
        this.#forget(message.agentId);
        return;
      case 'trouble':
        this.options.failed(run.bot, message.reason);
        return;
      case 'ended':
        return this.#ended(run, message.code);
    }
  }

  #ended(run: Run, code: number): void {
    if (code === CloseCode.takenOver) {
      this.#forget(run.bot.agentId);
      this.options.takenOver(run.bot);
    } else if (code === CloseCode.tokenExpired && run.state === 'running') {
      // The season is over, or nobody could renew the token in time.
      run.state = 'starting';
      this.#attempt(run);
    } else {
      const reason = CLOSE_REASONS[code as CloseCode] ?? 'no reason given';
      this.#failed(run, `The socket was closed with ${code}: ${reason}`);
    }
  }

  #threadEnded(reason: string): void {
    this.#port = null;
    if (this.#stopped) return;
    this.options.log.warn({ reason }, 'the thread of the hosted bots starts again');
    for (const run of [...this.#runs.values()]) {
      if (run.leaving !== null) this.#forget(run.bot.agentId);
      else {
        run.state = 'starting';
        run.cancel();
        run.cancel = this.options.clock.after(RESTART_MS, () => this.#attempt(run));
      }
    }
  }

  // ---- tokens

  /** Tokens of playing bots are renewed well before they expire. */
  #renewSoon(): void {
    const { clock, tokenMinutes } = this.options;
    this.#renewal ??= clock.after((tokenMinutes * 60_000) / 3, () => void this.#renew());
  }

  async #renew(): Promise<void> {
    this.#renewal = null;
    const { tokens, log } = this.options;
    const playing = [...this.#runs.values()].filter(({ leaving }) => leaving === null);
    try {
      await tokens.extend(playing.map(({ bot }) => bot.agentId));
    } catch (error) {
      if (error instanceof Displaced) return;
      log.warn({ err: error }, 'tokens of hosted bots not renewed');
    }
    if (!this.#stopped && this.#runs.size > 0) this.#renewSoon();
  }
}
