import { CLOSE_REASONS, CloseCode } from '../../protocol/codes.js';
import type { SocketEnd } from '../../protocol/mishap.js';
import type { AllowanceVerdict } from '../allowance.js';
import type { HandOver } from '../ports.js';
import { MAX_CLIENT_FRAME, MAX_EARLY, type SocketListener } from '../transport.js';
import type { ClientSocket } from './client-socket.js';
import type { EarlyMessage, Relay, RelayListener, RelayOpening, Relays } from './ports.js';

/** The registry is asked so often again where the home of a socket is, in ms. */
const RETRY_MS = 250;
/** Unsent bytes to a home. The home takes messages at a client's rate, so only a flood comes to this. */
const MOST_UNSENT = 1024 * 1024;

export interface RelayedSocketHost {
  readonly relays: Relays;
  /** Unsent bytes to a client after which it reads too slowly. */
  readonly bufferBytes: number;
  now(): number;
  readonly stats: { slowReaders: number; rateLimited: number };
  /** The relay is over, and the client is there. `early` is for its session at that node; null: the registry knows which. */
  returned(relayed: RelayedSocket, node: string | null, handOver: HandOver | null, early: EarlyMessage[]): void;
  /** The client is gone. */
  relayGone(relayed: RelayedSocket): void;
}

/**
 * A client here with its session at another node. Until the home has taken the session, and between its hand-over and the
 * next session, messages are queued here. Otherwise they pass unread, and the home counts them.
 */
export class RelayedSocket implements SocketListener, RelayListener {
  #state: 'waiting' | 'relayed' | 'returning' | 'over' = 'waiting';
  #early: EarlyMessage[];
  #frames: Buffer[] = [];
  #next: { node: string | null; handOver: HandOver | null } | null = null;
  #retry: NodeJS.Timeout | undefined;
  readonly #relay: Relay;

  constructor(
    readonly client: ClientSocket,
    readonly opening: RelayOpening,
    node: string,
    early: EarlyMessage[],
    private readonly host: RelayedSocketHost,
  ) {
    this.#early = early;
    this.#relay = host.relays.open(node, opening, this);
  }

  // ---- from the client

  message(data: Buffer): void {
    if (this.#state === 'over') return;
    if (data.length > MAX_CLIENT_FRAME) return this.end(CloseCode.frameTooLarge);
    if (this.#state !== 'relayed' || this.opening.kind === 'watch') return this.#judged(this.#count(data.length), data);
    this.#relay.message(data);
    if (this.#relay.buffered() > MOST_UNSENT) this.end(CloseCode.flooding);
  }

  control(): void {
    if (this.#state === 'over' || this.#isSlow()) return;
    this.#judged(this.client.allowance.control(this.host.now()), null);
  }

  closed(code: number, reason: string): void {
    if (this.#state !== 'over') this.#over({ code, reason, by: 'client' });
  }

  #count(bytes: number): AllowanceVerdict {
    return this.client.allowance.message(this.host.now(), bytes);
  }

  #judged(verdict: AllowanceVerdict, data: Buffer | null): void {
    if (verdict !== 'read') this.host.stats.rateLimited++;
    if (verdict === 'end') return this.end(CloseCode.flooding);
    if (this.opening.kind === 'watch' || verdict === 'drop' || (verdict === 'read' && data === null)) return;
    if (this.#state === 'relayed') return this.#relay.warn();
    if (this.#early.length < MAX_EARLY) this.#early.push(verdict === 'warn' ? null : Buffer.from(data!));
  }

  // ---- from the home

  taken(): void {
    if (this.#state !== 'waiting') return;
    this.#state = 'relayed';
    this.client.settled();
    if (this.#early.length > 0) this.#relay.early(this.#early.splice(0));
  }

  /** Frames that arrive together leave in one write. */
  frame(bytes: Buffer): void {
    if (this.#state === 'over') return;
    if (this.#frames.length === 0) queueMicrotask(() => this.#flush());
    this.#frames.push(bytes);
  }

  away(node: string | null, handOver: HandOver | null): void {
    if (this.#state === 'over') return;
    this.#flush();
    this.#state = 'returning';
    this.#next = { node, handOver };
    this.#relay.done();
  }

  unread(messages: readonly Buffer[]): void {
    if (this.#state !== 'returning' || this.#next === null) return this.broken();
    const { node, handOver } = this.#next;
    if (!this.client.mayMove()) return this.#close(CloseCode.draining, CLOSE_REASONS[CloseCode.draining]);
    this.#return(node, handOver, [...messages, ...this.#early].slice(0, MAX_EARLY));
  }

  ended(code: number, reason: string): void {
    if (this.#state === 'over') return;
    this.#flush();
    this.#close(code, reason);
  }

  /** Nobody knows what the home has read: only a session that it had not taken is opened again. */
  broken(): void {
    if (this.#state === 'over') return;
    const waits = this.#state === 'waiting' && this.client.mayWait(this.host.now());
    if (!waits) return this.#close(CloseCode.draining, CLOSE_REASONS[CloseCode.draining]);
    const handOver = (this.opening.kind === 'play' && this.opening.hello.handOver) || null;
    this.#retry = setTimeout(() => this.#return(null, handOver, this.#early), RETRY_MS);
  }

  // ---- its end

  /** Ends the client's socket; its home hears of it. */
  end(code: number, reason = code in CLOSE_REASONS ? CLOSE_REASONS[code as CloseCode] : ''): void {
    if (this.#state === 'over') return;
    this.#over({ code, reason, by: 'server' });
    this.client.socket.close(code, reason);
  }

  #over(end: SocketEnd): void {
    this.#state = 'over';
    this.#frames = [];
    clearTimeout(this.#retry);
    this.#relay.end(end);
    this.host.relayGone(this);
  }

  /** The home knows. */
  #close(code: number, reason: string): void {
    this.#state = 'over';
    this.#frames = [];
    this.host.relayGone(this);
    this.client.socket.close(code, reason);
  }

  #return(node: string | null, handOver: HandOver | null, early: EarlyMessage[]): void {
    this.#state = 'over';
    this.host.returned(this, node, handOver, early);
  }

  #flush(): void {
    const frames = this.#frames;
    if (frames.length === 0 || this.#state === 'over' || this.#isSlow()) return;
    this.#frames = [];
    const { socket } = this.client;
    let isWhole = true;
    socket.cork(() => {
      for (const frame of frames) isWhole &&= socket.send(frame);
    });
    if (!isWhole) this.#tooSlow();
  }

  #isSlow(): boolean {
    if (this.client.socket.buffered() <= this.host.bufferBytes) return false;
    this.#tooSlow();
    return true;
  }

  #tooSlow(): void {
    this.host.stats.slowReaders++;
    this.end(CloseCode.tooSlow);
  }
}
