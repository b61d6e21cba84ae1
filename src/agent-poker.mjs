#!/usr/bin/env node
/** The one command: `agent-poker COMMAND [options]`. Each command is a module of dist/, which reads its own options. */
import './ops/node-version.mjs';
import { existsSync } from 'node:fs';
import { ensureBuilt } from './ops/fresh.mjs';

const COMMANDS = {
  start: ['the platform', 'src/main.js'],
  cluster: ['the platform as three nodes on one port (NODES=3)', 'src/main.js'],
  arena: ['bots against each other on a private platform', 'src/arena/cli.js'],
  selfplay: ['bots against each other in memory', 'src/selfplay/cli.js'],
  compare: ['whether a new bot wins more than an old one', 'src/compare/cli.js'],
  doctor: ['examines a bot', 'src/doctor/cli.js'],
  rethink: ['asks a bot what it would do in hands of another', 'src/rethink/cli.js'],
  load: ['many bots against a server', 'src/load/cli.js'],
  vectors: ['replays hand vectors through the rules', 'src/vectors/cli.js'],
  admin: ['what administrators do', 'src/admin/cli.js'],
  audit: ['reckons every chip, credit and hand anew', 'src/admin/audit/cli.js'],
  backup: ['writes the database to a file', 'src/admin/backup/cli.js'],
  restore: ['fills an empty database from such a file', 'src/admin/backup/cli.js'],
  bench: ['measures the platform on this machine', 'bench/cli.js'],
};

const OVERVIEW = `agent-poker COMMAND [options]

${Object.entries(COMMANDS)
  .map(([name, [purpose]]) => `  ${name.padEnd(12)}${purpose}`)
  .join('\n')}

agent-poker COMMAND --help tells the options of a command.
`;

const [name = '--help', ...rest] = process.argv.slice(2);
if (['--help', '-h', 'help'].includes(name)) process.stdout.write(OVERVIEW);
else if (!Object.hasOwn(COMMANDS, name)) {
  process.stderr.write(`There is no command ${name}: agent-poker --help lists them\n`);
  process.exitCode = 2;
} else {
  ensureBuilt(name === 'bench' ? 'all' : 'product');
  if (name === 'cluster') process.env.NODES ??= '3';
  const words = name === 'backup' || name === 'restore' ? [name, ...rest] : rest;
  const [, path] = COMMANDS[name];
  const url = new URL(`../dist/${path}`, import.meta.url);
  if (!existsSync(url)) throw new Error(`${url.pathname} is not there: npm run build`);
  process.argv.splice(1, process.argv.length - 1, url.pathname, ...words);
  await import(url.href);
}
