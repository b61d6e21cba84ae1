import { existsSync } from 'node:fs';
import { onInterrupt } from '../../../src/command/interrupt.js';
import { command, Misuse, text } from '../../../src/command/options.js';
import { Progress } from '../../../src/command/progress.js';
import { runToEnd } from '../../../src/command/result.js';
import { programBot } from '../../../src/doctor/bot.js';
import { allCases } from '../../../src/doctor/cases/index.js';
import { DEFECTS } from './defects.js';
import { faultyBot } from './faulty-bot.js';
import { prove, type SoundBot } from './prove.js';
import { proofIsWhole, proofText } from './text.js';

/** Findings of a bot that are named while it runs. */
const SHOWN = 8;

/** The bots of this repository, as its root calls them; those that are there. */
const PROGRAMS: readonly [file: string, command: string][] = [
  ['examples/bot.ts', 'node dist/examples/bot.js'],
  ['examples/bot.py', 'python3 examples/bot.py'],
  ['examples/kit-bot.ts', 'node dist/examples/kit-bot.js'],
  ['examples/kit_bot.py', 'python3 examples/kit_bot.py'],
  ['examples/kit-bot.ts with LEAN=on', 'LEAN=on node dist/examples/kit-bot.js'],
];

const {
  values: { only },
} = command({
  name: 'npm run campaign -- doctor',
  purpose:
    'Lets the doctor examine bots with one known defect each, and sound ones. Exit code 1: a defect was not found, a\n' +
    'case found none, or a sound bot failed.',
  takes: 'ten to twenty minutes',
  options: { only: text('cases with this text in their names', 'NAME') },
  check: ({ only }) => {
    if (only !== undefined && casesOf(only).length === 0)
      throw new Misuse(`no case has ${JSON.stringify(only)} in its name`);
  },
});

function casesOf(only: string | undefined) {
  return allCases.filter(({ name }) => only === undefined || name.includes(only));
}

await runToEnd(async () => {
  const interrupted = new AbortController();
  onInterrupt(() => interrupted.abort());
  const programs = PROGRAMS.filter(([file]) => existsSync(file.split(' ')[0]!)).map(([file, cmd]): SoundBot => ({
    name: file,
    start: programBot(cmd, process.cwd()),
  }));
  const sound: SoundBot[] = [
    { name: 'the faulty bot without a fault', start: faultyBot(null) },
    { name: 'the same with lean frames', start: faultyBot(null, 'lean') },
    { name: 'the same without a WebSocket library', start: faultyBot(null, 'by hand') },
    { name: 'the same, which speaks before its welcome', start: faultyBot(null, 'early') },
    ...programs,
  ];
  const progress = new Progress(sound.length + Object.keys(DEFECTS).length, 'bots');
  const onBot = (name: string, by: readonly string[], done: number) => {
    progress.note(`${name}: ${by.length} findings${by.length > 0 && by.length <= SHOWN ? `: ${by.join('; ')}` : ''}`);
    progress.show(done);
  };
  const cases = casesOf(only);
  const result = await prove({ cases, sound, signal: interrupted.signal, onBot }).catch((error: unknown) => {
    if (interrupted.signal.aborted) return null;
    throw error;
  });
  progress.clear();
  if (result === null) {
    process.stderr.write('Ended early. All processes have ended.\n');
    return 130;
  }
  process.stdout.write(`\n${proofText(result, cases)}\n`);
  return proofIsWhole(result) ? 0 : 1;
});
