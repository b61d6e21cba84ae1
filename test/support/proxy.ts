import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer, type RawData } from 'ws';
import type { ServerMessage } from '../../src/protocol/server.js';
import type { Scope } from './database.js';
import { recordClose, recordFrame } from './recorder.js';

/** A proxy between bot programs and the platform's socket. It passes everything on, and reads the server's frames. */
export class Proxy {
  /** Frames from the server, by type. */
  readonly counts = new Map<ServerMessage['type'], number>();
  /** The server's complaints, as text. */
  readonly complaints: string[] = [];
  /** Wrong frames, and errors of sockets. */
  readonly faults: string[] = [];
  /** The last frames of each connection, in both directions. */
  readonly #recent: string[][] = [];
  readonly #clients = new Set<WebSocket>();

  private constructor(
    private readonly server: WebSocketServer,
    private readonly target: string,
  ) {
    server.on('connection', (client, request) => this.#connect(client, request.headers.authorization ?? ''));
  }

  static async open(t: Scope, target: string): Promise<Proxy> {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    await once(server, 'listening');
    const proxy = new Proxy(server, target);
    t.teardown(async () => {
      proxy.cut();
      await new Promise((resolve) => server.close(resolve));
    });
    return proxy;
  }

  get wsUrl(): string {
    return `ws://127.0.0.1:${(this.server.address() as AddressInfo).port}/ws`;
  }

  count(type: ServerMessage['type']): number {
    return this.counts.get(type) ?? 0;
  }

  /** Cuts every connection without a close frame. */
  cut(): void {
    for (const client of this.#clients) client.terminate();
  }

  /** The end of each of the last connections, for the report of a failure. */
  describe(): string {
    return this.#recent
      .slice(-8)
      .map((lines) => lines.join('\n'))
      .join('\n\n');
  }

  #connect(client: WebSocket, authorization: string): void {
    this.#clients.add(client);
    const upstream = new WebSocket(this.target, { headers: { authorization } });
    const recent: string[] = [];
    const note = (line: string) => {
      recent.push(`${new Date().toISOString().slice(17, 23)} ${line.slice(0, 300)}`);
      if (recent.length > 12) recent.shift();
    };
    this.#recent.push(recent);
    const early: RawData[] = [];
    client.on('message', (data) => {
      note(`> ${String(data)}`);
      if (upstream.readyState === WebSocket.OPEN) upstream.send(String(data));
      else early.push(data);
    });
    upstream.on('open', () => early.splice(0).forEach((data) => upstream.send(String(data))));
    upstream.on('message', (data) => {
      note(`< ${String(data)}`);
      this.#read(String(data));
      if (client.readyState === WebSocket.OPEN) client.send(String(data));
    });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('error', (error) => this.faults.push(error.message));
      from.on('close', (code) => {
        if (from === upstream) recordClose(code);
        note(`${from === client ? '>' : '<'} closed with ${code}`);
        this.#clients.delete(client);
        // These codes mean a close without a code, and cannot be sent.
        if (code === 1005 || code === 1006) to.terminate();
        else if (to.readyState === WebSocket.OPEN) to.close(code);
      });
    }
  }

  #read(text: string): void {
    try {
      const frame = recordFrame(text);
      this.counts.set(frame.type, this.count(frame.type) + 1);
      if (frame.type === 'action_rejected' || frame.type === 'error') this.complaints.push(text);
    } catch (error) {
      this.faults.push((error as Error).message);
    }
  }
}
