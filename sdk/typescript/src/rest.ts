import { ApiError, Unreachable, type InvalidField } from './errors.js';
import { RestOperations } from './generated/rest.js';
import type { CallOptions, Download, Operation } from './operation.js';
import { pauseFor } from './pause.js';

/** ms for an answer. */
const TIMEOUT_MS = 30_000;
/** How often a 429 is waited out, and the longest that it may ask for in seconds. */
const [RETRIES, PATIENCE_SECONDS] = [3, 60];

export interface RestOptions {
  /** The platform, such as https://poker.example. */
  url: string;
  apiKey?: string | undefined;
  /** The value of a Cookie header, for calls that take a sign-in session in the place of the key. Not in a browser. */
  session?: string | undefined;
  timeoutMs?: number | undefined;
}

type Given = Readonly<Record<string, unknown>>;

/**
 * The REST API: a method for every operation, with errors that say what the server said. Calls that may be repeated wait
 * a 429 out, up to three times.
 */
export class RestClient extends RestOperations {
  constructor(private readonly options: RestOptions) {
    super();
  }

  protected async call<T>(operation: Operation, input: object, options: CallOptions): Promise<T> {
    const attempt = new Attempt(operation, options, this.options.timeoutMs ?? TIMEOUT_MS);
    const response = await this.#send(operation, input as Given, attempt);
    return attempt.read(async () => (await response.json()) as T);
  }

  protected async download(operation: Operation, input: object, options: CallOptions): Promise<Download> {
    const attempt = new Attempt(operation, options, this.options.timeoutMs ?? TIMEOUT_MS);
    const response = await this.#send(operation, input as Given, attempt);
    attempt.clear();
    const named = /filename="([^"]*)"/.exec(response.headers.get('content-disposition') ?? '');
    const chunks = piecesOf(response, attempt);
    return {
      contentType: response.headers.get('content-type') ?? '',
      fileName: named?.[1] ?? null,
      chunks,
      async text() {
        const decoder = new TextDecoder();
        let text = '';
        for await (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
        return text + decoder.decode();
      },
    };
  }

  protected async *iterate<T>(operation: Operation, input: object, options: CallOptions): AsyncIterableIterator<T> {
    const { by, items, limit: most } = operation.pages!;
    const given = input as Given;
    const limit = typeof given['limit'] === 'number' ? given['limit'] : most;
    let page: Given = { ...given, limit };
    for (;;) {
      const answer = await this.call<Given | readonly T[]>(operation, page, options);
      const found = (items === null ? answer : (answer as Given)[items]) as readonly T[];
      yield* found;
      if (by === 'cursor') {
        const cursor = (answer as Given)['next_cursor'];
        if (typeof cursor !== 'string') return;
        // The offset was counted from the beginning.
        page = { ...page, cursor, offset: undefined };
      } else {
        if (found.length < limit) return;
        page = { ...page, offset: Number(page['offset'] ?? 0) + found.length };
      }
    }
  }

  async #send(operation: Operation, input: Given, attempt: Attempt): Promise<Response> {
    const { url, ...request } = this.#request(operation, input, attempt.options as Given);
    const key = (attempt.options as Given)['idempotencyKey'];
    const isRepeatable =
      operation.repeatable === 'always' || (operation.repeatable === 'with_key' && key !== undefined);
    for (let repeated = 0; ; repeated++) {
      const response = await attempt.start((signal) => fetch(url, { ...request, signal }));
      attempt.options.onAnswer?.(response.status, response.headers);
      if (response.ok) return response;
      const error = await attempt.read(() => failureOf(response, operation));
      const seconds = error.retryAfter;
      const isOver = repeated === RETRIES || seconds === null || seconds > PATIENCE_SECONDS;
      if (error.status !== 429 || !isRepeatable || isOver) throw error;
      await pauseFor(seconds * 1000, attempt.options.signal);
    }
  }

  #request({ method, path, query, body, headers, auth }: Operation, input: Given, options: Given) {
    const { url, apiKey, session } = this.options;
    const asked = query.flatMap((name): [string, string][] => {
      const value = input[name];
      return value === undefined || value === null ? [] : [[name, String(value)]];
    });
    const at = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])));
    const told = Object.entries(headers).flatMap(([option, header]): [string, string][] => {
      const value = options[option];
      return value === undefined ? [] : [[header, String(value)]];
    });
    const who: Record<string, string> =
      apiKey !== undefined && auth !== 'none'
        ? { authorization: `Bearer ${apiKey}` }
        : session !== undefined
          ? { cookie: session }
          : {};
    return {
      url: url.replace(/\/+$/, '') + at + (asked.length === 0 ? '' : `?${String(new URLSearchParams(asked))}`),
      method,
      headers: {
        ...who,
        ...Object.fromEntries(told),
        ...(body.length === 0 ? {} : { 'content-type': 'application/json' }),
      },
      ...(body.length === 0
        ? {}
        : { body: JSON.stringify(Object.fromEntries(body.map((name) => [name, input[name]]))) }),
    };
  }
}

/** One call with its time-out and the caller's signal, which the whole of it obeys. */
class Attempt {
  #aborter = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly operation: Operation,
    readonly options: CallOptions,
    private readonly timeoutMs: number,
  ) {}

  async start(ask: (signal: AbortSignal) => Promise<Response>): Promise<Response> {
    this.clear();
    this.#aborter = new AbortController();
    this.#timer = setTimeout(() => this.#aborter.abort(), this.options.timeoutMs ?? this.timeoutMs);
    const { signal } = this.options;
    return this.#tell(() =>
      ask(signal === undefined ? this.#aborter.signal : AbortSignal.any([signal, this.#aborter.signal])),
    );
  }

  /** The rest of an answer; then the time-out is over. */
  async read<T>(rest: () => Promise<T>): Promise<T> {
    try {
      return await this.#tell(rest);
    } finally {
      this.clear();
    }
  }

  clear(): void {
    clearTimeout(this.#timer);
  }

  /** Says what of the network's errors is ours: the caller's own abort is given on as it is. */
  async #tell<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (this.options.signal?.aborted === true) throw error;
      this.clear();
      const why = this.#aborter.signal.aborted ? 'no answer in time' : reasonOf(error);
      throw new Unreachable(`${this.operation.id}: ${why}`, { cause: error });
    }
  }

  /** A piece of a file. */
  piece<T>(read: () => Promise<T>): Promise<T> {
    return this.#tell(read);
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error ? cause.message || String(cause) : String(error);
}

async function failureOf(response: Response, { id }: Operation): Promise<ApiError> {
  const text = await response.text();
  const seconds = response.headers.get('retry-after') ?? '';
  return new ApiError(
    response.status,
    detailOf(text) ?? (text.slice(0, 200) || response.statusText),
    /^\d+$/.test(seconds) ? Number(seconds) : null,
    id,
  );
}

/** Null where the answer is not ours: of a proxy on the way, or of the HTTP library before any route. */
function detailOf(text: string): string | readonly InvalidField[] | null {
  try {
    const { detail } = JSON.parse(text) as { detail?: string | readonly InvalidField[] };
    return detail ?? null;
  } catch {
    return null;
  }
}

async function* piecesOf(response: Response, attempt: Attempt): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  try {
    for (;;) {
      const { done, value } = await attempt.piece(() => reader.read());
      if (done) return;
      yield value as Uint8Array;
    }
  } finally {
    // An unread rest is not wanted. After a full read this does nothing.
    await reader.cancel().catch(() => undefined);
  }
}
