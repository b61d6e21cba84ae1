import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { settings, type Config, type Setting, type SettingName } from './settings.js';

export type { Config } from './settings.js';

/** A setting is wrong: its message is one clear line for the operator, and the start stops there. */
export class ConfigError extends Error {}

const names = Object.keys(settings) as SettingName[];

/**
 * Reads the settings from an environment and the text of a .env file (the environment wins). Throws ConfigError on a
 * bad value, on an unknown name in .env, and on a name in either that is a near miss of a known one.
 */
export function readConfig(env: Record<string, string | undefined>, dotenv = ''): Config {
  const file = parseEnv(dotenv);
  for (const name of Object.keys(file)) if (!(name in settings)) throw unknown(name, '.env');
  for (const name of Object.keys(env)) if (!(name in settings) && nearMiss(name)) throw unknown(name, 'environment');

  const given = { ...file, ...Object.fromEntries(Object.entries(env).filter(([, value]) => value !== '')) };
  const production = (given['NODE_ENV'] ?? 'development') === 'production';
  const config: Record<string, unknown> = {};
  for (const name of names) {
    const { schema, fallback, production: inProduction, neededInProduction, help } = settings[name] as Setting;
    if (production && neededInProduction && given[name] === undefined) {
      throw new ConfigError(`${name} is needed in production: ${help}.`);
    }
    const raw = given[name] ?? (production ? (inProduction ?? fallback) : fallback);
    config[name] = raw === undefined ? undefined : parse(name, schema, raw);
  }
  if (production && !String(config['PUBLIC_URL']).startsWith('https:')) {
    throw new ConfigError('PUBLIC_URL must begin with https: in production: the sign-in session is for TLS only.');
  }
  refusePartialChain(config);
  return config as Config;
}

/** Credits need all of the chain's settings, or none. */
function refusePartialChain(config: Record<string, unknown>): void {
  const needed = ['RPC_URL', 'CHAIN_ID', 'TOKEN_ADDRESS', 'TREASURY_ADDRESS'];
  const missing = needed.filter((name) => config[name] === undefined);
  if (missing.length > 0 && missing.length < needed.length) {
    throw new ConfigError(`${missing.join(', ')} missing: the chain needs all of ${needed.join(', ')}, or none.`);
  }
}

/** readConfig of this process: process.env and ./.env. */
export function loadConfig(): Config {
  return readConfig(process.env, existsSync('.env') ? readFileSync('.env', 'utf8') : '');
}

/** The text of `npm start -- --help`. */
export function describeSettings(): string {
  const lines = names.map((name) => {
    const { fallback, production, neededInProduction, help } = settings[name] as Setting;
    const inProduction = neededInProduction ? 'needed in production' : production && `production ${production}`;
    const shown = [fallback, inProduction].filter(Boolean).join('; ');
    const value = shown === '' ? '' : ` [${shown}]`;
    return `  ${name.padEnd(26)}${help}${value}`;
  });
  return `Settings, from the environment or ./.env:\n\n${lines.join('\n')}\n`;
}

function parse(name: SettingName, schema: TSchema, raw: string): unknown {
  const isList = 'items' in schema;
  const value = Value.Convert(schema, isList ? raw.split(',').map((part) => part.trim()) : raw);
  if (Value.Check(schema, value)) return value;
  const shown = (settings[name] as Setting).secret ? '(hidden)' : JSON.stringify(raw);
  throw new ConfigError(`${name}=${shown} is not valid: ${expectation(schema)}. ${settings[name].help}.`);
}

/** What a schema wants, in words. */
function expectation(schema: TSchema): string {
  const s = schema as {
    type?: string;
    minimum?: number;
    maximum?: number;
    anyOf?: { const: string }[];
    items?: TSchema;
    pattern?: string;
  };
  if (s.anyOf) return `one of ${s.anyOf.map((option) => option.const).join(', ')}`;
  if (s.type === 'integer') return `a whole number from ${s.minimum} to ${s.maximum}`;
  if (s.type === 'boolean') return 'true or false';
  if (s.items) return `a comma-separated list, each ${expectation(s.items)}`;
  if (s.pattern) return `a text of the form ${s.pattern}`;
  return 'a text of sufficient length';
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
    return slips > 0 && distance(known, name) <= slips;
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
