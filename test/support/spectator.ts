import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { ServerMessage, ServerMessageOf, ServerMessageType } from '../../src/protocol/server.js';
import { PATIENCE_MS } from './limits.js';
import type { TestPlatform } from './platform.js';
import { recordClose, recordFrame } from './recorder.js';
import { Watch } from './watch.js';

let spectators = 0;

/** A socket that watches a table, as a test reads it. Every frame is checked against its schema, and its numbers. */
export class Spectator {
  readonly frames: ServerMessage[] = [];
  readonly texts: string[] = [];
  /** The least number of frames to keep. */
  keep = Infinity;
  onFrame: ((frame: ServerMessage, text: string) => void) | null = null;
  readonly closed: Promise<{ code: number; reason: string }>;
  readonly #listeners = new Set<() => void>();
  #over = false;

  private constructor(
    readonly ws: WebSocket,
    platform: TestPlatform,
  ) {
    const watch = new Watch(new Map(), platform.env['STATE_HASH'] !== 'off');
    ws.on('message', (data: Buffer) => {
      const text = data.toString();
      try {
        const frame = recordFrame(text);
        this.texts.push(text);
        this.frames.push(frame);
        watch.see(frame);
        this.onFrame?.(frame, text);
        if (this.frames.length > 2 * this.keep) {
          this.frames.splice(0, this.keep);
          this.texts.splice(0, this.keep);
        }
      } catch (error) {
        platform.faults.push(new Error(`a spectator: ${(error as Error).message}\n${text.slice(0, 2000)}`));
      }
      for (const listener of this.#listeners) listener();
    });
    this.closed = new Promise((resolve) => {
      ws.on('close', (code, reason) => {
        this.#over = true;
        recordClose(code);
        for (const listener of this.#listeners) listener();
        resolve({ code, reason: reason.toString() });
      });
    });
  }

  /** Rejects if the upgrade is refused. Each spectator has an address of its own, unless one is given. */
  static async open(platform: TestPlatform, table: string, headers: Record<string, string> = {}): Promise<Spectator> {
    const n = spectators++;
    const ws = new WebSocket(`${platform.wsUrl}/watch?table_id=${encodeURIComponent(table)}`, {
      headers: { 'x-forwarded-for': `198.18.${(n >> 8) & 255}.${n & 255}`, ...headers },
    });
    const spectator = new Spectator(ws, platform);
    await once(ws, 'open');
    return spectator;
  }

  all<T extends ServerMessageType>(type: T): ServerMessageOf[T][] {
    return this.frames.filter((frame): frame is ServerMessageOf[T] => frame.type === type);
  }

  /** Resolves to the first value that `find` returns. */
  async until<T>(what: string, find: () => T | undefined): Promise<T> {
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      if (this.#over) throw new Error(`closed before ${what}: ${this.texts.slice(-3).join('\n')}`);
      await new Promise<void>((resolve, reject) => {
        const late = setTimeout(() => {
          this.#listeners.delete(heard);
          reject(new Error(`a spectator never read ${what}: ${this.texts.slice(-3).join('\n').slice(0, 2000)}`));
        }, PATIENCE_MS);
        const heard = () => {
          clearTimeout(late);
          this.#listeners.delete(heard);
          resolve();
        };
        this.#listeners.add(heard);
      });
    }
  }

  /** The first of a type, once it has come. */
  first<T extends ServerMessageType>(type: T): Promise<ServerMessageOf[T]> {
    return this.until(type, () => this.all(type)[0]);
  }

  async close(): Promise<void> {
    this.ws.close();
    await this.closed;
  }
}
