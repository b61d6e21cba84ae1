/**
 * After the payout address has changed withdrawals wait: said in the answers and in the mail, from which the owner takes
 * the change back. Over HTTP and SMTP, on a real EVM node.
 */
import t from 'tap';
import { creditChecks } from '../../src/admin/audit/credit-checks.js';
import { account, Anvil, treasuryAccount } from '../support/anvil.js';
import { onChain } from '../support/credit-house.js';
import { stopCluster } from '../support/database.js';
import { EmailSink } from '../support/email-sink.js';
import { eventually, FILE_MS } from '../support/limits.js';
import { TestPlatform, type Account, type Answer } from '../support/platform.js';
import { proveWallet } from '../support/wallets.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const DOLLAR = 1_000_000n;
const ADMIN_KEY = 'the-key-of-the-operator';
const INVALID = { status: 400, body: { detail: /^Invalid link/ } };
const field = ({ body }: Answer, name: string) => (body as Record<string, string>)[name]!;
const walletOf = (index: number) => account(index).address;

await onChain(t, 'a changed wallet holds withdrawals, and its owner takes the change back', async (t) => {
  const anvil = await Anvil.start(t);
  await anvil.mint(treasuryAccount.address, 1000n * DOLLAR);
  const sink = await EmailSink.open(t);
  const hold = { WITHDRAW_HOLD_HOURS: 24, SMTP_URL: sink.url, ADMIN_KEY };
  const platform = await TestPlatform.start(t, { ...anvil.settings(), ...hold });
  const post = (path: string, key: string, body: unknown) => platform.api('POST', path, { key, body });
  const me = async (key: string) => (await platform.api('GET', '/api/me', { key })).body as Record<string, unknown>;
  const name = (key: string, wallet: string | null) =>
    platform.api('PATCH', '/api/me', { key, body: { wallet_address: wallet } });
  const cancel = (body: object) => platform.api('POST', '/api/wallet/cancel', { body });
  const emailOf = async ({ key }: Account) => (await me(key))['email'] as string;
  /** The token of the newest of so many mails. */
  const tokenOf = async (agent: Account, mails: number) => {
    const { text } = (await sink.mailsTo(await emailOf(agent), mails)).at(-1)!;
    t.match(text, /Withdrawals wait until \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
    return /\/wallet\/cancel#token=([\w-]{43})$/m.exec(text)![1]!;
  };
  const rich = async (wallet: number) => {
    const agent = await platform.register('owner');
    await platform.sql!`update agents set wallet_address = ${walletOf(wallet)} where agent_id = ${agent.agentId}`;
    await post('/api/deposit/dev', agent.key, { amount: 50 });
    return agent;
  };
  const statusOf = async (key: string, id: string) =>
    field(await platform.api('GET', `/api/withdrawal/${id}`, { key }), 'status');

  await t.test('from another wallet named with a stolen key to the old one, and nothing is paid', async (t) => {
    const ada = await rich(1);
    t.equal((await me(ada.key))['withdrawals_wait_until'], null, 'a wallet that has stood is not held');
    const changed = await name(ada.key, walletOf(5));
    const until = Date.parse(field(changed, 'withdrawals_wait_until'));
    t.ok(Math.abs(until - Date.now() - 86_400_000) < 3_600_000, 'the answer says until when');
    const asked = await post('/api/withdraw', ada.key, { amount: 20 });
    t.match(asked, {
      status: 200,
      body: { withdrawal_status: 'pending', waits_until: field(changed, 'withdrawals_wait_until') },
    });
    const id = field(asked, 'withdrawal_id');
    await eventually('the signer has seen it wait', async () => {
      const headers = { authorization: `Bearer ${ADMIN_KEY}` };
      const text = await (await fetch(`${platform.url}/metrics`, { headers })).text();
      return text.includes('poker_withdrawals_waiting{reason="wallet_changed"} 1');
    });
    t.equal(await statusOf(ada.key, id), 'pending');
    t.match((await platform.api('GET', '/api/withdrawals', { key: ada.key })).body, {
      withdrawals: [{ withdrawal_id: id, waits_until: String }],
    });
    const listed = await platform.api('GET', '/api/admin/withdrawals', { key: ADMIN_KEY });
    t.match(listed.body, { withdrawals: [{ withdrawal_id: id, held: false, waits_until: String }] });
    await post(`/api/admin/withdrawals/${id}/retry`, ADMIN_KEY, undefined);
    t.match(await name(ada.key, walletOf(6)), { status: 409 }, 'nor does it change again meanwhile');

    const token = await tokenOf(ada, 1);
    t.match(await cancel({ token: 'A'.repeat(43) }), INVALID);
    t.match(await cancel({ token }), {
      status: 200,
      body: { wallet_address: walletOf(1), withdrawals_returned: 1, key_ended: false },
    });
    t.match(await cancel({ token }), INVALID, 'once');
    t.match(await me(ada.key), { wallet_address: walletOf(1), balance: 50, withdrawals_wait_until: null });
    t.equal(await statusOf(ada.key, id), 'failed');
    const [, told] = await sink.mailsTo(await emailOf(ada), 2);
    t.match(told!.text, `It is ${walletOf(1)} now`);
    t.equal((await anvil.paid()).size, 0);
  });

  await t.test(
    'a change back and forth is taken back as a whole, and the key ends where the owner says so',
    async (t) => {
      const bob = await rich(1);
      await name(bob.key, null);
      const first = await tokenOf(bob, 1);
      await name(bob.key, walletOf(5));
      const second = await tokenOf(bob, 2);
      t.match(await post('/api/withdraw', bob.key, { amount: 5 }), { body: { waits_until: String } });
      t.match(await cancel({ token: first, end_key: true }), {
        status: 200,
        body: { wallet_address: walletOf(1), withdrawals_returned: 1, key_ended: true },
      });
      t.equal((await platform.api('GET', '/api/me', { key: bob.key })).status, 401, 'the key has ended');
      t.match(await cancel({ token: second }), INVALID, 'a later change does not come back');
    },
  );

  await t.test('when its time is over it is paid, and the change stands', async (t) => {
    const cid = await rich(1);
    await name(cid.key, walletOf(7));
    const token = await tokenOf(cid, 1);
    const asked = await post('/api/withdraw', cid.key, { amount: 8 });
    const past = await platform.sql!<{ agent_id: string }[]>`
      with a as (update agents set wallet_held_until = now() where agent_id = ${cid.agentId} returning agent_id),
        c as (update wallet_changes set held_until = now() where agent_id = ${cid.agentId} returning agent_id)
      update withdrawals w set waits_until = now() from a, c where w.agent_id = a.agent_id returning w.agent_id`;
    t.equal(past.length, 1);
    t.match(await cancel({ token }), INVALID, 'too late');
    await eventually(
      'it is signed',
      async () => (await statusOf(cid.key, field(asked, 'withdrawal_id'))) === 'submitted',
    );
    await anvil.mine(12);
    await eventually('it is paid', async () => (await anvil.paid()).get(walletOf(7)) === 8n * DOLLAR);
    t.match(await post('/api/withdraw', cid.key, { amount: 1 }), { body: { waits_until: null } });
  });

  await t.test('the operator releases one that waits, or gives it back', async (t) => {
    const dan = await rich(1);
    await name(dan.key, walletOf(8));
    const [paid, returned] = [
      await post('/api/withdraw', dan.key, { amount: 3 }),
      await post('/api/withdraw', dan.key, { amount: 4 }),
    ];
    const decide = (step: string, asked: Answer) =>
      post(`/api/admin/withdrawals/${field(asked, 'withdrawal_id')}/${step}`, ADMIN_KEY, { reason: 'asked by phone' });
    t.match(await decide('release', paid), { status: 200, body: { changed: true } });
    t.match(await decide('return', returned), { status: 200, body: { changed: true } });
    await eventually(
      'it is signed',
      async () => (await statusOf(dan.key, field(paid, 'withdrawal_id'))) === 'submitted',
    );
    t.equal(await statusOf(dan.key, field(returned, 'withdrawal_id')), 'failed');
    t.match(await me(dan.key), { balance: 47 });
  });

  await t.test('a wallet that is the first one by its proof is held, too', async (t) => {
    const eve = await platform.register('eve');
    t.match(await proveWallet(platform, eve, 2), { status: 200, body: { withdrawals_wait_until: String } });
    t.match(await proveWallet(platform, eve, 3), { status: 200, body: { withdrawals_wait_until: null } });
    t.match(await me(eve.key), { wallet_address: walletOf(2), withdrawals_wait_until: String });
    const clear = () => post(`/api/admin/agents/${eve.agentId}/clear-wallet`, ADMIN_KEY, undefined);
    const token = await tokenOf(eve, 1);
    t.match(await clear(), { status: 200, body: { changed: true } });
    t.match(await cancel({ token }), INVALID, 'what an operator has cleared does not come back');
  });

  for (const check of creditChecks) t.same(await check.find(platform.sql!), [], check.title);
});
