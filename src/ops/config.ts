import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { ConfigError } from './config-error.js';
import { loadDotenv, readDotenv } from './dotenv.js';
import { settings, type Config, type Setting, type SettingName } from './settings.js';

export { ConfigError } from './config-error.js';
export type { Config } from './settings.js';

const names = Object.keys(settings) as SettingName[];

/**
 * Reads the settings from an environment and a .env file (the environment wins; an empty value is none). Throws
 * ConfigError on a bad value, on an unknown name in .env, and on a near miss of a known name in either.
 */
export function readConfig(env: Record<string, string | undefined>, dotenv: string | Uint8Array = ''): Config {
  const file = readDotenv(dotenv);
  for (const name of Object.keys(file)) if (!(name in settings)) throw unknown(name, '.env');
  for (const name of Object.keys(env)) if (!(name in settings) && nearMiss(name)) throw unknown(name, 'environment');

  const given = { ...notEmpty(file), ...notEmpty(env) };
  const production = (given['NODE_ENV'] ?? 'development') === 'production';
  if (production) refuseMissing(given);
  const config: Record<string, unknown> = {};
  for (const name of names) {
    const { schema, fallback, production: inProduction } = settings[name] as Setting;
    const raw = given[name] ?? (production ? (inProduction ?? fallback) : fallback);
    config[name] = raw === undefined ? undefined : parse(name, schema, raw);
  }
  if (config['PUBLIC_URL'] !== undefined) config['PUBLIC_URL'] = originOf(String(config['PUBLIC_URL']));
  if (production && !String(config['PUBLIC_URL']).startsWith('https:')) {
    throw new ConfigError('PUBLIC_URL must begin with https: in production: the sign-in session is for TLS only.');
  }
  refusePartialChain(config);
  refusePartialCluster(config);
  if (production) refuseUnprovenWallets(config);
  return withPassword(config as Config);
}

const notEmpty = (values: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));

/** PUBLIC_URL as links and cookies need it: the origin. Pages, REST and sockets stand at its root. */
function originOf(publicUrl: string): string {
  const url = URL.canParse(publicUrl) ? new URL(publicUrl) : null;
  if (url !== null && url.href === `${url.origin}/`) return url.origin;
  throw new ConfigError(
    `PUBLIC_URL=${JSON.stringify(publicUrl)} is not valid: https://poker.example.com. It has no path, query or user, because pages, REST and sockets need the root of a host name.`,
  );
}

/** Names all that production needs and does not have, at once. */
function refuseMissing(given: Readonly<Record<string, unknown>>): void {
  const missing = names.filter((name) => (settings[name] as Setting).neededInProduction && given[name] === undefined);
  if (missing.length === 0) return;
  const described = missing.map((name) => `${name} (${(settings[name] as Setting).form ?? settings[name].help})`);
  throw new ConfigError(`production needs ${described.join('; ')}.`);
}

/** The password joins its URL here, written as URLs want it, so that it may have any character. */
function withPassword(config: Config): Config {
  const { DATABASE_URL, DATABASE_PASSWORD } = config;
  if (DATABASE_PASSWORD === undefined || DATABASE_URL === undefined) return config;
  const [, scheme, user, password, rest] = /^(\w+:\/\/)([^:@/?]*)(:[^@/]*)?@(.*)$/s.exec(DATABASE_URL) ?? [];
  if (user === undefined)
    throw new ConfigError('DATABASE_PASSWORD needs a DATABASE_URL with a user: postgres://user@host/database.');
  if (password !== undefined) return config;
  return { ...config, DATABASE_URL: `${scheme}${user}:${encodeURIComponent(DATABASE_PASSWORD)}@${rest}` };
}

/** A node of a cluster needs an address, a secret and the shared database. */
function refusePartialCluster(config: Record<string, unknown>): void {
  const { NODES, NODE_ADDRESS, CLUSTER_SECRET, DATABASE_URL } = config;
  if (NODE_ADDRESS === undefined) {
    if (CLUSTER_SECRET !== undefined && NODES === 1)
      throw new ConfigError('CLUSTER_SECRET does nothing without NODE_ADDRESS, where other nodes reach this one.');
    return;
  }
  if (CLUSTER_SECRET === undefined)
    throw new ConfigError(
      'NODE_ADDRESS needs CLUSTER_SECRET, the same for all nodes: a random text of 16 characters or more.',
    );
  if (DATABASE_URL === undefined) throw new ConfigError('NODE_ADDRESS needs DATABASE_URL, the database of all nodes.');
  if (NODES !== 1)
    throw new ConfigError('NODES starts nodes that have addresses of their own: leave NODE_ADDRESS out.');
  const tls = ['NODE_TLS_KEY', 'NODE_TLS_CERT'].filter((name) => config[name] === undefined);
  if (tls.length === 1)
    throw new ConfigError(`${tls[0]} is missing: https between nodes needs a key and a certificate.`);
}

