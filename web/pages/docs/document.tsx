import { useRoute } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';
import docs from 'virtual:docs';
import { NotFound } from '../../shell/not-found.js';
import { Broken } from '../../shell/broken.js';
import { Skeleton } from '../../ui/states.js';
import { DocsPage } from './frame.js';
import { loadDocument, type DocumentText } from './search.js';

/** One of the documents in docs/. */
export default function Document() {
  const { page = '' } = useRoute().params;
  const listed = docs.find(({ slug }) => slug === page);
  const [text, setText] = useState<DocumentText | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    setText(null);
    loadDocument(page)?.then(setText, () => setFailed(true));
  }, [page]);
  useEffect(() => {
    if (text !== null && location.hash !== '') document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, [text]);
  if (listed === undefined) return <NotFound />;
  if (failed) return <Broken />;
  const sections = listed.headings.filter(({ depth }) => depth === 2);
  return (
    <DocsPage title={listed.title}>
      {text === null ? (
        <Skeleton rows={12} />
      ) : (
        <>
          {sections.length > 2 && (
            <details class="contents">
              <summary>{sections.length} sections</summary>
              <ul>
                {sections.map(({ id, text: heading }) => (
                  <li key={id}>
                    <a href={`#${id}`}>{heading}</a>
                  </li>
                ))}
              </ul>
            </details>
          )}
          <article class="prose-page" dangerouslySetInnerHTML={{ __html: withoutTitle(text.html) }} />
        </>
      )}
    </DocsPage>
  );
}

/** The page has it as its own. */
const withoutTitle = (html: string) => html.replace(/<h1[^>]*>.*?<\/h1>\n?/, '');
