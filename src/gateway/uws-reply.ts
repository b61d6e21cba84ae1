import { STATUS_CODES } from 'node:http';
import { checked, discard, FAILURE, isStream, type Exchange } from './exchange.js';
import type { HttpAnswer, Log } from './transport.js';
import type { UwsResponse } from './uws-types.js';

/** Writes one answer, whole or as a stream, unless the client is gone. */
export class Reply {
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
    this.response.cork(() => this.#whole(answer));
    this.#finish();
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

  #whole({ status, headers, body }: HttpAnswer): void {
    this.#head(status, headers);
    const bodiless = status === 204 || status === 304;
    if (this.exchange.method !== 'HEAD' && !bodiless && !isStream(body)) return void this.response.end(body ?? '');
    if (isStream(body)) void discard({ body });
    // By hand: given the length of a body it does not get, the library would wait for that body.
    else if (!bodiless)
      this.response.writeHeader('content-length', String(body === null ? 0 : Buffer.byteLength(body)));
    this.response.endWithoutBody();
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
      this.log.error({ err: error, path: this.exchange.path }, 'answer broke off');
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
