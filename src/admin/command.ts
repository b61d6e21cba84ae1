import { parseArgs } from 'node:util';
import { recordAudit } from '../store/audit-log.js';
import { transaction, type Database, type Queryable, type Transaction } from '../store/database.js';
import { wakeServer } from './queries.js';

/** A command cannot be carried out: the message is one clear line. */
export class CommandError extends Error {}

/** The object of the command does not exist. */
export class NotThereError extends CommandError {}

/** Wrong usage: the message and the command's usage are printed. */
export class UsageError extends Error {}

/** The answer of a command: `data` is what --json prints, `lines` what people read. */
export interface CommandOutput<D extends object = object> {
  data: Readonly<D>;
  lines: readonly string[];
}

/** The change, for the audit log. Its action is the command. */
export interface AuditNote {
  /** To whom or what, by its id; null where that is the platform. */
  subject: string | null;
  detail?: Readonly<Record<string, unknown>>;
}

/** The answer of a command that changes something. `entry` is null if nothing changed. */
export type Changed<D extends object = object> = CommandOutput<D> & { entry: AuditNote | null };

/** An option of a command. */
export interface OptionSpec<V> {
  /** Its value's name in the usage, '' for a flag. */
  value: string;
  needed: boolean;
  says: string;
  /** Throws UsageError. */
  read(raw: string | boolean | undefined, name: string): V;
}

type Options = Readonly<Record<string, OptionSpec<unknown>>>;
/** The words and options of a call, by name. */
type Given<O extends Options, W extends string> = { [K in keyof O]: ReturnType<O[K]['read']> } & Record<W, string>;

/** Asks a person; true where what is typed is the answer. */
export type Ask = (question: Confirmation) => Promise<boolean>;

export interface Confirmation {
  text: string;
  answer: string;
  /** The refusal without that answer. */
  refused: string;
}

export interface AdminCommand {
  /** One word or two, such as `tables close`. */
  name: string;
  purpose: string;
  /** The line of the usage. */
  usage: string;
  options: Options;
  /** Reads the arguments (throws UsageError) and returns the work. */
  prepare(args: readonly string[]): { json: boolean; run(sql: Database, ask: Ask): Promise<CommandOutput> };
}

/** The same for a caller that has read words and options itself, as the operator's endpoints do. */
export type LookCommand<G, D extends object> = AdminCommand & { look(sql: Queryable, given: G): Promise<D> };

export type ChangeCommand<G, D extends object> = AdminCommand & {
  /** `answer` is what a person has typed, where the command asks. Rejects with CommandError. */
  change(
    sql: Database,
    given: G,
    by: { actor: string; answer?: string },
  ): Promise<Readonly<D> & { readonly changed: boolean }>;
};

interface Shape<O extends Options, W extends string> {
  name: string;
  purpose: string;
  /** The words that must be given, such as AGENT. */
  words?: readonly W[];
  options?: O;
}

type NoOptions = Readonly<Record<never, never>>;

/** A command that only looks. */
export function look<
  const O extends Options = NoOptions,
  const W extends string = never,
  D extends object = Record<never, never>,
>(
  shape: Shape<O, W> & { look: (sql: Queryable, given: Given<O, W>) => Promise<CommandOutput<D>> },
): LookCommand<Given<O, W>, D> {
  return {
    ...command(shape, {}, (given) => (sql) => shape.look(sql, given)),
    look: async (sql, given) => (await shape.look(sql, given)).data,
  };
}

/**
 * A command that changes something: in one transaction, with its entry in the audit log, and a running server is woken.
 * `plan` looks before that, at what `question` then asks about, unless --yes is given.
 */
export function change<
  const O extends Options = NoOptions,
  const W extends string = never,
  P = undefined,
  D extends object = Record<never, never>,
