import { existsSync, statSync } from 'node:fs';
import { command as readCommand } from '../../command/options.js';
import { runToEnd } from '../../command/result.js';
import { loadConfig } from '../../ops/config.js';
import type { Database } from '../../store/database.js';
import { withRole } from '../../store/role-lock.js';
import { CommandError } from '../command.js';
import { inOneLine, withDatabase, type FoundDatabase } from '../find-database.js';
import { restore } from './read.js';
import { backup, type Copied, type BackupProgress } from './write.js';

const shared = {
  options: {},
  words: 'FILE',
  notes: 'Settings of npm start in the environment or ./.env (DATABASE_URL, DATA_DIR) hold.',
};
const COMMANDS = {
  backup: {
    name: 'npx agent-poker backup',
    purpose:
      'Writes the whole database, as of one moment, to a new file. A server may be running.\nExit code 0: done; 1: failed, with the reason; 2: wrong usage.',
    takes: 'about 10 s for a million stored hands; it prints progress every 5 s',
    ...shared,
  },
  restore: {
    name: 'npx agent-poker restore',
    purpose:
      'Fills an empty database from a file of npx agent-poker backup: DATA_DIR=NEW_FOLDER, or an empty DATABASE_URL. Then run\nnpx agent-poker audit. Exit code 0: done; 1: failed, with the reason; 2: wrong usage.',
    takes: 'about 10 s for a million stored hands; it prints progress every 5 s',
    ...shared,
  },
};

const REPORT_MS = 5000;

/** Tells on stderr how far it is, every few seconds. */
function progressReporter(): BackupProgress {
  let next = performance.now() + REPORT_MS;
  return (table, { rows }) => {
    if (performance.now() < next) return;
    next = performance.now() + REPORT_MS;
    console.error(`${count(rows)} rows so far, now ${table}`);
  };
}

const count = (number: number) => number.toLocaleString('en-US');

async function takeBackup(file: string): Promise<Copied> {
  if (existsSync(file)) throw new CommandError(`${file} exists: name a new file`);
  return withDatabase(loadConfig(), 'backup', (sql) => backup(sql, file, progressReporter()));
}

async function takeBack(file: string): Promise<Copied> {
  if (!existsSync(file)) throw new CommandError(`there is no file ${file}`);
  // No server works on it meanwhile; one that starts says that another does.
  const fill = (sql: Database, { address }: FoundDatabase) =>
    withRole(address, 'server', () => restore(sql, file, progressReporter()));
  return withDatabase(loadConfig(), 'restore', fill, { make: true });
}

async function main([command, ...args]: string[]): Promise<number> {
  const asked = command === 'restore' ? COMMANDS.restore : COMMANDS.backup;
  const [file = ''] = readCommand(asked, args).words;
  const { tables, rows } = await (command === 'restore' ? takeBack(file) : takeBackup(file));
  const bytes = count(statSync(file).size);
  console.log(
    command === 'restore'
      ? `${count(rows)} rows of ${tables} tables are restored from ${file}. Check them: npx agent-poker audit`
      : `${count(rows)} rows of ${tables} tables are in ${file} (${bytes} bytes)`,
  );
  return 0;
}

await runToEnd(
  () => main(process.argv.slice(2)),
  (error) => {
    console.error(error instanceof CommandError ? error.message : (inOneLine(error) ?? error));
    return 1;
  },
);
