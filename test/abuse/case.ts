import type { Target } from '../fuzz/raw-socket.js';
import type { ForkedPlatform } from '../support/forked-platform.js';
import type { Account, Env } from '../support/platform.js';

/** One way in which a client may try to spoil the game for all others. */
export interface AbuseCase {
  /** As the command line names it. */
  name: string;
  /** The attack in one line. */
  what: string;
  /** Settings beside the defaults. */
  env?: Env;
  /** How many honest bots play, at one table; without, four tables of six. */
  honest?: number;
  /** The least part of their hands that honest clients keep; without, that of all cases. */
  handsShare?: number;
  /** How long the attack lasts before it is judged what the honest feel, in ms. */
  afterMs?: number;
  /** In the suite's small form: limits that the smaller attack meets as well. */
  small?: Env;
  /** Why honest clients feel more than they may here, where that is not ours to mend; null: they may not. */
  knownLimit?(): string | null;
  /** The platform's defences that the attacker must meet, each at least once. */
  meets: readonly string[];
  /** Attacks until the signal is aborted, and leaves nothing open; counts in `ground.met` what it meets. */
  run(ground: Ground, signal: AbortSignal): Promise<void>;
}

/** Where a case takes place. */
export interface Ground {
  readonly platform: ForkedPlatform;
  /** The server as the attacker reaches it, from one address that is not that of the honest. */
  readonly target: Target;
  readonly met: Met;
  /** So many, or the fewer of the suite's small form: at least one. */
  many(count: number): number;
  /** New agents of the attacker. */
  agents(count: number): Promise<Account[]>;
  /** Work before the attack itself. Call it at once. */
  prepares<T>(work: Promise<T>): Promise<T>;
}

/** The defences that the attacker met, counted by name. */
export class Met {
  readonly counts = new Map<string, number>();
  readonly #waiting = new Set<() => void>();

  count(name: string): void {
    this.counts.set(name, 1 + (this.counts.get(name) ?? 0));
    for (const tell of [...this.#waiting]) tell();
  }

  has(names: readonly string[]): boolean {
    return names.every((name) => this.counts.has(name));
  }

  /** Resolves when all of these were met. */
  async all(names: readonly string[]): Promise<void> {
    let tell: () => void = () => undefined;
    await new Promise<void>((resolve) => {
      tell = () => this.has(names) && resolve();
      this.#waiting.add(tell);
      tell();
    });
    this.#waiting.delete(tell);
  }

  toString(): string {
    return [...this.counts].map(([name, count]) => `${count} ${name}`).join(', ') || 'nothing';
  }
}
