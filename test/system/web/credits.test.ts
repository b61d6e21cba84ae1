/**
 * Credits in a real browser, on a real chain. A wallet in the page signs that it is the owner's. A transfer is claimed
 * and credited when the chain has confirmed it. A withdrawal asks first and arrives in the wallet. The operator sees
 * both, and repeats a withdrawal without a second payment.
 */
import t from 'tap';
import type { Hex } from 'viem';
import { account, Anvil, treasuryAccount } from '../../support/anvil.js';
import { EmailSink } from '../../support/email-sink.js';
import { onChain } from '../../support/credit-house.js';
import { stopCluster } from '../../support/database.js';
import { eventually, FILE_MS } from '../../support/limits.js';
import { complaints, drawn, noBrowser, openBrowser, openContext } from '../../web/browser.js';
import { violations } from '../../web/picture-in-page.js';
import { ADMIN_KEY, Stage } from '../../web/stage.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const DOLLAR = 1_000_000n;
const CONFIRMATIONS = 12;

/** A page's request to its wallet (EIP-1193). */
interface Asked {
  method: string;
  params?: [message: Hex, address: string];
}

const inBrowser = noBrowser === false ? onChain : (...[t, name]: Parameters<typeof onChain>) => t.test(name, { skip: noBrowser }, async () => undefined); // prettier-ignore

