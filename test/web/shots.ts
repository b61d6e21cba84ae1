import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { command, text } from '../../src/command/options.js';
import { stopCluster } from '../support/database.js';
import { PATIENCE_MS } from '../support/limits.js';
import { noBrowser, openBrowser, openContext, PHONE } from './browser.js';
import { harden } from './hard.js';
import { setScene } from './scene.js';
import { Stage } from './stage.js';
import { visit } from './tour.js';

const { values, words } = command({
  name: 'npm run shots',
  purpose: 'A PNG of every page, light and dark, on a desk and on a phone, for people who judge by looking.',
  takes: 'two or three minutes; needs chromium',
  options: { folder: text('where they go (default: shots)', 'FOLDER') },
  words: '[WORD…]',
  notes: 'With words only pages whose name has one of them: npm run shots -- bot leaderboard',
});
const folder = values.folder ?? 'shots';
if (noBrowser !== false) throw new Error(noBrowser);
const ends: (() => Promise<unknown>)[] = [stopCluster];
const scope = { teardown: (end: () => Promise<unknown>) => void ends.unshift(end) };

const LOOKS = [
  ['light', {}],
  ['dark', { dark: true }],
  ['phone', PHONE],
  ['phone-dark', { ...PHONE, dark: true }],
] as const;

/** In pixels. */
const MOST_HEIGHT = 12_000;

try {
  const stage = await Stage.open(scope as Parameters<typeof Stage.open>[0]);
  const { pages } = await setScene(stage, 60);
  const browser = await openBrowser();
  ends.unshift(() => browser.close());
  const stops = pages.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
  mkdirSync(folder, { recursive: true });
  for (const [index, stop] of stops.entries()) {
    for (const [look, size] of LOOKS) {
      const address = `192.0.2.${100 + (index % 100)}`;
      const context = await openContext(browser, {
        ...size,
        cookie: stop.owner?.cookie,
        operatorKey: stop.operatorKey,
        url: stage.platform.url,
        address,
      });
      await harden(context);
      const page = await context.newPage();
      page.setDefaultTimeout(PATIENCE_MS);
      await visit(page, stage.platform.url, stop);
      // Of a list of thousands of rows the first ones are enough.
      const long = (await page.evaluate(() => document.documentElement.scrollHeight)) > MOST_HEIGHT;
      await page.screenshot({ path: join(folder, `${stop.name}-${look}.png`), fullPage: !long });
      await context.unrouteAll({ behavior: 'ignoreErrors' });
      await context.close();
    }
    console.log(stop.name);
  }
  console.log(`${stops.length * LOOKS.length} pictures in ${resolve(folder)}`);
} finally {
  for (const end of ends) await end();
}
