import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { CommandEntry } from './command-list.js';
import { code, page, table } from './markdown.js';

/** docs/reference/commands.md: every command with the text of its --help. */

const ABOUT = `Every command answers \`--help\` with the text that stands here. \`npx agent-poker NAME\` runs in the folder of the
project, or wherever the package is installed. Options of an npm script stand behind \`--\`.`;

const EXITS = `Exit codes: 0 is success, 1 is a failure with its reason, 2 is a wrong option.`;

const WITHOUT_OPTIONS = [
  ['npm ci && npm start', 'the platform: REST, pages and `/ws`; its [settings](settings.md) come from the environment'],
  ['npx agent-poker start', 'the same as `npm start`'],
  ['npx agent-poker cluster', 'the platform as three nodes on one port (`NODES=3`)'],
  ['npm run build', 'compiles everything into `dist/`'],
  ['npm run check', 'types, lint, format and the layers of the code'],
  ['npm run typecheck', 'types of the server and of the pages'],
  ['npm run lint', 'ESLint'],
  ['npm run format', 'Prettier writes; `npm run format:check` compares'],
  ['npm run deps:check', 'the layers of the code'],
  ['npm run web', 'builds the pages; `-- --watch` builds them again after each change'],
  ['npm run sdk:build', 'the package of the TypeScript kit'],
] as const;

/** Reads what --help of a command prints. The environment is empty, so that no setting of this machine shows. */
export async function helpOf(root: string, { args }: CommandEntry): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [...args, '--help'], {
    cwd: root,
    env: { PATH: process.env['PATH'] },
  });
  return stdout;
}

/** `helps`: text of --help by command, as its user calls it. */
export function commandsPage(helps: ReadonlyMap<string, string>): string {
  const part = (title: string, holds: (called: string) => boolean) => {
    const of = [...helps].filter(([called]) => holds(called));
    return [`## ${title}`, ...of.flatMap(([called, help]) => [`### ${code(called)}`, fenced(help)])];
  };
  const isBench = (called: string) => /agent-poker bench \S/.test(called);
  const isCampaign = (called: string) => called.includes('campaign -- ');
  return page('Commands', `${ABOUT} ${EXITS}`.replaceAll('\n', ' '), [
    '## Commands without options',
    table(
      ['command', 'purpose'],
      WITHOUT_OPTIONS.map(([name, does]) => [code(name), does]),
    ),
    ...part('For bots and operators', (called) => called.startsWith('npx') && !isBench(called)),
    ...part('Scripts of npm', (called) => called.startsWith('npm') && !isCampaign(called)),
    ...part('Campaigns', isCampaign),
    ...part('Benches', isBench),
  ]);
}

const fenced = (text: string) => `\`\`\`text\n${text.trimEnd()}\n\`\`\``;
