/**
 * The pages are served as a browser, a cache and a search engine want them. There is one document for every page, and
 * named files may be cached for ever. Clients get small forms if they take them, and parts if they ask. Pages need no
 * cookie, and programs still read JSON at the same paths.
 */
import { brotliDecompressSync } from 'node:zlib';
import { cpSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import Type from 'typebox';
import { openSite } from '../../../src/gateway/pages/site.js';
import { readSite } from '../../../src/gateway/pages/site-files.js';
import { EMBED_PREFIX, MOVED_DOCS, MOVED_PAGES, PAGE_PATHS } from '../../../src/protocol/page-paths.js';
import { defineRoute, route } from '../../../src/protocol/route.js';
import { openHouse, WAYS } from '../../support/gateway.js';
import { FILE_MS } from '../../support/limits.js';

t.setTimeout(FILE_MS);

const BUILT = fileURLToPath(new URL('../../../web', import.meta.url));
const { files } = readSite(BUILT);
const script = [...files.values()].find(({ path }) => path.endsWith('.js'))!;

const thing = defineRoute(
  route({
    id: 'thing',
    method: 'GET',
    path: '/api/thing',
    tag: 'Test',
    summary: 'A thing',
    auth: 'none',
    limit: null,
    answers: { 200: Type.Unknown() },
  }),
)(() => ({ status: 200, body: {} }));

interface Raw {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** The body before decompression: fetch would decompress it. */
function raw(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Raw> {
  return new Promise((resolve, reject) => {
    request(url, { method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () =>
        resolve({ status: answer.statusCode!, headers: answer.headers, body: Buffer.concat(chunks) }),
      );
    })
      .on('error', reject)
      .end();
  });
}

// test/cluster/wire/forwarder.test.ts has the tests between nodes.
for (const way of WAYS.filter(({ config }) => config.NODES !== 2)) {
  await t.test(way.name, async (t) => {
    const house = await openHouse(way.config, [thing], {}, openSite());
    t.teardown(() => house.gateway.close());
    const get = (path: string, headers?: Record<string, string>) => raw(house.http + path, headers);

    await t.test('every page is the document, with its policy, and is asked for again each time', async (t) => {
      for (const pattern of Object.values(PAGE_PATHS)) {
        const { status, headers, body } = await get(pattern.replace(/\{\w+\}/g, 'some-name'));
        t.equal(status, 200, pattern);
        t.match(headers, {
          'content-type': 'text/html; charset=utf-8',
          'cache-control': 'no-cache',
          'x-content-type-options': 'nosniff',
          etag: /^"\w{16}"$/,
        });
        const policy = String(headers['content-security-policy']);
        t.match(policy, "default-src 'self'");
        t.match(policy, pattern.startsWith(EMBED_PREFIX) ? 'frame-ancestors *' : "frame-ancestors 'none'");
        t.notMatch(policy, 'unsafe');
        t.equal(headers['set-cookie'], undefined);
        t.match(body.toString(), '<div id="app"></div>');
        t.notMatch(
          body.toString(),
          /<script(?![^>]*src=)|<style|https?:\/\//,
          'nothing inline, nothing from elsewhere',
        );
      }
    });

    await t.test('the former address of a document leads to its page', async (t) => {
      for (const [name, now] of Object.entries(MOVED_DOCS)) {
        t.match(await get(`/docs/${name}`), { status: 301, headers: { location: `/docs/${now}` } });
      }
      for (const [path, location] of Object.entries(MOVED_PAGES)) {
        t.match(await get(path), { status: 301, headers: { location } });
      }
      t.equal((await get('/docs/constructor')).status, 200, 'no name of an object is one of a document');
    });

    await t.test('what the document names is there, for ever', async (t) => {
      const html = (await get('/')).body.toString();
      const named = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
      t.ok(named.length >= 3);
      for (const path of named) {
        const { status, headers } = await get(path);
        t.equal(status, 200, path);
        t.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
      }
      t.match((await get('/favicon.svg')).headers, { 'content-type': 'image/svg+xml', 'cache-control': 'no-cache' });
      t.match((await get('/card.png')).headers, { 'content-type': 'image/png' });
      const manifest = await get('/manifest.webmanifest');
      t.match(manifest.headers, { 'content-type': 'application/manifest+json' });
      const { icons } = JSON.parse(manifest.body.toString()) as { icons: { src: string }[] };
      for (const { src } of icons) t.equal((await get(src)).status, 200, src);
      t.match(html, /<meta name="theme-color" content="#\w{6}" media="\(prefers-color-scheme: dark\)"/);
      t.match((await get('/robots.txt')).body.toString(), 'Disallow: /api/');
      t.match(await get('/assets/main-OLD.js'), { status: 404, headers: { 'content-type': 'application/json' } });
    });

    await t.test('the smallest form that is taken; the same bytes in each', async (t) => {
      const plain = await get(script.path);
      t.equal(plain.headers['content-encoding'], undefined);
      const small = await get(script.path, { 'accept-encoding': 'gzip, deflate, br' });
      t.match(small.headers, { 'content-encoding': 'br', vary: /accept-encoding/ });
      t.ok(small.body.length < plain.body.length);
      t.ok(brotliDecompressSync(small.body).equals(plain.body));
      t.equal((await get(script.path, { 'accept-encoding': 'br;q=0, gzip' })).headers['content-encoding'], 'gzip');
      t.not(small.headers['etag'], plain.headers['etag'], 'each form has its own tag');
    });

    await t.test('304 for who has it, no body for HEAD, and the length either way', async (t) => {
      const { headers, body } = await get('/');
      const again = await get('/', { 'if-none-match': `"other", W/${String(headers['etag'])}` });
      t.match(again, { status: 304, headers: { etag: headers['etag'] } });
      t.equal(again.body.length, 0);
      const head = await raw(`${house.http}/`, {}, 'HEAD');
      t.match(head, { status: 200, headers: { 'content-length': String(body.length), etag: headers['etag'] } });
      t.equal(head.body.length, 0);
    });

    await t.test('parts of a file, of its plain form', async (t) => {
      const { body, headers } = await get(script.path);
      const part = (range: string, more = {}) => get(script.path, { range, 'accept-encoding': 'br', ...more });
      const first = await part('bytes=0-9');
      t.match(first, { status: 206, headers: { 'content-range': `bytes 0-9/${body.length}`, 'content-length': '10' } });
      t.ok(first.body.equals(body.subarray(0, 10)));
      t.ok((await part('bytes=10-')).body.equals(body.subarray(10)));
      t.ok((await part('bytes=-5')).body.equals(body.subarray(-5)));
      t.ok((await part(`bytes=5-${body.length + 50}`)).body.equals(body.subarray(5)));
      for (const range of [`bytes=${body.length}-`, 'bytes=-0']) {
        t.match(await part(range), { status: 416, headers: { 'content-range': `bytes */${body.length}` } }, range);
      }
      for (const range of ['bytes=9-5', 'bytes=0-1,4-5', 'lines=1-2', 'bytes=-', 'bytes=a-b']) {
        t.equal((await part(range)).status, 200, `${range}: the whole`);
      }
      t.equal((await part('bytes=0-9', { 'if-range': String(headers['etag']) })).status, 206);
      t.equal((await part('bytes=0-9', { 'if-range': '"older"' })).status, 200);
    });

    await t.test('where nothing is, people see a page and programs read JSON, both with 404', async (t) => {
      const html = { accept: 'text/html,application/xhtml+xml' };
      const page = await get('/no-such-page', { ...html, range: 'bytes=0-9' });
      t.match(page, { status: 404, headers: { 'content-type': 'text/html; charset=utf-8' } });
      t.match(page.body.toString(), '<div id="app"></div>');
      const tag = String(page.headers['etag']);
      t.equal((await get('/no-such-page', { ...html, 'if-none-match': tag })).status, 404);
      for (const [path, headers] of [
        ['/no-such-page', {}],
        ['/api/none', html],
        ['/assets/x', html],
      ] as const) {
        t.match(await get(path, headers), { status: 404, headers: { 'content-type': 'application/json' } }, path);
      }
      t.match(await raw(`${house.http}/`, html, 'POST'), { status: 405, headers: { allow: 'GET, HEAD' } });
      t.match(await get('/api/thing', html), { status: 200, headers: { 'content-type': 'application/json' } });
    });

    await t.test('files have a limit of their own: pages that are used up leave them', async (t) => {
      let left = 400;
      while (left-- > 0 && (await get('/')).status !== 429);
      t.ok(left > 0, 'pages are limited');
      t.equal((await get(script.path)).status, 200);
    });
  });
}

void t.test('with `watch` a new build is served at once; without one there is a plain error', async (t: Test) => {
  const folder = mkdtempSync(join(tmpdir(), 'agent-poker-site-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  t.throws(() => openSite({ folder }), /site\.json/);
  cpSync(BUILT, folder, { recursive: true });
  const [watching, still] = [openSite({ folder, watch: true }), openSite({ folder })];
  const page = { path: '/', header: () => '' } as unknown as Parameters<(typeof still.pages)[string]>[0];
  const text = async (site: typeof still) =>
    Buffer.from(((await site.pages['/']!(page)) as { body: Uint8Array }).body).toString();
  const before = await text(still);
  writeFileSync(join(folder, 'index.html'), 'built anew <!-- card --><title>old</title><!-- /card -->');
  utimesSync(join(folder, 'site.json'), new Date(), new Date(Date.now() + 5000));
  t.match(await text(watching), /^built anew <title>Agent Poker<\/title>/);
  t.equal(await text(still), before);
  t.match(before, '<div id="app"></div>');
  writeFileSync(join(folder, 'index.html'), 'no place for a card');
  t.throws(() => openSite({ folder }), /no place for a card/);
  const index = JSON.parse(readFileSync(join(folder, 'site.json'), 'utf8')) as object;
  writeFileSync(join(folder, 'site.json'), JSON.stringify({ ...index, files: [] }));
  t.throws(() => openSite({ folder }), /no \/index\.html/);
  writeFileSync(join(folder, 'site.json'), '{}');
  t.throws(() => openSite({ folder }), /another version/);
});
