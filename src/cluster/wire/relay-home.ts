import { assert } from '../../ops/assert.js';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { HandOver } from '../../gateway/ports.js';
import type {
  EarlyMessage,
  HomeListener,
  HomeSocket,
  RelayedSockets,
  RelayOpening,
} from '../../gateway/relay/ports.js';
import type { Log } from '../../gateway/transport.js';
import { ABNORMAL } from '../../protocol/mishap.js';
import { Beat, type Beating } from './beat.js';
import { RELAY_BEAT_MS, SILENT_BEATS } from './relay-edge.js';
import { readToHome, type ToEdge, type ToHome } from './relay-messages.js';

/** For the first message of a relay, in ms. */
const OPENING_MS = 1_000;

export interface RelayHomesOptions {
  sockets: RelayedSockets;
  /** Unsent bytes of one relay at most. The gateway's own limit is lower. */
  bufferLimit: number;
  log: Log;
  beatMs?: number;
}

/** The homes of all relays with sessions at this node. */
export class RelayHomes {
  readonly #beat: Beat;
  readonly #topics = new Map<string, Set<RelayHome>>();
  /** Frames and control messages that left. */
  readonly sent = { count: 0 };

  constructor(readonly options: RelayHomesOptions) {
    assert(options.bufferLimit > 0, 'a relay has room for frames', options.bufferLimit);
    this.#beat = new Beat(options.beatMs ?? RELAY_BEAT_MS);
  }

  /** Sessions of sockets of other nodes. */
  get count(): number {
    return this.#beat.size;
  }

  /** Serves RELAY_PATH. */
  readonly serve = (ws: WebSocket, connection: Duplex, from: string): void => {
    ws.on('error', () => ws.terminate());
    const timer = setTimeout(() => ws.terminate(), OPENING_MS);
    ws.once('close', () => clearTimeout(timer));
    ws.once('message', (data, isBinary) => {
      clearTimeout(timer);
      const first = isBinary ? null : readToHome(data as Buffer);
      if (first?.t !== 'open') return ws.terminate();
      const { sockets, bufferLimit, log } = this.options;
      const host = { bufferLimit, log, beat: this.#beat, topics: this.#topics, sent: this.sent };
      const home = new RelayHome(ws, connection, from, host);
      try {
        home.open(sockets, first.opening);
      } catch (error) {
        log.error({ err: error, node: from }, 'a relay could not be opened');
        ws.terminate();
      }
    });
  };

  /** To the spectators among them that subscribe to the topic. */
  publish(topic: string, frames: readonly Uint8Array[]): void {
    for (const home of this.#topics.get(topic) ?? []) home.cork(() => frames.forEach((frame) => void home.send(frame)));
  }
}

interface RelayHomeHost {
  beat: Beat;
  topics: Map<string, Set<RelayHome>>;
  sent: { count: number };
  bufferLimit: number;
  log: Log;
}

class RelayHome implements HomeSocket, Beating {
  #listener: HomeListener | null = null;
  #isOpen = true;
  /** Messages that came after `away`. Null before. */
  #unread: Buffer[] | null = null;
  #quietBeats = 0;

  constructor(
    private readonly ws: WebSocket,
    private readonly connection: Duplex,
    readonly edge: string,
    private readonly host: RelayHomeHost,
  ) {
    host.beat.add(this);
    ws.on('message', (data, isBinary) => this.#message(data as Buffer, isBinary));
    ws.on('ping', () => void (this.#quietBeats = 0));
    ws.on('close', () => {
      host.beat.delete(this);
      this.#closed(ABNORMAL.code, '');
    });
  }

  open(sockets: RelayedSockets, opening: Extract<ToHome, { t: 'open' }>['opening']): void {
    const { edge } = this;
    assert(this.#listener === null, 'a relay opens once', edge);
    assert(this.#isOpen, 'a relay opens while its socket is open', edge);
    const given: RelayOpening =
      opening.kind === 'watch' ? opening : { ...opening, hello: { ...opening.hello, relayedFrom: edge } };
    this.#listener = sockets.openRelayed(this, given);
  }

  beat(): void {
    if (++this.#quietBeats <= SILENT_BEATS) return;
    this.host.log.warn({ node: this.edge }, 'a relay is silent');
    this.ws.terminate();
  }

  taken(): void {
    if (this.#isOpen) this.#control({ t: 'taken' });
  }

  away(node: string | null, handOver: HandOver | null): void {
    if (!this.#isOpen) return;
    this.#control({ t: 'away', node, handOver });
    this.#unread = [];
    this.#forget();
  }

  send(frame: string | Uint8Array): boolean {
    if (!this.#isOpen) return true;
    if (this.ws.bufferedAmount > this.host.bufferLimit) return false;
    this.host.sent.count++;
    // A copy: the library keeps what the network does not take at once, and the caller uses the bytes again.
    this.ws.send(typeof frame === 'string' ? frame : Buffer.from(frame), { binary: false });
    return true;
  }

  cork(write: () => void): void {
    if (!this.#isOpen) return;
    this.connection.cork();
    write();
    this.connection.uncork();
  }

  buffered(): number {
    return this.#isOpen ? this.ws.bufferedAmount : 0;
  }

  subscribe(topic: string): void {
    const { topics } = this.host;
    if (this.#isOpen) topics.set(topic, (topics.get(topic) ?? new Set()).add(this));
  }

  unsubscribe(topic: string): void {
    const members = this.host.topics.get(topic);
    if (members?.delete(this) === true && members.size === 0) this.host.topics.delete(topic);
  }

  close(code: number, reason: string): void {
    if (!this.#isOpen) return;
    this.#control({ t: 'end', code, reason });
    this.ws.close();
    this.#closed(code, reason);
  }

  #control(message: ToEdge): void {
    this.host.sent.count++;
    this.ws.send(Buffer.from(JSON.stringify(message)), { binary: true });
  }

  #message(data: Buffer, isBinary: boolean): void {
    this.#quietBeats = 0;
    if (isBinary) {
      if (this.#unread !== null) this.#unread.push(Buffer.from(data));
      else this.#listener?.message(data);
      return;
    }
    const message = readToHome(data);
    if (message === null || message.t === 'open') return this.ws.terminate();
    switch (message.t) {
      case 'early':
        return this.#listener?.early(message.messages.map(bytesOf));
      case 'warn':
        return this.#listener?.warned();
      case 'done':
        return this.#done();
      case 'end': {
        const { code, reason, by } = message;
        if (by === 'server') this.#listener?.endedBy({ code, reason, by });
        return this.#closed(code, reason);
      }
    }
  }

  /** Messages that came after `away` go back, in order. The edge closes the relay. */
  #done(): void {
    if (this.#unread === null) return this.ws.terminate();
    this.#control({ t: 'unread', messages: this.#unread.map((message) => message.toString('base64')) });
    this.#unread = null;
  }

  #closed(code: number, reason: string): void {
    if (!this.#isOpen) return;
    const listener = this.#listener;
    this.#forget();
    listener?.closed(code, reason);
  }

  /** Its session hears and sends nothing more. */
  #forget(): void {
    this.#isOpen = false;
    this.#listener = null;
    for (const topic of [...this.host.topics.keys()]) this.unsubscribe(topic);
  }
}

const bytesOf = (text: string | null): EarlyMessage => (text === null ? null : Buffer.from(text, 'base64'));
