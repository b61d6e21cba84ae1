import { setMaxListeners } from 'node:events';
import { audit } from '../../src/admin/audit/index.js';
import { command, Misuse, text, whole } from '../../src/command/options.js';
import { program, scoped } from '../chaos/program.js';
import { troubleIn } from '../fuzz/campaign.js';
import type { Scope } from '../support/database.js';
import type { AbuseCase } from './case.js';
import { cases } from './cases.js';
import { groundOf, startDefault } from './ground.js';
import { Honest } from './honest.js';
import { describe, judge } from './judge.js';

const named = (word = '') => cases.filter(({ name }) => name.includes(word));
const {
  values: { seconds, cases: word },
} = command({
  name: 'npm run campaign -- abuse',
  purpose:
    'One client against all, on a server as it starts by default, each case on a fresh one. Prints what honest clients\n' +
    'felt alone and meanwhile. Exit code 1: they felt more than they may, but\n' +
    'for what is a known limit of the library.',
  takes: 'half a minute a case, and what --seconds adds twice to each',
  options: {
    cases: text('those whose name contains it', 'WORD'),
    seconds: whole('to feel for, each time', 10, { least: 1 }),
  },
  check: (values) => {
    if (named(values.cases).length === 0) throw new Misuse(`no case has ${values.cases} in its name`);
  },
  notes: `Cases: ${cases.map(({ name }) => name).join(', ')}.`,
});
const chosen = named(word);

/** Before anything is measured, and between the beginning of an attack and what is felt of it. */
const SETTLE_MS = 4000;
const BEGIN_MS = 1000;

await program(async () => {
  let well = true;
  for (const attack of chosen) {
    console.log(`\n${attack.name}: ${attack.what}`);
    const findings = await scoped((t) => attackOn(t, attack, seconds * 1000)).catch((error: Error) => [
      error.stack ?? error.message,
    ]);
    for (const finding of findings) console.log(`  FOUND ${finding}`);
    well &&= findings.length === 0;
  }
  console.log(well ? '\nall is well' : '\nsome cases are not well');
  return well;
});

async function attackOn(t: Scope, attack: AbuseCase, ms: number): Promise<string[]> {
  const platform = await startDefault(t, attack.env);
  const honest = await Honest.gather(t, platform, attack.honest);
  await Honest.settle(SETTLE_MS);
  const alone = await honest.feel(ms);
  console.log(`  ${describe('alone', alone)}`);
  const ground = groundOf(platform, 1);
  const end = new AbortController();
  // Every socket of an attack ends with it.
  setMaxListeners(0, end.signal);
  const attacking = attack.run(ground, end.signal);
  attacking.catch(() => undefined);
  await ground.prepared();
  await Honest.settle(attack.afterMs ?? BEGIN_MS);
  const during = await honest.feel(ms);
  end.abort();
  console.log(`  ${describe('during', during)}`);
  await attacking;
  console.log(`  the attacker met ${ground.met}`);
  const felt = judge(attack, ground.met, alone, during);
  const limit = felt.length === 0 ? null : (attack.knownLimit?.() ?? null);
  if (limit !== null) console.log(`  KNOWN LIMIT ${limit}:\n    ${felt.join('\n    ')}`);
  const { problems } = await audit(platform.sql!);
  return [...(limit === null ? felt : []), ...problems, ...troubleIn(platform.output)];
}
