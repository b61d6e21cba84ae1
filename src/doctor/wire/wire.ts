import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { text as readAll } from 'node:stream/consumers';
import { WebSocketServer } from 'ws';
import { chosenSubprotocol } from '../../protocol/subprotocol.js';
import { Line, type LineFilter, type LineSettings } from './line.js';
import type { Transcript } from './transcript.js';

export interface WireReply {
  status: number;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

/** The fate of an attempt to connect: it is let through (null), answered, or its TCP connection breaks. */
export type Admission = WireReply | 'reset' | null;

const REASONS: Readonly<Record<number, string>> = { 401: 'Unauthorized', 429: 'Too Many Requests', 503: 'Unavailable' };
const pass: LineFilter = (text) => [text];

/**
 * The server as the bot sees it: passes everything on, notes it, and does to it as the case says. Connections and
 * requests are counted from 1.
 */
export class Wire implements LineSettings {
  toBot: LineFilter = pass;
  toServer: LineFilter = pass;
  delayMs = 0;
  offset = 0;
  /** Asked at each attempt to connect, with its number. */
  admit: (attempt: number, request: IncomingMessage) => Admission = () => null;
  /** Asked at each REST request, with its number; null passes it on. */
  answer: (count: number, path: string) => WireReply | null = () => null;
  /** Called with the TCP connection of each new line, before anything is written. */
  onTcp: (socket: Socket) => void = () => undefined;
  /** How long the server takes to welcome a connection. */
  welcomeMs = 0;
  readonly lines: Line[] = [];
  /** When the bot tried to connect (performance.now), refused or not. */
  readonly attempts: number[] = [];
  /** When it asked by REST. */
  readonly requests: { at: number; path: string; status: number }[] = [];
  /** TCP connections, upgraded ones too. */
  readonly #connections = new Set<Socket>();
  readonly #sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    handleProtocols: (offered) => chosenSubprotocol([...offered].join(',')) || false,
  });

  private constructor(
    private readonly http: Server,
    private readonly upstream: string,
    private readonly transcript: Transcript,
  ) {
    http.on('connection', (socket) => {
      this.#connections.add(socket);
      socket.on('close', () => this.#connections.delete(socket));
    });
    http.on('request', (request, response) => {
      // Bot or server may go in the midst of it, as at the end of a case.
      this.#request(request, response).catch((error: unknown) => {
        this.transcript.note(`${request.method ?? 'GET'} ${request.url ?? '/'} is not answered: ${String(error)}`);
        response.destroy();
      });
    });
    http.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
  }

  static async open(upstream: string, transcript: Transcript): Promise<Wire> {
    const http = createServer();
    await new Promise<void>((resolve, reject) => {
      http.once('error', reject);
      http.listen(0, '127.0.0.1', resolve);
    });
    return new Wire(http, upstream, transcript);
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.http.address() as AddressInfo).port}`;
  }

  get wsUrl(): string {
    return `${this.baseUrl.replace('http', 'ws')}/ws`;
  }

  /** The bot's present connection. Throws where it has none. */
  get line(): Line {
    const line = this.lines.at(-1);
    if (line === undefined) throw new Error('the bot has not connected yet');
    return line;
  }

  async close(): Promise<void> {
    for (const { bot } of this.lines) bot.terminate();
    const closed = new Promise((resolve) => this.http.close(resolve));
    for (const socket of this.#connections) socket.destroy();
    await closed;
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const attempt = this.attempts.push(performance.now());
    const admission = this.admit(attempt, request);
    socket.on('error', () => undefined);
    if (admission === 'reset') {
      this.transcript.note(`attempt ${attempt} to connect: the connection breaks`);
      socket.destroy();
    } else if (admission !== null) {
      this.transcript.note(`attempt ${attempt} to connect is answered ${admission.status}`);
      socket.end(refusal(admission));
    } else if (this.welcomeMs === 0) this.#connect(request, socket, head);
    else setTimeout(() => this.#connect(request, socket, head), this.welcomeMs);
  }

  #connect(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (socket.destroyed) return;
    const tcp = socket as Socket;
    this.onTcp(tcp);
    this.#sockets.handleUpgrade(request, socket, head, (bot) => {
      const number = this.lines.length + 1;
      const url = new URL(request.url ?? '/', this.upstream.replace('http', 'ws'));
      this.transcript.note(`the bot opens connection ${number}`);
      const upstream = { url: url.href, authorization: request.headers.authorization };
      this.lines.push(new Line(number, bot, tcp, upstream, this, this.transcript));
    });
  }

  async #request(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/';
    const body = await readAll(request);
    const at = performance.now();
    const given = this.answer(this.requests.length + 1, path) ?? (await this.#forward(request, body));
    this.requests.push({ at, path, status: given.status });
    this.transcript.note(`${request.method ?? 'GET'} ${path} is answered ${given.status}`);
    response.writeHead(given.status, { 'content-type': 'application/json', ...given.headers }).end(given.body ?? '');
  }

  async #forward(request: IncomingMessage, body: string): Promise<WireReply> {
    const { authorization } = request.headers;
    const answer = await fetch(new URL(request.url ?? '/', this.upstream), {
      method: request.method ?? 'GET',
      headers: { 'content-type': 'application/json', ...(authorization === undefined ? {} : { authorization }) },
      ...(body === '' ? {} : { body }),
    });
    return { status: answer.status, body: await answer.text() };
  }
}

function refusal({ status, headers = {}, body = '{"detail":"refused"}' }: WireReply): string {
  const lines = Object.entries({ 'content-type': 'application/json', connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const length = Buffer.byteLength(body);
  return `HTTP/1.1 ${status} ${REASONS[status] ?? 'Refused'}\r\n${lines.join('')}content-length: ${length}\r\n\r\n${body}`;
}
