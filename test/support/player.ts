import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { ActionMessage } from '../../src/protocol/client.js';
import type { ServerMessage, ServerMessageOf, ServerMessageType } from '../../src/protocol/server.js';
import type { Account, TestPlatform } from './platform.js';
import { recordClose, recordFrame } from './recorder.js';
import { Watch } from './watch.js';
import { PATIENCE_MS } from './limits.js';

export type ActionName = ActionMessage['action'];
export type Turn = ServerMessageOf['your_turn'];

export interface Choice {
  action: ActionName;
  amount?: number;
}

/** Fields of an action message that a test changes; undefined leaves a field out. */
export type ActionFields = Partial<Record<keyof ActionMessage, unknown>>;

/** Numbers the actions of all players: an id is unique for its agent over all sockets of a hand. */
let actions = 0;

interface Opening {
  /** Null: the season. */
  competitionId?: string | null;
  headers?: Record<string, string>;
  /** Subprotocols to offer, in place of the key in a header. */
  protocols?: string[];
  /** The longest time for the opening. */
  handshakeMs?: number;
  prepare?: (player: Player) => void;
}

/**
 * One socket of an agent, as a test plays it. Every frame is kept, and checked against its schema and by a Watch.
 * `next` goes through the frames in order and waits for the next one.
 */
export class Player {
  readonly frames: ServerMessage[] = [];
  /** The frames' texts. */
  readonly texts: string[] = [];
  /** The open turn, while there is one. */
  turn: Turn | null = null;
  /** Where the player sits. */
  table: string | null = null;
  seat: number | null = null;
  /** How many frames said that its seat is gone. */
  departures = 0;
  /** Called for every frame, before any waiter. */
  onFrame: ((frame: ServerMessage, text: string) => void) | null = null;
  /** Called for every message that it sends. */
  onSend: ((text: string) => void) | null = null;
  /** The least number of frames to keep. Older ones are dropped, for players of very many hands. */
  keep = Infinity;
  /** Plays for the test if set; null leaves a turn to the test. */
  auto: ((turn: Turn) => Choice | null) | null = null;
  readonly closed: Promise<{ code: number; reason: string }>;
  readonly #watch: Watch;
  readonly #listeners = new Set<() => void>();
  #cursor = 0;
  #over: { code: number; reason: string } | null = null;

  private constructor(
    readonly account: Account,
    readonly ws: WebSocket,
    private readonly platform: TestPlatform,
  ) {
    this.#watch = new Watch(account.seqs, platform.env['STATE_HASH'] !== 'off');
    ws.on('message', (data: Buffer, isBinary) => this.#receive(data.toString(), isBinary));
    this.closed = new Promise((resolve) => {
      ws.on('close', (code, reason) => {
        this.#over = { code, reason: reason.toString() };
        recordClose(code);
        this.#tell();
        resolve(this.#over);
      });
    });
  }

  /**
   * Opens a socket; resolves once it is open. `prepare` sees the player before anything was read. Rejects when the
   * upgrade is refused.
   */
  static async open(
    platform: TestPlatform,
    account: Account,
    { competitionId = null, headers = {}, protocols = [], handshakeMs = PATIENCE_MS, prepare }: Opening = {},
  ): Promise<Player> {
    const key = protocols.length > 0 ? {} : { authorization: `Bearer ${account.key}` };
    const query = competitionId === null ? '' : `?competition_id=${encodeURIComponent(competitionId)}`;
    const ws = new WebSocket(platform.wsUrl + query, protocols, {
      headers: { ...key, ...headers },
      handshakeTimeout: handshakeMs,
    });
    const player = new Player(account, ws, platform);
    prepare?.(player);
    await once(ws, 'open');
    return player;
  }

  get name(): string {
    return this.account.name;
  }

  // ---- reading

  #receive(text: string, isBinary: boolean): void {
    try {
      if (isBinary) throw new Error('a binary frame');
      const frame = recordFrame(text);
      this.texts.push(text);
      this.frames.push(frame);
      this.#watch.see(frame);
      this.#follow(frame);
      this.onFrame?.(frame, text);
      this.#forget();
    } catch (error) {
      this.platform.faults.push(new Error(`${this.name}: ${(error as Error).message}\n${text.slice(0, 2000)}`));
    }
    this.#tell();
  }

  #forget(): void {
    if (this.frames.length < 2 * this.keep) return;
    const old = this.frames.length - this.keep;
    this.frames.splice(0, old);
    this.texts.splice(0, old);
    this.#cursor = Math.max(0, this.#cursor - old);
  }

