import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import type { Test } from 'tap';
import { complaints, openContext, PHONE } from './browser.js';
import { estimateFaults } from './estimates.js';
import { harden } from './hard.js';
import { COUNT_SHIFTS, layoutFaults, MOST_SHIFT, shiftOf } from './layout.js';
import type { Stage } from './stage.js';
import { visit, type Stop } from './tour.js';

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
  pages: readonly Stop[];
  /** Another one each time, so that no limit of an address is met. */
  address(): string;
  /** Sizes in pixels, by name. */
  screens: Readonly<Record<string, { width: number; height: number }>>;
  /** Also in dark colours. */
  dark: boolean;
}

/**
 * Draws each page on each screen, with hard figures. The console stays empty, no request fails, axe finds no barrier,
 * the layout has no fault, and parts keep their places during the load.
 */
export async function judgePages(t: Test, { stage, browser, pages, address, screens, dark }: Judged): Promise<void> {
  const { url } = stage.platform;
  for (const stop of pages) {
    const { name, owner: who, operatorKey, expected } = stop;
    const context = await openContext(browser, { ...PHONE, cookie: who?.cookie, operatorKey, url, address: address() });
    await harden(context);
    await context.addInitScript(COUNT_SHIFTS);
    const page = await context.newPage();
    const found = complaints(page, expected);
    page.on('dialog', (dialog) => {
      found.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    const shifted = async (size: string) => {
      const { sum, words } = await shiftOf(page);
      t.ok(sum <= MOST_SHIFT, `${name} on a ${size} moves by ${sum.toFixed(3)} while it loads: ${words}`);
    };
    await visit(page, url, stop);
    for (const [size, extent] of Object.entries(screens)) {
      // The window is made wide afterwards: a page must stand that, too.
      if (size === Object.keys(screens)[0]) await shifted(size);
      await page.setViewportSize(extent);
      await page.emulateMedia({ colorScheme: 'light' });
      t.same(await barriers(page), [], `${name} on a ${size}, light`);
      if (dark) {
        await page.emulateMedia({ colorScheme: 'dark' });
        t.same(await barriers(page, 'dark'), [], `${name} on a ${size}, dark`);
      }
      t.same(await layoutFaults(page), [], `${name} on a ${size}: the layout holds`);
      t.same(await estimateFaults(page), [], `${name} on a ${size}: each bb/100 has its sample and interval`);
      t.same(
        await currentOutOfView(page),
        [],
        `${name} on a ${size}: the current place is seen in every row of places`,
      );
    }
    if (dark) {
      // The last screen from its first moment on.
      await visit(page, url, stop);
      await shifted(Object.keys(screens).at(-1)!);
    }
    t.equal(await page.locator('main img').count(), 0, `${name}: no text of others became an element`);
    t.same(found, [], `${name}: nothing on the console, no request in vain`);
    await context.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  }
}
