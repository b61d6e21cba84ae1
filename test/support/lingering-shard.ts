import { spawnSync } from 'node:child_process';
import { LINGERING } from './lingering.js';

/** The task of a shard that never plays. As long as its file is there nothing can end its thread: it waits for a process. */
export default function linger(): void {
  spawnSync('sh', ['-c', 'touch "$0"; while [ -e "$0" ]; do sleep 0.1; done', process.env[LINGERING]!]);
}
