/**
 * A container that is killed and started again. In each fresh process namespace the numbers repeat, so the new server
 * may have the number of the killed one.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import t from 'tap';
import { connect, type DatabaseAddress } from '../../src/store/database.js';
import { FILE_MS } from '../support/limits.js';
import { temporaryFolder } from '../support/platform.js';

t.setTimeout(FILE_MS);

/** Its first process has the number 1, and all processes end with it. */
const NAMESPACE = ['-pf', '--mount-proc', '--kill-child'];
const allowed = spawnSync('unshare', [...NAMESPACE, 'true']).status === 0;
const KILLS = 20;

interface Said {
  address?: DatabaseAddress;
  error?: string;
}

/** The embedded database of a folder, in a process namespace of its own. */
async function contained(dataDir: string): Promise<{ container: ChildProcess; said: Said }> {
  const file = join(import.meta.dirname, '..', 'support', 'embedded-child.js');
  const container = spawn('unshare', [...NAMESPACE, process.execPath, file, dataDir], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = (await once(container.stdout!, 'data')) as [Buffer];
  return { container, said: JSON.parse(line.toString()) as Said };
}

const skip = allowed ? {} : { skip: 'unshare -pf --mount-proc is not allowed here' };
void t.test(`after each of ${KILLS} kills the next container starts, with all that was committed`, skip, async (t) => {
  const dataDir = temporaryFolder(t);
  for (let kill = 0; kill <= KILLS; kill++) {
    const { container, said } = await contained(dataDir);
    t.equal(said.error, undefined, `start ${kill}`);
    if (said.address !== undefined) {
      const sql = connect(said.address, { max: 1, name: 'test' });
      await sql`create table if not exists kills (n int)`;
      const [row] = await sql<{ count: number }[]>`select count(*) as count from kills`;
      t.equal(row!.count, kill);
      await sql`insert into kills values (${kill})`;
      await sql.end();
    }
    const exited = once(container, 'exit');
    if (kill < KILLS) container.kill('SIGKILL');
    else container.stdin!.end();
    await exited;
  }
});
