import type { ComponentChildren } from 'preact';

/** Notes of the API document: paragraphs, lists and tables of Markdown, with code and bold text. */
export function Notes({ text }: { text: string }) {
  return <>{text.split(/\n\n+/).map((block, n) => blockOf(block, n))}</>;
}

const ITEM = /^(?:-|\d+\.) /;

function blockOf(block: string, key: number): ComponentChildren {
  const lines = block.split('\n');
  if (block.startsWith('```'))
    return (
      <pre key={key} tabIndex={0}>
        {lines.slice(1, -1).join('\n')}
      </pre>
    );
  if (block.startsWith('|')) return <Table key={key} lines={lines} />;
  if (!ITEM.test(block)) return <p key={key}>{inline(lines.join(' '))}</p>;
  const items = lines.map((line) => <li key={line}>{inline(line.replace(ITEM, ''))}</li>);
  return block.startsWith('-') ? <ul key={key}>{items}</ul> : <ol key={key}>{items}</ol>;
}

function Table({ lines }: { lines: readonly string[] }) {
  const [head, , ...rows] = lines.map((line) => line.split('|').slice(1, -1));
  const cells = (of: readonly string[]) => of.map((cell, n) => <td key={n}>{inline(cell.trim())}</td>);
  return (
    <div class="wide" tabIndex={0}>
      <table>
        <thead>
          <tr>{cells(head!)}</tr>
        </thead>
        <tbody>
          {rows.map((row, n) => (
            <tr key={n}>{cells(row)}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A section of the protocol, as the source cites it, as a link to its place on the web. */
const withLinks = (text: string) =>
  text.replace(
    /docs\/protocol\.md, "([^"]+)"/g,
    (_, heading: string) =>
      `[${heading}](/docs/protocol#${heading
        .toLowerCase()
        .replace(/[^a-z -]/g, '')
        .replaceAll(' ', '-')})`,
  );

/** Code, bold text and links. */
function inline(text: string): ComponentChildren {
  return withLinks(text)
    .split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)]+\))/)
    .map((part, n) => {
      const [, name, href] = /^\[(.+)\]\((.+)\)$/.exec(part) ?? [];
      if (href !== undefined) return <a key={n} href={href}>{name}</a>; // prettier-ignore
      if (part.startsWith('`')) return <code key={n}>{part.slice(1, -1)}</code>;
      return part.startsWith('**') ? <b key={n}>{part.slice(2, -2)}</b> : part;
    });
}
