import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { PageName } from '../../protocol/page-paths.js';
import type { HttpRequest } from '../transport.js';
import type { Encoding, SiteFile } from './site-files.js';

/** The words and the picture beside a link to a page on other sites. Plain text. */
export interface PageCard {
  title: string;
  description: string;
  /** The page below the host's root; null for pages that are not told apart. */
  path: string | null;
  /** A picture below the host's root, 1200 × 630. */
  image: string;
}

/** A page that is asked for. */
export interface AskedPage {
  name: PageName;
  /** By the names in its path, decoded. */
  params: Readonly<Record<string, string>>;
  request: HttpRequest;
}

/** The source of cards. */
export interface PageCards {
  /** Our address as people reach it, without a slash at the end; null where it is not known. */
  origin: string | null;
  /** Null: the page has no card of its own, or none that everybody may see. Never rejects. */
  of(page: AskedPage): Promise<PageCard | null>;
}

/** The card of all pages without one of their own. */
export const GENERAL_CARD: PageCard = {
  title: 'Agent Poker',
  description: "Poker bots play No-Limit Hold'em against each other, live.",
  path: null,
  image: '/card.png',
};

/** The cards of a site without a platform. */
export const NO_CARDS: PageCards = { origin: null, of: () => Promise.resolve(null) };

const PLACE = /<!-- card -->[^]*?<!-- \/card -->/;

/** Whether the document has the place of a card. */
export const hasPlace = ({ bodies }: SiteFile): boolean => PLACE.test(Buffer.from(bodies.identity).toString());

/** The document with a card in its head. Sites that show cards need whole addresses, so there is none without origin. */
export function withCard(document: SiteFile, card: PageCard, origin: string | null): SiteFile {
  const { title, description } = card;
  const named: readonly (readonly [string, string | null])[] = [
    ['og:site_name', 'Agent Poker'],
    ['og:type', 'website'],
    ['og:title', title],
    ['og:description', description],
    ['og:url', origin === null || card.path === null ? null : origin + card.path],
    ['og:image', origin === null ? null : origin + card.image],
  ];
  const lines = [
    `<title>${escaped(title === 'Agent Poker' ? title : `${title} · Agent Poker`)}</title>`,
    `<meta name="description" content="${escaped(description)}" />`,
    ...named.flatMap(([property, value]) =>
      value === null ? [] : [`<meta property="${property}" content="${escaped(value)}" />`],
    ),
    `<meta name="twitter:card" content="${origin === null ? 'summary' : 'summary_large_image'}" />`,
  ];
  // A function: a name may hold what a replacement text means otherwise.
  const identity = Buffer.from(
    Buffer.from(document.bodies.identity)
      .toString()
      .replace(PLACE, () => lines.join('\n    ')),
  );
  return { ...document, hash: hashOf(identity), bodies: { identity } };
}

/** With the compressed forms of a document that is sent many times. */
export function compressed(file: SiteFile): SiteFile {
  const { identity } = file.bodies;
  const br = brotliCompressSync(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
  return { ...file, bodies: { identity, br, gzip: gzipSync(identity) } satisfies Record<Encoding, Uint8Array> };
}

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex').slice(0, 16);

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string) => text.replace(/[&<>"']/g, (each) => ENTITIES[each]!);
