import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { ConfigError } from './config-error.js';
import { fileTrouble } from './file-trouble.js';

const FILE = '.env';
const ASSIGNMENT = /^\s*(?:export\s+)?[\w.-]+\s*=\s*(?<value>.*)$/;

/** The settings of .env, as a text or as the bytes of the file. Throws ConfigError where it is no list of settings. */
export function readDotenv(content: string | Uint8Array): Record<string, string> {
  const text = typeof content === 'string' ? content : decoded(content);
  if (text.startsWith('\uFEFF')) throw wrong('begins with a byte-order mark (BOM): save it as UTF-8 without one');
  refuseOtherLines(text);
  return parseEnv(text) as Record<string, string>;
}

/** The bytes of a folder's .env; none where there is no such file. */
export function loadDotenv(folder: string): Uint8Array {
  const path = join(folder, FILE);
  if (!existsSync(path)) return new Uint8Array();
  try {
    return readFileSync(path);
  } catch (cause) {
    throw wrong(`cannot be read: ${fileTrouble(cause)}`, cause);
  }
}

function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || bytes.includes(0);
  if (isUtf16) throw wrong('is UTF-16: save it as UTF-8');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw wrong('is not UTF-8: save it as UTF-8', cause);
  }
}

/** A line is blank, a comment, an assignment, or part of a value in quotes. No line is shown: it may be a secret. */
function refuseOtherLines(text: string): void {
  let quote: string | null = null;
  for (const [n, line] of text.split(/\r\n|\r|\n/).entries()) {
    if (quote !== null) {
      if (line.includes(quote)) quote = null;
      continue;
    }
    if (/^\s*(#.*)?$/.test(line)) continue;
    const value = ASSIGNMENT.exec(line)?.groups?.['value'];
    if (value === undefined) throw wrong(`line ${n + 1} is no setting: write NAME=value, or # before a comment`);
    const [opening] = value;
    if (opening !== undefined && `"'\``.includes(opening) && !value.includes(opening, 1)) quote = opening;
  }
}

const wrong = (what: string, cause?: unknown) => new ConfigError(`${FILE} ${what}.`, { cause });
