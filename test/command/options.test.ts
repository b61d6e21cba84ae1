/** The common parts of all commands: the reading of arguments, the text of --help, and refusals in one line. */
import t from 'tap';
import {
  describe,
  flag,
  Misuse,
  oneOf,
  readArguments,
  refuseKept,
  text,
  texts,
  whole,
  wholes,
} from '../../src/command/options.js';

const COMMAND = {
  name: 'npm run toy',
  purpose: 'Plays with a toy.',
  takes: 'a second',
  options: {
    hands: whole('hands to play', 20, { least: 1, most: 100 }),
    seed: whole('repeats a run', undefined),
    json: flag('as JSON'),
    logs: text('folder of logs', 'FOLDER'),
    bot: texts('a bot', '"CMD"'),
    mode: oneOf('how', ['fast', 'slow'] as const, 'fast'),
    sizes: wholes('sizes', [1, 2]),
  },
  words: '[WORD…]',
};
const read = (...args: string[]) => readArguments(COMMAND, args);
const refused = (...args: string[]): string => {
  try {
    read(...args);
    return '';
  } catch (error) {
    if (error instanceof Misuse) return error.message;
    throw error;
  }
};

void t.test('values, and what stands in their place', async (t) => {
  t.same(read()!.values, {
    hands: 20,
    seed: undefined,
    json: false,
    logs: undefined,
    bot: [],
    mode: 'fast',
    sizes: [1, 2],
  });
  const given = read('--hands', '7', '--json', '--bot', 'a', '--bot', 'b', '--mode', 'slow', '--sizes', '3,4', 'word')!;
  t.match(given.values, { hands: 7, json: true, bot: ['a', 'b'], mode: 'slow', sizes: [3, 4] });
  t.same(given.words, ['word']);
  t.equal(read('--hands', '7', '--help'), null, 'help goes before all else');
});

void t.test('what a command does not know is refused in one line', async (t) => {
  const cases: [RegExp, ...string[]][] = [
    [/^Unknown option '--no-such-option'$/, '--no-such-option'],
    [/^--hands must be a whole number from 1 to 100, and is "0"$/, '--hands', '0'],
    [/^--hands must be a whole number from 1 to 100, and is "1.5"$/, '--hands', '1.5'],
    [/^--hands must be a whole number from 1 to 100, and is "0x10"$/, '--hands', '0x10'],
    [/^--hands is given twice$/, '--hands', '1', '--hands', '2'],
    [/^--mode must be one of fast, slow, and is "other"$/, '--mode', 'other'],
    [/^--sizes must be a whole number/, '--sizes', '1,x'],
    [/--hands.*argument missing/, '--hands'],
  ];
  for (const [says, ...args] of cases) {
    t.match(refused(...args), says, args.join(' '));
    t.notMatch(refused(...args), /\n/);
  }
  const one = { ...COMMAND, words: 'FILE' };
  t.throws(() => readArguments(one, []), new Misuse('FILE is missing'));
  t.throws(() => readArguments(one, ['a', 'b']), new Misuse('too many words: a b'));
  t.throws(
    () => readArguments({ ...COMMAND, check: () => { throw new Misuse('they do not fit'); } }, []), // prettier-ignore
    new Misuse('they do not fit'),
  );
});

void t.test('--help tells what it is for, how long it takes, and each option', async (t) => {
  const lines = describe(COMMAND).split('\n');
  t.equal(lines[0], 'npm run toy -- [options] [WORD…]');
  for (const line of [
    /^ {2}--hands N +hands to play \(default 20\)$/,
    /^ {2}--json +as JSON$/,
    /^ {2}--bot "CMD" +a bot; may be given more than once$/,
    /^ {2}--mode fast\|slow +how \(default fast\)$/,
    /^ {2}--help +this text$/,
  ]) {
    t.ok(lines.some((each) => line.test(each)), String(line)); // prettier-ignore
  }
});

void t.test('an option that npm kept for itself is refused, with what to write', async (t) => {
  const kept = (env: Record<string, string>, ...args: string[]): string => {
    try {
      refuseKept(COMMAND, args, env);
      return '';
    } catch (error) {
      if (error instanceof Misuse) return error.message;
      throw error;
    }
  };
  t.match(kept({ npm_config_hands: 'true' }, '5'), /^npm kept --hands for itself: write npm run toy -- --hands 5( |$)/);
  t.match(kept({ npm_config_json: 'true' }), /^npm kept --json for itself: write npm run toy -- --json( |$)/);
  t.equal(kept({}, '--hands', '5'), '');
});
