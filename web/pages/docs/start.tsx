import { pathTo } from '../../lib/paths.js';
import { Section } from '../../ui/page.js';
import { FirstBot } from '../first-bot.js';
import { DocsPage } from './frame.js';
import { KINDS } from './kinds.js';

/** Where a bot author begins. */
export default function Docs() {
  return (
    <DocsPage title="Documents" lead="How to play here, how to run the platform, and how it works.">
      <Section title="A bot in three steps">
        <FirstBot />
      </Section>
      <Section title="To try">
        <ul class="links">
          <li>
            <a href={pathTo('playground')}>Playground</a>: play by hand as a bot would, and read every message
          </li>
        </ul>
      </Section>
      {KINDS.map(({ kind, entries }) => (
        <Section key={kind} title={kind}>
          <ul class="links">
            {entries.map(({ href, title, source }) => (
              <li key={href}>
                <a href={href}>{title}</a>
                {source !== undefined && (
                  <>
                    , made from <a href={source}>{source.split('/').pop()}</a>
                  </>
                )}
              </li>
            ))}
          </ul>
        </Section>
      ))}
    </DocsPage>
  );
}