>(
  shape: Shape<O, W> & {
    plan?: (sql: Queryable, given: Given<O, W>) => Promise<P>;
    question?: (plan: P) => Confirmation;
    /** `actor` is who does it, for what else is written down. */
    change: (tx: Transaction, given: Given<O, W>, plan: P, actor: string) => Promise<Changed<D>>;
  },
): ChangeCommand<Given<O, W>, D> {
  const { name, question } = shape;
  const sure: Options = question === undefined ? {} : { yes: flagOption('does not ask') };
  const run = async (sql: Database, given: Given<O, W>, actor: string, ask: Ask) => {
    const plan = (await shape.plan?.(sql, given)) as P;
    if (question !== undefined) {
      const asked = question(plan);
      if (!(await ask(asked))) throw new CommandError(`${asked.refused}: not confirmed`);
    }
    return transaction(sql, async (tx) => {
      const { entry, data, lines } = await shape.change(tx, given, plan, actor);
      if (entry !== null) {
        const { subject, detail = {} } = entry;
        await recordAudit(tx, { actor, action: name.replace(/[ -]/g, '_'), subject, detail });
        await wakeServer(tx);
      }
      return { data: { changed: entry !== null, ...data }, lines };
    });
  };
  return {
    ...command(shape, sure, (given) => (sql, ask) => {
      const isSure = (given as { yes?: boolean }).yes === true;
      return run(sql, given, 'cli', async (question) => isSure || ask(question));
    }),
    change: async (sql, given, { actor, answer }) =>
      (await run(sql, given, actor, async (question) => question.answer === answer)).data,
  };
}

function command<O extends Options, W extends string>(
  { name, purpose, words = [], options }: Shape<O, W>,
  more: Options,
  work: (given: Given<O, W>) => (sql: Database, ask: Ask) => Promise<CommandOutput>,
): AdminCommand {
  const all: Options = { ...options, ...more, json: flagOption('answers with one JSON object') };
  const usage = [name, ...words, ...Object.entries(all).map(usageOf)].join(' ');
  return {
    name,
    purpose,
    usage,
    options: all,
    prepare: (args) => {
      const given = read(args, words, all);
      return { json: given['json'] === true, run: work(given as Given<O, W>) };
    },
  };
}

function usageOf([name, { value, needed }]: [string, OptionSpec<unknown>]): string {
  const shown = value === '' ? `--${name}` : `--${name} ${value}`;
  return needed ? shown : `[${shown}]`;
}

function read(args: readonly string[], words: readonly string[], options: Options): Record<string, unknown> {
  const specs = Object.entries(options);
  const types = specs.map(([name, { value }]) => [name, { type: value === '' ? 'boolean' : 'string' } as const]);
  let parsed;
  try {
    parsed = parseArgs({ args: [...args], options: Object.fromEntries(types), allowPositionals: true });
  } catch (error) {
    // Its first sentence; the others are about dashes.
    throw new UsageError((error as Error).message.split(/\.(?:\s|$)/)[0]);
  }
  const { positionals } = parsed;
  const values: Readonly<Record<string, unknown>> = parsed.values;
  if (positionals.length < words.length) throw new UsageError(`${words[positionals.length]} is missing`);
  if (positionals.length > words.length) throw new UsageError(`unexpected argument: ${positionals[words.length]}`);
  return Object.fromEntries([
    ...words.map((word, i) => [word, positionals[i]!]),
    ...specs.map(([name, spec]) => [name, spec.read(values[name] as string | boolean | undefined, `--${name}`)]),
  ]);
}

/** A text; undefined where it is not given. */
export const textOption = (value: string, says: string): OptionSpec<string | undefined> => ({
  value,
  says,
  needed: false,
  read: (raw) => (typeof raw === 'string' ? raw : undefined),
});

/** A text that must be given. */
export const wanted = (value: string, says: string): OptionSpec<string> => ({
  value,
  says,
  needed: true,
  read: (raw, name) => {
    if (typeof raw !== 'string' || raw === '') throw new UsageError(`${name} is missing`);
    return raw;
  },
});

/** A whole number; `fallback` where it is not given. */
export const count = <F extends number | undefined>(
  value: string,
  says: string,
  fallback: F,
): OptionSpec<number | F> => ({
  value,
  says: fallback === undefined ? says : `${says} [${fallback}]`,
  needed: false,
  read: (raw, name) => {
    if (raw === undefined) return fallback;
    if (!/^\d{1,9}$/.test(String(raw))) throw new UsageError(`${name} is a whole number`);
    return Number(raw);
  },
});

export const flagOption = (says: string): OptionSpec<boolean> => ({
  value: '',
  says,
  needed: false,
  read: (raw) => raw === true,
});

/** Which part of a list is shown. */
export const PAGE = {
  limit: count('N', 'rows at most', 50),
  offset: count('N', 'rows left out before', 0),
} as const;
