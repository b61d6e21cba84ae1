import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Test } from 'tap';
import { WebSocket } from 'ws';
import type { RequestAgent, Route as RestRoute } from '../../src/protocol/route.js';
import { Gateway, type GatewayConfig, type GatewayUpstream } from '../../src/gateway/gateway.js';
import type { Hello, Registry, TableRoute } from '../../src/gateway/ports.js';
import { Edge, keyOf } from './edge.js';
import type { ClientMessage } from '../../src/protocol/client.js';
import type { Mishap, SocketEnd } from '../../src/protocol/mishap.js';
import type { Site } from '../../src/gateway/pages/site.js';
import type { PageHandler } from '../../src/gateway/router.js';
import type { Log } from '../../src/gateway/transport.js';
import type { ToShard } from '../../src/shard/messages.js';
import { ASKS } from '../../src/table/outbox.js';

/** The gateway, with plain objects in place of everything behind it. */

export const TRANSPORTS = ['uws', 'ws'] as const;

/** NODES is 2 if clients connect to another node than their sessions' node. */
interface HouseConfig extends GatewayConfig {
  NODES?: 2;
}

/** Ways to hold sockets that clients must not be able to tell apart. */
export const WAYS: readonly { name: string; config: Pick<HouseConfig, 'TRANSPORT' | 'NODES'> }[] = [
  { name: 'transport uws', config: { TRANSPORT: 'uws' } },
  { name: 'transport ws', config: { TRANSPORT: 'ws' } },
  { name: 'transport uws on another node', config: { TRANSPORT: 'uws', NODES: 2 } },
];

export const agentId = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** A queue to await: `push` values, take them in order. */
export class EventQueue<T> {
  #values: T[] = [];
  #waiting: ((value: T) => void)[] = [];

  push(value: T): void {
    const waiter = this.#waiting.shift();
    if (waiter) waiter(value);
    else this.#values.push(value);
  }

  next(): Promise<T> {
    if (this.#values.length > 0) return Promise.resolve(this.#values.shift() as T);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async take(count: number): Promise<T[]> {
    const taken: T[] = [];
    while (taken.length < count) taken.push(await this.next());
    return taken;
  }

  /** Values that have come and are not taken. */
  get rest(): readonly T[] {
    return this.#values;
  }
}

export interface Opened {
  socket: number;
  apiKey: string | null;
  keyInUrl?: true;
  ip: string;
  competitionId: string | null;
}

/** Welcomes a client with a key `key-N` at once, as agent N on `routes.get(N)`. Refuses all others. */
export class FakeRegistry implements Registry {
  readonly openings = new EventQueue<Opened>();
  readonly messages = new EventQueue<{ socket: number; agentId: string; message: ClientMessage }>();
  readonly closings = new EventQueue<{ socket: number; agentId: string | null }>();
  readonly ends = new EventQueue<SocketEnd>();
  readonly mishaps = new EventQueue<{ agentId: string; mishap: Mishap }>();
  readonly routes = new Map<number, TableRoute>();
  /** False: the test welcomes clients itself. */
  answers = true;
  gateway!: Gateway;

  opened(socket: number, hello: Hello): void {
    const { keyInUrl, ip, competitionId, shown } = hello;
    const apiKey = shown === undefined ? hello.apiKey : keyOf(shown.hash);
    this.openings.push({ socket, apiKey, ...(keyInUrl && { keyInUrl }), ip, competitionId });
    if (this.answers) this.answer(socket, apiKey);
  }

  watching(socket: number): void {
    this.gateway.sockets.refuse(socket, { code: 'table_not_found', message: 'Table not found' }, 4004);
  }

  answer(socket: number, apiKey: string | null): void {
    const n = Number(/^key-(\d+)$/.exec(apiKey ?? '')?.[1] ?? NaN);
    const { sockets } = this.gateway;
    if (Number.isNaN(n)) sockets.refuse(socket, { code: 'auth_failed', message: 'Invalid or missing API key' }, 4001);
    else sockets.welcome(socket, { agentId: agentId(n), name: `bot_${n}` }, this.routes.get(n) ?? null);
  }

