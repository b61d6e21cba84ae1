import { spawn, type ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { childEnv } from './cluster.js';

/** Waits for the end of its input, which is our end, also by SIGKILL; then ends the server $0 names and removes $@. */
const script = `
cat >/dev/null
tries=100
while pid=$(head -n 1 "$0" 2>/dev/null) && kill -QUIT "$pid" 2>/dev/null && [ $tries -gt 0 ]; do
  sleep 0.1
  tries=$((tries - 1))
done
rm -rf -- "$@"`;

/** Starts a process that outlives us just long enough to stop a temporary cluster's server and remove its folders. */
export function removeWhenWeAreGone(cluster: string, folders: readonly string[]): ChildProcess {
  const child = spawn('/bin/sh', ['-c', script, join(cluster, 'postmaster.pid'), ...folders], {
    cwd: '/',
    env: childEnv,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.unref();
  if (child.stdin instanceof Socket) child.stdin.unref();
  return child;
}
