import { signal, type Signal } from '@preact/signals';

/** One of a few values that this browser remembers; where it keeps nothing, the choice holds for the visit. */
export function kept<const T extends string>(name: string, values: readonly T[], fallback: NoInfer<T>): Signal<T> {
  const found = read(name);
  const value = signal<T>(values.find((one) => one === found) ?? fallback);
  value.subscribe((now) => {
    if (now !== found || read(name) !== null) write(name, now);
  });
  return value;
}

function read(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function write(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // Private windows may refuse; the signal still has it.
  }
}
