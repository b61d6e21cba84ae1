import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { call, type Answer, type Endpoint, type Request } from './api.js';
import { session } from './session.js';
import { forgetAll, useApi, type Loaded, type Options } from './use-api.js';

/**
 * The operator's key, for the life of this tab. It is sent in one header to this server. It stands in no address, no
 * cookie, and nowhere that outlives the tab.
 */
const NAME = 'operator-key';

export const operatorKey = signal<string | null>(stored());
/** The server has refused the key that was there. */
export const keyRefused = signal(false);

export function keepKey(key: string): void {
  keyRefused.value = false;
  operatorKey.value = key;
  try {
    sessionStorage.setItem(NAME, key);
  } catch {
    // Where nothing is kept, the signal has it until the page is loaded anew.
  }
}

export function forgetKey(): void {
  operatorKey.value = null;
  try {
    sessionStorage.removeItem(NAME);
  } catch {
    // Nothing was kept there.
  }
  forgetAll();
}

function stored(): string | null {
  try {
    return sessionStorage.getItem(NAME);
  } catch {
    return null;
  }
}

/** Whether somebody is signed in who may see the room without the key. */
export const mayEnter = (): boolean => session.value?.is_operator === true;

/** Without a key the cookie of the session tells who asks. */
const withKey = <E extends Endpoint>(request: Request<E>): Request<E> => {
  const key = operatorKey.peek();
  return key === null ? request : ({ ...request, headers: { authorization: `Bearer ${key}` } } as Request<E>);
};

/** Does something as the operator. */
export const act = <E extends Endpoint>(endpoint: E, request: Request<E>): Promise<Answer<E>> =>
  call(endpoint, withKey(request));

/** `useApi` as the operator; a key that is refused is forgotten. */
export function useOperator<E extends Endpoint>(
  endpoint: E,
  request: Request<E>,
  options?: Options,
): Loaded<Answer<E>> {
  const loaded = useApi(endpoint, withKey(request), options);
  const refused = loaded.error?.status === 401;
  useEffect(() => {
    if (!refused || operatorKey.peek() === null) return;
    keyRefused.value = true;
    forgetKey();
  }, [refused]);
  return loaded;
}
