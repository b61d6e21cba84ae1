/** Clocks that differ by more, or a clock that steps by more, are not to be trusted. In ms. */
const STEP_MS = 60_000;
/** Readings that agree for so long are. */
const AGREE_MS = 60_000;
/** How often a difference that stays is said again. */
const SAY_MS = 3_600_000;

interface Machine {
  /** ms of a clock that follows no step. */
  steady(): number;
  /** Epoch ms as this machine has it. */
  wall(): number;
}

const MACHINE: Machine = { steady: () => performance.now(), wall: () => Date.now() };

export interface ClockLog {
  error(detail: object, message: string): void;
  info(detail: object, message: string): void;
}

const SILENT: ClockLog = { error: () => undefined, info: () => undefined };

/** The two clocks' offsets from the steady one. */
interface Offsets {
  database: number;
  wall: number;
}

/**
 * The time of all dates: the database's, read with each renewal of the lease. In between this machine's steady clock
 * goes on. If a clock steps by more than a minute, or the two differ by as much, the clock continues as before. It is
 * uncertain until readings agree for a minute. Then the database's clock holds again, whatever it says.
 */
export class DatabaseClock {
  /** Epoch ms of the dates beyond the steady clock. */
  #offset: number | null = null;
  /** The first of the readings that agree. */
  #first: (Offsets & { at: number }) | null = null;
  #certain = true;
  #saidAt = -Infinity;

  constructor(
    private readonly log: ClockLog = SILENT,
    private readonly machine: Machine = MACHINE,
  ) {}

  /** Epoch ms. By this machine until the database was read. */
  now(): number {
    return this.#offset === null ? this.machine.wall() : this.#offset + this.machine.steady();
  }

  /** Whether what cannot be undone may be done because of a date. */
  get certain(): boolean {
    return this.#certain;
  }

  /** ms of the steady clock, for `read`. */
  asking(): number {
    return this.machine.steady();
  }

  /** The database said so (epoch ms) at some time since `asked`. */
  read(database: number, asked: number): void {
    const { steady, wall } = this.machine;
    const at = steady();
    const earliest = database - at;
    const latest = database - asked;
    const seen = { database: (earliest + latest) / 2, wall: wall() - at };
    const slack = (latest - earliest) / 2;
    const known = this.#first;
    if (known === null) {
      this.#offset = seen.database;
      this.#first = { ...seen, at };
      return this.#compare(seen, at);
    }
    const steps = { database: seen.database - known.database, wall: seen.wall - known.wall };
    if (Math.abs(steps.database) > STEP_MS + slack || Math.abs(steps.wall) > STEP_MS) {
      this.#first = { ...seen, at };
      return this.#doubt(at, 'a clock has jumped', seen, steps);
    }
    if (this.#certain) {
      // Within what the reading leaves open it stays; clocks that run apart are followed.
      this.#offset = Math.min(Math.max(this.#offset!, earliest), latest);
      this.#first = { database: this.#offset, wall: seen.wall, at };
      return this.#compare(seen, at);
    }
    if (at - known.at < AGREE_MS) return;
    this.#certain = true;
    const moved = seen.database - this.#offset!;
    this.#offset = seen.database;
    this.#first = { ...seen, at };
    this.log.info({ moved_seconds: inSeconds(moved), ...this.#figures(seen) }, 'the clocks agree again: dates go on');
    this.#saidAt = at;
  }

  /** A difference is doubted once, since readings that agree outlast it, and said as long as it stays. */
  #compare(seen: Offsets, at: number): void {
    const differs = Math.abs(seen.database - seen.wall) > STEP_MS;
    if (!differs) this.#saidAt = -Infinity;
    else if (this.#saidAt === -Infinity) this.#doubt(at, 'the clocks differ', seen);
    else if (at - this.#saidAt >= SAY_MS) this.#say(at, 'the clocks differ', seen);
  }

  #doubt(at: number, what: string, seen: Offsets, steps?: Offsets): void {
    this.#certain = false;
    this.#say(at, `${what}: nothing that cannot be undone is done until readings agree for a minute`, seen, steps);
  }

  #say(at: number, words: string, seen: Offsets, steps?: Offsets): void {
    this.#saidAt = at;
    const jumped = steps && {
      database_jumped_seconds: inSeconds(steps.database),
      own_jumped_seconds: inSeconds(steps.wall),
    };
    this.log.error({ ...this.#figures(seen), ...jumped }, words);
  }

  #figures({ database, wall }: Offsets): object {
    return { database_ahead_seconds: inSeconds(database - wall) };
  }
}

const inSeconds = (ms: number) => Math.round(ms) / 1000;
