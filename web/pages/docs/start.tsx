import docs from 'virtual:docs';
import { pathTo } from '../../lib/paths.js';
import { Section } from '../../ui/page.js';
import { playgroundTexts } from '../../texts/playground.js';
import { FirstBot } from '../first-bot.js';
import { DocsPage } from './frame.js';
import { startTexts as words } from '../../texts/docs.js';

/** Where a bot author begins. */
export default function Docs() {
  return (
    <DocsPage title={words.documents} lead={words.howToPlayHereAnd}>
      <Section title={words.aBotInThreeSteps}>
        <FirstBot />
      </Section>
      <Section title={words.toLookUp}>
        <ul class="links">
          <li>
            <a href={pathTo('playground')}>{playgroundTexts.title}</a>: {playgroundTexts.short}
          </li>
          <li>
            <a href={pathTo('restReference')}>{words.restReference}</a>
            {words.everyEndpointWithItsFields}
            <a href="/api/openapi.json">{words.openapiJson}</a>
          </li>
          <li>
            <a href={pathTo('messageReference')}>{words.messagesOnWs}</a>
            {words.everyMessageOfBothSides} <a href="/api/asyncapi.json">{words.asyncapiJson}</a>
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
