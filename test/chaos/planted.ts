import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { plants } from '../sim/plants.js';
import type { Scope } from '../support/database.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * A copy of the built product with one of the simulation's faults planted into it, so that the checks of whole platforms
 * are seen to find it; returns its main program. It goes when the test is over.
 */
export async function plantedMain(t: Scope, name: string): Promise<string> {
  const plant = plants.find((each) => each.name === name);
  if (plant === undefined) throw new Error(`there is no plant ${name}`);
  const { file, find, replace } = plant;
  const source = readFileSync(join(root, file), 'utf8');
  if (source.split(find).length !== 2) throw new Error(`the plant ${name} no longer fits ${file}`);
  const { code } = await transform(
    source.replace(find, () => replace),
    { loader: 'ts', target: 'node20' },
  );

  // Below the project, where packages are found; the tree looks the same from inside.
  const home = join(root, 'dist', 'planted', `${name}-${process.pid}`);
  t.teardown(async () => rmSync(home, { recursive: true, force: true }));
  mkdirSync(home, { recursive: true });
  for (const folder of ['src', 'workers']) {
    cpSync(join(root, 'dist', folder), join(home, 'dist', folder), { recursive: true });
  }
  symlinkSync(join(root, 'sql'), join(home, 'sql'));
  writeFileSync(join(home, 'dist', file.replace(/ts$/, 'js')), code);
  return join(home, 'dist', 'src', 'main.js');
}
