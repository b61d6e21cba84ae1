import { Exchange, FAILURE, isStream, noHeaders } from '../gateway/exchange.js';
import type { Answerer } from '../gateway/ports.js';
import type { FromFront, ToFront } from './front-messages.js';
import type { HttpAnswer, HttpRequest } from '../gateway/transport.js';

/**
 * HTTP between a node and its leader, which has all routes and limits. A body that is a stream is pulled chunk by
 * chunk: the source is read no faster than the client reads.
 */

type Message<T extends ToFront['t']> = Extract<ToFront, { t: T }>;

/** A question to the leader that is not answered yet, or an answer whose body is under way. */
interface PendingAsk {
  answered: (answer: HttpAnswer | null) => void;
  /** Why the rest of its body never comes. */
  lost?: Error;
  /** Waits for a chunk. */
  pulled?: { resolve: (result: IteratorResult<Uint8Array>) => void; reject: (error: Error) => void };
}

/** The node's side. */
export class ForwardedAsks {
  readonly #asks = new Map<number, PendingAsk>();
  #last = 0;

  constructor(private readonly post: (message: FromFront) => void) {}

  /** Null: the address may open a socket. */
  admit(ip: string, key: string | null, watch: boolean): Promise<HttpAnswer | null> {
    return this.#ask((ask) => ({ t: 'admit', ask, ip, key, watch }));
  }

  async request(request: HttpRequest): Promise<HttpAnswer> {
    const { method, path, query, remote, headers, body, signal } = request;
    let number = 0;
    const answer = this.#ask((ask) => {
      number = ask;
      // A copy: a Buffer may be a small part of a large pool, and all of that would cross.
      return { t: 'request', ask, head: { method, path, query, remote, headers }, body: body && new Uint8Array(body) };
    });
    signal.addEventListener('abort', () => this.#gone(number), { once: true });
    return (await answer) ?? FAILURE;
  }

  answered({ ask, answer, streamed }: Message<'answer'>): void {
    const asked = this.#asks.get(ask);
    if (asked === undefined) return;
    if (!streamed) this.#asks.delete(ask);
    asked.answered(streamed && answer !== null ? { ...answer, body: this.#chunks(ask, asked) } : answer);
  }

  chunk({ ask, bytes }: Message<'chunk'>): void {
    const asked = this.#asks.get(ask);
    if (bytes === null) this.#asks.delete(ask);
    asked?.pulled?.resolve(bytes === null ? { done: true, value: undefined } : { done: false, value: bytes });
  }

  broken({ ask, reason }: Message<'broken'>): void {
    const asked = this.#asks.get(ask);
    this.#asks.delete(ask);
    asked?.pulled?.reject(new Error(reason));
  }

  /** Nobody is there any more to answer: all that is under way is answered so, and bodies break off. */
  abandon(answer: HttpAnswer, reason: string): void {
    for (const asked of this.#asks.values()) {
      asked.lost = new Error(reason);
      asked.pulled?.reject(asked.lost);
      asked.answered(answer);
    }
    this.#asks.clear();
  }

  #ask(message: (ask: number) => FromFront): Promise<HttpAnswer | null> {
    const ask = ++this.#last;
    return new Promise((answered) => {
      this.#asks.set(ask, { answered });
      this.post(message(ask));
    });
  }

  #gone(ask: number): void {
    const asked = this.#asks.get(ask);
    if (asked === undefined) return;
    this.#asks.delete(ask);
    this.post({ t: 'gone', ask });
    asked.pulled?.resolve({ done: true, value: undefined });
    asked.answered(FAILURE);
  }

  #chunks(ask: number, asked: PendingAsk): AsyncIterable<Uint8Array> {
    const iterator: AsyncIterator<Uint8Array> = {
      next: () =>
        new Promise((resolve, reject) => {
          if (asked.lost !== undefined) return reject(asked.lost);
          if (!this.#asks.has(ask)) return resolve({ done: true, value: undefined });
          asked.pulled = { resolve, reject };
          this.post({ t: 'pull', ask });
        }),
      return: async () => {
        this.#gone(ask);
        return { done: true, value: undefined };
      },
    };
    return { [Symbol.asyncIterator]: () => iterator };
  }
}

interface OpenAnswer {
  exchange: Exchange;
  body: AsyncIterator<Uint8Array> | null;
}

/** The leader's side, for one life of a node. */
export class ForwardedAnswers {
  readonly #answering = new Map<number, OpenAnswer>();

  constructor(
    private readonly answerer: Answerer,
    private readonly post: (message: ToFront) => void,
  ) {}

  async admit({ ask, ip, key, watch }: Extract<FromFront, { t: 'admit' }>): Promise<void> {
    const refusal = await this.answerer.admit(ip, key, watch);
    this.post({ t: 'answer', ask, answer: refusal === null ? null : whole(refusal), streamed: false });
  }

  async request({ ask, head, body }: Extract<FromFront, { t: 'request' }>): Promise<void> {
    // Without a prototype again (see noHeaders): it got one on the way.
    const headers = Object.assign(noHeaders(), head.headers);
    const exchange = new Exchange({ ...head, headers });
    exchange.body = body === null ? null : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    const answering: OpenAnswer = { exchange, body: null };
    this.#answering.set(ask, answering);
    const answer = await this.answerer.http(exchange);
    const stream = isStream(answer.body) ? answer.body : inPieces(answer.body);
    answering.body = stream?.[Symbol.asyncIterator]() ?? null;
    if (exchange.aborted) return void (await answering.body?.return?.());
    const streamed = answering.body !== null;
    if (!streamed) this.#answering.delete(ask);
    this.post({ t: 'answer', ask, answer: { ...whole(answer), ...(streamed && { body: null }) }, streamed });
  }

  async pull(ask: number): Promise<void> {
    const body = this.#answering.get(ask)?.body;
    if (body === null || body === undefined) return;
    try {
      const { done, value } = await body.next();
      if (done === true) this.#answering.delete(ask);
      this.post({ t: 'chunk', ask, bytes: done === true ? null : new Uint8Array(value) });
    } catch (error) {
      this.#answering.delete(ask);
      this.post({ t: 'broken', ask, reason: (error as Error).message });
    }
  }

  /** The client left. */
  async gone(ask: number): Promise<void> {
    const answering = this.#answering.get(ask);
    if (answering === undefined) return;
    this.#answering.delete(ask);
    answering.exchange.abort();
    await answering.body?.return?.();
  }

  /** Requests whose answer is not complete. */
  get pending(): number {
    return this.#answering.size;
  }

  /** So did all of them. */
  async allGone(): Promise<void> {
    await Promise.all([...this.#answering.keys()].map((ask) => this.gone(ask)));
  }
}

/** Bytes of a body; a longer one crosses as a stream does: nothing waits long behind it, and a post can carry each part. */
const MOST_WHOLE = 1024 * 1024;
const PIECE = 256 * 1024;

/** Null: the body is short enough to cross whole. */
function inPieces(body: string | Uint8Array | null): AsyncIterable<Uint8Array> | null {
  if (body === null || Buffer.byteLength(body) <= MOST_WHOLE) return null;
  return pieces(typeof body === 'string' ? Buffer.from(body) : body);
}

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}

const whole = ({ status, headers, body }: HttpAnswer) => ({ status, headers, body: isStream(body) ? null : body });
