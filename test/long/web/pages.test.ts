/** Every page in a real browser, light and dark, on a desk and a phone of 360 px. Each has hard figures and passes axe. */
import t from 'tap';
import { stopCluster } from '../../support/database.js';
import { FILE_MS } from '../../support/limits.js';
import { DESK, noBrowser, openBrowser, PHONE } from '../../web/browser.js';
import { judgePages } from '../../web/judge-pages.js';
import { setScene } from '../../web/scene.js';
import { Stage } from '../../web/stage.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

await t.test('in a browser', { skip: noBrowser }, async (t) => {
  const stage = await Stage.open(t, { SIGN_IN_MINUTES: 60 });
  const { pages } = await setScene(stage, 30);
  const browser = await openBrowser();
  t.teardown(() => browser.close());
  let visitors = 0;
  const address = () => `198.18.${Math.floor(++visitors / 250)}.${visitors % 250}`;
  await judgePages(t, { stage, browser, pages, address, screens: { phone: PHONE, desk: DESK }, dark: true });
});
