/** The documents of docs/ as the pages show them: HTML, the headings with their anchors, and the text to search in. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

/** In the order of reading; what is not named here comes after. */
const ORDER = ['PROTOCOL', 'FILES', 'ANALYTICS', 'OPERATIONS', 'RELIABILITY', 'PERFORMANCE', 'ARCHITECTURE', 'CONTRIBUTING', 'GLOSSARY']; // prettier-ignore

/** As GitHub makes them of headings. */
const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replace(/ /g, '-');

const escaped = (text) =>
  text.replace(/[&<>"]/g, (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[char]);

/** Links between documents lead to pages; those to files of the repository are words only. */
function linked(href, text, title) {
  const [path, anchor] = href.split('#');
  const hash = anchor === undefined ? '' : `#${anchor}`;
  const page = /^(?:\.\/|docs\/)?([A-Z]+)\.md$/.exec(path)?.[1];
  if (page !== undefined) return `<a href="/docs/${page.toLowerCase()}${hash}">${text}</a>`;
  if (path === '' || /^https?:/.test(path)) {
    return `<a href="${escaped(href)}"${title ? ` title="${escaped(title)}"` : ''}>${text}</a>`;
  }
  return text;
}

/** Every document: { slug, title, url, headings, body }; the body is the file that the page loads. */
export async function markdownFiles() {
  const { Marked } = await import('marked');
  const names = (await readdir('docs')).filter((name) => /^[A-Z]+\.md$/.test(name)).map((name) => name.slice(0, -3));
  const rank = (name) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
  names.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  return Promise.all(
    names.map(async (name) => {
      const markdown = await readFile(`docs/${name}.md`, 'utf8');
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
            return linked(href, this.parser.parseInline(tokens), title);
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
      const title = /^# (.+)$/m.exec(markdown)?.[1] ?? name;
      const body = JSON.stringify({ html, text: markdown });
      const hash = createHash('sha256').update(body).digest('hex').slice(0, 8).toUpperCase();
      const slug = name.toLowerCase();
      return { slug, title, url: `/assets/doc-${slug}-${hash}.json`, headings, body, html };
    }),
  );
}