/** Credits need all of the chain's settings, or none. */
function refusePartialChain(config: Record<string, unknown>): void {
  const needed = ['RPC_URL', 'CHAIN_ID', 'TOKEN_ADDRESS', 'TREASURY_ADDRESS'];
  const missing = needed.filter((name) => config[name] === undefined);
  if (missing.length > 0 && missing.length < needed.length) {
    throw new ConfigError(`${missing.join(', ')} missing: the chain needs all of ${needed.join(', ')}, or none.`);
  }
}

/** The ids that development nodes give their chains; whoever runs another private chain lets wallets be proven. */
const PRIVATE_CHAINS: readonly unknown[] = [1337, 31_337];

/** On a public chain anybody could claim anybody's transfers. */
function refuseUnprovenWallets({ WALLET_PROOF: proof, CHAIN_ID: chainId }: Record<string, unknown>): void {
  if (proof !== 'off' || chainId === undefined || PRIVATE_CHAINS.includes(chainId)) return;
  const own = PRIVATE_CHAINS.join(' or ');
  throw new ConfigError(
    `WALLET_PROOF=off is for a private chain (CHAIN_ID ${own}), not for ${String(chainId)} in production.`,
  );
}

/** Where settings come from: an environment, and the folder of a .env file. */
export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
}

/** readConfig of these surroundings, by default those of the process. */
export function loadConfig({ env, cwd }: Surroundings = { env: process.env, cwd: process.cwd() }): Config {
  return readConfig(env, loadDotenv(cwd));
}

const ABOUT = `npm start -- [--help]

The platform: REST, /docs and the bots' /ws on PORT, until Ctrl-C or SIGTERM. Exit code 0: it was stopped; 1: it could not
start or go on, with the reason.

Takes a second or two to open, and longer if it creates its database first.

Settings, from the environment or ./.env, such as PORT=9000 npm start:`;

/** The text of `npx agent-poker start --help`. */
export function describeSettings(): string {
  const longest = Math.max(...names.map(({ length }) => length));
  const lines = names.map((name) => {
    const { fallback, production, neededInProduction, help } = settings[name] as Setting;
    const inProduction = neededInProduction ? 'needed in production' : production && `production ${production}`;
    const shown = [fallback, inProduction].filter(Boolean).join('; ');
    const value = shown === '' ? '' : ` [${shown}]`;
    return `  ${name.padEnd(longest + 1)}${help}${value}`;
  });
  return `${ABOUT}\n\n${lines.join('\n')}\n\n  ${'--help'.padEnd(longest + 1)}this text\n`;
}

/** A number is written out: typebox would take 1.5, true and 0x10 for one. */
const WHOLE = /^-?\d+$/;

function parse(name: SettingName, schema: TSchema, raw: string): unknown {
  const items = 'items' in schema ? (schema.items as TSchema) : null;
  const parts = items === null ? [raw] : raw.split(',').map((part) => part.trim());
  const { type } = (items ?? schema) as { type?: string };
  const isWritten = type !== 'integer' || parts.every((part) => WHOLE.test(part));
  const value = Value.Convert(schema, items === null ? raw : parts);
  if (isWritten && Value.Check(schema, value)) return value;
  const shown = (settings[name] as Setting).secret ? '(hidden)' : JSON.stringify(raw);
  const { form, help } = settings[name] as Setting;
  throw new ConfigError(`${name}=${shown} is not valid: ${form ?? expectation(schema)}. ${help}.`);
}

/** The schema's expectation, in words. */
function expectation(schema: TSchema): string {
  const s = schema as {
    type?: string;
    minimum?: number;
    maximum?: number;
    anyOf?: { const: string }[];
    items?: TSchema;
    pattern?: string;
    minLength?: number;
  };
  if (s.anyOf) return `one of ${s.anyOf.map((option) => option.const).join(', ')}`;
  if (s.type === 'integer') return `a whole number from ${s.minimum} to ${s.maximum}`;
  if (s.type === 'boolean') return 'true or false';
  if (s.items) return `a comma-separated list, each ${expectation(s.items)}`;
  if (s.pattern) return `a text of the form ${s.pattern}`;
  return `a text of at least ${s.minLength ?? 0} character${s.minLength === 1 ? '' : 's'}`;
}

function unknown(name: string, where: string): ConfigError {
  const meant = nearMiss(name);
  return new ConfigError(`unknown setting ${name} in ${where}${meant ? `: did you mean ${meant}?` : ''}`);
}

const bare = (name: string) => name.toUpperCase().replace(/[^A-Z0-9]/g, '');

/** The setting that a wrong name probably means: the same but for case and punctuation, or a slip of the finger. */
function nearMiss(name: string): SettingName | undefined {
  return names.find((known) => {
    if (bare(known) === bare(name)) return true;
    const slips = known.length >= 10 ? 2 : known.length >= 6 ? 1 : 0;
    // Most of an environment is nowhere near, as its length tells.
    return slips > 0 && Math.abs(known.length - name.length) <= slips && distance(known, name) <= slips;
  });
}

/** Edit distance in which two neighbours swapped count as one slip (optimal string alignment). */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, i) => i)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, substitution));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) row[j] = Math.min(row[j]!, rows[i - 2]![j - 2]! + 1);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
