import { createInterface } from 'node:readline/promises';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { ConfigError, loadConfig } from '../ops/config.js';
import { codeOf, connect, isConnectionError, type Database } from '../store/database.js';
import { FolderInUse } from '../store/embedded.js';
import { migrate, missingMigrations } from '../store/migrate.js';
import * as commands from './commands.js';
import { findDatabase } from './find-database.js';

const USAGE = `npm run admin -- COMMAND, beside the running server or without one:

  create-platform-agent --name NAME --email ADDRESS     the agent that may see /health/detail; prints its key, once
  agents [--search TEXT] [--banned] [--limit 50] [--offset 0]
  verify-email AGENT
  ban AGENT --reason TEXT                               its key and its socket end at once
  unban AGENT
  end-season [--in SECONDS] [--yes]                     now, or in so many seconds; asks for the season's number
  create-invite [--uses 1] [--days N] [--note TEXT]     a code for the beta gate (BETA_GATE=on)
  invites                                               all codes and how often they were used
  log [--limit 50]                                      the audit log, the latest first

AGENT is an id, a name or an e-mail address. Exit code 0: done; 1: not done, and why; 2: wrong usage.`;

/** Wrong usage: the message and the usage are printed. */
class UsageError extends Error {}

type Options = NonNullable<ParseArgsConfig['options']>;
type Run = (sql: Database) => Promise<string[]>;

const PAGE = { limit: { type: 'string', default: '50' }, offset: { type: 'string', default: '0' } } as const;

/** By name: reads the arguments, and gives what is to be done. */
const COMMANDS: Readonly<Record<string, (args: string[]) => Run>> = {
  'create-platform-agent': (args) => {
    const { values } = read(args, { name: { type: 'string' }, email: { type: 'string' } }, 0);
    const agent = { name: wanted(values.name, '--name'), email: wanted(values.email, '--email') };
    return (sql) => commands.createPlatformAgent(sql, agent);
  },
  agents: (args) => {
    const options = { search: { type: 'string', default: '' }, banned: { type: 'boolean', default: false }, ...PAGE };
    const { values } = read(args, options as Options, 0);
    const page = {
      search: String(values.search),
      banned: values.banned === true,
      limit: count(values.limit, '--limit'),
      offset: count(values.offset, '--offset'),
    };
    return (sql) => commands.listAgents(sql, page);
  },
  'verify-email': (args) => {
    const [agent] = read(args, {}, 1).positionals;
    return (sql) => commands.verifyEmail(sql, agent!);
  },
  ban: (args) => {
    const { values, positionals } = read(args, { reason: { type: 'string' } }, 1);
    const reason = wanted(values.reason, '--reason');
    return (sql) => commands.ban(sql, positionals[0]!, reason);
  },
  unban: (args) => {
    const [agent] = read(args, {}, 1).positionals;
    return (sql) => commands.unban(sql, agent!);
  },
  'end-season': (args) => {
    const { values } = read(args, { yes: { type: 'boolean' }, in: { type: 'string', default: '0' } }, 0);
    const seconds = count(values.in, '--in');
    return (sql) => commands.endSeason(sql, seconds, values.yes === true ? async () => true : typed);
  },
  'create-invite': (args) => {
    const options = { uses: { type: 'string', default: '1' }, days: { type: 'string' }, note: { type: 'string' } };
    const { values } = read(args, options as Options, 0);
    const invite = {
      uses: count(values.uses, '--uses'),
      days: values.days === undefined ? null : count(values.days, '--days'),
      note: typeof values.note === 'string' ? values.note : null,
    };
    return (sql) => commands.createInvite(sql, invite);
  },
  invites: (args) => {
    read(args, {}, 0);
    return (sql) => commands.listInvites(sql);
  },
  log: (args) => {
    const limit = count(read(args, { limit: PAGE.limit }, 0).values.limit, '--limit');
    return (sql) => commands.showLog(sql, limit);
  },
};

function read(args: string[], options: Options, agents: number) {
  let parsed;
  try {
    parsed = parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  if (parsed.positionals.length !== agents) throw new UsageError(agents === 0 ? 'too many words' : 'name one agent');
  return parsed;
}

function wanted(value: unknown, name: string): string {
  if (typeof value !== 'string' || value === '') throw new UsageError(`${name} is missing`);
  return value;
}

function count(value: unknown, name: string): number {
  const number = Number(value);
  if (!/^\d{1,9}$/.test(String(value))) throw new UsageError(`${name} is a whole number`);
  return number;
}

/** Asks for the number of the season, so that nobody ends one by a slip of the finger. */
async function typed(seasonNumber: number): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const question = `Ends season ${seasonNumber}: tables close, ranks are final, prizes are paid. Type its number to go on: `;
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  try {
    return (await Promise.race([terminal.question(question), closed])).trim() === String(seasonNumber);
  } finally {
    terminal.close();
  }
}

async function main([name = '', ...args]: string[]): Promise<void> {
  if (['', '--help', '-h', 'help'].includes(name)) return console.log(USAGE);
  const command = COMMANDS[name];
  if (command === undefined) throw new UsageError(`there is no command ${name}`);
  const run = command(args);
  const { address, ours, stop } = await findDatabase(loadConfig(), (message) => console.error(message));
  const sql = connect(address, { max: 1, name: 'admin' });
  try {
    // A database that no server works on is brought up to date; beside a server that is the server's part.
    if (ours) await migrate(sql);
    const missing = await missingMigrations(sql);
    if (missing.length > 0) {
      throw new commands.CommandError(
        `the database lacks ${missing.join(', ')}: start the server of this release first`,
      );
    }
    console.log((await run(sql)).join('\n'));
  } finally {
    await sql.end();
    await stop();
  }
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (error instanceof UsageError) {
    console.error(`${error.message}\n\n${USAGE}`);
    process.exitCode = 2;
  } else {
    const plain =
      error instanceof ConfigError || error instanceof FolderInUse || error instanceof commands.CommandError;
    console.error(plain ? error.message : isConnectionError(error) ? `the database is away: ${codeOf(error)}` : error);
    process.exitCode = 1;
  }
}
