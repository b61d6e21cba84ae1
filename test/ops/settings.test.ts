/** Settings beside each other: what contradicts what, the database's password, and what the compose file hands over. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { contradictions } from '../../src/ops/advice.js';
import { loadConfig, readConfig } from '../../src/ops/config.js';
import { HeapWatch } from '../../src/ops/heap-watch.js';
import { settings } from '../../src/ops/settings.js';
import { looseReceiveBound, receiveAdvice } from '../../src/ops/advice.js';

const PRODUCTION = {
  NODE_ENV: 'production',
  SMTP_URL: 'smtp://x',
  MAIL_FROM: 'a@b',
  PUBLIC_URL: 'https://poker.example',
};
const root = (file: string) => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');

void t.test('settings that contradict each other are told of, and the defaults do not', async (t) => {
  const told = (env: Record<string, string>, cores = 4) => contradictions(readConfig(env), cores);
  t.same(told({ THREADS: '3' }), []);
  t.same(told({ ...PRODUCTION, THREADS: '4' }), []);
  for (const [env, says] of [
    [{ THREADS: '8' }, /^THREADS=8: 8 busy threads share 4 cores/],
    [{ THREADS: '5' }, /^THREADS=5: 5 busy threads share 4 cores/],
    [{ WS_MESSAGES_PER_SECOND: '2' }, /^WS_MESSAGES_PER_SECOND=2: /],
    [{ SEASON_SECONDS: '60', ENDING_SOON_SECONDS: '0' }, /^WIND_DOWN_SECONDS=300 with SEASON_SECONDS=60: no hand/],
    [{ SEASON_SECONDS: '3600' }, /^ENDING_SOON_SECONDS=86400 with SEASON_SECONDS=3600: /],
    [{ REBUY_CHIPS: '500' }, /^REBUY_CHIPS=500: /],
    [{ WITHDRAW_MIN_CENTS: '60000' }, /nothing can be withdrawn/],
    [{ ...PRODUCTION, HOST: '127.0.0.1' }, /^HOST=127\.0\.0\.1 with TRUSTED_PROXY=0/],
  ] as const) {
    const lines = told({ THREADS: '1', ...env });
    t.equal(lines.length, 1, JSON.stringify(env));
    t.match(lines[0], says);
  }
});

void t.test(
  'production warns where a connection may have so much unread that its client can hold a thread',
  async (t) => {
    const rmem = (text: string) => looseReceiveBound(join(t.testdir({ tcp_rmem: text }), 'tcp_rmem'));
    t.equal(rmem('4096\t131072\t33554432\n'), 33_554_432, 'as Linux begins');
    const composed = /net\.ipv4\.tcp_rmem: (.*)/.exec(root('compose.yaml'))?.[1] ?? '';
    t.match(composed, /^\d+ \d+ \d+$/);
    t.equal(rmem(composed), null, 'as the compose file sets it');
    t.equal(looseReceiveBound(join(t.testdir({}), 'none')), null, 'elsewhere than on Linux');
    const advice = (env: Record<string, string>, bound: number | null) => receiveAdvice(readConfig(env), bound);
    t.match(advice(PRODUCTION, 6_291_456), /6291456 bytes unread/);
    t.equal(advice({ ...PRODUCTION, TRANSPORT: 'ws' }, 6_291_456), null);
    t.equal(advice(PRODUCTION, null), null);
    t.equal(advice({}, 6_291_456), null, 'development');
  },
);

void t.test('PUBLIC_URL is an origin: what is more than that is refused at the start', (t) => {
  const urlOf = (PUBLIC_URL: string) => readConfig({ PUBLIC_URL }).PUBLIC_URL;
  for (const [given, origin] of [
    ['https://poker.example/', 'https://poker.example'],
    ['https://Poker.example:443', 'https://poker.example'],
    ['http://[::1]:8080', 'http://[::1]:8080'],
  ] as const)
    t.equal(urlOf(given), origin);
  for (const odd of ['/poker', '/poker/', '\\poker', '?a=b', '#a', ':99999', '//'])
    t.throws(() => urlOf(`https://poker.example${odd}`), { message: /^PUBLIC_URL=.* is not valid: https:\/\/poker/ });
  t.throws(() => urlOf('https://ada:secret@poker.example'), { message: /It has no path, query or user/ });
  t.end();
});

void t.test('a password of any characters joins the address of the database', async (t) => {
  const urlOf = (url: string, password: string) =>
    readConfig({ DATABASE_URL: url, DATABASE_PASSWORD: password }).DATABASE_URL ?? '';
  for (const password of ['plain', 'a@b/c:d#e?f%20&g', 'ключ $HOME']) {
    const url = urlOf('postgres://poker@postgres:5432/poker', password);
    t.equal(decodeURIComponent(new URL(url).password), password);
    t.match(new URL(url), { username: 'poker', host: 'postgres:5432', pathname: '/poker' });
  }
  t.equal(urlOf('postgres://poker:its-own@db/poker', 'other'), 'postgres://poker:its-own@db/poker');
  t.throws(() => urlOf('postgres://db/poker', 'x'), /DATABASE_PASSWORD needs a DATABASE_URL with a user/);
});

void t.test(
  'the compose file asks for nothing that its example lacks, and puts no password into an address',
  async (t) => {
    const compose = root('compose.yaml');
    const example = new Map(
      [...root('compose.env.example').matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
    );
    const askedBy = (text: string) => new Set([...text.matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name));
    t.same([...example.keys()].sort(), [...askedBy(root('compose.cluster.yaml'))].sort());
    for (const name of askedBy(compose)) t.ok(example.has(name), name);
    t.notMatch(compose, /:\/\/[^\s]*\$\{/, 'a password would break the address with @ or /');
    const server = /\n {2}poker:\n[^]*?\n {2}postgres:/.exec(compose)?.[0] ?? '';
    const environment = [...server.matchAll(/^ {6}([A-Z_]+): (.*)$/gm)].map(([, name = '', value = '']) => {
      const filled = value.replace(
        /\$\{([A-Z_]+)[^}]*\}/,
        (_, of: string) => example.get(of)?.replaceAll("'", '') ?? '',
      );
      return [name, filled] as const;
    });
    const config = readConfig({ NODE_ENV: 'production', ...Object.fromEntries(environment) });
    t.match(config, {
      TRUSTED_PROXY: 1,
      REGISTRATION: 'session',
      DATABASE_URL: 'postgres://poker:change-me@postgres:5432/poker',
    });
    for (const file of ['.gitignore', '.dockerignore']) t.match(root(file), /^compose\.env$/m, file);
  },
);

void t.test('an empty NAME= means the default, in .env as in the environment', async (t) => {
  const names = Object.keys(settings).filter((name) => !['NODE_ENV'].includes(name));
  const empty = names.map((name) => `${name}=\n`).join('');
  t.same(readConfig({}, empty), readConfig({}), 'all of them');
  t.equal(readConfig({ DRAIN_MS: '' }, 'DRAIN_MS=7').DRAIN_MS, 7, 'an empty one of the environment hides nothing');
});

void t.test('a number is written in decimal digits, in full', async (t) => {
  for (const text of ['1.5', 'true', 'false', '0x10', '1e3', ' ', ' 5', '5s', '+5', '12_000', '٣']) {
    t.throws(
      () => readConfig({ DRAIN_MS: text }),
      /^DRAIN_MS=".*" is not valid: a whole number from 0 to 600000/,
      text,
    );
    if (text !== ' 5') t.throws(() => readConfig({ REBUY_COOLDOWNS: `0,${text}` }), /^REBUY_COOLDOWNS=/, text);
  }
  t.throws(() => readConfig({ REBUY_COOLDOWNS: '0,,5' }), /^REBUY_COOLDOWNS=/, 'a gap is no 0');
  t.throws(() => readConfig({}, 'PORT=" "'), /^PORT=" " is not valid/);
  t.same(readConfig({ REBUY_COOLDOWNS: '0, 007' }).REBUY_COOLDOWNS, [0, 7]);
});

void t.test('a .env that is no list of settings is told of in one line, which shows nothing of it', async (t) => {
  const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
  for (const [content, says] of [
    ['\uFEFFPORT=9000', /^\.env begins with a byte-order mark \(BOM\): save it as UTF-8 without one\.$/],
    [Buffer.from('\uFEFFPORT=9000'), /byte-order mark/],
    [utf16('PORT=9000'), /^\.env is UTF-16: save it as UTF-8\.$/],
    [Buffer.from('PORT=9000', 'utf16le'), /^\.env is UTF-16/],
    [Buffer.from([0x23, 0x20, 0xe9, 0x0a]), /^\.env is not UTF-8/],
    ['PORT=9000\n\nhunter2\n', /^\.env line 3 is no setting: write NAME=value, or # before a comment\.$/],
    ['PORT: 9000', /^\.env line 1 is no setting/],
  ] as const) {
    t.throws(() => readConfig({}, content), says);
  }
  const fine = '# a comment\n\nexport PORT = 9000 # why\r\nMAIL_FROM="a@b"\nIDENTITY_AUTH_URL=\'two\nlines\'\n';
  t.match(readConfig({}, fine), { PORT: 9000, MAIL_FROM: 'a@b' });
  const folder = t.testdir({ '.env': {} });
  t.throws(() => loadConfig({ env: {}, cwd: folder }), /^\.env cannot be read: it is a folder \(EISDIR\)\.$/);
});

void t.test('a heap near its limit is warned of with its figures, once a minute', async (t) => {
  const said: unknown[] = [];
  let now = 0;
  const watch = new HeapWatch({ warn: (detail) => said.push(detail) }, () => now);
  const mb = 1_048_576;
  watch.see('front', { used: 80 * mb, limit: 100 * mb });
  t.same(said, []);
  for (now = 0; now <= 60_000; now += 1000) watch.see('front', { used: 90 * mb, limit: 100 * mb });
  const detail = { thread: 'front', heap_mb: 90, heap_limit_mb: 100 };
  t.same(said, [detail, detail]);
  watch.see('shard-0', { used: 99 * mb, limit: 100 * mb });
  t.match(said.at(-1), { thread: 'shard-0' });
});
