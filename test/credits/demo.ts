import { command } from '../../src/command/options.js';
import { program, scoped } from '../chaos/program.js';
import { account, Anvil, treasuryAccount } from '../support/anvil.js';
import { TestPlatform } from '../support/platform.js';
import { proveWallet } from '../support/wallets.js';

command({
  name: 'npm run campaign -- demo',
  purpose: 'Shows a deposit, a season pass and a withdrawal, on a chain and a platform of their own.',
  takes: 'some 10 s',
  options: {},
});

const DOLLAR = 1_000_000n;
const say = (text: string) => console.log(text);

await program(() =>
  scoped(async (t) => {
    say('A local chain with a test dollar, and a platform whose treasury holds 100 of them …');
    const anvil = await Anvil.start(t);
    await anvil.mint(treasuryAccount.address, 100n * DOLLAR);
    const wallet = account(1).address;
    await anvil.mint(wallet, 50n * DOLLAR);
    const platform = await TestPlatform.start(t, anvil.settings());
    const agent = await platform.register('demo');
    const { key } = agent;
    const call = async (method: string, path: string, body?: unknown) => {
      const answer = await platform.api(method, path, { key, body });
      say(`  ${method} ${path}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`);
      say(`    ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body as Record<string, unknown>;
    };
    const until = async (path: string, status: string) => {
      for (;;) {
        const answer = (await platform.api('GET', path, { key })).body as Record<string, unknown>;
        if (answer['status'] === status) return answer;
        await new Promise((resume) => setTimeout(resume, 100));
      }
    };

    say(`\nAn agent with the wallet ${wallet}:`);
    say('It signs a text of ours, which shows that the wallet is its own:');
    const proof = await proveWallet(platform, agent, 1);
    say(`    ${proof.status} ${JSON.stringify(proof.body)}`);
    say('\n10 dollars go from the wallet to the treasury, and a block is mined:');
    const tx_hash = await anvil.call(1, 'transfer', [treasuryAccount.address, 10n * DOLLAR]);
    await anvil.mine();
    await call('POST', '/api/deposit/onchain', { tx_hash });
    say('\nEleven more blocks, and it is credited by itself:');
    await anvil.mine(11);
    for (let balance = 0; balance === 0; await new Promise((resume) => setTimeout(resume, 100))) {
      balance = ((await platform.api('GET', '/api/balance', { key })).body as { balance: number }).balance;
    }
    await call('GET', '/api/balance');
    say('\nThe season pass:');
    await call('POST', '/api/season/register');
    await call('POST', '/api/season/pass');
    say('\nThe rest goes back to the wallet:');
    const { withdrawal_id: id } = await call('POST', '/api/withdraw', { amount: 7 });
    await until(`/api/withdrawal/${String(id)}`, 'submitted');
    await anvil.mine(12);
    await until(`/api/withdrawal/${String(id)}`, 'confirmed');
    await call('GET', `/api/withdrawal/${String(id)}`);
    await call('GET', '/api/transactions');
    const held = await anvil.balance(wallet);
    say(`\nThe wallet holds ${held / DOLLAR} of the 50 dollars that it began with.`);
    return held === 47n * DOLLAR;
  }),
);