await inBrowser(t, 'credits in a browser', async (t) => {
  const anvil = await Anvil.start(t);
  const wallet = account(1);
  await anvil.mint(wallet.address, 50n * DOLLAR);
  const stage = await Stage.open(t, { ...anvil.settings(), HOUSE_BOTS: 0 });
  const { platform } = stage;
  const { url } = platform;
  const owner = await stage.owner('ada_bot');
  const browser = await openBrowser();
  t.teardown(() => browser.close());

  const context = await openContext(browser, { url, cookie: owner.cookie, address: '198.18.3.1' });
  const page = await context.newPage();
  const found = complaints(page, [/^400 \/api\/deposit\/onchain$/]);
  const asked: string[] = [];
  let isWilling = false;
  await page.exposeFunction('askWallet', async ({ method, params }: Asked) => {
    asked.push(method);
    if (method === 'eth_requestAccounts') return [wallet.address];
    if (!isWilling) throw new Error('User rejected the request.');
    return wallet.signMessage({ message: { raw: params![0] } });
  });
  await page.addInitScript('window.ethereum = { request: (asked) => askWallet(asked) }');
  const dialog = page.getByRole('dialog');
  const inList = (label: string, text: string) =>
    page.getByRole('table', { name: label }).getByRole('row').filter({ hasText: text });

  await t.test('the wallet signs that it is the owner’s', async (t) => {
    await page.goto(`${url}/bot/credits`);
    await drawn(page);
    await page.getByRole('button', { name: 'Prove a wallet' }).click();
    await page.getByText('User rejected the request.').waitFor();
    isWilling = true;
    await page.getByRole('button', { name: 'Prove a wallet' }).click();
    await page.getByText(`${wallet.address} is proven to be yours.`).waitFor();
    t.same(asked, ['eth_requestAccounts', 'personal_sign', 'eth_requestAccounts', 'personal_sign']);
    await page.getByLabel('Address for withdrawals').fill(wallet.address);
    await page.getByRole('button', { name: 'Save the address' }).click();
    await page.getByText('Saved.').waitFor();
    t.match((await platform.api('GET', '/api/me', { headers: owner.headers })).body, {
      wallet_address: wallet.address,
    });
  });

  await t.test('a transfer is claimed, followed and credited', async (t) => {
    await page.getByLabel('Transaction hash').fill('0x12');
    await page.getByRole('button', { name: 'Claim the deposit' }).click();
    await page.getByText('0x and 64 hexadecimal digits.').waitFor();
    const hash = await anvil.call(1, 'transfer', [treasuryAccount.address, 20n * DOLLAR]);
    await anvil.mine();
    await page.getByLabel('Transaction hash').fill(hash);
    await page.getByRole('button', { name: 'Claim the deposit' }).click();
    await page.getByText(`$20.00 pending: 1 of ${CONFIRMATIONS} confirmations`).waitFor();
    await anvil.mine(CONFIRMATIONS - 1);
    await page.locator('.figures').filter({ hasText: '$20.00' }).waitFor();
    await page.reload();
    await inList('Credits', '$20.00').first().waitFor();
    t.same(await violations(page), []);
  });

  await t.test('a withdrawal asks first, and arrives in the wallet', async (t) => {
    await page.getByLabel('Dollars').fill('7.5');
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
    await dialog.getByText('$7.50 leave your credits at once').waitFor();
    await dialog.getByRole('button', { name: 'Back' }).click();
    t.match(await platform.api('GET', '/api/withdrawals', { headers: owner.headers }), { body: { withdrawals: [] } });
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
    await dialog.getByRole('button', { name: 'Withdraw', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.locator('.figures').filter({ hasText: '$12.50' }).waitFor();
    await inList('Withdrawals', '$7.50').filter({ hasText: 'submitted' }).waitFor();
    await anvil.mine(CONFIRMATIONS);
    await inList('Withdrawals', '$7.50').filter({ hasText: 'confirmed' }).waitFor();
    t.equal(await anvil.balance(wallet.address), 50n * DOLLAR - 20n * DOLLAR + (75n * DOLLAR) / 10n);
  });

  await t.test('the operator sees the books, and decides about withdrawals', async (t) => {
    const { page: room, found: inRoom } = await operator();
    const acts = room.getByRole('dialog');
    const withdraw = async (amount: number) => {
      const body = { amount };
      const answer = await platform.api('POST', '/api/withdraw', { headers: owner.headers, body });
      t.equal(answer.status, 200);
    };
    const row = (amount: string) => room.getByRole('row').filter({ hasText: amount });
    await withdraw(2);
    await room.goto(`${url}/operator?tab=credits`);
    await row('$7.50').filter({ hasText: 'confirmed' }).waitFor();
    await eventually('it is signed', async () => {
      const [{ status } = { status: '' }] = await platform.sql!<{ status: string }[]>`
        select status from withdrawals where ucents = 20000`;
      return status === 'submitted';
    });
    await room.getByRole('button', { name: 'Open only' }).click();
    await row('$7.50').waitFor({ state: 'detached' });
    await row('$2.00').getByRole('button', { name: 'Retry' }).click();
    await acts.getByText('It is never paid twice.').waitFor();
    await acts.getByRole('button', { name: 'Try again' }).click();
    await acts.waitFor({ state: 'detached' });
    await anvil.mine(CONFIRMATIONS);
    await eventually('it is paid once', async () => (await anvil.paid()).get(wallet.address) === (95n * DOLLAR) / 10n);
    t.same(await violations(room), []);
    const [entry] = await platform.sql!`select actor, action from audit_log order by entry_id desc limit 1`;
    t.same(entry, { actor: 'operator', action: 'withdrawals_retry' });
    t.same(inRoom, []);
  });
  await t.test('after the wallet has changed withdrawals wait, and the pages say so', async (t) => {
    await platform.sql!`
      update agents set wallet_held_until = now() + interval '5 hours' where agent_id = ${owner.agentId}`;
    const answer = await platform.api('POST', '/api/withdraw', { headers: owner.headers, body: { amount: 1.5 } });
    t.match(answer, { status: 200, body: { waits_until: String } });
    await page.reload();
    await page.getByText('The address has changed. Withdrawals are paid from').waitFor();
    await inList('Withdrawals', '$1.50').filter({ hasText: 'waits until' }).waitFor();
    t.same(await violations(page), []);
    const { page: room } = await operator();
    await room.goto(`${url}/operator?tab=credits`);
    const row = room.getByRole('row').filter({ hasText: '$1.50' });
    await row
      .filter({ hasText: 'wallet changed' })
      .getByRole('button', { name: /^Actions for / })
      .click();
    await room.getByRole('menuitem', { name: 'Release' }).click();
    const acts = room.getByRole('dialog');
    await acts.getByText('though the address has changed lately').waitFor();
    await acts.getByLabel('Reason').fill('the owner called');
    await acts.getByRole('button', { name: 'Release' }).click();
    await acts.waitFor({ state: 'detached' });
    await eventually('it is signed', async () => {
      const signed = await platform.sql!`select 1 from withdrawals where ucents = 15000 and status = 'submitted'`;
      return signed.length === 1;
    });
  });

  await t.test('the mail about a changed wallet takes the change back', async (t) => {
    const sink = await EmailSink.open(t);
    const held = await Stage.open(t, { ...anvil.settings(), WITHDRAW_HOLD_HOURS: 24, HOUSE_BOTS: 0 }, sink);
    const bea = await held.owner('bea_bot');
    for (const of of [1, 2]) {
      const body = { wallet_address: account(of).address };
      t.equal((await held.platform.api('PATCH', '/api/me', { headers: bea.headers, body })).status, 200);
    }
    const mails = await sink.mailsTo(bea.email, 3);
    const link = /https?:\/\/\S+\/wallet\/cancel#token=\S+/.exec(mails.at(-1)!.text)![0];
    const look = await openContext(browser, { url: held.platform.url, address: '198.18.3.3' });
    const mailed = await look.newPage();
    const wrong = complaints(mailed);
    await mailed.goto(link);
    await mailed.getByLabel('I did not change it').waitFor();
    t.equal(new URL(mailed.url()).hash, '', 'the token leaves the address at once');
    t.same(await violations(mailed), []);
    await mailed.getByLabel('I did not change it').uncheck();
    await mailed.getByRole('button', { name: 'Take the change back' }).click();
    await mailed.getByText(`The wallet is ${account(1).address} again.`).waitFor();
    t.match((await held.platform.api('GET', '/api/me', { headers: bea.headers })).body, {
      wallet_address: account(1).address,
    });
    t.same(wrong, []);
  });
  t.same(found, [], 'nothing on the console, no request in vain');

  async function operator() {
    const look = await openContext(browser, { url, operatorKey: ADMIN_KEY, address: '198.18.3.2' });
    const room = await look.newPage();
    return { page: room, found: complaints(room) };
  }
});
