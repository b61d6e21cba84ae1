import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import type { Test } from 'tap';
import { complaints, drawn, openContext, PHONE } from './browser.js';
import type { Stage } from './stage.js';
import type { tour } from './tour.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResults {
  violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[];
}

/** The barriers that axe finds, in words. In other colour schemes only the contrast is checked. */
async function barriers(page: Page, scheme: 'light' | 'dark' = 'light'): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe);
  const rules = scheme === 'light' ? '' : ', runOnly: ["color-contrast"]';
  const { violations } = (await page.evaluate(
    `axe.run(document, { resultTypes: ["violations"]${rules} })`,
  )) as AxeResults;
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}

/** Current parts of rows that scroll sideways, which nobody sees. */
const currentOutOfView = (page: Page) =>
  page.evaluate(() => {
    const current = document.querySelectorAll(':is(.tabs, .places) :is([aria-current="page"], [aria-pressed="true"])');
    const outside = ({ left, right }: DOMRect) => left < 0 || right > innerWidth;
    return [...current].filter((each) => outside(each.getBoundingClientRect())).map(({ textContent }) => textContent);
  });

export interface Judged {
  stage: Stage;
  browser: Browser;
  pages: ReturnType<typeof tour>;
  /** Another one each time, so that no limit of an address is met. */
  address(): string;
  /** Sizes in pixels, by name. */
  screens: Readonly<Record<string, { width: number; height: number }>>;
  /** Also in dark colours, on the last of the screens. */
  dark: boolean;
}

/** Draws each page on each screen: nothing on the console, no request in vain, no barrier, nothing that scrolls sideways. */
export async function judgePages(t: Test, { stage, browser, pages, address, screens, dark }: Judged): Promise<void> {
  const { url } = stage.platform;
  for (const { name, path, owner: who, operatorKey, expected } of pages) {
    const context = await openContext(browser, { ...PHONE, cookie: who?.cookie, operatorKey, url, address: address() });
    const page = await context.newPage();
    const found = complaints(page, expected);
    page.on('dialog', (dialog) => {
      found.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.goto(url + path);
    await drawn(page);
    // The window is made wide afterwards: a page must stand that, too.
    for (const [size, extent] of Object.entries(screens)) {
      await page.setViewportSize(extent);
      await page.emulateMedia({ colorScheme: 'light' });
      t.same(await barriers(page), [], `${name} on a ${size}, light`);
      if (dark && size === Object.keys(screens).at(-1)) {
        await page.emulateMedia({ colorScheme: 'dark' });
        t.same(await barriers(page, 'dark'), [], `${name} on a ${size}, dark`);
      }
      const [wide, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      t.ok(wide! <= window!, `${name} on a ${size} scrolls sideways: ${wide} > ${window}`);
      t.same(
        await currentOutOfView(page),
        [],
        `${name} on a ${size}: the current place is seen in every row of places`,
      );
    }
    t.equal(await page.locator('main img').count(), 0, `${name}: no text of others became an element`);
    t.same(found, [], `${name}: nothing on the console, no request in vain`);
    await context.close();
  }
}