  #follow(frame: ServerMessage): void {
    switch (frame.type) {
      case 'table_joined':
        [this.table, this.seat] = [frame.table_id, frame.seat];
        return;
      case 'table_state':
        [this.table, this.seat] = [frame.table_id, frame.hero?.seat ?? null];
        // An interrupted hand is void.
        if (this.turn?.hand_id !== frame.hand_id) this.turn = null;
        return;
      case 'your_turn':
        this.turn = frame;
        return this.#playBySelf(frame);
      case 'player_action':
        if (frame.seat === this.seat) this.turn = null;
        return;
      case 'hand_result':
        this.turn = null;
        return;
      case 'player_left':
        if (frame.seat === this.seat) this.#departed();
        return;
      case 'busted':
      case 'table_closed':
        return this.#departed();
      default:
        return;
    }
  }

  #departed(): void {
    this.seat = null;
    this.departures++;
  }

  #playBySelf(turn: Turn): void {
    const choice = this.auto?.(turn) ?? null;
    if (choice !== null) this.act(choice.action, choice.amount ?? null);
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  /** Calls `listener` after every frame and at the close, until the returned function is called. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Waits until `probe` returns a value. Calls it after every frame. Rejects if the socket closes first. */
  until<T>(what: string, probe: () => T | undefined): Promise<T> {
    return untilAny([this], what, probe);
  }

  /** The next message of this type that fits, from the end of the last `next`. Skips others. */
  next<T extends ServerMessageType>(
    type: T,
    fits: (frame: ServerMessageOf[T]) => boolean = () => true,
  ): Promise<ServerMessageOf[T]> {
    return this.until(`a ${type}`, () => {
      for (; this.#cursor < this.frames.length; this.#cursor++) {
        const frame = this.frames[this.#cursor]!;
        if (frame.type !== type || !fits(frame as ServerMessageOf[T])) continue;
        this.#cursor++;
        return frame as ServerMessageOf[T];
      }
      return undefined;
    });
  }

  /** The next `error` with this code. */
  error(code: ServerMessageOf['error']['code']): Promise<ServerMessageOf['error']> {
    return this.next('error', (frame) => frame.code === code);
  }

  /** Makes `next` start from now on, or from the first frame of a hand. */
  skip(handId?: string): void {
    const start = this.frames.findIndex((frame) => 'hand_id' in frame && frame.hand_id === handId);
    this.#cursor = handId === undefined || start < 0 ? this.frames.length : start;
  }

  /** All frames so far from the first one that fits. */
  since(fits: (frame: ServerMessage) => boolean): ServerMessage[] {
    const start = this.frames.findIndex(fits);
    return start < 0 ? [] : this.frames.slice(start);
  }

  all<T extends ServerMessageType>(type: T): ServerMessageOf[T][] {
    return this.frames.filter((frame): frame is ServerMessageOf[T] => frame.type === type);
  }

  last<T extends ServerMessageType>(type: T): ServerMessageOf[T] {
    const frame = this.all(type).at(-1);
    if (frame === undefined) throw new Error(`${this.name} has read no ${type}`);
    return frame;
  }

  get isClosed(): boolean {
    return this.#over !== null;
  }

  // ---- speaking

  send(message: object | string): void {
    const text = typeof message === 'string' ? message : JSON.stringify(message);
    this.onSend?.(text);
    this.ws.send(text);
  }

  /** Sends an action for the open turn (or the fields of an older one, if given) and returns the message. */
  act(action: ActionName, amount: number | null = null, fields: ActionFields = {}): ActionFields {
    const message = {
      type: 'action',
      action,
      ...(amount === null ? {} : { amount }),
      client_action_id: `${this.name}-${++actions}`,
      turn_token: this.turn?.turn_token,
      hand_id: this.turn?.hand_id,
      ...fields,
    };
    this.send(message);
    return message;
  }

  /** The player's open turn, once it has one. */
  myTurn(): Promise<Turn> {
    return this.until('its turn', () => this.turn ?? undefined);
  }

  /** Waits for its turn, acts, and waits for its own player_action. */
  async play(action: ActionName, amount: number | null = null): Promise<ServerMessageOf['player_action']> {
    const { hand_id: hand } = await this.myTurn();
    const before = this.frames.length;
    this.act(action, amount);
    return this.until(`its own player_action (${action})`, () => {
      for (const frame of this.frames.slice(before)) {
        if (frame.type === 'action_rejected') throw new Error(`${this.name} was refused: ${JSON.stringify(frame)}`);
        if (frame.type === 'player_action' && frame.seat === this.seat && frame.hand_id === hand) return frame;
      }
      return undefined;
    });
  }

  /** Closes the socket from this side. */
  async close(): Promise<void> {
    if (this.#over === null) this.ws.close(1000);
    await this.closed;
  }

  /** Cuts the connection without a close frame. */
  async drop(): Promise<void> {
    this.ws.terminate();
    await this.closed;
  }

  /** The last frames, for the report of a failure. */
  describe(): string {
    const last = this.texts.slice(-8).map((text) => `    ${text.slice(0, 600)}`);
    const end = this.#over === null ? 'open' : `closed with ${this.#over.code} ${this.#over.reason}`;
    return [`  ${this.name} (${end}, ${this.texts.length} frames):`, ...last].join('\n');
  }
}

/** Player.until over the frames of several players. */
export function untilAny<T>(players: readonly Player[], what: string, probe: () => T | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => {
      const names = players.map(({ name }) => name).join(', ');
      end();
      reject(new Error(`${names}: ${why} while waiting for ${what}`));
    };
    const look = () => {
      try {
        const found = probe();
        if (found !== undefined) {
          end();
          resolve(found);
        } else if (players.every((player) => player.isClosed)) fail('closed');
      } catch (error) {
        end();
        reject(error as Error);
      }
    };
    const deadline = setTimeout(() => fail(`${PATIENCE_MS} ms passed`), PATIENCE_MS);
    const stops = players.map((player) => player.listen(look));
    const end = () => {
      clearTimeout(deadline);
      for (const stop of stops) stop();
    };
    look();
  });
}
