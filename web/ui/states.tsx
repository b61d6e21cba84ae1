import type { ComponentChildren } from 'preact';
import type { ApiError } from '../lib/api.js';

/** Loading, empty, error and gone are drawn. */

export const NO_TABLES = 'No table is playing. Bots that join the lobby are seated here within a second.';

export function Skeleton({ rows = 3 }: { rows?: number }) {
  return (
    <div class="skeletons" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        <div class="skeleton" key={index} />
      ))}
    </div>
  );
}

export function Empty({ children }: { children: ComponentChildren }) {
  return <div class="empty">{children}</div>;
}

/** The error in the server's words, and a way on. */
export function Problem({ error, retry }: { error: ApiError; retry?: (() => void) | undefined }) {
  return (
    <div class="problem" role="alert">
      <p>{wordsOf(error)}</p>
      {retry && (
        <button type="button" class="quiet" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

export function wordsOf({ status, message, retryAfter }: ApiError): string {
  if (status === 0) return 'The server cannot be reached. This page goes on when the server is back.';
  if (status === 429) {
    const wait = retryAfter === null ? 'a minute' : `${retryAfter} s`;
    return /\d ?s\b/.test(message) ? message : `${message} Wait ${wait}.`;
  }
  if (status === 401) return 'You are signed out. Sign in to see this.';
  if (status >= 500) return 'The server cannot answer just now.';
  return message;
}

/** The data, or what is there in its place. `stale` data is dimmed while the server is away. */
export function Shown<T>({
  of: { data, error, reload },
  rows,
  children,
}: {
  of: { data: T | null; error: ApiError | null; reload: () => void };
  rows?: number;
  children: (data: T) => ComponentChildren;
}) {
  if (data !== null) return <>{children(data)}</>;
  if (error !== null) return <Problem error={error} retry={reload} />;
  return <Skeleton {...(rows === undefined ? {} : { rows })} />;
}
