import { STATUS_CODES } from 'node:http';
import { checked, discard, FAILURE, isStream, type Exchange } from './exchange.js';
import type { HttpAnswer, Log } from './transport.js';
import type { UwsResponse } from './uws-types.js';

const TOO_MANY = 429;

/** Writes one answer, whole or as a stream, unless the client is gone. */
export class UwsReply {
  #over = false;
  #resume: (() => void) | undefined;

  /** `onOver` runs once: the answer is complete, or nobody waits for it any more. */
  constructor(
    private readonly response: UwsResponse,
    private readonly exchange: Exchange,
    private readonly log: Log,
    private readonly onOver: () => void,
  ) {
    response.onAborted(() => this.#aborted());
  }

  fail(error: unknown): void {
    this.log.error({ err: error, method: this.exchange.method, path: this.exchange.path }, 'request handler failed');
    this.send(FAILURE);
  }

  send(given: HttpAnswer): void {
    if (this.#over) return void discard(given);
    const answer = checked(given, this.log);
    if (isStream(answer.body) && this.exchange.method !== 'HEAD') return void this.#stream(answer, answer.body);
    let sent = true;
    this.response.cork(() => (sent = this.#whole(answer)));
    if (sent) this.#finish();
  }

  /**
   * A short answer, after which the connection ends. It is sent a moment later. The library ends a connection over a
   * request that comes before the last answer, but would go on with one behind an answer.
   */
  last({ status, headers, body }: Pick<HttpAnswer, 'status' | 'headers'> & { body: string }): void {
    setImmediate(() => {
      if (this.#over) return;
      this.response.cork(() => {
        this.#head(status, headers);
        this.response.end(body, true);
      });
      this.#finish();
    });
  }

  /** The library runs this also when the connection closes after a complete answer to HEAD. */
  #aborted(): void {
    if (this.#over) return;
    this.exchange.abort();
    this.#finish();
    this.#resume?.();
  }

  #finish(): void {
    this.#over = true;
    this.onOver();
  }

  /** True: it is out. */
  #whole({ status, headers, body }: HttpAnswer): boolean {
    this.#head(status, headers);
    const bodiless = status === 204 || status === 304;
    if (this.exchange.method !== 'HEAD' && !bodiless && !isStream(body)) return this.#body(body ?? '');
    if (isStream(body)) void discard({ body });
    // Heads alone wait unread without a bound: whoever is over its limit has none to wait for on this connection.
    if (status === TOO_MANY) this.response.endWithoutBody(0, true);
    else this.#bodiless(bodiless, body);
    return true;
  }

  #bodiless(never: boolean, body: HttpAnswer['body']): void {
    // By hand: given the length of a body it does not get, the library would wait for that body.
    if (!never && !isStream(body)) {
      this.response.writeHeader('content-length', String(body === null ? 0 : Buffer.byteLength(body)));
    }
    this.response.endWithoutBody();
  }

  /**
   * As much as the network takes; the rest follows as the client reads. Until it is out, the library ends the
   * connection over any further request, and after ten seconds without a read. So no answers pile up behind it.
   */
  #body(body: string | Uint8Array): boolean {
    const size = Buffer.byteLength(body);
    if (size === 0) {
      this.response.end('');
      return true;
    }
    const [, out] = this.response.tryEnd(body, size);
    if (out) return true;
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    this.response.onWritable((offset) => {
      let [more, over] = [true, false];
      this.response.cork(() => ([more, over] = this.response.tryEnd(bytes.subarray(offset), size)));
      if (over) this.#finish();
      return more;
    });
    return false;
  }

  #head(status: number, headers: HttpAnswer['headers']): void {
    this.response.writeStatus(`${status} ${STATUS_CODES[status] ?? ''}`);
    for (const name in headers) this.response.writeHeader(name, headers[name]!);
  }

  async #stream({ status, headers }: HttpAnswer, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    this.response.onWritable(() => {
      this.#resume?.();
      return true;
    });
    this.response.cork(() => this.#head(status, headers));
    try {
      for await (const chunk of chunks) {
        if (!this.#over && chunk.length > 0) await this.#write(chunk);
        if (this.#over) return;
      }
      if (this.#over) return;
      this.response.cork(() => this.response.end());
      this.#finish();
    } catch (error) {
      this.log.error({ err: error, path: this.exchange.path }, 'an answer was cut off');
      // The status is out: only a broken connection tells the client that the body is not whole.
      if (!this.#over) this.response.close();
    }
  }

  /** Resolves when the chunk is on its way, or the client gone. */
  async #write(chunk: Uint8Array): Promise<void> {
    let sent = true;
    this.response.cork(() => {
      sent = this.response.write(chunk);
    });
    if (sent || this.#over) return;
    await new Promise<void>((resolve) => {
      this.#resume = resolve;
    });
    this.#resume = undefined;
  }
}
