import { parseArgs, type ParseArgsConfig } from 'node:util';
import { keptLine, swallowed, type Environment } from './kept.js';
import { expectResult } from './result.js';

/** One option of a command. */
export interface Option<T> {
  help: string;
  /** The name of its value, such as N; empty for a switch. */
  takes: string;
  /** Its value where it is not given, as --help tells it; empty where there is none. */
  shown: string;
  /** It may be given more than once. */
  many: boolean;
  /** From all that was given (a switch gives an empty text). Throws Misuse. */
  read: (given: readonly string[]) => T;
}

/** A command as its user sees it. */
export interface Command<O extends Readonly<Record<string, Option<unknown>>>> {
  /** As it is called, such as `npm run campaign -- sim`. */
  name: string;
  /** Its purpose, and the meaning of its exit code. */
  purpose: string;
  /** How long it takes. */
  takes: string;
  options: O;
  /** Throws Misuse where values that are each well do not fit together. */
  check?: (values: Values<O>) => void;
  /** Its words beside options: FILE one, FILE… some, [WORD…] any number; none by default. */
  words?: string;
  /** Further notes, below the options. */
  notes?: string;
}

export type Values<O extends Readonly<Record<string, Option<unknown>>>> = {
  [K in keyof O]: O[K] extends Option<infer T> ? T : never;
};

export interface Arguments<V> {
  values: V;
  words: string[];
}

/** It was called in a way that it does not know: the message is one line for the user. */
export class Misuse extends Error {}

const LARGEST = 1_000_000_000;

/** A whole number. `fallback` may be a function: a number of the moment, `shown` in words. */
export function whole<F extends number | undefined>(
  help: string,
  fallback: F | (() => number),
  { least = 0, most = LARGEST, shown }: { least?: number; most?: number; shown?: string } = {},
): Option<number | F> {
  return {
    help,
    takes: 'N',
    many: false,
    shown: shown ?? (typeof fallback === 'number' ? String(fallback) : ''),
    read: ([text]) =>
      text === undefined ? (typeof fallback === 'function' ? fallback() : fallback) : wholeOf(text, least, most),
  };
}

/** A number that may have a fraction. */
export const decimal = (help: string, fallback: number, least: number, most: number): Option<number> => ({
  help,
  takes: 'N',
  many: false,
  shown: String(fallback),
  read: ([text]) => {
    if (text === undefined) return fallback;
    const value = Number(text);
    if (/^\d*\.?\d+$/.test(text) && value >= least && value <= most) return value;
    throw new Misuse(`must be a number from ${least} to ${most}, and is ${JSON.stringify(text)}`);
  },
});

function wholeOf(text: string, least: number, most: number): number {
  const value = Number(text);
  if (/^\d{1,16}$/.test(text) && value >= least && value <= most) return value;
  throw new Misuse(`must be a whole number from ${least} to ${most}, and is ${JSON.stringify(text)}`);
}

/** The seed of a run; without one it is a number that nobody chose. */
export const seed = (help = 'repeats a run', fallback?: number): Option<number> =>
  whole(help, fallback ?? (() => Date.now() % LARGEST), {
    most: 2 ** 48,
    ...(fallback === undefined ? { shown: 'by the clock' } : {}),
  });

export const flag = (help: string): Option<boolean> => ({
  help,
  takes: '',
  shown: '',
  many: false,
  read: (given) => given.length > 0,
});

export const text = (help: string, takes = 'TEXT'): Option<string | undefined> => ({
  help,
  takes,
  shown: '',
  many: false,
  read: ([given]) => given,
});

/** A text that may be given more than once. */
export const texts = (help: string, takes = 'TEXT'): Option<readonly string[]> => ({
  help,
  takes,
  shown: '',
  many: true,
  read: (given) => given,
});

/** One of a few words; null where none is given and there is no fallback. */
export const oneOf = <W extends string, F extends W | null>(
  help: string,
  choices: readonly W[],
  fallback: F,
): Option<W | F> => ({
  help,
  takes: choices.join('|'),
  shown: fallback ?? '',
  many: false,
  read: ([given]) => {
    if (given === undefined) return fallback;
    const choice = choices.find((each) => each === given);
    if (choice === undefined) throw new Misuse(`must be one of ${choices.join(', ')}, and is ${JSON.stringify(given)}`);
    return choice;
  },
});

/** Whole numbers with commas between them. */
export const wholes = (help: string, fallback: readonly number[]): Option<readonly number[]> => ({
  help,
  takes: 'N,N…',
  shown: fallback.join(),
  many: false,
  read: ([given]) => given?.split(',').map((each) => wholeOf(each.trim(), 1, LARGEST)) ?? fallback,
});

