/** npm run sdk:prove: a kit on a bad line, against the real server (prove.ts). */
import { command, flag, oneOf, seed as seedOption, whole } from '../../src/command/options.js';
import { seededRandom } from '../../src/cards/shuffle.js';
import { program, scoped } from '../chaos/program.js';
import { KITS, NO_PYTHON, type Kit } from './kits.js';
import { prove, type Proof } from './prove.js';

const { values } = command({
  name: 'npm run sdk:prove',
  purpose:
    'A bot on a kit plays through a line that is cut, stalls, delays, splits and dies, and through kill -9 of the server.\n' +
    'Exit code 1: an action was rejected, a seat lost, a hand played by the clock, or anything else went wrong.',
  takes: 'some 5 s a cut',
  options: {
    kit: oneOf('whose bot', Object.keys(KITS) as Kit[], 'ts'),
    cuts: whole('times that the line is harmed', 50, { least: 1, most: 10_000 }),
    kills: whole('times that the server is killed', undefined, { shown: 'a tenth of the cuts' }),
    lean: flag('over lean frames, which have no deals to check'),
    seed: seedOption(),
  },
});
const { kit, cuts, seed, lean } = values;
const kills = values.kills ?? Math.ceil(cuts / 10);
const random = seededRandom(seed);
let done = 0;

const bot = KITS[kit!];

await program(async () => {
  if (bot === null) throw new Error(NO_PYTHON);
  console.log(`${kit}${lean ? ', lean' : ''}: ${cuts} cuts and ${kills} kills, --seed ${seed}`);
  const proof = await scoped((t) =>
    prove(t, {
      command: bot,
      lean,
      cuts,
      kills,
      turnSeconds: 60,
      deadLines: true,
      chance: (below) => random.next16() % below,
      onStep: (step) => console.log(`${String(++done).padStart(4)} ${step}`),
    }),
  );
  report(proof);
  return proof.faults.length === 0;
});

function report({ harm, hands, decisions, connections, verified, returns, faults, summary }: Proof): void {
  const done = Object.entries(harm).map(([step, times]) => `${times} × ${step}`);
  const sorted = [...returns].sort((a, b) => a - b);
  const at = (share: number) => ((sorted[Math.floor(share * (sorted.length - 1))] ?? 0) / 1000).toFixed(1);
  console.log(done.join(', '));
  console.log(`${hands} hands, ${decisions} decisions, ${connections} connections, ${verified} deals checked`);
  console.log(`acting again after: median ${at(0.5)} s, at most ${at(1)} s`);
  console.log(`its summary: ${JSON.stringify(summary)}`);
  for (const fault of faults) console.log(`FAULT ${fault}`);
  console.log(faults.length === 0 ? 'nothing found' : `${faults.length} found`);
}
