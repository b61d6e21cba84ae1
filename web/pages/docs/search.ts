import docs from 'virtual:docs';
import { pathTo } from '../../lib/paths.js';

/** A search through all documents, in the browser: they are loaded when it is first asked. */

export interface Found {
  href: string;
  title: string;
  page: string;
  excerpt: string;
}

export interface DocumentText {
  html: string;
  text: string;
}

const loaded = new Map<string, Promise<DocumentText>>();

/** A document by its slug; rejects where the server has another build of it. */
export function loadDocument(slug: string): Promise<DocumentText> | null {
  const listed = docs.find((one) => one.slug === slug);
  if (listed === undefined) return null;
  const known = loaded.get(slug);
  if (known !== undefined) return known;
  const loading = fetch(listed.url).then(async (answer) => {
    if (!answer.ok) throw new Error(`${listed.url}: ${answer.status}`);
    return (await answer.json()) as DocumentText;
  });
  loaded.set(slug, loading);
  loading.catch(() => loaded.delete(slug));
  return loading;
}

const MOST = 40;
const AROUND = 90;

/** Sections that hold all the words; those that have them in their heading first. */
export async function search(words: string): Promise<Found[]> {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found: { at: Found; weight: number }[] = [];
  for (const { slug, title: page, headings } of docs) {
    const { text } = (await loadDocument(slug))!;
    for (const section of sectionsOf(text)) {
      const all = section.toLowerCase();
      if (!wanted.every((word) => all.includes(word))) continue;
      const heading = section.slice(0, section.indexOf('\n')).replace(/^#+ |[`*]/g, '');
      const id = headings.find((one) => one.text === heading)?.id;
      const href = pathTo('doc', { page: slug }) + (id === undefined ? '' : `#${id}`);
      const weight = wanted.filter((word) => heading.toLowerCase().includes(word)).length;
      found.push({ at: { href, title: heading, page, excerpt: excerptOf(section, wanted[0]!) }, weight });
    }
  }
  return found
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MOST)
    .map(({ at }) => at);
}

const sectionsOf = (text: string) => text.split(/^(?=#{1,4} )/m);

function excerptOf(section: string, word: string): string {
  const body = section
    .slice(section.indexOf('\n'))
    .replace(/[`*|#]|\s+/g, ' ')
    .replace(/ +/g, ' ');
  const at = Math.max(0, body.toLowerCase().indexOf(word));
  const start = Math.max(0, at - AROUND);
  return `${start > 0 ? '…' : ''}${body.slice(start, at + AROUND).trim()}…`;
}
