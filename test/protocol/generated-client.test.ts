/**
 * openapi-typescript generates a client of our document, as a foreign author would. It compiles under a strict tsc, and
 * tells answers from errors.
 */
import { spawnSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import t from 'tap';
import { openapi } from '../../src/protocol/openapi.js';
import { restSpecs } from '../../src/protocol/rest/index.js';
import { FILE_MS } from '../support/limits.js';
import { ownTemporaryFolder } from '../support/temporary.js';

t.setTimeout(FILE_MS);

const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const STRICT = {
  strict: true,
  noEmit: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  module: 'nodenext',
  moduleResolution: 'nodenext',
  target: 'es2022',
  lib: ['es2022', 'dom'],
  types: [],
};

/** The errors of tsc for a program beside the generated types. Empty if it compiles. */
async function faultsOf(folder: string, program: string): Promise<string> {
  // The library reads a document of its own, which it may change.
  const document = JSON.parse(JSON.stringify(openapi(restSpecs))) as object;
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: STRICT, include: ['*.ts'] }));
  writeFileSync(join(folder, 'api.ts'), astToString(await openapiTS(document as Parameters<typeof openapiTS>[0])));
  writeFileSync(join(folder, 'client.ts'), program);
  symlinkSync(modules, join(folder, 'node_modules'));
  const tsc = join(modules, 'typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8', cwd: folder });
  return stdout;
}

const PROGRAM = `import createClient from 'openapi-fetch';
import type { paths } from './api.js';

const client = createClient<paths>({ baseUrl: 'http://127.0.0.1:8080' });

const me = await client.GET('/api/me');
if (me.error !== undefined) {
  const text: string = me.error.detail;
  console.log(text);
} else {
  const name: string = me.data.name;
  console.log(name);
}

const registered = await client.POST('/api/register', {
  body: { name: 'ada_bot', email: 'ada@example.com', terms_accepted: true },
});
if (registered.data !== undefined) {
  const key: string = registered.data.api_key;
  console.log(key);
} else {
  const { detail } = registered.error;
  console.log(typeof detail === 'string' ? detail : detail.map(({ loc, msg }) => [...loc, msg].join(' ')).join());
}

/** Errors of any operation that have no body in JSON: there are none. */
type Failure = 400 | 401 | 402 | 403 | 404 | 409 | 412 | 413 | 422 | 429 | 431 | 503;
type Answers<T> = T extends { responses: infer R } ? R : never;
type Bodiless<R> = { [S in keyof R & Failure]: R[S] extends { content: { 'application/json': { detail: unknown } } } ? never : S };
type Silent<R> = Bodiless<R>[keyof Bodiless<R>];
type SilentOf<P> = { [M in keyof P]: Silent<Answers<P[M]>> }[keyof P];
type All = { [P in keyof paths]: SilentOf<paths[P]> }[keyof paths];
const none: [All] extends [never] | [undefined] ? true : All = true;
console.log(none);

// @ts-expect-error: types are there, and hold
console.log(me.data?.nothing_of_the_kind);
`;

void t.test('a generated client compiles, and narrows', async (t) => {
  t.equal(await faultsOf(ownTemporaryFolder('generated-client'), PROGRAM), '');
});
