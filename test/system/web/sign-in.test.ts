/**
 * The link of a sign-in mail in a real browser. Opening it uses nothing up, and its token leaves the address. It leads
 * back to the page that the reader left. Each refusal has words.
 */
import t from 'tap';
import type { Browser } from 'playwright-core';
import { createInviteCode } from '../../../src/accounts/index.js';
import { stopCluster } from '../../support/database.js';
import { EmailSink } from '../../support/email-sink.js';
import { eventually, FILE_MS } from '../../support/limits.js';
import { complaints, drawn, noBrowser, openBrowser, openContext } from '../../web/browser.js';
import { violations } from '../../web/picture-in-page.js';
import { Stage } from '../../web/stage.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

let visitors = 0;

/** A browser of its own, and the troubles that it had. */
async function visit(browser: Browser, url: string, expected: readonly RegExp[] = []) {
  const address = `198.18.7.${++visitors}`;
  const page = await (await openContext(browser, { url, address })).newPage();
  return { page, found: complaints(page, [/^404 \/api\/season\/me$/, ...expected]) };
}

await t.test('in a browser', { skip: noBrowser }, async (t) => {
  const mails = await EmailSink.open(t);
  const stage = await Stage.open(t, { HOUSE_BOTS: 0, SIGN_IN_MINUTES: 60, BETA_GATE: 'on' }, mails);
  const { platform } = stage;
  const { url } = platform;
  const browser = await openBrowser();
  t.teardown(() => browser.close());

  await t.test('by the mail and a beta code back to the page that was left', async (t) => {
    const { page, found } = await visit(browser, url, [/^403 \/api\/register$/]);
    const left = `/competitions?from=0#token=${'A'.repeat(43)}`;
    await page.goto(url + left);
    await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('E-mail address').fill('ada@example.com');
    await page.getByRole('button', { name: 'Send me a link' }).click();
    await page.getByText('a link is on its way').waitFor();
    const link = await eventually('the mail', () => stage.linkTo('ada@example.com'));
    // A scanner of mails opens it first.
    t.equal((await fetch(link)).status, 200);
    await page.goto(link);
    await drawn(page);
    t.equal(new URL(page.url()).hash, '', 'the token leaves the address at once');
    t.same(await violations(page), []);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByLabel('Name of the bot').fill('ada');
    await page.getByLabel('I accept the terms').check();
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByLabel('Invite code').fill(await createInviteCode(platform.sql!, { maxUses: 1, expiresAt: null }));
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('It is shown this once').waitFor();
    t.match(await page.getByLabel('API key').textContent(), /^ap_/);
    t.same(await violations(page), []);
    await page.getByRole('link', { name: 'Back to where you were' }).first().click();
    await page.waitForURL(url + left);
    t.same(found, []);
  });

  await t.test('a spent link, and none at all', async (t) => {
    const { page, found } = await visit(browser, url, [/^400 \/api\/auth\/callback$/]);
    await page.goto(stage.linkTo('ada@example.com')!);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Invalid or expired sign-in link').waitFor();
    await page.goto('about:blank');
    await page.goto(`${url}/sign-in/link`);
    await page.getByText('Open the link of the mail').waitFor();
    t.same(found, []);
  });

  await t.test('the way back is on this site, or there is none', async (t) => {
    const { cookie } = await stage.signIn('bob@example.com');
    const page = await (await openContext(browser, { url, cookie, address: '198.18.7.99' })).newPage();
    const backTo = async (to: string) => {
      await page.goto(`${url}/docs`);
      await page.evaluate((text) => localStorage.setItem('way-back', JSON.stringify({ to: text, at: Date.now() })), to);
      await page.goto(`${url}/sign-in`);
      await page.getByRole('heading', { name: 'You are signed in' }).waitFor();
      const link = page.getByRole('link', { name: 'Back to where you were' });
      return link.evaluateAll((all) => all.map((each) => (each as HTMLAnchorElement).href));
    };
    t.same(await backTo('/tables?sort=hands'), [`${url}/tables?sort=hands`]);
    for (const to of ['https://evil.example/', '//evil.example/', '/\\\\evil.example/', 'javascript:alert(1)']) {
      t.same(await backTo(to), [], to);
    }
  });
});
