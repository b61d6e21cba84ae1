import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Scope } from '../support/database.js';

/** The effect of a line on the bytes that pass it. */
export type Weather =
  /** Passes everything on. */
  | 'fair'
  /** In pieces of a few bytes. */
  | 'split'
  /** Each piece late by up to 300 ms; the order stays. */
  | 'slow'
  /** Nothing passes, in neither direction; nothing is lost. */
  | 'stalled'
  /** New connections are closed at once. */
  | 'closed';

const [SLOW_MS, SMALLEST, PIECE] = [300, 1, 40];

/** A TCP line between a bot and the server, which a scenario harms. It knows nothing of what goes over it. */
export class Line {
  weather: Weather = 'fair';
  /** Where it leads: a server that is started anew may be elsewhere. */
  target: number;
  /** Connections that were made so far. */
  made = 0;
  /** Told of all that the server sends, as text. */
  onServerText: (text: string) => void = () => undefined;
  #onUpstream: ((pass: () => void, pair: Pair) => void) | null = null;
  readonly #pairs = new Set<Pair>();

  private constructor(
    private readonly server: Server,
    target: number,
    private readonly chance: (below: number) => number,
  ) {
    this.target = target;
    server.on('connection', (client) => this.#connect(client));
  }

  /** `chance` gives whole numbers below its argument. */
  static async open(t: Scope, target: number, chance: (below: number) => number): Promise<Line> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const line = new Line(server, target, chance);
    t.teardown(async () => {
      line.cut();
      await new Promise((resolve) => server.close(resolve));
    });
    return line;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Cuts every connection without a word. */
  cut(): void {
    for (const pair of this.#pairs) pair.cut();
  }

  /** Cuts the connection at the next thing that the bot says: before the server hears of it, or right after. */
  cutAtNextWord(when: 'before' | 'after'): Promise<void> {
    return new Promise((resolve) => {
      this.#onUpstream = (pass, pair) => {
        this.#onUpstream = null;
        pair.mute();
        if (when === 'after') pass();
        // The forwarded bytes need time to arrive.
        setTimeout(() => {
          pair.cut();
          resolve();
        }, 50);
      };
    });
  }

  /** From now on nothing passes on the connections there are, though they stay open; new ones are fine. */
  forgetConnections(): void {
    for (const pair of this.#pairs) pair.mute();
  }

  #connect(client: Socket): void {
    if (this.weather === 'closed') return void client.destroy();
    this.made++;
    const pair = new Pair(client, connect(this.target, '127.0.0.1'), () => this.#pairs.delete(pair));
    this.#pairs.add(pair);
    this.#carry(client, pair.upstream, pair, true);
    this.#carry(pair.upstream, client, pair, false);
  }

  #carry(from: Socket, to: Socket, pair: Pair, isUp: boolean): void {
    let last = Promise.resolve();
    from.on('data', (bytes: Buffer) => {
      if (pair.isMute) return;
      if (!isUp) this.onServerText(bytes.toString('latin1'));
      // Counted from when it came: however many pieces come at once, none is later than that.
      const due = performance.now() + (this.weather === 'slow' ? this.chance(SLOW_MS) : 0);
      const pass = () => {
        last = last.then(() => this.#pass(bytes, to, pair, due));
      };
      if (isUp && this.#onUpstream !== null) this.#onUpstream(pass, pair);
      else pass();
    });
    from.on('end', () => void last.then(() => to.end()));
  }

  async #pass(bytes: Buffer, to: Socket, pair: Pair, due: number): Promise<void> {
    while (this.weather === 'stalled' && !pair.isCut) await sleep(10);
    const early = due - performance.now();
    if (early > 0) await sleep(early);
    if (this.weather !== 'split') return void to.write(bytes);
    for (let at = 0; at < bytes.length && !pair.isCut;) {
      const end = at + SMALLEST + this.chance(PIECE);
      to.write(bytes.subarray(at, end));
      at = end;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The two halves of a connection. */
class Pair {
  isMute = false;
  isCut = false;

  constructor(
    readonly client: Socket,
    readonly upstream: Socket,
    onEnd: () => void,
  ) {
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true);
      // The close event reports the break.
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.cut();
        onEnd();
      });
    }
  }

  mute(): void {
    this.isMute = true;
  }

  cut(): void {
    this.isCut = true;
    this.client.destroy();
    this.upstream.destroy();
  }
}
