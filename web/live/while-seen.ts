import { useEffect } from 'preact/hooks';

/** Runs while the page can be seen: a page that nobody sees watches nothing. `start` gives the way to stop. */
export function useWhileSeen(start: () => () => void, of: unknown): void {
  useEffect(() => {
    let stop: (() => void) | null = null;
    const look = () => {
      if (document.visibilityState === 'visible') stop ??= start();
      else {
        stop?.();
        stop = null;
      }
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      stop?.();
    };
  }, [of]);
}
