import type { ComponentChildren } from 'preact';
import type { ApiError } from '../lib/api.js';
import { statesTexts as texts } from '../texts/frame.js';

/** Loading, empty, error and gone are drawn. */

export function Skeleton({ rows = 3 }: { rows?: number }) {
  return (
    <div class="skeletons" role="status" aria-label={texts.loading}>
      {Array.from({ length: rows }, (_, index) => (
        <div class="skeleton" key={index} />
      ))}
    </div>
  );
}

export function Empty({ children }: { children: ComponentChildren }) {
  return <div class="empty">{children}</div>;
}

/** What went wrong in the server's words, and a way on. */
export function Problem({ error, retry }: { error: ApiError; retry?: (() => void) | undefined }) {
  return (
    <div class="problem" role="alert">
      <p>{wordsOf(error)}</p>
      {retry && (
        <button type="button" class="quiet" onClick={retry}>
          {texts.tryAgain}
        </button>
      )}
    </div>
  );
}

export function wordsOf({ status, message, retryAfter }: ApiError): string {
  if (status === 0) return texts.theServerCannotBeReached;
  if (status === 429) {
    const wait = retryAfter === null ? texts.aMinute : `${retryAfter} s`;
    return /\d ?s\b/.test(message) ? message : texts.wait(message, wait);
  }
  if (status === 401) return texts.youAreSignedOutSign;
  if (status >= 500) return texts.theServerCannotAnswerJust;
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
