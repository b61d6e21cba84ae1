import { pathTo } from '../lib/paths.js';
import { Empty } from '../ui/states.js';
import { Page } from '../ui/page.js';

export function NotFound() {
  return (
    <Page title="Nothing is here">
      <Empty>
        <p>No page has this address. It may have moved, or the link is cut off.</p>
        <a class="button main" href={pathTo('home')}>
          To the start
        </a>
      </Empty>
    </Page>
  );
}
