import { keptByNpm, type Environment } from '../command/kept.js';
import { ConfigError } from './config.js';
import { settings } from './settings.js';

/** Refuses what the command line of the server says, or said to npm: all it knows is --help. Throws ConfigError. */
export function refuseArguments(args: readonly string[], env: Environment): void {
  const [kept] = keptByNpm(Object.keys(settings), env);
  if (kept !== undefined) throw asSetting(optionOf(kept.name), kept.name, kept.value ?? args[0] ?? '…');
  const [first, second] = args;
  if (first === undefined) return;
  const [option, attached] = first.split('=', 2);
  const name = option!.replace(/^-+/, '').replaceAll('-', '_').toUpperCase();
  if (name in settings) throw asSetting(option!, name, attached ?? (second?.startsWith('-') === false ? second : '…'));
  throw new ConfigError(`There is no option ${first}; npx agent-poker start --help lists all settings`);
}

const optionOf = (name: string) => `--${name.toLowerCase().replaceAll('_', '-')}`;

const asSetting = (option: string, name: string, value: string) =>
  new ConfigError(`There is no option ${option}: settings come from the environment: ${name}=${value} npm start`);
