import { Page } from '../ui/page.js';
import { brokenTexts as texts } from '../texts/frame.js';

/** A part of the pages that did not load: most often an older version's, after the server was renewed. */
export function Broken() {
  return (
    <Page title={texts.thisPageDidNotLoad}>
      <p>{texts.theServerMayHaveBeen}</p>
      <button type="button" class="main" onClick={() => location.reload()}>
        {texts.loadItAnew}
      </button>
    </Page>
  );
}