  message(socket: number, agent: string, message: ClientMessage): void {
    this.messages.push({ socket, agentId: agent, message });
  }

  mishap(agent: string, mishap: Mishap): void {
    this.mishaps.push({ agentId: agent, mishap });
  }

  closed(socket: number, agent: string | null, end: SocketEnd): void {
    this.closings.push({ socket, agentId: agent });
    this.ends.push(end);
  }
}

export interface LogLine {
  level: 'info' | 'warn' | 'error';
  detail: Record<string, unknown>;
  message: string;
}

export class FakeLog implements Log {
  readonly lines: LogLine[] = [];
  info(detail: object, message: string): void {
    this.lines.push({ level: 'info', detail: { ...detail }, message });
  }
  warn(detail: object, message: string): void {
    this.lines.push({ level: 'warn', detail: { ...detail }, message });
  }
  error(detail: object, message: string): void {
    this.lines.push({ level: 'error', detail: { ...detail }, message });
  }
  errors(): LogLine[] {
    return this.lines.filter(({ level }) => level === 'error');
  }
}

export const GATEWAY_CONFIG: GatewayConfig = {
  HOST: '127.0.0.1',
  PORT: 0,
  TRANSPORT: 'auto',
  TRUSTED_PROXY: 0,
  CONNECTIONS_PER_ADDRESS: 512,
  WS_CONNECTS_PER_MINUTE: 1000,
  REGISTRATIONS_PER_MINUTE: 1000,
  WS_MESSAGES_PER_SECOND: 20,
  SOCKET_BUFFER_BYTES: 65_536,
  COALESCE_MS: 4,
  ACTION_TIMEOUT_MS: 120_000,
  DATABASE_CONNECTIONS: 8,
  SPECTATE: 'on' as const,
  SPECTATE_DELAY_HANDS: 0,
};

export interface House {
  /** The port of the clients. */
  port: number;
  gateway: Gateway;
  registry: FakeRegistry;
  /** The messages to each shard. */
  shards: EventQueue<ToShard>[];
  /** Frames of a shard (see `batch`). */
  forward(bytes: ArrayBuffer, index: Uint32Array): void;
  log: FakeLog;
  /** The time of the sessions, in ms. */
  clock: { now: number };
  http: string;
  ws: string;
}

/** `admin-key` is the platform agent's, `key-N` agent N's. */
export async function openHouse(
  change: Partial<HouseConfig>,
  routes: readonly RestRoute[] = [],
  pages: Readonly<Record<string, PageHandler>> = {},
  site: Site | null = null,
): Promise<House> {
  const registry = new FakeRegistry();
  const log = new FakeLog();
  const shards = [new EventQueue<ToShard>(), new EventQueue<ToShard>()];
  const clock = { now: 1000 };
  const { NODES = 1, ...config } = { ...GATEWAY_CONFIG, ...change };
  const gateway = new Gateway(config, {
    log,
    installation: 'test',
    now: () => clock.now,
  });
  const links = shards.map((shard) => ({ send: (message: ToShard) => shard.push(message) }));
  const edge = NODES > 1 ? new Edge({ config, home: gateway, log, now: () => clock.now }) : null;
  const forward = (bytes: ArrayBuffer, index: Uint32Array) => gateway.hub.forward(bytes, index);
  registry.gateway = gateway;
  const upstream: GatewayUpstream = {
    registry,
    link: (shard) => links[shard]!,
    authenticate: async (key) => agentOf(key),
    known: (key) => agentOf(key) !== null,
    ...(edge && { relays: (await edge.begin()).relays }),
  };
  await gateway.listen(upstream, routes, pages, site);
  await edge?.listen();
  if (edge !== null) {
    const close = gateway.close.bind(gateway);
    // Closes both nodes.
    gateway.close = async (...code) => {
      await close(...code);
      await edge.close();
    };
  }
  const port = edge?.port ?? gateway.port;
  const address = `127.0.0.1:${port}`;
  return {
    gateway,
    registry,
    shards,
    log,
    clock,
    forward,
    port,
    http: `http://${address}`,
    ws: `ws://${address}/ws`,
  };
}

function agentOf(key: string): RequestAgent | null {
  if (key === 'admin-key') return { agentId: agentId(0), name: 'platform', isAdmin: true };
  const n = /^key-(\d+)$/.exec(key)?.[1];
  return n === undefined ? null : { agentId: agentId(Number(n)), name: `bot_${n}`, isAdmin: false };
}

/** A bot's end of a socket. */
export class Client {
  /** Texts of the frames that came. */
  readonly frames = new EventQueue<string>();
  readonly closed: Promise<{ code: number; reason: string }>;

