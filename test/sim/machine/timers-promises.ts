import { setImmediate as immediate, setTimeout as timeout, clearTimeout } from './globals.js';

/** node:timers/promises on virtual time. */

interface Options {
  ref?: boolean;
  signal?: AbortSignal;
}

export function setTimeout<T>(ms?: number, value?: T, { ref = true, signal }: Options = {}): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = timeout(() => resolve(value as T), ms);
    if (!ref) timer.unref();
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}

export function setImmediate<T>(value?: T): Promise<T> {
  return new Promise((resolve) => immediate(() => resolve(value as T)));
}
