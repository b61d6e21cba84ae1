import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { commandList } from './command-list.js';
import { commandsPage, helpOf } from './commands.js';
import { errorsPage } from './errors.js';
import { messagesPage } from './messages.js';
import { metricsPage } from './metrics.js';
import { restPage } from './rest.js';
import { settingsPage } from './settings.js';

/** The pages of docs/reference by path from the project's folder, but for the page of commands. */
export async function referencePages(root: string): Promise<Record<string, string>> {
  return {
    'docs/reference/rest.md': restPage(),
    'docs/reference/messages.md': messagesPage(),
    'docs/reference/errors.md': errorsPage(),
    'docs/reference/settings.md': settingsPage(await readFile(join(root, '.env.example'), 'utf8')),
    'docs/reference/metrics.md': await metricsPage(),
  };
}

/** The page of commands. Runs every command with --help, as many at a time as there are cores. */
export async function commandsReference(root: string): Promise<Record<string, string>> {
  const commands = commandList(root);
  const helps = new Map(commands.map(({ called }) => [called, '']));
  const queue = [...commands];
  const lane = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      helps.set(next.called, await helpOf(root, next));
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
  return { 'docs/reference/commands.md': commandsPage(helps) };
}
