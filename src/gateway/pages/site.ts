import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EMBED_PREFIX, MOVED_DOCS, MOVED_PAGES, PAGE_PATHS } from '../../protocol/page-paths.js';
import type { PageHandler } from '../router.js';
import type { HttpAnswer } from '../transport.js';
import { fileAnswer, type AskedFile } from './file-answer.js';
import { readSite, SITE_INDEX, type SiteFiles } from './site-files.js';

/** The pages for people, as the router serves them. */
export interface Site {
  /** By path: the one document that draws them all. */
  pages: Readonly<Record<string, PageHandler>>;
  /** By path: what the document loads. */
  files: Readonly<Record<string, PageHandler>>;
  /** For a browser where there is nothing: the document draws that too. */
  notFound: PageHandler;
}

const BUILT = fileURLToPath(new URL('../../../web', import.meta.url));

/** Nothing from elsewhere, and no script or style in the document itself. */
const POLICY = "default-src 'self'; base-uri 'none'; form-action 'none'; object-src 'none'";

const policy = (framedBy: string): HttpAnswer['headers'] => ({
  'content-security-policy': `${POLICY}; frame-ancestors ${framedBy}`,
  'referrer-policy': 'same-origin',
});
const OURS = policy("'none'");
const EMBEDDED = policy('*');

/**
 * Reads what `npm run build` made of web/. With `watch` it is read anew when it was built anew. Throws where nothing is
 * built.
 */
export function openSite({ watch = false, folder = BUILT }: { watch?: boolean; folder?: string } = {}): Site {
  const current = watch ? watched(folder) : constant(readSite(folder));
  const page: PageHandler = (request) =>
    fileAnswer(request, current().document, request.path.startsWith(EMBED_PREFIX) ? EMBEDDED : OURS);
  return {
    pages: {
      ...Object.fromEntries(Object.entries(MOVED_PAGES).map(([path, now]) => [path, () => moved(now)])),
      ...Object.fromEntries(Object.values(PAGE_PATHS).map((path) => [path, page])),
      [PAGE_PATHS.doc]: (request) => movedDoc(request.path) ?? page(request),
    },
    files: Object.fromEntries(FILE_PATHS.map((path) => [path, (request) => file(current(), request)])),
    notFound: (request) => ({ ...fileAnswer(unconditional(request), current().document, OURS), status: 404 }),
  };
}

/** The redirect of a document that has another name now, or null. */
function movedDoc(path: string): HttpAnswer | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (!Object.hasOwn(MOVED_DOCS, name)) return null;
  return moved(PAGE_PATHS.doc.replace('{page}', MOVED_DOCS[name]!));
}

const moved = (location: string): HttpAnswer => ({ status: 301, headers: { location }, body: null });

const FILE_PATHS = ['/assets/{file}', '/favicon.svg', '/robots.txt'] as const;

const file = (site: SiteFiles, request: Parameters<PageHandler>[0]): HttpAnswer => {
  const found = site.files.get(request.path);
  return found === undefined ? GONE : fileAnswer(request, found);
};

/** Also of an older build: the page that asks for it loads itself anew. */
const GONE: HttpAnswer = { status: 404, headers: {}, body: '{"detail":"Not Found"}' };

/** Never 304 or a part: a page that is not there must not look like one that has not changed. */
const unconditional = (request: AskedFile): AskedFile => ({
  header: (name) => (name === 'accept-encoding' ? request.header(name) : ''),
});

const constant =
  <T>(value: T) =>
  () =>
    value;

function watched(folder: string): () => SiteFiles {
  let site = readSite(folder);
  let built = 0;
  return () => {
    const { mtimeMs } = statSync(join(folder, SITE_INDEX));
    if (mtimeMs !== built) site = readSite(folder);
    built = mtimeMs;
    return site;
  };
}
