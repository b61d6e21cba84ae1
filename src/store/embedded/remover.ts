import { spawn, type ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import { childEnv } from './cluster.js';
import { CLUSTER } from './location.js';

/** Waits for the end of its input, which is our end, also by SIGKILL; then ends the servers of $@ and removes $@. */
const script = `
names() {
  if [ -e /proc/self/cmdline ]; then grep -aqF -- "$2" "/proc/$1/cmdline" 2>/dev/null
  else ps -o command= -p "$1" | grep -qF -- "$2"; fi
}
read -r _
for folder in "$@"; do
  cluster="$folder/${CLUSTER}"
  tries=100
  while pid=$(head -n 1 "$cluster/postmaster.pid" 2>/dev/null) && names "$pid" "$cluster" && [ $tries -gt 0 ]; do
    if [ $tries -gt 50 ]; then kill -QUIT "$pid"; else kill -KILL "$pid"; fi 2>/dev/null
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
