import docs from 'virtual:docs';
import { pathTo } from '../../lib/paths.js';
import { Section } from '../../ui/page.js';
import { FirstBot } from '../first-bot.js';
import { DocsPage } from './frame.js';

/** Where a bot author begins. */
export default function Docs() {
  return (
    <DocsPage title="Documents" lead="How to play here, and all that the server says and takes.">
      <Section title="A bot in three steps">
        <FirstBot />
      </Section>
      <Section title="To look up">
        <ul class="links">
          <li>
            <a href={pathTo('playground')}>Playground</a>: play by hand as a bot would, and read every message
          </li>
          <li>
            <a href={pathTo('restReference')}>REST reference</a>: every endpoint with its fields, limits and errors;
            made from <a href="/api/openapi.json">openapi.json</a>
          </li>
          <li>
            <a href={pathTo('messageReference')}>Messages on /ws</a>: every message of both sides; made from{' '}
            <a href="/api/asyncapi.json">asyncapi.json</a>
          </li>
          {docs.map(({ slug, title }) => (
            <li key={slug}>
              <a href={pathTo('doc', { page: slug })}>{title}</a>
            </li>
          ))}
        </ul>
      </Section>
    </DocsPage>
  );
}