/** Reads the arguments; null when they ask for help. Throws Misuse. */
export function readArguments<O extends Readonly<Record<string, Option<unknown>>>>(
  { options, words, check }: Command<O>,
  args: readonly string[],
): Arguments<Values<O>> | null {
  const { values, positionals } = parsed(options, args);
  if (values['help'] !== undefined) return null;
  const most = words === undefined ? 0 : words.includes('…') ? Infinity : 1;
  if (positionals.length > most) throw new Misuse(`too many words: ${positionals.join(' ')}`);
  if (words?.startsWith('[') === false && positionals.length === 0) throw new Misuse(`${words} is missing`);
  const read = Object.entries(options).map(([name, option]) => {
    try {
      return [name, option.read((values[name] ?? []).map(String))];
    } catch (error) {
      throw error instanceof Misuse ? new Misuse(`--${name} ${error.message}`) : error;
    }
  });
  const all = Object.fromEntries(read) as Values<O>;
  check?.(all);
  return { values: all, words: positionals };
}

function parsed(options: Readonly<Record<string, Option<unknown>>>, args: readonly string[]) {
  const known: ParseArgsConfig['options'] = { help: { type: 'boolean', short: 'h', multiple: true } };
  for (const [name, { takes }] of Object.entries(options)) {
    known[name] = { type: takes === '' ? 'boolean' : 'string', multiple: true };
  }
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: known, allowPositionals: true });
    const given = values as Readonly<Record<string, (string | boolean)[] | undefined>>;
    const twice = Object.entries(options).find(([name, { many }]) => !many && (given[name]?.length ?? 0) > 1);
    if (twice !== undefined) throw new Misuse(`--${twice[0]} is given twice`);
    return { values: given, positionals };
  } catch (error) {
    if (error instanceof Misuse) throw error;
    // Its second sentence is about something else.
    throw new Misuse((error as Error).message.split(/\. |\n/)[0]!);
  }
}

/** Throws Misuse where npm kept options of the command for itself. */
export function refuseKept(
  { name, options }: Pick<Command<Readonly<Record<string, Option<unknown>>>>, 'name' | 'options'>,
  args: readonly string[],
  env: Environment,
): void {
  const kept = swallowed(Object.keys(options), args, env);
  if (kept.length === 0) return;
  const word = kept.length === 1 && args.length === 1 ? args[0] : undefined;
  const written = kept.map(({ name: option, value }) => {
    const { takes } = options[option]!;
    return takes === '' ? `--${option}` : `--${option} ${value ?? word ?? takes}`;
  });
  throw new Misuse(keptLine(kept, `${called(name)} ${written.join(' ')}`));
}

/** How options are given to it: npm takes them for its own without a `--`. */
const called = (name: string) => (/^npm (?!.* -- )/.test(name) ? `${name} --` : name);

/** The text of --help, in the style of all commands. */
export function describe({
  name,
  purpose,
  takes,
  options,
  words,
  notes,
}: Omit<Command<Readonly<Record<string, Option<unknown>>>>, 'check'>): string {
  const lines = [...Object.entries(options), ['help', { ...flag('this text') }] as const].map(
    ([option, { takes: value, help, shown, many }]) => ({
      left: `--${option}${value === '' ? '' : ` ${value}`}`,
      right: `${help}${many ? '; may be given more than once' : ''}${shown === '' ? '' : ` (default ${shown})`}`,
    }),
  );
  const width = Math.max(...lines.map(({ left }) => left.length)) + 3;
  return [
    `${called(name)} [options]${words === undefined ? '' : ` ${words}`}\n`,
    `${purpose}\n`,
    `Takes ${takes}.\n`,
    ...lines.map(({ left, right }) => `  ${left.padEnd(width)}${right}`),
    ...(notes === undefined ? [] : [`\n${notes}`]),
  ].join('\n');
}

/**
 * Reads the arguments of this process. `--help` prints the text and ends it with 0; whatever the command does not know
 * is printed in one line and ends it with 2.
 */
export function command<O extends Readonly<Record<string, Option<unknown>>>>(
  asked: Command<O>,
  args: readonly string[] = process.argv.slice(2),
): Arguments<Values<O>> {
  expectResult();
  try {
    // Before the words are looked at: the values of options that npm kept are among them.
    if (!args.some((arg) => arg === '--help' || arg === '-h')) refuseKept(asked, args, process.env);
    const read = readArguments(asked, args);
    if (read !== null) return read;
    process.stdout.write(`${describe(asked)}\n`);
    return process.exit(0);
  } catch (error) {
    if (!(error instanceof Misuse)) throw error;
    process.stderr.write(`${error.message} (${called(asked.name)} --help tells the options)\n`);
    return process.exit(2);
  }
}
