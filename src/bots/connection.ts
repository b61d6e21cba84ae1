import { WebSocket } from 'ws';
import { CloseCode } from '../protocol/codes.js';

export interface ConnectionOptions {
  wsUrl: string;
  apiKey: string;
  /** The first pause before connecting again, in ms; it doubles with each attempt in vain. */
  backoffMs?: number;
  longestBackoffMs?: number;
}

export interface ConnectionListener {
  text(text: string): void;
  /** The socket is gone; the next attempt follows by itself. */
  lost(): void;
  /** The socket is gone for good: the server will not have us, or another session of ours took over. */
  ended(code: number): void;
}

/** After these another attempt would only fail again, or throw out the session that replaced ours. */
const FINAL: readonly number[] = [
  CloseCode.unauthorized,
  CloseCode.takenOver,
  CloseCode.tokenExpired,
  CloseCode.otherScope,
];

/** How long the server may take to agree to the end. */
const CLOSE_MS = 1000;

/** A socket to the platform that comes back whenever it is lost. */
export class Connection {
  #socket: WebSocket | null = null;
  #timer: NodeJS.Timeout | null = null;
  #pause: number;
  #closing: (() => void) | null = null;

  constructor(
    private readonly options: ConnectionOptions,
    private readonly listener: ConnectionListener,
  ) {
    this.#pause = this.#firstPause;
  }

  open(): void {
    const { wsUrl, apiKey } = this.options;
    const headers = { authorization: `Bearer ${apiKey}` };
    // What the house itself sends is UTF-8; checking it again costs a tenth of a busy client.
    const socket = new WebSocket(wsUrl, { headers, perMessageDeflate: false, skipUTF8Validation: true });
    this.#socket = socket;
    socket.on('message', (data: Buffer) => this.listener.text(data.toString()));
    // `close` follows, and says what is to be done.
    socket.on('error', () => undefined);
    socket.on('close', (code) => this.#closed(code));
  }

  /** The conversation works: after the next loss the first attempt comes soon. */
  welcomed(): void {
    this.#pause = this.#firstPause;
  }

  /** False when there is no open socket. */
  send(message: object): boolean {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN) return false;
    socket.send(JSON.stringify(message));
    return true;
  }

  /** Ends the connection for good; resolves when the socket is gone. */
  async close(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const socket = this.#socket;
    if (socket === null) return;
    let late: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#closing = resolve;
      late = setTimeout(() => socket.terminate(), CLOSE_MS);
      socket.close(1000);
    });
    clearTimeout(late);
  }

  #closed(code: number): void {
    this.#socket = null;
    if (this.#closing !== null) {
      this.#closing();
    } else if (FINAL.includes(code)) {
      this.listener.ended(code);
    } else {
      this.#timer = setTimeout(() => this.open(), this.#nextPause());
      this.listener.lost();
    }
  }

  /** Half of it is chance, so that the bots of a restarted server do not all come at once. */
  #nextPause(): number {
    const pause = this.#pause;
    this.#pause = Math.min(2 * pause, this.options.longestBackoffMs ?? 10_000);
    return pause * (0.5 + Math.random() / 2);
  }

  get #firstPause(): number {
    return this.options.backoffMs ?? 250;
  }
}
