import { parseArgs } from 'node:util';
import { program, scoped, wholeNumber } from '../chaos/program.js';
import { Anvil } from '../support/anvil.js';
import { CreditHouse } from '../support/credit-house.js';
import { killWhilePaying } from './paying.js';
import { raceForBalance } from './races.js';

/**
 * `npm run chaos:credits -- [--kills N] [--rounds N] [--seed S]`: kill -9 in a stream of withdrawals, and races for an
 * agent's whole balance, on a real chain. Exit code 1: something is wrong.
 */
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '500' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
  },
});
const [kills, rounds, seed] = [wholeNumber(values.kills), wholeNumber(values.rounds), wholeNumber(values.seed)];
if (kills === null || rounds === null || seed === null) {
  console.error('usage: npm run chaos:credits -- [--kills N] [--rounds N] [--seed S], whole numbers');
  process.exit(2);
}

await program(async () => {
  const findings: string[] = [];
  if (rounds > 0) {
    const { wrong, outcomes } = await scoped(async (t) => {
      const house = await CreditHouse.open(t, await Anvil.start(t));
      return raceForBalance(house, rounds);
    });
    console.log(`${rounds} rounds of 100 at once: won by ${[...outcomes].join(' or ')}`);
    findings.push(...wrong);
  }
  if (kills > 0) {
    const onKill = (n: number, withdrawals: number) => {
      if (n % 10 === 0) console.log(`kill ${n} of ${kills}: ${withdrawals} withdrawals`);
    };
    const outcome = await scoped((t) => killWhilePaying(t, { kills, seed, onKill }));
    console.log(`${kills} kills: ${outcome.withdrawals} withdrawals told of, ${outcome.signed} transactions signed`);
    findings.push(...outcome.findings);
  }
  for (const finding of findings) console.log(`\nFOUND ${finding}`);
  console.log(findings.length === 0 ? `\nseed ${seed}: all is well` : `\n${findings.length} findings, seed ${seed}`);
  return findings.length === 0;
});
