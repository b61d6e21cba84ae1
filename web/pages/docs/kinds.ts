import docs from 'virtual:docs';
import { pathTo } from '../../lib/paths.js';

interface Entry {
  href: string;
  title: string;
  /** The file with the same content for programs. */
  source?: string;
}

/** Pages that the browser makes of what this very server serves. They stand first in the reference. */
const LIVE: readonly Entry[] = [
  { href: pathTo('restReference'), title: 'REST reference', source: '/api/openapi.json' },
  { href: pathTo('messageReference'), title: 'Messages on /ws', source: '/api/asyncapi.json' },
];
const REFERENCE = 'Reference';

/** All documents by kind, in the order of the navigation. */
export const KINDS: readonly { kind: string; entries: readonly Entry[] }[] = grouped();

function grouped() {
  const kinds = [...new Set(docs.map(({ kind }) => kind))];
  if (!kinds.includes(REFERENCE)) kinds.push(REFERENCE);
  return kinds.map((kind) => {
    const pages = docs.filter((page) => page.kind === kind);
    const entries = pages.map(({ slug, title }) => ({ href: pathTo('doc', { page: slug }), title }));
    return { kind, entries: kind === REFERENCE ? [...LIVE, ...entries] : entries };
  });
}
