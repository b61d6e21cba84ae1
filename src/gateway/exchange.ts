import type { HttpAnswer, HttpRequest, Log } from './transport.js';

/** The common part of both transports for one HTTP request and its answer. */

export interface RequestHead {
  method: string;
  path: string;
  query: string;
  remote: string;
  headers: Readonly<Record<string, string>>;
}

/** The longest head of a request, in bytes. */
export const MAX_HEAD = 16 * 1024;

/** A connection without a request ends then; µWebSockets.js has this figure built in. */
export const KEEP_ALIVE_MS = 10_000;

/** Two readers may take different ones of these, and so see different requests. */
const ONCE = ['authorization', 'content-length', 'host', 'transfer-encoding'];

/** An empty record of headers, in which no name means anything by itself (`__proto__`, `constructor`). */
export const noHeaders = () => Object.create(null) as Record<string, string>;

/** The headers of a request, line by line. */
export class HeadReader {
  readonly headers = noHeaders();
  /** A proxy before us may read another request in it. */
  isAmbiguous = false;

  /** Keeps the first of equal headers. Only X-Forwarded-For is a list, to which each proxy may have added a line. */
  add(name: string, value: string): void {
    const { headers } = this;
    const earlier = headers[name];
    if (earlier === undefined) headers[name] = value;
    else if (name === 'x-forwarded-for') headers[name] = `${earlier}, ${value}`;
    else if (ONCE.includes(name)) this.isAmbiguous = true;
    if (name === 'transfer-encoding' && value.toLowerCase() !== 'chunked') this.isAmbiguous = true;
  }
}

/** Its connection ends: where the next request begins nobody can say. */
export const AMBIGUOUS = {
  status: 400,
  headers: { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' },
  body: '{"detail":"Ambiguous request: Host, Authorization, Content-Length and Transfer-Encoding may stand once"}',
} satisfies HttpAnswer;

/** A request as the handlers see it. */
export class Exchange implements HttpRequest {
  body: Buffer | null = EMPTY;
  #controller: AbortController | undefined;
  #aborted = false;

  constructor(
    private readonly head: RequestHead,
    readonly isAmbiguous = false,
  ) {}

  get method(): string {
    return this.head.method;
  }
  get path(): string {
    return this.head.path;
  }
  get query(): string {
    return this.head.query;
  }
  get remote(): string {
    return this.head.remote;
  }
  get headers(): Readonly<Record<string, string>> {
    return this.head.headers;
  }
  header(name: string): string {
    return this.head.headers[name] ?? '';
  }

  /** Made when first asked for: most handlers never look at it. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#aborted) this.#controller.abort();
    return this.#controller.signal;
  }

  get aborted(): boolean {
    return this.#aborted;
  }

  abort(): void {
    this.#aborted = true;
    this.#controller?.abort();
  }
}

const EMPTY = Buffer.alloc(0);

/** Collects a body up to a limit; what is beyond is counted and thrown away. */
export class BodyCollector {
  readonly #chunks: Buffer[] = [];
  #size = 0;

  constructor(private readonly limit: number) {}

  /** Takes a chunk that the caller gives away. False: the limit is passed. */
  add(chunk: Buffer): boolean {
    this.#size += chunk.length;
    if (this.#size > this.limit) {
      this.#chunks.length = 0;
      return false;
    }
    if (chunk.length > 0) this.#chunks.push(chunk);
    return true;
  }

  body(): Buffer {
    return this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
  }
}

/** True for a body that is given piece by piece. */
export function isStream(body: HttpAnswer['body']): body is AsyncIterable<Uint8Array> {
  return body !== null && typeof body === 'object' && Symbol.asyncIterator in body;
}

/** The answer to what should never happen: a handler that failed, or that gave a header nobody may send. */
export const FAILURE: HttpAnswer = {
  status: 500,
  headers: { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' },
  body: '{"detail":"Internal Server Error"}',
};

const FORBIDDEN_IN_HEADER = /[^\t\u0020-\u007e\u0080-\u00ff]/;

/** The answer, or FAILURE where a header value could break out of its line. */
export function checked(answer: HttpAnswer, log: Log): HttpAnswer {
  for (const name in answer.headers) {
    if (!FORBIDDEN_IN_HEADER.test(answer.headers[name]!)) continue;
    void discard(answer);
    log.error({ header: name, value: answer.headers[name] }, 'header value not allowed');
    return FAILURE;
  }
  return answer;
}

/** Tells a stream that nobody will read it. */
export async function discard({ body }: Pick<HttpAnswer, 'body'>): Promise<void> {
  if (isStream(body)) await body[Symbol.asyncIterator]().return?.();
}

/** Refusal of an upgrade anywhere but on /ws. */
/** To a client that has as many sockets as it may. */
export const TOO_MANY_SOCKETS: HttpAnswer = {
  status: 429,
  headers: { 'content-type': 'application/json', 'x-content-type-options': 'nosniff', 'retry-after': '10' },
  body: JSON.stringify({ detail: 'Too many open connections from this address' }),
};

export const NO_SOCKET_HERE: HttpAnswer = {
  status: 404,
  headers: { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' },
  body: '{"detail":"Not Found"}',
};

/** Refusal of an upgrade by another version of the protocol: tells ours (RFC 6455, 4.4). */
export const OTHER_VERSION: HttpAnswer = {
  status: 426,
  headers: {
    'content-type': 'application/json',
    'x-content-type-options': 'nosniff',
    'sec-websocket-version': '13',
    upgrade: 'websocket',
  },
  body: '{"detail":"Only version 13 of the WebSocket protocol is spoken here"}',
};

export const isOurVersion = (request: HttpRequest) => request.header('sec-websocket-version') === '13';

/** Requests under way, for whoever wants to wait until there are none. */
export class InFlight {
  #count = 0;
  #idle: (() => void) | undefined;

  enter(): void {
    this.#count++;
  }

  leave(): void {
    if (--this.#count === 0) this.#idle?.();
  }

  /** Resolves when none is left, or after `ms`. */
  async idle(ms: number): Promise<void> {
    if (this.#count === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#idle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
