import { appendFileSync, closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Misuse } from '../command/options.js';

/** Registrations under way at a time. */
const AT_ONCE = 8;
/** Where the server says 429 without a Retry-After, or 503. */
const PAUSE_MS = 5000;

/** The keys of a file, one a line; empty lines and those that begin with # are left out. Throws Misuse. */
export function readKeys(file: string): string[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Misuse(`cannot read ${file}: ${(error as NodeJS.ErrnoException).code}`);
  }
  const lines = text.split('\n').map((line) => line.trim());
  const keys = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const odd = keys.findIndex((key) => !/^[\x21-\x7e]{1,200}$/.test(key));
  if (odd >= 0) throw new Misuse(`${file} has a line that is no key: the ${odd + 1}. one`);
  return keys;
}

/** Makes a file that only we can read, for keys to be added to. Throws Misuse where it is there already. */
export function newKeysFile(file: string): (key: string) => void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Misuse(code === 'EEXIST' ? `${file} is there already` : `cannot write ${file}: ${code}`);
  }
  return (key) => appendFileSync(file, `${key}\n`);
}

/** The server does not let us register: the message says why, and what to do. */
export class RegistrationRefused extends Error {}

export interface Registering {
  url: string;
  /** Names without their numbers, for instance `load_x3k9`. */
  name: string;
  /** The first number. */
  first: number;
  count: number;
  onKey: (key: string) => void;
  /** The server wants us to wait so long. */
  onWait: (ms: number) => void;
  /** Ends it early; what is registered by then is resolved to. */
  abort: AbortSignal;
}

/** Registers so many agents; resolves to their keys in the order of their numbers. Throws RegistrationRefused. */
export async function registerAgents({
  url,
  name,
  first,
  count,
  onKey,
  onWait,
  abort,
}: Registering): Promise<string[]> {
  const keys: string[] = [];
  let next = 0;
  /** Nobody asks before. */
  let notBefore = 0;
  const lane = async () => {
    while (next < count && !abort.aborted) {
      const number = next++;
      for (let key: string | number = 0; typeof key === 'number' && !abort.aborted;) {
        const wait = notBefore - performance.now();
        if (wait > 0) {
          await sleep(wait, undefined, { signal: abort }).catch(() => undefined);
          continue;
        }
        key = await register(url, `${name}_${first + number}`, abort);
        if (typeof key === 'string') {
          keys[number] = key;
          onKey(key);
        } else {
          notBefore = Math.max(notBefore, performance.now() + key);
          onWait(key);
        }
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, count) }, lane));
  return keys.filter((key) => key !== undefined);
}

/** The key, or the ms after which to ask again. */
async function register(url: string, name: string, abort: AbortSignal): Promise<string | number> {
  const body = JSON.stringify({ name, email: `${name}@load.example.com`, terms_accepted: true });
  const headers = { 'content-type': 'application/json' };
  let answer: Response;
  try {
    answer = await fetch(`${url}/api/register`, { method: 'POST', headers, body, signal: abort });
  } catch (error) {
    if (abort.aborted) return 0;
    const { cause } = error as { cause?: NodeJS.ErrnoException };
    throw new RegistrationRefused(`${url} does not answer: ${cause?.code ?? (error as Error).message}`);
  }
  const text = await answer.text().catch(() => '');
  if (answer.status === 201) return keyOf(text);
  if (answer.status === 429 || answer.status === 503) {
    return 1000 * Number(answer.headers.get('retry-after') ?? NaN) || PAUSE_MS;
  }
  const reason = text.slice(0, 200);
  throw new RegistrationRefused(
    `${url}/api/register answered ${answer.status} ${reason}: bring keys of your agents by --keys`,
  );
}

function keyOf(text: string): string {
  try {
    const { api_key: key } = JSON.parse(text) as { api_key?: unknown };
    if (typeof key === 'string' && key !== '') return key;
  } catch {
    // Said below.
  }
  throw new RegistrationRefused('the server registers agents, but tells no api_key');
}
