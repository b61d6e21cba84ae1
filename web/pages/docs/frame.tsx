import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';
import { pathTo } from '../../lib/paths.js';
import { Page } from '../../ui/page.js';
import { useMedia } from '../../ui/use-media.js';
import { KINDS } from './kinds.js';
import { search, type Found } from './search.js';

/** A page of the documents. All documents stand at the side by kind; a search goes through all of them. */
export function DocsPage({
  title,
  lead,
  children,
}: {
  title: string;
  lead?: ComponentChildren;
  children: ComponentChildren;
}) {
  const { path } = useLocation();
  const [words, setWords] = useState('');
  // Beside the page the list is open; on a phone it would fill the first screen.
  const isBeside = useMedia('(min-width: 960px)');
  const found = useSearch(words);
  return (
    <Page title={title} lead={lead}>
      <div class="docs">
        <aside>
          <input
            type="search"
            class="search"
            placeholder="Search the documents"
            aria-label="Search the documents"
            value={words}
            onInput={({ currentTarget }) => setWords(currentTarget.value)}
          />
          <details open={isBeside}>
            <summary>All documents</summary>
            <nav aria-label="Documents">
              <a href={pathTo('docs')} aria-current={path === pathTo('docs') ? 'page' : undefined}>
                First steps
              </a>
              {KINDS.map(({ kind, entries }) => (
                <div key={kind} role="group" aria-label={kind}>
                  <span class="kind">{kind}</span>
                  {entries.map(({ href, title: name }) => (
                    <a key={href} href={href} aria-current={path === href ? 'page' : undefined}>
                      {name}
                    </a>
                  ))}
                </div>
              ))}
            </nav>
          </details>
        </aside>
        <div class="doc-body">
          {words.trim().length < 2 ? children : <Results words={words} found={found} onFollow={() => setWords('')} />}
        </div>
      </div>
    </Page>
  );
}

function useSearch(words: string): readonly Found[] | null {
  const [found, setFound] = useState<readonly Found[] | null>(null);
  useEffect(() => {
    if (words.trim().length < 2) return;
    let current = true;
    const timer = setTimeout(() => {
      void search(words).then(
        (results) => current && setFound(results),
        () => current && setFound([]),
      );
    }, 150);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [words]);
  return found;
}

function Results({ words, found, onFollow }: { words: string; found: readonly Found[] | null; onFollow: () => void }) {
  if (found === null) return <p role="status">Searching.</p>;
  return (
    <>
      <p role="status" class="soft">
        {found.length === 0 ? `Nothing has “${words}” in it.` : `${found.length} sections`}
      </p>
      <ul class="results">
        {found.map(({ href, title, page, excerpt }) => (
          <li key={href}>
            <a href={href} onClick={onFollow}>
              {title}
            </a>
            <span class="soft"> {page}</span>
            <p>{excerpt}</p>
          </li>
        ))}
      </ul>
    </>
  );
}
