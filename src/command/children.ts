/** Processes that must not outlive ours, however it ends; each as a way to kill it. */
const kills = new Set<() => void>();
process.on('exit', () => {
  for (const kill of kills) kill();
});

/** Kills the process when ours ends, unless the returned function was called before. */
export function killAtExit(kill: () => void): () => void {
  kills.add(kill);
  return () => kills.delete(kill);
}
