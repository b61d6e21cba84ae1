import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { WebSocketServer, type WebSocket } from 'ws';
import type { ClientMessage } from '../../src/protocol/client.js';
import { errorMessage } from '../../src/protocol/server.js';
import type { Database } from '../../src/store/database.js';
import { NaiveTable, type FinishedHand, type Player } from './table.js';

interface Account {
  agentId: string;
  name: string;
}

const STANDARD_BUY_IN = 2000;

/** The ordinary way to serve the game: `ws`, plain objects, JSON, one INSERT a hand. One process, one thread. */
export class NaiveServer {
  readonly #accounts = new Map<string, Account>();
  readonly #tables: NaiveTable[] = [];
  readonly #http = createServer((request, response) => {
    void this.#register(request).then((account) => {
      response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(account));
    });
  });
  /** Hands that are being stored. */
  readonly #storing = new Set<Promise<unknown>>();
  readonly #sockets = new WebSocketServer({ server: this.#http, path: '/ws' });

  constructor(private readonly sql: Database) {
    this.#sockets.on('connection', (socket, request) => this.#connected(socket, request));
  }

  /** Resolves to the port. */
  async listen(): Promise<number> {
    await this.sql`create table if not exists naive_hands (
      hand_id uuid primary key, table_id uuid not null, started_at timestamptz not null, ended_at timestamptz not null,
      record jsonb not null)`;
    await new Promise<void>((resolve) => this.#http.listen(0, '127.0.0.1', resolve));
    return (this.#http.address() as AddressInfo).port;
  }

  /** Resolves when all sockets are gone and the hands they left behind are stored. */
  async close(): Promise<void> {
    const gone = [...this.#sockets.clients].map((socket) => once(socket, 'close'));
    for (const socket of this.#sockets.clients) socket.terminate();
    await Promise.all(gone);
    await new Promise((resolve) => this.#http.close(resolve));
    while (this.#storing.size > 0) await Promise.all(this.#storing);
  }

  async #register(request: IncomingMessage): Promise<object> {
    const { name, email } = (await json(request)) as { name: string; email: string };
    const account = { agentId: randomUUID(), name };
    const apiKey = randomUUID();
    this.#accounts.set(apiKey, account);
    return { agent_id: account.agentId, api_key: apiKey, email, name, wallet_address: null };
  }

  #connected(socket: WebSocket, request: IncomingMessage): void {
    const account = this.#accounts.get(request.headers.authorization?.replace('Bearer ', '') ?? '');
    if (account === undefined) return socket.close(4001);
    const { agentId, name } = account;
    const player: Player = { agentId, name, send: (message) => socket.send(JSON.stringify(message)) };
    let table: NaiveTable | null = null;
    player.send({ type: 'connected', agent_id: agentId, name, season_mode: true });
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as ClientMessage;
      if (message.type === 'join_lobby') table = this.#join(player, message.buy_in ?? STANDARD_BUY_IN);
      else if (message.type === 'action' && table !== null) table.act(player, message);
      else player.send(errorMessage('unknown_message'));
    });
    socket.on('close', () => table?.leave(player));
  }

  #join(player: Player, buyIn: number): NaiveTable {
    player.send({ type: 'lobby_joined', position: 1, estimated_wait: '~5s' });
    let table = this.#tables.find((candidate) => candidate.hasRoom);
    if (table === undefined) {
      table = new NaiveTable(
        (hand) => this.#store(hand),
        (busted) => busted.send({ type: 'busted', options: ['rebuy', 'leave'] }),
      );
      this.#tables.push(table);
    }
    table.sit(player, buyIn);
    return table;
  }

  async #store({ id, tableId, startedAt, endedAt, record }: FinishedHand): Promise<void> {
    const storing = this.sql`
      insert into naive_hands (hand_id, table_id, started_at, ended_at, record)
      values (${id}, ${tableId}, ${startedAt}, ${endedAt}, ${this.sql.json(record as never)})`;
    this.#storing.add(storing);
    await storing;
    this.#storing.delete(storing);
  }
}
