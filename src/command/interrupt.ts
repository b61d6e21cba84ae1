/** One Ctrl-C may arrive twice: from the terminal, and passed on by npm. */
const SAME_SIGNAL_MS = 500;

/** Calls `end` at the first signal that asks this process to end; a further one ends it at once, with 130. */
export function onInterrupt(end: (signal: NodeJS.Signals) => void): void {
  let first: number | null = null;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      const now = performance.now();
      if (first === null) {
        first = now;
        end(signal);
      } else if (now - first > SAME_SIGNAL_MS) process.exit(130);
    });
  }
}
