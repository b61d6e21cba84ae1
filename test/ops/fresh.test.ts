/** A command does not build before it runs, except in a checkout with a build older than its sources. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { bareEnv, temporaryFolder } from '../support/platform.js';

const FRESH = fileURLToPath(new URL('../../../src/ops/fresh.mjs', import.meta.url));
const SOURCES = ['src', 'workers', 'sdk/typescript/src', 'sdk/generator', 'web', 'docs', 'examples', 'test', 'bench'];

void t.test('what is built, and when', (t) => {
  const home = temporaryFolder(t);
  for (const folder of [...SOURCES, 'src/ops', 'dist']) mkdirSync(join(home, folder), { recursive: true });
  copyFileSync(FRESH, join(home, 'src/ops/fresh.mjs'));
  writeFileSync(join(home, 'package-lock.json'), '{}');
  // In the place of the build: it says that it ran.
  writeFileSync(join(home, 'src/ops/build.mjs'), "import { writeFileSync } from 'node:fs'; writeFileSync('ran', '');");
  const builds = () => {
    rmSync(join(home, 'ran'), { force: true });
    const { status, stderr } = spawnSync(process.execPath, ['src/ops/fresh.mjs'], { cwd: home, env: bareEnv({}) });
    t.equal(status, 0, String(stderr));
    return existsSync(join(home, 'ran'));
  };
  t.equal(builds(), false, 'a package has no sources');
  writeFileSync(join(home, 'src/main.ts'), '');
  t.equal(builds(), true, 'a checkout that was never built');
  const builtAt = Date.now() + 60_000;
  writeFileSync(join(home, 'dist/built.json'), JSON.stringify({ product: builtAt, all: builtAt }));
  t.equal(builds(), false, 'a build that is younger than all sources');
  writeFileSync(join(home, 'bench/some.ts'), '');
  utimesSync(join(home, 'bench/some.ts'), builtAt / 1000 + 60, builtAt / 1000 + 60);
  t.equal(builds(), true, 'a source that is younger than the build');
  t.end();
});
