import { spawn, type ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import { childEnv } from './cluster.js';
import { CLUSTER } from './location.js';

/** Waits for the end of its input, which is our end, also by SIGKILL; then ends the servers of $@ and removes $@. */
const script = `
cat >/dev/null
for folder in "$@"; do
  pid_file="$folder/${CLUSTER}/postmaster.pid"
  tries=100
  while pid=$(head -n 1 "$pid_file" 2>/dev/null) && kill -QUIT "$pid" 2>/dev/null && [ $tries -gt 0 ]; do
    sleep 0.1
    tries=$((tries - 1))
  done
done
rm -rf -- "$@"`;

/**
 * Starts a process that outlives us just long enough to stop the servers of temporary clusters and to remove their
 * folders. Those need not be there yet: whoever makes a folder before leaves it behind when a signal comes in between.
 */
export function removeWhenWeAreGone(folders: readonly string[]): ChildProcess {
  const child = spawn('/bin/sh', ['-c', script, 'remover', ...folders], {
    cwd: '/',
    env: childEnv,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.unref();
  if (child.stdin instanceof Socket) child.stdin.unref();
  return child;
}
