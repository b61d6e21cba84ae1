import { spawnSync } from 'node:child_process';
import { LINGERING } from './lingering.js';

/** The task of a shard that never plays. For two seconds nothing can end its thread: it waits for another process. */
export default function linger(): void {
  spawnSync('sh', ['-c', 'touch "$0"; sleep 2', process.env[LINGERING]!]);
}
