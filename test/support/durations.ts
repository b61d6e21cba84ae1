import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FULL } from './limits.js';
import { CACHE } from './tiers.js';

/** Durations in ms, by file. */
type Times = Readonly<Record<string, number>>;

const root = new URL('../../../', import.meta.url);
/** Durations on this machine. A fresh checkout has none yet. */
const NOTED = join(CACHE, `${FULL ? 'full' : 'suite'}.json`);
/** Durations on a slow machine with other work. */
const SLOW = fileURLToPath(new URL('test/durations.json', root));

/** A file without a duration begins among the longer ones. */
const UNKNOWN_MS = 60_000;
/** The least limit of a file, in seconds: the machine may be far busier today. */
const LEAST_LIMIT = 900;
const TIMES_LONGER = 10;

/** How long each test file takes. The longest file begins first, and a file that takes ten times as long hangs. */
export class Durations {
  readonly #noted: Record<string, number>;

  constructor(
    noted: Times,
    private readonly slow: Times,
    private readonly full = FULL,
  ) {
    this.#noted = { ...noted };
  }

  static read(): Durations {
    return new Durations(readTimes(NOTED) ?? {}, readTimes(SLOW) ?? {});
  }

  /** In ms: as noted on this machine, or else on the slow machine. */
  of(file: string): number {
    return this.#noted[file] ?? this.slow[file] ?? UNKNOWN_MS;
  }

  /** The limit of a file, in seconds. A full suite does ten times as much as the slow machine's durations cover. */
  limit(file: string): number {
    const slow = (this.slow[file] ?? UNKNOWN_MS) * (this.full ? 10 : 1);
    return Math.max(LEAST_LIMIT, Math.ceil((TIMES_LONGER * Math.max(slow, this.#noted[file] ?? 0)) / 1000));
  }

  note(file: string, ms: number): void {
    this.#noted[file] = Math.round(ms);
  }

  write(): void {
    mkdirSync(dirname(NOTED), { recursive: true });
    writeFileSync(NOTED, `${JSON.stringify(this.#noted, null, 2)}\n`);
  }
}

/** Null for a missing or unreadable file. */
function readTimes(file: string): Times | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Times;
  } catch {
    return null;
  }
}
