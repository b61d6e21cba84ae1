import { spawnSync } from 'node:child_process';
import { LINGERING } from './lingering.js';

/**
 * The task of a shard that never plays. Nothing can end its thread while its file exists: the thread waits for a
 * process.
 */
export default function linger(): void {
  spawnSync('sh', ['-c', 'touch "$0"; while [ -e "$0" ]; do sleep 0.1; done', process.env[LINGERING]!]);
}
