/** The pages of docs/ as the web pages show them: HTML, the headings with their anchors, and the text to search in. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';

/** The kinds of pages, in the order of the navigation. `pages` is the order of reading; pages without a place follow. */
const KINDS = [
  { kind: 'Tutorial', folder: 'docs', pages: ['first-bot'] },
  {
    kind: 'Guides',
    folder: 'docs/guides',
    pages: [
      'strategy', 'kits', 'doctor', 'load', 'training', 'competitions', 'watch-and-replay',
      'run-one', 'run-several', 'mail-and-credits', 'backup-and-audit', 'observe',
    ],
  },
  { kind: 'Reference', folder: 'docs/reference', pages: ['rest', 'messages', 'errors', 'commands', 'settings', 'metrics'] },
  { kind: 'Protocol', folder: 'docs', pages: ['protocol'] },
  {
    kind: 'Explanation',
    folder: 'docs/explanation',
    pages: ['architecture', 'cluster', 'fairness', 'measuring', 'reliability', 'performance'],
  },
  { kind: 'Internals', folder: 'docs/internals', pages: ['contributing', 'style', 'glossary'] },
]; // prettier-ignore

/** Pages with more on the web than their Markdown has: the web page of the same address is made of the live protocol. */
const LIVE = ['rest', 'messages'];

/** As GitHub makes them of headings. */
const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replace(/ /g, '-');

const escaped = (text) =>
  text.replace(/[&<>"]/g, (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[char]);

/** A link of the page in `folder`. A link to a page leads to its address, a link to another file is text only. */
function linked(folder, href, text, title) {
  const [path, anchor] = href.split('#');
  if (path === '' || /^https?:/.test(path)) {
    return `<a href="${escaped(href)}"${title ? ` title="${escaped(title)}"` : ''}>${text}</a>`;
  }
  const target = join(folder, path);
  if (!KINDS.some(({ folder }) => folder === dirname(target)) || !target.endsWith('.md')) return text;
  const slug = basename(target, '.md');
  const hash = anchor === undefined || LIVE.includes(slug) ? '' : `#${anchor}`;
  return `<a href="/docs/${slug}${hash}">${text}</a>`;
}

/** All pages in the order of the navigation: { kind, folder, slug }. The addresses are flat, so a name exists once. */
async function listed() {
  const all = [];
  for (const { kind, folder, pages } of KINDS) {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.md')).map((name) => basename(name, '.md'));
    // The folder of the tutorial is the folder of the protocol as well: each takes the pages that it names.
    const rest = folder === 'docs' ? [] : names.filter((name) => !pages.includes(name)).sort();
    for (const slug of [...pages.filter((name) => names.includes(name)), ...rest]) all.push({ kind, folder, slug });
  }
  const twice = all.find(({ slug }, n) => all.findIndex((other) => other.slug === slug) !== n);
  if (twice !== undefined) throw new Error(`two pages below docs/ have the name ${twice.slug}.md`);
  return all.filter(({ slug }) => !LIVE.includes(slug));
}

const PICTURES = 'docs/pictures';

/** By name: { url, bytes }. The address names the content, as that of every asset. */
async function pictures() {
  const names = await readdir(PICTURES);
  const read = names.map(async (name) => {
    const bytes = await readFile(join(PICTURES, name));
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8).toUpperCase();
    const url = `/assets/picture-${basename(name, extname(name))}-${hash}${extname(name)}`;
    return [name, { url, bytes }];
  });
  return new Map(await Promise.all(read));
}

/** The pictures of the pages: { url, bytes }. */
export const pictureFiles = async () => [...(await pictures()).values()];

/** Every page: { kind, slug, title, url, headings, body, html }. The body is the file that the web page loads. */
export async function markdownFiles() {
  const { Marked } = await import('marked');
  const drawn = await pictures();
  return Promise.all(
    (await listed()).map(async ({ kind, folder, slug }) => {
      const markdown = await readFile(join(folder, `${slug}.md`), 'utf8');
      const headings = [];
      let tables = 0;
      const marked = new Marked({
        renderer: {
          heading({ tokens, depth, text }) {
            const id = anchorOf(text);
            const plain = text.replace(/[`*]/g, '');
            if (depth > 1) headings.push({ id, text: plain, depth });
            const inner = this.parser.parseInline(tokens);
            const anchor =
              depth > 1 ? `<a class="anchor" href="#${id}" aria-label="Link to ${escaped(plain)}">#</a>` : '';
            return `<h${depth} id="${id}">${inner}${anchor}</h${depth}>\n`;
          },
          link({ href, title, tokens }) {
            return linked(folder, href, this.parser.parseInline(tokens), title);
          },
          image({ href, text }) {
            const picture = drawn.get(basename(href));
            if (picture === undefined) throw new Error(`${slug}.md shows ${href}, which is not in ${PICTURES}`);
            return `<img src="${picture.url}" alt="${escaped(text)}" loading="lazy">`;
          },
          html({ text }) {
            // Comments mark what is generated; a page has no other HTML.
            return /^<!--[^]*-->\s*$/.test(text) ? '' : escaped(text);
          },
          table(token) {
            const cells = (row, tag) =>
              row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('');
            const body = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n');
            return `<div class="wide" tabindex="0" role="region" aria-label="Table ${++tables}"><table><thead><tr>${cells(token.header, 'th')}</tr></thead><tbody>${body}</tbody></table></div>\n`;
          },
          code({ text }) {
            return `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`;
          },
        },
      });
      const html = marked.parse(markdown);
      const title = /^# (.+)$/m.exec(markdown)?.[1] ?? slug;
      const body = JSON.stringify({ html, text: markdown });
      const hash = createHash('sha256').update(body).digest('hex').slice(0, 8).toUpperCase();
      return { kind, slug, title, url: `/assets/doc-${slug}-${hash}.json`, headings, body, html };
    }),
  );
}
