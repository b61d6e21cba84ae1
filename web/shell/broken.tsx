import { Page } from '../ui/page.js';

/** A part of the pages that did not load: most often an older version's, after the server was renewed. */
export function Broken() {
  return (
    <Page title="This page did not load">
      <p>The server may have been renewed while this page was open.</p>
      <button type="button" class="main" onClick={() => location.reload()}>
        Load it anew
      </button>
    </Page>
  );
}
