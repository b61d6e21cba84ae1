import { Backoff } from './backoff.js';
import { KitError } from './errors.js';
import type { Credential, OpenSocket, Socket, SocketEnd } from './socket.js';

/** After these another attempt would fail again, or throw out the session that replaced ours: why the bot ends. */
export const FINAL_CODES = {
  4001: 'refused',
  4002: 'taken_over',
  4003: 'token_expired',
  4009: 'other_scope',
} as const;
export type FinalCode = keyof typeof FINAL_CODES;

const [TOKEN_OVER, FLOODING] = [4003, 1008];
/** The server asked to be left alone for a moment: we say too much, it restarts, or we read too slowly. */
const BUSY_CODES: readonly number[] = [FLOODING, 1012, 1013];
/** In ms: between pings, which must each be answered before the next. */
const PING_MS = 10_000;
/** In ms: between messages while the server says that there are too many, and for how long. */
const [SLOW_MS, SLOW_FOR_MS] = [500, 5000];

/** `open`, `lost` (it comes again in `retryInMs`), or `closed` for good. */
export interface ConnectionChange {
  readonly state: 'open' | 'lost' | 'closed';
  readonly url: string;
  /** The close code; null while open, and where no connection was made. */
  readonly code: number | null;
  readonly text: string;
  readonly retryInMs: number | null;
}

export interface ConnectionListener {
  text(text: string): void;
  changed(change: ConnectionChange): void;
  /** It will not come back: by this close code, or since nobody can go on. */
  ended(how: FinalCode | Error): void;
}

/** A socket to the platform that comes back whenever it is lost. */
export class Connection {
  #socket: Socket | null = null;
  #isOpen = false;
  #retry: ReturnType<typeof setTimeout> | null = null;
  #ping: ReturnType<typeof setInterval> | null = null;
  #isAnswered = true;
  #tickAt = 0;
  #isStopped = false;
  #slowUntil = 0;
  #held: string[] = [];
  #release: ReturnType<typeof setTimeout> | null = null;
  readonly #backoff = new Backoff();

  constructor(
    private readonly url: string,
    /** Asked before each attempt: a bot token may be a new one. */
    private readonly credential: () => Credential | Promise<Credential>,
    /** Whether 4003 is followed by a new token; else it is final. */
    private readonly isRenewed: boolean,
    private readonly protocols: readonly string[],
    private readonly openSocket: OpenSocket,
    private readonly listener: ConnectionListener,
  ) {}

  open(): void {
    void this.#open().catch((error: unknown) => this.#end(error instanceof Error ? error : new Error(String(error))));
  }

  /** False where there is no open connection. Messages on the way when a connection is lost may not have arrived. */
  send(message: object): boolean {
    if (this.#socket === null || !this.#isOpen) return false;
    const text = JSON.stringify(message);
    if (this.#held.length === 0 && Date.now() >= this.#slowUntil) this.#socket.send(text);
    else this.#hold(text);
    return true;
  }

  /** The conversation works: after the next loss the first attempt comes soon. */
  welcomed(): void {
    this.#backoff.reset();
  }

  /** The server says that there are too many messages. */
  slowDown(): void {
    this.#slowUntil = Date.now() + SLOW_FOR_MS;
  }

  /** Ends it, and tells nobody. The server holds the seat for a while. */
  stop(): void {
    this.#isStopped = true;
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#forget();
    this.#socket?.close();
    this.#socket = null;
  }

  async #open(): Promise<void> {
    const credential = await this.credential();
    if (this.#isStopped) return;
    this.#socket = this.openSocket(this.url, credential, this.protocols, {
      open: () => this.#opened(),
      text: (text) => {
        if (!this.#isStopped) this.listener.text(text);
      },
      pong: () => (this.#isAnswered = true),
      closed: (end) => this.#closed(end),
    });
  }

  #opened(): void {
    if (this.#isStopped) return;
    this.#isOpen = this.#isAnswered = true;
    this.#tickAt = Date.now();
    if (this.#socket?.ping !== null) this.#ping = setInterval(() => this.#tick(), PING_MS);
    this.listener.changed({ state: 'open', url: this.url, code: null, text: '', retryInMs: null });
  }

  /** A line that is dead without a word is given up. Where our own program stood still, the answer may yet be read. */
  #tick(): void {
    const stoodStill = Date.now() - this.#tickAt > 1.5 * PING_MS;
    this.#tickAt = Date.now();
    if (!this.#isAnswered && !stoodStill) return this.#socket?.abandon();
    this.#isAnswered = false;
    this.#socket?.ping?.();
  }

  #closed({ code, text, status, retryAfterMs }: SocketEnd): void {
    this.#forget();
    this.#socket = null;
    if (this.#isStopped) return;
    if (code === FLOODING) this.slowDown();
    if (status !== null && status >= 400 && status < 500 && ![408, 425, 429].includes(status)) {
      return this.#end(new KitError(`${this.url} answers ${status}: no bot can connect there`));
    }
    const isFinal = code in FINAL_CODES && !(code === TOKEN_OVER && this.isRenewed);
    const told = code === 0 ? null : code;
    if (isFinal) {
      this.listener.changed({ state: 'closed', url: this.url, code: told, text, retryInMs: null });
      return this.#end(code as FinalCode);
    }
    const pause = this.#backoff.next({ retryAfterMs, busy: status !== null || BUSY_CODES.includes(code) });
    this.listener.changed({ state: 'lost', url: this.url, code: told, text, retryInMs: pause });
    this.#retry = setTimeout(() => this.open(), pause);
  }

  #end(how: FinalCode | Error): void {
    if (this.#isStopped) return;
    this.stop();
    this.listener.ended(how);
  }

  #forget(): void {
    this.#isOpen = false;
    if (this.#ping !== null) clearInterval(this.#ping);
    if (this.#release !== null) clearTimeout(this.#release);
    this.#ping = this.#release = null;
    this.#held = [];
  }

  #hold(text: string): void {
    this.#held.push(text);
    this.#release ??= setTimeout(() => this.#releaseNext(), SLOW_MS);
  }

  #releaseNext(): void {
    this.#socket?.send(this.#held.shift()!);
    this.#release = this.#held.length === 0 ? null : setTimeout(() => this.#releaseNext(), SLOW_MS);
  }
}
