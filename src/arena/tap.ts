import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer, type RawData } from 'ws';
import type { ServerMessageOf } from '../protocol/server.js';
import { Stopwatch } from './timing.js';

/** Codes that mean "no close frame came" and cannot be sent on. */
const WITHOUT_FRAME = [1005, 1006, 1015];
const TRY_LATER = 1013;
/**
 * The time that a bot may take to come back to a table after a bust, a rebuy or a lost seat. It covers all tries
 * together.
 */
const RETURNING_MS = 5000;
/** The message of a bot that wants to play. */
const WISH = /"type"\s*:\s*"(?:join_lobby|rebuy)"/;
/** Ends that tell nothing: the bot went by itself, or its program did. */
const QUIET_ENDS = [1000, 1001, 1005, 1006];

export interface TapEars {
  /** A hand is over at its table. */
  hand(result: ServerMessageOf['hand_result']): void;
  /** The platform refused something, or sent the bot away. */
  trouble(text: string): void;
}

/**
 * A stretch of wire between a bot program and the platform. It passes every frame on untouched and reads those that
 * tell how the bot does. So its author learns of rejections and of its own slowness, whatever it logs.
 */
export class Tap {
  /** From the bot's action to its acknowledgement. */
  readonly acknowledged = new Stopwatch();
  /** From your_turn to the bot's action. */
  readonly decided = new Stopwatch();
  /** Count by code and reason. */
  readonly rejections = new Map<string, number>();
  /** Resolves when the bot is in the lobby for the first time. */
  readonly joined: Promise<void>;
  /** The table and the seat it sat down at last. */
  table: string | null = null;
  #seat = -1;
  /** The reason of its last refusal or removal. */
  lastError: string | null = null;
  #joined: () => void = () => undefined;
  #turnAt = 0;
  /** Since when it is on its way back: it lost its seat, or asked to play, since it last had cards; 0: it is not. */
  #returningSince = 0;
  #actionAt = 0;

  private constructor(
    private readonly server: WebSocketServer,
    private readonly upstream: string,
    private readonly ears: TapEars,
  ) {
    this.joined = new Promise((resolve) => (this.#joined = resolve));
    server.on('connection', (bot, request) => this.#connect(bot, request));
  }

  static async open(upstream: string, ears: TapEars): Promise<Tap> {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
    await new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject));
    return new Tap(server, upstream, ears);
  }

  /** Where the bot program connects. */
  get wsUrl(): string {
    return `ws://127.0.0.1:${(this.server.address() as AddressInfo).port}/ws`;
  }

  async close(): Promise<void> {
    for (const bot of this.server.clients) bot.terminate();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** It lost its seat, or asked for one or for chips, a moment ago: however many hands others play meanwhile. */
  get returning(): boolean {
    return this.#returningSince !== 0 && performance.now() - this.#returningSince < RETURNING_MS;
  }

  #connect(bot: WebSocket, request: IncomingMessage): void {
    const { authorization } = request.headers;
    const platform = new WebSocket(`${this.upstream}${new URL(request.url ?? '/', this.wsUrl).search}`, {
      ...(authorization === undefined ? {} : { headers: { authorization } }),
      perMessageDeflate: false,
    });
    /** The bot's messages from before the platform listened. */
    let early: [RawData, boolean][] | null = [];
    bot.on('message', (data, binary) => {
      this.#fromBot(String(data));
      if (early !== null) early.push([data, binary]);
      else platform.send(data, { binary });
    });
    platform.on('open', () => {
      for (const [data, binary] of early ?? []) platform.send(data, { binary });
      early = null;
    });
    platform.on('message', (data, binary) => {
      if (bot.readyState === WebSocket.OPEN) bot.send(data, { binary });
      this.#fromPlatform(String(data));
    });
    // A `close` follows each error.
    bot.on('error', () => undefined);
    platform.on('error', () => undefined);
    bot.on('close', (code, reason) => passOn(code, reason, platform));
    platform.on('close', (code, reason) => {
      if (!QUIET_ENDS.includes(code)) this.#trouble(`connection ended with ${code} ${String(reason)}`.trimEnd());
      passOn(early === null ? code : TRY_LATER, reason, bot);
    });
  }

  #fromBot(text: string): void {
    if (!text.includes('"action"')) {
      if (WISH.test(text)) this.#returns();
      return;
    }
    this.#actionAt = performance.now();
    if (this.#turnAt !== 0) this.decided.add(this.#actionAt - this.#turnAt);
    this.#turnAt = 0;
  }

  /** The first "type" of a frame of this platform is its own. */
  #fromPlatform(text: string): void {
    const at = text.indexOf('"type":"') + 8;
    switch (text.slice(at, text.indexOf('"', at))) {
      case 'lobby_joined':
        return this.#joined();
      case 'table_joined':
        ({ table_id: this.table, seat: this.#seat } = JSON.parse(text) as ServerMessageOf['table_joined']);
        return;
      case 'player_left': {
        const { table_id, seat, reason } = JSON.parse(text) as ServerMessageOf['player_left'];
        if (table_id !== this.table || seat !== this.#seat) return;
        // A bot that leaves by itself may mean it.
        if (reason !== 'left') this.#returns();
        return this.#trouble(`player_left: ${reason}`);
      }
      case 'error': {
        const { code, message } = JSON.parse(text) as ServerMessageOf['error'];
        return this.#trouble(`error ${code}: ${message}`);
      }
      case 'your_turn':
        this.#turnAt = performance.now();
        return;
      case 'action_ack':
        return this.acknowledged.add(performance.now() - this.#actionAt);
      case 'action_rejected': {
        const { code, reason } = JSON.parse(text) as ServerMessageOf['action_rejected'];
        const why = `${code}: ${reason}`;
        this.rejections.set(why, (this.rejections.get(why) ?? 0) + 1);
        return this.#trouble(`action_rejected ${why}`);
      }
      case 'hand_result': {
        const result = JSON.parse(text) as ServerMessageOf['hand_result'];
        if (String(this.#seat) in result.final_stacks) this.#returningSince = 0;
        return this.ears.hand(result);
      }
      default:
        return;
    }
  }

  #returns(): void {
    if (this.#returningSince === 0) this.#returningSince = performance.now();
  }

  #trouble(text: string): void {
    this.lastError = text;
    this.ears.trouble(text);
  }
}

function passOn(code: number, reason: Buffer, to: WebSocket): void {
  if (to.readyState === WebSocket.CONNECTING || code === 1006) to.terminate();
  else if (WITHOUT_FRAME.includes(code)) to.close();
  else to.close(code, reason);
}
