import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import type { ServerMessage, ServerMessageOf, ServerMessageType } from '../../src/protocol/server.js';
import type { Scope } from './database.js';
import { examples } from './frames.js';

export type Said = Record<string, unknown> & { type: string };

/** A /ws that does nothing by itself. The test plays the server, so that it can send rare frames. */
export class ScriptedServer {
  readonly #waiting: ((conversation: Conversation) => void)[] = [];
  readonly #opened: Conversation[] = [];

  private constructor(private readonly server: WebSocketServer) {
    server.on('connection', (socket, request) => {
      const conversation = new Conversation(socket, request.headers.authorization ?? '');
      const waiter = this.#waiting.shift();
      if (waiter === undefined) this.#opened.push(conversation);
      else waiter(conversation);
    });
  }

  static async open(t: Scope): Promise<ScriptedServer> {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    await once(server, 'listening');
    t.teardown(async () => {
      for (const socket of server.clients) socket.terminate();
      await new Promise((resolve) => server.close(resolve));
    });
    return new ScriptedServer(server);
  }

  get wsUrl(): string {
    return `ws://127.0.0.1:${(this.server.address() as AddressInfo).port}/ws`;
  }

  /** The next opened socket. */
  async connection(): Promise<Conversation> {
    return this.#opened.shift() ?? new Promise((resolve) => this.#waiting.push(resolve));
  }
}

export class Conversation {
  readonly #said: Said[] = [];
  readonly #waiting: ((message: Said) => void)[] = [];

  constructor(
    private readonly socket: WebSocket,
    readonly authorization: string,
  ) {
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as Said;
      const waiter = this.#waiting.shift();
      if (waiter === undefined) this.#said.push(message);
      else waiter(message);
    });
  }

  /** Sends the example of this type, with changes. */
  say<T extends ServerMessageType>(type: T, changes: Partial<ServerMessageOf[T]> = {}): void {
    this.send({ ...examples[type], ...changes } as ServerMessage);
  }

  send(message: ServerMessage): void {
    this.socket.send(JSON.stringify(message));
  }

  /** The next message of the client, in order. */
  async heard(): Promise<Said> {
    return this.#said.shift() ?? new Promise((resolve) => this.#waiting.push(resolve));
  }

  /**
   * Throws if the client sent more than was heard. The client answers this error by a rebuy, so the rebuy must come
   * next.
   */
  async heardNothing(): Promise<void> {
    this.say('error', { code: 'insufficient_season_chips' });
    const next = await this.heard();
    if (next.type !== 'rebuy') throw new Error(`unexpected: ${JSON.stringify(next)}`);
  }

  close(code: number): void {
    this.socket.close(code);
  }

  /** Cuts the connection. */
  cut(): void {
    this.socket.terminate();
  }

  /** The client's close code. */
  async closed(): Promise<number> {
    const [code] = (await once(this.socket, 'close')) as [number];
    return code;
  }
}
