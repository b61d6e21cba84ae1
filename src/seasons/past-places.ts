/** Places by score as they were: of the last hour every five minutes, of the last day every hour. */
const HOUR_MS = 3_600_000;
const LADDERS = [
  { everyMs: HOUR_MS / 12, backMs: HOUR_MS },
  { everyMs: HOUR_MS, backMs: 24 * HOUR_MS },
] as const;

interface Look {
  at: number;
  /** Place by the number of the agent, 0 where it had none. */
  places: Int32Array;
}

/** Null where it is not known: the server began later, or the agent had no place then. */
export interface PastPlaces {
  hourAgo: number | null;
  dayAgo: number | null;
}

/**
 * Remembers who had which place an hour and a day ago, give or take the steps. In memory alone: after a restart of the
 * server it is not known for as long. For a hundred thousand agents it keeps some 15 MB.
 */
export class PlaceMemory {
  /** Agents in the order in which they were first seen. */
  readonly #numbers = new Map<string, number>();
  readonly #ladders: Look[][] = LADDERS.map(() => []);

  /** Another season begins. */
  clear(): void {
    this.#numbers.clear();
    for (const looks of this.#ladders) looks.length = 0;
  }

  /** Whether it is time to `see` who stands where (ms, of any clock that goes on). */
  due(now: number): boolean {
    return LADDERS.some(({ everyMs }, i) => now - (this.#ladders[i]!.at(-1)?.at ?? -Infinity) >= everyMs);
  }

  /** Best first. */
  see(now: number, ranked: Iterable<string>): void {
    const order = Array.from(ranked, (agentId) => this.#numberOf(agentId));
    const places = new Int32Array(this.#numbers.size);
    order.forEach((number, place) => (places[number] = place + 1));
    for (const [i, { everyMs, backMs }] of LADDERS.entries()) {
      const looks = this.#ladders[i]!;
      if (now - (looks.at(-1)?.at ?? -Infinity) >= everyMs) looks.push({ at: now, places });
      // One that is old enough stays; what is older than that is of no use.
      while (looks.length > 1 && now - looks[1]!.at >= backMs) looks.shift();
    }
  }

  of(agentId: string, now: number): PastPlaces {
    const number = this.#numbers.get(agentId);
    const [hourAgo = null, dayAgo = null] = LADDERS.map(({ everyMs, backMs }, i) => {
      const past = this.#ladders[i]!.findLast(({ at }) => now - at >= backMs);
      // Where the standings could not be read for a while there was no look either.
      if (number === undefined || past === undefined || now - past.at >= backMs + 2 * everyMs) return null;
      return past.places[number] || null;
    });
    return { hourAgo, dayAgo };
  }

  #numberOf(agentId: string): number {
    const known = this.#numbers.get(agentId);
    if (known !== undefined) return known;
    this.#numbers.set(agentId, this.#numbers.size);
    return this.#numbers.size - 1;
  }
}
