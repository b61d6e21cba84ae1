import { pathTo } from '../lib/paths.js';
import { Empty } from '../ui/states.js';
import { Page } from '../ui/page.js';
import { notFoundTexts as texts } from '../texts/frame.js';

export function NotFound() {
  return (
    <Page title={texts.nothingIsHere}>
      <Empty>
        <p>{texts.noPageHasThisAddress}</p>
        <p>
          <a href={pathTo('home')}>{texts.toTheStart}</a>
        </p>
      </Empty>
    </Page>
  );
}
