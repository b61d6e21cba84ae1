import type { Page } from 'playwright-core';
import { command, whole } from '../../src/command/options.js';
import { columns } from '../../src/command/columns.js';
import { stopCluster } from '../support/database.js';
import { boardRow } from './board-row.js';
import { drawn, noBrowser, openBrowser, openContext } from './browser.js';
import { setScene } from './scene.js';
import { Stage } from './stage.js';

const { values, words } = command({
  name: 'npm run campaign -- web-speed',
  purpose:
    'How fast pages can be used in a real browser, with nothing in its cache, and how a list of 10,000 rows scrolls.',
  takes: 'about two minutes on a quiet machine; needs chromium',
  options: {
    loads: whole('so often each page is loaded, of which the middle one is told, and the list is scrolled', 3, {
      least: 1,
    }),
  },
  words: '[WORD…]',
  notes: 'With words only pages whose name has one of them. Ends with 1 where a page takes 1 s or more.',
});
if (noBrowser !== false) throw new Error(noBrowser);

const LIMIT_MS = 1000;
const ROWS = 10_000;
/** A frame of 60 a second, and what is seen as a stutter. */
const STUTTER_MS = 50;

const ends: (() => Promise<unknown>)[] = [stopCluster];
const scope = { teardown: (end: () => Promise<unknown>) => void ends.unshift(end) };
const middle = (of: number[]) => of.sort((a, b) => a - b)[Math.floor(of.length / 2)]!;
const ms = (of: number) => of.toFixed(0);

/** Scrolls from the top to the end in a second and a half; the time of each frame, in ms. */
const SCROLL = `new Promise((done) => {
  const frames = [];
  const way = document.documentElement.scrollHeight - innerHeight;
  const steps = 90;
  let last = performance.now();
  let step = 0;
  const next = (now) => {
    frames.push(now - last);
    last = now;
    if (step++ === steps) return done({ frames: frames.slice(1), drawn: document.querySelectorAll('.list tbody tr').length });
    scrollTo(0, (way * step) / steps);
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
})`;

/**
 * The cost of scrolling from the top to the end, in words. The time of the main thread depends little on other load.
 */
async function scrolled(page: Page): Promise<string> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  const spent = async (name: string) => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return 1000 * (metrics.find((metric) => metric.name === name)?.value ?? 0);
  };
  const before = [await spent('TaskDuration'), await spent('ScriptDuration')] as const;
  const { frames, drawn: inDocument } = (await page.evaluate(SCROLL)) as { frames: number[]; drawn: number };
  const [all, script] = [(await spent('TaskDuration')) - before[0], (await spent('ScriptDuration')) - before[1]];
  const sorted = [...frames].sort((a, b) => a - b);
  const at = (share: number) => ms(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!);
  const long = frames.filter((frame) => frame > STUTTER_MS).length;
  return (
    `${ROWS} rows scrolled through in ${frames.length} frames: middle ${at(0.5)} ms, p95 ${at(0.95)} ms, worst ${at(1)} ms, ` +
    `${long} of more than ${STUTTER_MS} ms; the main thread takes ${ms(all / frames.length)} ms a frame, ` +
    `${(script / frames.length).toFixed(1)} of it for scripts; ${inDocument} rows in the document`
  );
}

try {
  const stage = await Stage.open(scope as Parameters<typeof Stage.open>[0]);
  const { pages } = await setScene(stage, 40);
  const browser = await openBrowser();
  ends.unshift(() => browser.close());
  const stops = pages.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
  const { url } = stage.platform;
  let visitors = 0;
  let slowest = 0;
  const lines = [['page', 'ms']];
  for (const { name, path, owner: who, operatorKey } of stops) {
    const times: number[] = [];
    for (let load = 0; load < values.loads; load++) {
      const address = `198.18.${9 + (visitors >> 8)}.${visitors++ & 255}`;
      const context = await openContext(browser, { cookie: who?.cookie, operatorKey, url, address });
      const page = await context.newPage();
      await page.goto(url + path);
      await drawn(page);
      // From the click on: drawn, and nothing keeps the page from answering.
      times.push(await page.evaluate('new Promise((done) => setTimeout(() => done(performance.now()), 0))'));
      await context.close();
    }
    slowest = Math.max(slowest, middle(times));
    lines.push([name, ms(middle(times))]);
  }
  for (const line of columns(lines)) console.log(line);
  console.log(`interactive after at most ${ms(slowest)} ms (limit ${LIMIT_MS} ms), with nothing in the cache`);
  if (slowest >= LIMIT_MS) process.exitCode = 1;

  const rows = Array.from({ length: ROWS }, (_, index) => boardRow(index + 1));
  for (let load = 0; load < values.loads; load++) {
    const context = await openContext(browser, { url, address: `198.18.12.${load + 1}` });
    const page = await context.newPage();
    await page.route('**/api/season/leaderboard*', (route) => route.fulfill({ json: rows }));
    await page.goto(`${url}/leaderboard`);
    await page.getByText(`bot_1`, { exact: true }).waitFor();
    console.log(await scrolled(page));
    await context.close();
  }
} finally {
  for (const end of ends) await end();
}
