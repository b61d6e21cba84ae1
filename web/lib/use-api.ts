import { signal, type Signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { ApiError, call, returns, type Answer, type Endpoint, type Request } from './api.js';

/** A page's knowledge of a resource. The last answer stays while a new one is under way or fails. */
export interface Loaded<T> {
  data: T | null;
  /** The error of the last try. */
  error: ApiError | null;
  loading: boolean;
  reload(): void;
}

interface Kept {
  state: Signal<Omit<Loaded<unknown>, 'reload'>>;
  load(): Promise<void>;
}

/** Rises when all answers are forgotten: what is shown is asked for anew. */
const forgotten = signal(0);

/** Answers of this visit, so that the way back is instant. */
const kept = new Map<string, Kept>();
const KEPT = 200;

export interface Options {
  /** Ask again after so many ms, while the page can be seen. */
  every?: number;
}

/** The requests of the open page that failed. Each is asked for again until it is there. */
export const failing = signal<ReadonlyMap<Kept, ApiError>>(new Map());

/** Seconds to the next try where the server names none. */
const AGAIN_S = 5;

/** Whether a later try may succeed. Other refusals are answers. A server that is away is looked for elsewhere. */
const passes = ({ status }: ApiError) => status === 429 || status >= 500;

/** Asks an endpoint while the component lives; null asks nothing. */
export function useApi<E extends Endpoint>(
  endpoint: E,
  request: Request<E> | null,
  { every }: Options = {},
): Loaded<Answer<E>> {
  const key = request === null ? '' : `${endpoint} ${JSON.stringify(request)}`;
  const ask = () => (request === null ? NOTHING : entryOf(key, () => call(endpoint, request)));
  const entry = useMemo(ask, [key, forgotten.value]);
  const back = returns.value;
  useEffect(() => void entry.load(), [entry, back]);
  useEffect(() => {
    if (every === undefined || entry === NOTHING) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void entry.load();
    }, every);
    return () => clearInterval(timer);
  }, [entry, every]);
  const state = entry.state.value as Omit<Loaded<Answer<E>>, 'reload'>;
  const { error } = state;
  useEffect(() => {
    if (error === null || !passes(error)) return;
    failing.value = new Map(failing.peek()).set(entry, error);
    const timer = setTimeout(() => void entry.load(), 1000 * (error.retryAfter ?? AGAIN_S));
    return () => {
      clearTimeout(timer);
      const left = new Map(failing.peek());
      left.delete(entry);
      failing.value = left;
    };
  }, [entry, error]);
  return { ...state, reload: () => void entry.load() };
}

/** After a change: answers of paths that begin so are read anew by whoever shows them. */
export const changed = (...paths: string[]): void => void reread(...paths);

/** The same, over when all are read: what is done next must know the new ones, such as a record's version. */
export async function reread(...paths: string[]): Promise<void> {
  const shown = [...kept].filter(([key]) => paths.some((path) => key.startsWith(`GET ${path}`)));
  await Promise.all(shown.map(([, { load }]) => load()));
}

/** Nobody's answers may be left when somebody else signs in, nor come when they were asked for before. */
export function forgetAll(): void {
  for (const { state } of kept.values()) state.value = EMPTY;
  kept.clear();
  forgotten.value++;
}

const EMPTY = { data: null, error: null, loading: true };
const NOTHING: Kept = {
  state: signal({ data: null, error: null, loading: false }),
  load: () => Promise.resolve(),
};

function entryOf(key: string, ask: () => Promise<unknown>): Kept {
  const found = kept.get(key);
  if (found !== undefined) {
    kept.delete(key);
    kept.set(key, found);
    return found;
  }
  const state: Kept['state'] = signal(EMPTY);
  let turn = 0;
  let latest = Promise.resolve();
  const read = async (mine: number): Promise<void> => {
    state.value = { ...state.value, loading: true };
    try {
      const data = await ask();
      if (mine === turn) state.value = { data, error: null, loading: false };
    } catch (error) {
      if (mine === turn) state.value = { ...state.value, error: asApiError(error), loading: false };
    }
    if (mine !== turn) await latest;
  };
  const load = () => (latest = read(++turn));
  const made = { state, load };
  kept.set(key, made);
  if (kept.size > KEPT) kept.delete(kept.keys().next().value!);
  return made;
}

export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}
