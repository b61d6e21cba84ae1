import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EMBED_PREFIX, MOVED_DOCS, MOVED_PAGES, PAGE_PATHS, type PageName } from '../../protocol/page-paths.js';
import { PathTree } from '../path-tree.js';
import type { PageHandler } from '../router.js';
import type { HttpAnswer } from '../transport.js';
import { fileAnswer, type AskedFile } from './file-answer.js';
import { momentDrawer, type DrawMoment } from './moment.js';
import { compressed, GENERAL_CARD, hasPlace, NO_CARDS, withCard, type PageCards } from './page-card.js';
import { readSite, SITE_INDEX, type SiteFile, type SiteFiles } from './site-files.js';

/** The pages for people, as the router serves them. */
export interface Site {
  /** By path: the one document that draws them all. */
  pages: Readonly<Record<string, PageHandler>>;
  /** By path: what the document loads. */
  files: Readonly<Record<string, PageHandler>>;
  /** For a browser where there is nothing: the document draws that too. */
  notFound: PageHandler;
  /** The same pages, with what a link to each of them shows elsewhere. */
  withCards(cards: PageCards): Site;
  /** Draws the moment of a hand. */
  draw: DrawMoment;
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
  return siteOf(watch ? watched(folder) : constant(readSite(folder)), momentDrawer(folder), NO_CARDS);
}

function siteOf(current: () => SiteFiles, draw: DrawMoment, cards: PageCards): Site {
  const general = generalDocument(current, cards.origin);
  const page =
    (name: PageName): PageHandler =>
    async (request) => {
      const params = PARAMS.find(request.path)?.params ?? {};
      const card = await cards.of({ name, params, request });
      const document = card === null ? general() : withCard(current().document, card, cards.origin);
      return fileAnswer(request, document, request.path.startsWith(EMBED_PREFIX) ? EMBEDDED : OURS);
    };
  const named = Object.entries(PAGE_PATHS) as [PageName, string][];
  const doc = page('doc');
  return {
    pages: {
      ...Object.fromEntries(Object.entries(MOVED_PAGES).map(([path, now]) => [path, () => moved(now)])),
      ...Object.fromEntries(named.map(([name, path]) => [path, page(name)])),
      [PAGE_PATHS.doc]: (request) => movedDoc(request.path) ?? doc(request),
    },
    files: Object.fromEntries(FILE_PATHS.map((path) => [path, (request) => file(current(), request)])),
    notFound: (request) => ({ ...fileAnswer(unconditional(request), general(), OURS), status: 404 }),
    withCards: (other) => siteOf(current, draw, other),
    draw,
  };
}

/** The parameters of pages by their paths. */
const PARAMS = new PathTree<null>();
for (const path of Object.values(PAGE_PATHS)) PARAMS.at(path, () => null);

/** The document with the general card, made once a build. Throws where the build has no place for a card. */
function generalDocument(current: () => SiteFiles, origin: string | null): () => SiteFile {
  let made: { of: SiteFiles; document: SiteFile } | null = null;
  const document = () => {
    const site = current();
    if (made?.of !== site) {
      if (!hasPlace(site.document)) throw new Error('index.html has no place for a card: npm run build');
      made = { of: site, document: compressed(withCard(site.document, GENERAL_CARD, origin)) };
    }
    return made.document;
  };
  document();
  return document;
}

/** The redirect of a document that has another name now, or null. */
function movedDoc(path: string): HttpAnswer | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (!Object.hasOwn(MOVED_DOCS, name)) return null;
  return moved(PAGE_PATHS.doc.replace('{page}', MOVED_DOCS[name]!));
}

const moved = (location: string): HttpAnswer => ({ status: 301, headers: { location }, body: null });

const FILE_PATHS = ['/assets/{file}', '/card.png', '/favicon.svg', '/manifest.webmanifest', '/robots.txt'] as const;

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
