import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FULL } from './limits.js';
import { CACHE } from './tiers.js';

/** In ms by file. */
type Times = Readonly<Record<string, number>>;

const root = new URL('../../../', import.meta.url);
/** Durations on this machine. A fresh checkout has none yet. */
const NOTED = join(CACHE, `${FULL ? 'full' : 'suite'}.json`);
/** Durations on a slow machine with other work. */
const SLOW = fileURLToPath(new URL('test/durations.json', root));

/** A file that nobody has timed begins among the longer ones. */
const UNKNOWN_MS = 60_000;
/** No file is given less, in seconds: the machine may be far busier today. */
const LEAST_LIMIT = 900;
const TIMES_LONGER = 10;

/** How long each test file takes: what takes longest begins first, and what takes ten times as long hangs. */
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

  /** In ms: as noted here, or else on the slow machine. */
  of(file: string): number {
    return this.#noted[file] ?? this.slow[file] ?? UNKNOWN_MS;
  }

  /** When a file hangs, in seconds. A full suite does ten times as much as the times of the slow machine are for. */
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

/** Null where there is none, or none that can be read. */
function readTimes(file: string): Times | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Times;
  } catch {
    return null;
  }
}