  private constructor(readonly ws: WebSocket) {
    ws.on('message', (data: Buffer) => this.frames.push(data.toString()));
    this.closed = new Promise((resolve) => {
      ws.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
    });
  }

  /** Rejects if the upgrade is refused: see `refusedUpgrade`. */
  static async connect(url: string, authorization?: string, more: Record<string, string> = {}): Promise<Client> {
    const ws = new WebSocket(url, { headers: { ...(authorization === undefined ? {} : { authorization }), ...more } });
    const client = new Client(ws);
    await once(ws, 'open');
    return client;
  }

  send(message: object | string): void {
    this.ws.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  async next(): Promise<Record<string, unknown>> {
    return JSON.parse(await this.frames.next()) as Record<string, unknown>;
  }

  async take(count: number): Promise<Record<string, unknown>[]> {
    return (await this.frames.take(count)).map((text) => JSON.parse(text) as Record<string, unknown>);
  }
}

/** A client after its `connected`, and its socket id. */
export async function enter(house: House, n: number, route?: TableRoute): Promise<{ client: Client; socket: number }> {
  if (route) house.registry.routes.set(n, route);
  const client = await Client.connect(house.ws, `Bearer key-${n}`);
  const { socket } = await house.registry.openings.next();
  await client.next();
  return { client, socket };
}

/** Status, headers and body of a refused upgrade. */
export async function refusedUpgrade(
  url: string,
  authorization?: string,
): Promise<{ status: number; headers: Record<string, unknown>; body: string }> {
  const ws = new WebSocket(url, { headers: authorization === undefined ? {} : { authorization } });
  return new Promise((resolve, reject) => {
    ws.on('open', () => reject(new Error('the upgrade was let through')));
    ws.on('error', () => undefined);
    ws.on('unexpected-response', (_request, response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
  });
}

/** A bare TCP connection, for bytes that no proper client sends. */
export async function rawConnection(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

/** Frames of a shard as one batch. */
export function batch(frames: readonly { socket: number; text: string; asks?: boolean }[]): [ArrayBuffer, Uint32Array] {
  const parts = frames.map(({ text }) => Buffer.from(text));
  const bytes = new Uint8Array(Buffer.concat(parts));
  const index = new Uint32Array(frames.length * 3);
  let at = 0;
  parts.forEach((part, i) =>
    index.set([frames[i]!.socket, frames[i]!.asks ? at | ASKS : at, (at += part.length)], i * 3),
  );
  return [bytes.buffer, index];
}

/** A seat, and an action from it. */
export const SEAT: TableRoute = { shard: 1, table: 'T1', seat: 3 };
export const ACTION = { type: 'action', action: 'call', client_action_id: 'c1', turn_token: 't1', hand_id: 'h1' };

type Way = (typeof WAYS)[number];
type InHouse = (t: Test, house: House) => Promise<void>;
type WithHouse = (name: string, run: InHouse, config?: Parameters<typeof openHouse>[0]) => Promise<unknown>;

/** Declares tests with a house each. */
export function housesOf(t: Test, way: Way): { withHouse: WithHouse; withOneNode: WithHouse } {
  const withHouse: WithHouse = (name, run, config = {}) =>
    t.test(name, async (t) => {
      const house = await openHouse({ ...way.config, ...config });
      try {
        await run(t, house);
      } finally {
        await house.gateway.close();
      }
      t.same(house.log.errors(), [], 'nothing went wrong inside');
    });
  return {
    withHouse,
    withOneNode: async (...args) => (way.config.NODES === 2 ? undefined : withHouse(...args)),
  };
}
