import { createInterface } from 'node:readline';
import { inspect } from 'node:util';
import { columns } from '../command/columns.js';
import type { Io } from '../command/io.js';
import { keptLine, swallowed } from '../command/kept.js';
import { loadConfig } from '../ops/config.js';
import type { Database } from '../store/database.js';
import { migrate, missingMigrations } from '../store/migrate.js';
import { CommandError, UsageError, type AdminCommand, type Confirmation, type CommandOutput } from './command.js';
import { inOneLine, withDatabase, type FoundDatabase } from './find-database.js';
import { agentCommands } from './commands/agents.js';
import { competitionCommands } from './commands/competitions.js';
import { inviteCommands } from './commands/invites.js';
import { logCommands } from './commands/log.js';
import { nodeCommands } from './commands/nodes.js';
import { paymentCommands } from './commands/payments.js';
import { seasonCommands } from './commands/seasons.js';
import { tableCommands } from './commands/tables.js';

/** All that `npx agent-poker admin` can do, in the order in which --help lists it. */
export const COMMANDS: readonly AdminCommand[] = [
  ...agentCommands,
  ...tableCommands,
  ...seasonCommands,
  ...competitionCommands,
  ...inviteCommands,
  ...paymentCommands,
  ...nodeCommands,
  ...logCommands,
];

const HELP = ['--help', '-h', 'help'];

function overview(): string {
  const rows = COMMANDS.map(({ usage, purpose }) => `  ${usage.replace(' [--json]', '')}\n      ${purpose}`);
  return `npx agent-poker admin COMMAND [options]

Commands of administrators, with or without a running server.
Exit code 0: done; 1: failed, with the reason; 2: wrong usage.

Takes a second or two.

${rows.join('\n')}
  --help   this text

AGENT is an id, a name or an e-mail address. --json answers with one JSON object on stdout, {"error": …} after a
failure. Each change is one transaction with its row in the audit log. npx agent-poker admin COMMAND --help shows options.`;
}

function help({ usage, purpose, options }: AdminCommand): string {
  const rows = Object.entries(options).map(([name, { value, says }]) => [`  --${name} ${value}`.trimEnd(), says]);
  return [`npx agent-poker admin ${usage}`, `  ${purpose}`, '', ...columns(rows)].join('\n');
}

/** The command that the arguments begin with, and the rest of them. */
function find(args: readonly string[]): { command: AdminCommand; rest: readonly string[] } {
  for (const words of [2, 1]) {
    const name = args.slice(0, words).join(' ');
    const command = COMMANDS.find((candidate) => candidate.name === name);
    if (command !== undefined) return { command, rest: args.slice(words) };
  }
  throw new UsageError(`there is no command ${args[0]}: npx agent-poker admin --help lists them`);
}

/** Asks on stderr, so that stdout has the answer alone. */
async function typed({ stdin, err }: Io, { text, answer }: Confirmation): Promise<boolean> {
  err(text);
  const terminal = createInterface({ input: stdin });
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  try {
    const line = new Promise<string>((resolve) => terminal.once('line', resolve));
    return (await Promise.race([line, closed])).trim() === answer;
  } finally {
    terminal.close();
  }
}

function carryOut(io: Io, run: ReturnType<AdminCommand['prepare']>['run']): Promise<CommandOutput> {
  const work = async (sql: Database, { ours }: FoundDatabase) => {
    // A database that no server works on is brought up to date; beside a server that is the server's part.
    if (ours) await migrate(sql);
    const missing = await missingMigrations(sql);
    if (missing.length > 0) {
      throw new CommandError(`the database lacks ${missing.join(', ')}: start the server of this release first`);
    }
    return run(sql, (question) => typed(io, question));
  };
  return withDatabase(loadConfig(io), 'admin', work, { say: (message) => io.err(`${message}\n`) });
}

/** The text that answers these arguments. */
async function answerTo(args: readonly string[], io: Io): Promise<string> {
  if (args.length === 0 || HELP.includes(args[0]!)) return overview();
  const { command, rest } = find(args);
  if (rest.some((arg) => HELP.includes(arg) && arg !== 'help')) return help(command);
  const { json, run } = prepared(command, rest, io);
  const { data, lines } = await carryOut(io, run);
  return json ? JSON.stringify(data) : lines.join('\n');
}

function prepared(command: AdminCommand, args: readonly string[], { env }: Io): ReturnType<AdminCommand['prepare']> {
  const kept = swallowed(Object.keys(command.options), args, env);
  if (kept.length > 0) throw new UsageError(keptLine(kept, `npx agent-poker admin ${command.usage}`));
  try {
    return command.prepare(args);
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${error.message}; npx agent-poker admin ${command.usage}`);
    throw error;
  }
}

/** Runs `npx agent-poker admin ARGS`. Returns its exit code: 0 done, 1 not done and why, 2 wrong usage. */
export async function runAdmin(args: readonly string[], io: Io): Promise<number> {
  try {
    io.out(`${await answerTo(args, io)}\n`);
    return 0;
  } catch (error) {
    const own = error instanceof UsageError || error instanceof CommandError;
    const line = own ? error.message : inOneLine(error);
    if (line === null) io.err(`${inspect(error)}\n`);
    const message = line ?? 'an error of ours';
    if (args.includes('--json')) io.out(`${JSON.stringify({ error: message })}\n`);
    else io.err(`${message}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}
