import { CLOSE_REASONS, CloseCode } from '../../protocol/codes.js';
import type { SocketId } from '../../table/api.js';
import type { Allowance } from '../allowance.js';
import type { ClientSocket } from '../relay/client-socket.js';
import type { HomeListener } from '../relay/ports.js';
import type { SocketListener, WireSocket } from '../transport.js';

export interface WatcherHost {
  now(): number;
  gone(watcher: Watcher): void;
}

/** A socket that watches a table. Nothing that it says is read; who says too much is cut off. */
export class Watcher implements SocketListener, HomeListener {
  /** The topic of its group, once it reads the common frames. */
  topic: string | null = null;
  /** Since when it lags (ms of the host's clock). */
  laggingSince = Infinity;
  #open = true;
  readonly #allowance: Allowance;
  readonly socket: WireSocket;

  constructor(
    readonly id: SocketId,
    readonly client: ClientSocket,
    private readonly host: WatcherHost,
    /** For the channel that it may be the first of: ids are reported with sockets, and never used again. */
    readonly spareId: SocketId,
  ) {
    this.socket = client.socket;
    this.#allowance = client.allowance;
  }

  get open(): boolean {
    return this.#open;
  }

  message(data: Buffer): void {
    if (this.#allowance.message(this.host.now(), data.length) === 'end') this.end(CloseCode.flooding);
  }

  control(): void {
    if (this.#allowance.control(this.host.now()) === 'end') this.end(CloseCode.flooding);
  }

  closed(): void {
    if (!this.#open) return;
    this.#open = false;
    this.host.gone(this);
  }

  early(): void {}

  warned(): void {}

  endedBy(): void {}

  /** Gives its socket away. False: it is closed. */
  release(): boolean {
    if (!this.#open) return false;
    this.#open = false;
    return true;
  }

  /** Sends these in one write. */
  send(frames: readonly (string | Uint8Array)[]): void {
    if (!this.#open || frames.length === 0) return;
    this.socket.cork(() => {
      for (const frame of frames) this.socket.send(frame);
    });
  }

  end(code: number, reason = code in CLOSE_REASONS ? CLOSE_REASONS[code as CloseCode] : ''): void {
    if (this.#open) this.socket.close(code, reason);
  }
}
