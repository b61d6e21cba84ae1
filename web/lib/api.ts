import { signal } from '@preact/signals';
import type { Static, TSchema } from 'typebox';
import type { Rest } from '../../src/protocol/rest/index.js';

/**
 * The platform's REST API with the types of its own schemas: `call('GET /api/season/{season_id}', { params })`. Only
 * the types cross; nothing of the server is bundled.
 */

type Spec = (typeof Rest)[keyof typeof Rest];
type NameOf<S> = S extends { method: infer M extends string; path: infer P extends string } ? `${M} ${P}` : never;
export type Endpoint = { [K in keyof typeof Rest]: NameOf<(typeof Rest)[K]> }[keyof typeof Rest];
type SpecOf<E extends Endpoint, S = Spec> = S extends unknown ? (NameOf<S> extends E ? S : never) : never;

type Part<S, K extends string> = S extends { readonly [key in K]: infer T extends TSchema } ? Static<T> : undefined;
type Sent<S> = (Part<S, 'params'> extends undefined ? { params?: undefined } : { params: Part<S, 'params'> }) &
  (Part<S, 'query'> extends undefined ? { query?: undefined } : { query?: Partial<Part<S, 'query'>> }) &
  (Part<S, 'body'> extends undefined ? { body?: undefined } : { body: Part<S, 'body'> }) & {
    headers?: Record<string, string>;
  };
type AnswerOf<S> = S extends { readonly answers: infer A }
  ? { [K in keyof A]: A[K] extends TSchema ? Static<A[K]> : never }[keyof A]
  : never;

export type Request<E extends Endpoint> = Sent<SpecOf<E>>;
export type Answer<E extends Endpoint> = AnswerOf<SpecOf<E>>;
export type Body<E extends Endpoint> = Part<SpecOf<E>, 'body'>;

/** A refusal of the server, in its words. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** The problems of single fields of the body or query. */
    readonly fields: Readonly<Record<string, string>> = {},
    /** Seconds to wait, where it said so. */
    readonly retryAfter: number | null = null,
  ) {
    super(message);
  }
}

/** False from a request that reached nobody until one does again. */
export const reachable = signal(true);
/** Rises when the server was away and is back: what is shown is read anew. */
export const returns = signal(0);
/** Rises when the server says that nobody is signed in. */
export const signedOut = signal(0);

/** Rejects with ApiError; status 0 where the server cannot be reached. */
export async function call<E extends Endpoint>(endpoint: E, request: Request<E>): Promise<Answer<E>> {
  const { answer, body } = await ask(endpoint, request);
  if (answer.ok) return body as Answer<E>;
  if (answer.status === 401) signedOut.value++;
  throw refusal(answer, body);
}

interface Loose {
  params?: unknown;
  query?: unknown;
  body?: unknown;
  headers?: Record<string, string> | undefined;
}

async function ask(endpoint: string, request: Loose): Promise<{ answer: Response; body: unknown }> {
  const [method = 'GET', path = ''] = endpoint.split(' ');
  const { params, query, body, headers = {} } = request;
  try {
    const answer = await fetch(urlOf(path, params, query), {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      body: body === undefined ? null : JSON.stringify(body),
    });
    if (answer.status === 503) lost();
    return { answer, body: await bodyOf(answer) };
  } catch {
    // Also where it ends amid its answer.
    lost();
    throw new ApiError(0, 'The server cannot be reached');
  }
}

/** An answer with a body for the caller to read. Rejects as `call` does. */
export async function answered(path: string, signal: AbortSignal): Promise<Response> {
  let answer: Response;
  let body: unknown;
  try {
    answer = await fetch(path, { signal });
    if (answer.ok) return answer;
    body = await bodyOf(answer);
  } catch (error) {
    if (signal.aborted) throw error;
    lost();
    throw new ApiError(0, 'The server cannot be reached');
  }
  if (answer.status === 401) signedOut.value++;
  throw refusal(answer, body);
}

async function bodyOf(answer: Response): Promise<unknown> {
  const isJson = (answer.headers.get('content-type') ?? '').startsWith('application/json');
  return isJson ? ((await answer.json()) as unknown) : await answer.text();
}

/** A path with its parameters and its query filled in. */
export function urlOf(path: string, params: unknown, query: unknown): string {
  const values = (params ?? {}) as Record<string, unknown>;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
  const entries = Object.entries((query ?? {}) as Record<string, unknown>).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  if (entries.length === 0) return filled;
  return `${filled}?${new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString()}`;
}

function refusal(answer: Response, body: unknown): ApiError {
  const wait = Number(answer.headers.get('retry-after') ?? NaN);
  const retryAfter = Number.isFinite(wait) ? wait : null;
  const { detail } = (typeof body === 'object' && body !== null ? body : {}) as { detail?: unknown };
  if (Array.isArray(detail)) {
    const problems = detail as { loc?: unknown[]; msg?: string }[];
    const fields = Object.fromEntries(
      problems.map(({ loc = [], msg = '' }) => [String(loc.at(-1) ?? ''), sentence(msg)]),
    );
    return new ApiError(answer.status, Object.values(fields).join(' '), fields, retryAfter);
  }
  const words = typeof detail === 'string' ? sentence(detail) : `The server answered ${answer.status}.`;
  return new ApiError(answer.status, words, {}, retryAfter);
}

const sentence = (text: string) => (/[.?]$/.test(text) ? text : `${text}.`);

const RETRY_MS = 2000;
let waiting = false;

/** Something other than a request was cut off: is the server still there? */
export async function lookForServer(): Promise<void> {
  if (waiting) return;
  const there = await fetch('/health/ready').then(
    ({ ok }) => ok,
    () => false,
  );
  if (!there) lost();
}

/** Looks until the server answers again. */
function lost(): void {
  reachable.value = false;
  if (waiting) return;
  waiting = true;
  const look = async () => {
    try {
      if ((await fetch('/health/ready')).ok) {
        waiting = false;
        reachable.value = true;
        returns.value++;
        return;
      }
    } catch {
      // Still away.
    }
    setTimeout(() => void look(), RETRY_MS);
  };
  setTimeout(() => void look(), RETRY_MS);
}
