import type { WebSocket } from 'ws';
import type { EarlyMessage, Relay, RelayListener, RelayOpening } from '../../gateway/relay/ports.js';
import type { Log } from '../../gateway/transport.js';
import type { SocketEnd } from '../../protocol/mishap.js';
import { Beat, type Beating } from './beat.js';
import type { Peers } from './peers.js';
import { readToEdge, withoutKey, type ToHome } from './relay-messages.js';

export const RELAY_PATH = '/relay';
/** How often a relay is pinged, in ms. */
export const RELAY_BEAT_MS = 1_000;
/** A relay that is silent for so many beats is broken. */
export const SILENT_BEATS = 3;
/** For the other side to close, too, in ms. */
const CLOSING_MS = 1_000;

export interface RelayEdgesOptions {
  peers: Pick<Peers, 'open'>;
  log: Log;
  beatMs?: number;
}

/** The edges of all relays with clients at this node. */
export class RelayEdges {
  readonly #beat: Beat;
  /** Messages of clients and control messages that left. */
  readonly sent = { count: 0 };

  constructor(private readonly options: RelayEdgesOptions) {
    this.#beat = new Beat(options.beatMs ?? RELAY_BEAT_MS);
  }

  /** Relays that are open, or open now. */
  get count(): number {
    return this.#beat.size;
  }

  open(node: string, opening: RelayOpening, listener: RelayListener): Relay {
    const ws = this.options.peers.open(node, RELAY_PATH);
    const host = { listener, beat: this.#beat, sent: this.sent, log: this.options.log };
    if (ws !== null) return new RelayEdge(ws, node, opening, host);
    setImmediate(() => listener.broken());
    return NOWHERE;
  }
}

/** To a node that does not live. */
const NOWHERE: Relay = {
  early: () => undefined,
  message: () => undefined,
  warn: () => undefined,
  done: () => undefined,
  end: () => undefined,
  buffered: () => 0,
};

class RelayEdge implements Relay, Beating {
  /** Null once it is over. */
  #listener: RelayListener | null;
  #quietBeats = 0;

  constructor(
    private readonly ws: WebSocket,
    private readonly node: string,
    opening: RelayOpening,
    private readonly host: { listener: RelayListener; beat: Beat; sent: { count: number }; log: Log },
  ) {
    this.#listener = host.listener;
    host.beat.add(this);
    ws.on('open', () => this.#control({ t: 'open', opening: withoutKey(opening) }));
    ws.on('message', (data, isBinary) => this.#message(data as Buffer, isBinary));
    ws.on('pong', () => void (this.#quietBeats = 0));
    ws.on('error', (error) => this.#broken(error.message));
    ws.on('close', () => this.#broken('it broke off'));
  }

  beat(): void {
    if (this.ws.readyState !== this.ws.OPEN) return;
    if (++this.#quietBeats > SILENT_BEATS) this.#broken('it is silent');
    else this.ws.ping();
  }

  early(messages: readonly EarlyMessage[]): void {
    this.#control({ t: 'early', messages: messages.map((message) => message?.toString('base64') ?? null) });
  }

  message(data: Buffer): void {
    // A copy: the transport uses the bytes again, and the library may keep them.
    if (this.#isOpen) this.#send(Buffer.from(data), true);
  }

  warn(): void {
    this.#control({ t: 'warn' });
  }

  done(): void {
    this.#control({ t: 'done' });
  }

  end({ code, reason, by }: SocketEnd): void {
    if (this.#listener === null) return;
    this.#control({ t: 'end', code, reason, by });
    this.#close();
  }

  buffered(): number {
    return this.ws.bufferedAmount;
  }

  get #isOpen(): boolean {
    return this.#listener !== null && this.ws.readyState === this.ws.OPEN;
  }

  #control(message: ToHome): void {
    if (this.#isOpen) this.#send(JSON.stringify(message), false);
  }

  #send(data: Buffer | string, binary: boolean): void {
    this.host.sent.count++;
    this.ws.send(data, { binary });
  }

  #message(data: Buffer, isBinary: boolean): void {
    this.#quietBeats = 0;
    const listener = this.#listener;
    if (listener === null) return;
    if (!isBinary) return listener.frame(data);
    const message = readToEdge(data);
    if (message === null) return this.#broken('the home sent a message that is none');
    switch (message.t) {
      case 'taken':
        return listener.taken();
      case 'away':
        return listener.away(message.node, message.handOver);
      case 'unread':
        // The session is not there any more.
        this.#close();
        return listener.unread(message.messages.map((text) => Buffer.from(text, 'base64')));
      case 'end':
        this.#close();
        return listener.ended(message.code, message.reason);
    }
  }

  #broken(why: string): void {
    const listener = this.#listener;
    if (listener === null) return;
    this.#over();
    this.ws.terminate();
    this.host.log.warn({ node: this.node, why }, 'a relay was lost');
    listener.broken();
  }

  /** A home that does not close, too, is not waited for. */
  #close(): void {
    this.#over();
    if (this.ws.readyState !== this.ws.OPEN) return this.ws.terminate();
    this.ws.close();
    const end = setTimeout(() => this.ws.terminate(), CLOSING_MS).unref();
    this.ws.once('close', () => clearTimeout(end));
  }

  #over(): void {
    this.#listener = null;
    this.host.beat.delete(this);
  }
}
