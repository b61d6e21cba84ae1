import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BENCHES } from '../../bench/benches.js';
import { CAMPAIGNS } from '../../test/campaigns.js';

/** A command of the project. */
export interface CommandEntry {
  /** As its user calls it. */
  called: string;
  /** The arguments of node. */
  args: readonly string[];
  /** Its module below the project's folder. */
  path: string;
}

const ENTRY = 'src/agent-poker.mjs';

/** Every command that takes options: those of `agent-poker`, each bench, each campaign, each script of package.json. */
export function commandList(root: string): CommandEntry[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  return [
    ...modules(root).map(({ name, path }) => ({ called: `npx agent-poker ${name}`, args: [ENTRY, name], path })),
    ...Object.keys(BENCHES).map((name) => ({
      called: `npx agent-poker bench ${name}`,
      args: ['dist/bench/cli.js', name],
      path: `dist/bench/${name}.js`,
    })),
    ...Object.entries(CAMPAIGNS).map(([name, [, path]]) => ({
      called: `npm run campaign -- ${name}`,
      args: ['dist/test/campaign.js', name],
      path: `dist/test/${path}`,
    })),
    ...Object.entries(scripts).flatMap(([name, script]) => {
      const [, args] = /exec node (.*)$/.exec(script) ?? [];
      if (args === undefined || args.startsWith(ENTRY)) return [];
      const path = args.split(' ').find((arg) => arg.startsWith('dist/'))!;
      return [{ called: name === 'test' ? 'npm test' : `npm run ${name}`, args: args.split(' '), path }];
    }),
  ];
}

/** Modules as the one command names them. `start` and `cluster` take settings, not options. */
const modules = (root: string) =>
  [...readFileSync(join(root, ENTRY), 'utf8').matchAll(/^ {2}(\w+): \['[^']+', '([^']+)'\],$/gm)]
    .map(([, name = '', path = '']) => ({ name, path: `dist/${path}` }))
    .filter(({ name }) => name !== 'start' && name !== 'cluster');
