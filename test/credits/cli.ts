import { command, seed as seedOption, whole } from '../../src/command/options.js';
import { Progress } from '../../src/command/progress.js';
import { program, scoped } from '../chaos/program.js';
import { Anvil } from '../support/anvil.js';
import { CreditHouse } from '../support/credit-house.js';
import { killWhilePaying } from './paying.js';
import { raceForBalance } from './races.js';

const {
  values: { kills, rounds, seed },
} = command({
  name: 'npm run campaign -- credits',
  purpose:
    "kill -9 in a stream of withdrawals, with a ban and another treasury's key in its midst, and races for an agent's\n" +
    'whole balance, on a real chain of its own.\n' +
    'Exit code 1: something is wrong.',
  takes: 'about 5 s a kill and half a second a round; twice that on a slow machine',
  options: {
    kills: whole('kills of the whole platform', 100),
    rounds: whole('races of 100 requests each', 500),
    seed: seedOption(),
  },
});

await program(async () => {
  const findings: string[] = [];
  if (rounds > 0) {
    const { wrong, outcomes } = await scoped(async (t) => {
      const house = await CreditHouse.open(t, await Anvil.start(t));
      const progress = new Progress(rounds, 'rounds');
      return raceForBalance(house, rounds, (done) => progress.show(done));
    });
    console.log(`${rounds} rounds of 100 at once: won by ${[...outcomes].join(' or ')}`);
    findings.push(...wrong);
  }
  if (kills > 0) {
    const onKill = (n: number, withdrawals: number) => console.log(`kill ${n} of ${kills}: ${withdrawals} withdrawals`);
    const outcome = await scoped((t) => killWhilePaying(t, { kills, seed, onKill }));
    console.log(
      `${kills} kills: ${outcome.withdrawals} withdrawals acknowledged, ${outcome.signed} transactions signed`,
    );
    findings.push(...outcome.findings);
  }
  for (const finding of findings) console.log(`\nFOUND ${finding}`);
  console.log(findings.length === 0 ? `\nseed ${seed}: all is well` : `\n${findings.length} findings, seed ${seed}`);
  return findings.length === 0;
});
