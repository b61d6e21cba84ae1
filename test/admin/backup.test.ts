/** `npx agent-poker backup` and `npx agent-poker restore`: what a running server has at one moment is all there in another place. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import t from 'tap';
import { inOrder } from '../../src/admin/backup/catalog.js';
import { audit } from '../../src/admin/audit/index.js';
import { runCommand } from '../support/command.js';
import { freshDatabase, openPool, stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { temporaryFolder, TestPlatform, type Env } from '../support/platform.js';
import { calling, scenesOf } from '../support/scene.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const run = (env: Env, path: string, ...args: string[]) => runCommand(`admin/${path}`, args, env);
const backup = (env: Env, file: string) => run(env, 'backup/cli.js', 'backup', file);
const restore = (env: Env, file: string) => run(env, 'backup/cli.js', 'restore', file);

const folder = temporaryFolder(t);
const home: Env = { DATA_DIR: joinPath(folder, 'home') };
const file = joinPath(folder, 'backup.gz');
const platform = await TestPlatform.start(t, { ...home, LOBBY_GRACE_MS: 100 });
const scene = scenesOf(t, platform);
let key = '';
let stored = 0;
const handsOf = async (of: TestPlatform) =>
  ((await of.api('GET', '/api/me/hand-history', { key })).body as { total_hands: number }).total_hands;

await scene('a backup beside a running server, in the middle of a hand', async (t, scene) => {
  const game = await scene.game(3);
  for (let hand = 0; hand < 3; hand++) await game.finish(calling);
  key = game.players[0]!.account.key;
  stored = await handsOf(platform);
  t.ok(stored >= 3);
  t.match(await backup(home, file), { code: 0, out: /rows of \d+ tables are in .*backup\.gz/, err: '' });
  t.equal(statSync(file).mode & 0o777, 0o600, 'only its owner may read it');
  const before = readFileSync(file);
  t.match(await backup(home, file), { code: 1, err: /exists: name a new file/ });
  t.ok(readFileSync(file).equals(before), 'a file that is there stays as it is');
  await game.finish(calling);
});

await t.test(
  'restored into an empty folder beside it: the audit finds every chip, and play goes on there',
  async (t) => {
    const env: Env = { DATA_DIR: joinPath(folder, 'another') };
    t.match(await restore(env, file), { code: 0, out: /are restored from/ });
    t.match(await run(env, 'audit/cli.js'), {
      code: 0,
      out: new RegExp(` 3 +${stored} [^]*Every chip is accounted for\\.`),
    });
    t.match(await restore(env, file), { code: 1, err: 'the database is not empty' }, 'and nothing is put over it');

    const there = await TestPlatform.start(t, { ...env, DISCONNECT_HOLD_MS: 0, LOBBY_GRACE_MS: 100 });
    t.match(await there.api('GET', '/api/me', { key }), { status: 200, body: { name: 'ada_1' } });
    t.equal(await handsOf(there), stored, 'the hands that were over at the backup, and not the one after it');
    t.match(await restore(env, file), { code: 1, err: /Another server works on this database|is not empty/ });
    await scenesOf(t, there)('numbers of rows go on where they were', async (_t, scene) => {
      const game = await scene.game(2, { names: ['gil', 'hal'] });
      await game.finish(calling);
    });
    await there.stop();
    t.match(await run(env, 'audit/cli.js'), { code: 0 });
  },
);

await t.test('restored into a database of its own, from an embedded one', async (t) => {
  const empty = await freshDatabase(t, true);
  const env: Env = { DATABASE_URL: empty.url };
  t.match(await restore(env, file), { code: 0, out: /are restored from/ });
  const { ok, problems } = await audit(openPool(t, empty));
  t.same(problems, []);
  t.ok(ok);
  const copy = joinPath(folder, 'copy.gz');
  t.match(await backup(env, copy), { code: 0 });
  const rowsOf = (path: string) => /\{"rows":.*$/.exec(gunzipSync(readFileSync(path)).toString('latin1'))?.[0];
  t.equal(rowsOf(copy), rowsOf(file), 'and its backup has the same rows');
});

await t.test('what is no whole backup is refused, and the database stays empty', async (t) => {
  const whole = readFileSync(file);
  const content = gunzipSync(whole);
  const head = content.subarray(5, 5 + content.readUInt32BE(1)).toString();
  const framed = (text: string) => {
    const prefix = Buffer.from('H\0\0\0\0', 'latin1');
    prefix.writeUInt32BE(Buffer.byteLength(text), 1);
    return gzipSync(Buffer.concat([prefix, Buffer.from(text)]));
  };
  const end = content.lastIndexOf('{"rows":');
  const short = Buffer.from(content);
  short.write('"agents":9', content.indexOf('"agents":', end));
  const empty = await freshDatabase(t, true);
  const env: Env = { DATABASE_URL: empty.url };
  for (const [name, bytes, says] of [
    ['half', whole.subarray(0, whole.length >> 1), /is no whole backup: unexpected end of file/],
    ['text', Buffer.from('pg_dump'), /is no whole backup: incorrect header check/],
    ['other', gzipSync('a dump of another kind'), /this is no backup/],
    ['nothing', gzipSync(''), /is no backup/],
    ['cut', gzipSync(content.subarray(0, end - 5)), /the backup is cut off/],
    ['short', gzipSync(short), /the backup lacks rows of agents/],
    ['later', framed(head.replace('001_core.sql', '999_later.sql')), /is of a later release \(999_later\.sql\)/],
  ] as const) {
    const path = joinPath(folder, name);
    writeFileSync(path, bytes);
    t.match(await restore(env, path), { code: 1, out: '', err: says }, name);
  }
  t.match(await restore(env, folder), { code: 1, out: '', err: /is no whole backup: it is a folder \(EISDIR\)\n$/ });
  t.match(await restore(env, joinPath(folder, 'none')), { code: 1, err: /^there is no file .*none\n$/ });
  t.match(await restore(env, file), { code: 0 }, 'the whole one is taken after all of them');
});

await t.test('wrong usage, and tables that come after those they refer to', async (t) => {
  t.match(await run({}, 'backup/cli.js', 'backup'), {
    code: 2,
    err: /^FILE is missing \(npx agent-poker backup --help/,
  });
  t.match(await backup(home, '/proc/x'), {
    code: 1,
    out: '',
    err: /^\/proc\/x cannot be written: there is no such file or folder \(ENOENT\)\n$/,
  });
  t.match(await restore({ DATA_DIR: '/proc/x' }, file), {
    code: 1,
    err: /^DATA_DIR=\/proc\/x cannot hold the database: /,
  });
  t.match(await run({}, 'backup/cli.js', 'backup', 'a', 'b'), { code: 2, err: /^too many words: a b/ });
  t.match(await run({}, 'backup/cli.js', 'restore', '--fast'), { code: 2, err: /^Unknown option '--fast'/ });
  t.match(await run({}, 'backup/cli.js', 'restore', '--help'), { code: 0, out: /^npx agent-poker restore .*FILE/ });
  const table = (name: string, ...needs: string[]) => ({ name, needs });
  const ordered = inOrder([table('c', 'b', 'a'), table('b', 'a'), table('a')]).map(({ name }) => name);
  t.same(ordered, ['a', 'b', 'c']);
  t.throws(() => inOrder([table('a', 'b'), table('b', 'a')]), /refer to each other: a, b/);
});
