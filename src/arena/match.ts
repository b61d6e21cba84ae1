import { setTimeout as sleep } from 'node:timers/promises';
import { dismiss, enterBuiltIn, enterProgram, tableOfEntrant, type ArenaEntrant, type External } from './entrants.js';
import { openPlatform, type PrivatePlatform } from './platform.js';
import type { Database } from '../store/database.js';
import { stakesOf } from '../store/stakes.js';

/** Amounts in chips. */
export interface PlayerResult {
  agentId: string;
  hands: number;
  /** Won less lost, and the sum of the squares of each hand's. */
  profit: number;
  squares: number;
  /** The most that a hand could lose and win. */
  risk: number;
  chance: number;
  rebuys: number;
  /** Place of its last hand among all hands of the match, from 1, by their ends. */
  lastHand: number;
}

/** Figures of the records of finished hands. */
export interface MatchResults {
  hands: number;
  /** From the first hand's start to the last one's end. */
  seconds: number;
  players: PlayerResult[];
}

/** The first `limit` hands that began at `since` (epoch ms) or later. */
async function readResults(sql: Database, since: number, limit: number): Promise<MatchResults> {
  const played = sql`
    select *, row_number() over (order by ended_at, hand_id)::int as place from hands where started_at >= ${new Date(since)} order by ended_at, hand_id limit ${limit}`;
  const [total] = await sql<{ hands: number; seconds: number | null }[]>`
    select count(*) as hands, extract(epoch from max(ended_at) - min(started_at))::float8 as seconds
    from (${played}) as played`;
  const players = await sql<PlayerResult[]>`
    with played as (${played}), held as (
      select p.agent_id, p.stack_end - p.stack_start as won, place, ${stakesOf(sql, 1)}
      from hand_players p join played using (pool_id, hand_id)), sums as (
      select agent_id, count(*) as hands, sum(won)::bigint as profit, sum(won ^ 2)::float8 as squares,
        max(risk) as risk, max(chance) as chance, max(place) as "lastHand"
      from held group by agent_id)
    select agent_id as "agentId", hands, profit, squares, risk, chance, rebuys, "lastHand"
    from sums join entries using (agent_id)`;
  return { hands: total?.hands ?? 0, seconds: total?.seconds ?? 0, players: [...players] };
}

/** As much of a hand_result as tells it from others. */
interface HandSeen {
  table_id: string;
  hand_id: string;
  table_seq: number;
}

/** Counts finished hands, each once, however many players of its table tell of it. */
export class HandCount {
  /** The last hand of each table. */
  #last = new Map<string, HandSeen>();
  #total = 0;
  #counting = false;
  /** When the last hand was counted, by performance.now(). */
  lastAt = performance.now();

  get total(): number {
    return this.#total;
  }

  /** Hands that begin from now on count. */
  start(): void {
    this.#last = new Map();
    this.#counting = true;
    this.lastAt = performance.now();
  }

  /** True when the hand counts, and was not counted before. */
  see({ table_id, hand_id, table_seq }: HandSeen): boolean {
    const last = this.#last.get(table_id);
    if (last !== undefined && (hand_id === last.hand_id || table_seq < last.table_seq)) return false;
    this.#last.set(table_id, { table_id, hand_id, table_seq });
    // The first hand that a table tells of may have begun before the start.
    if (!this.#counting || last === undefined) return false;
    this.lastAt = performance.now();
    this.#total++;
    return true;
  }
}

export interface ArenaOptions {
  /** All bots, programs included. */
  bots: number;
  /** Shell commands that start a bot program each. */
  programs: readonly string[];
  /** Hands over all tables. */
  hands: number;
  threads: number;
  /** The seed of the built-in bots' dice. The cards are shuffled securely in any case. */
  seed?: number;
  /** Folder for a log of each program, relative to `cwd`. */
  logs: string;
  /** Environment and folder of the caller, for the programs; its rules of play hold for the platform. */
  env: NodeJS.ProcessEnv;
  cwd: string;
}

export interface MatchWatcher {
  progress(hands: number): void;
  /** Something that its user should know. */
  note(text: string): void;
}

export interface ArenaResult extends MatchResults {
  entrants: readonly ArenaEntrant[];
  /** By agent: who had stopped playing long before the end. */
  satOut: ReadonlyMap<string, SatOut>;
  /** Why it ended before all hands were played; null when they were. */
  failure: string | null;
}

/** A program that stopped playing while it ran on. */
export interface SatOut {
  /** The last hand of the match in which it had cards; 0: never. */
  sinceHand: number;
  /** The platform's last refusal, or its reason for sending the bot away. */
  lastError: string | null;
}

/**
 * Busts and changes of the table take a bot away for a few hands. It sits out when it misses more than these and is not
 * on its way back.
 */
const MISSED = { least: 20, ofAll: 0.1, ofEachTable: 5 };
/** The seats of a public table. */
const SEATS = 6;
/** How long programs may take to join the lobby before the others begin without them. */
const JOIN_MS = 30_000;
/** How long the tables may take to find their final form; without a change for the second time they have it. */
const SETTLE_MS = 5000;
const QUIET_MS = 1000;
/** Without a finished hand for so long nobody plays any more. */
const STALL_MS = 60_000;

/** Plays a match on a platform of its own and leaves nothing behind. Aborting ends it early, with what was played. */
export async function playArena(
  options: ArenaOptions,
  watcher: MatchWatcher,
  abort: AbortSignal,
): Promise<ArenaResult> {
  const platform = await openPlatform(options.threads, options.env);
  const match = new Match(platform, options, watcher);
  try {
    abort.addEventListener('abort', () => match.finish('interrupted'), { once: true });
    if (abort.aborted) match.finish('interrupted');
    const failure = await match.play();
    // Its end is the last that the platform tells everybody.
    const lastErrors = match.lastErrors();
    await platform.stop();
    const results = await readResults(platform.sql, match.since, options.hands);
    const satOut = whoSatOut(results, lastErrors, options.bots);
    return { ...results, entrants: match.entrants, satOut, failure };
  } finally {
    await match.dismissAll();
    await platform.close();
  }
}

/**
 * The agents among `lastErrors` without cards in the last hands. The stored hands decide: they count whenever a program
 * joined, and whichever way its connection went.
 */
export function whoSatOut(
  { hands, players }: Pick<MatchResults, 'hands'> & { players: readonly Pick<PlayerResult, 'agentId' | 'lastHand'>[] },
  lastErrors: ReadonlyMap<string, string | null>,
  bots: number,
): Map<string, SatOut> {
  const missed = Math.max(MISSED.least, MISSED.ofAll * hands, MISSED.ofEachTable * Math.ceil(bots / SEATS));
  const lastHands = new Map(players.map(({ agentId, lastHand }) => [agentId, lastHand]));
  const present = [...lastErrors].map(([agentId, lastError]) => {
    return [agentId, { sinceHand: lastHands.get(agentId) ?? 0, lastError }] as const;
  });
  return new Map(present.filter(([, { sinceHand }]) => hands - sinceHand > missed));
}

class Match {
  readonly entrants: ArenaEntrant[] = [];
  /** Hands that began earlier do not count, epoch ms. */
  since = Infinity;
  readonly #count = new HandCount();
  readonly #finished: Promise<string | null>;
  #finish: (failure: string | null) => void = () => undefined;
  #over = false;

  constructor(
    private readonly platform: PrivatePlatform,
    private readonly options: ArenaOptions,
    private readonly watcher: MatchWatcher,
  ) {
    this.#finished = new Promise((resolve) => (this.#finish = resolve));
    void platform.gone.then(() => this.finish(`the platform stopped:\n${platform.tail.prefixed('platform')}`));
  }

  /** The first reason counts: null when all hands are played. */
  finish(failure: string | null): void {
    this.#over = true;
    this.#finish(failure);
  }

  /** Enters everybody and waits for the end; resolves to its reason. */
  async play(): Promise<string | null> {
    await this.#enter();
    await Promise.race([this.#finished, this.#programsJoined()]);
    for (const entrant of this.entrants) if (entrant.kind === 'built-in') entrant.player.start();
    await Promise.race([this.#finished, this.#settled()]);
    this.since = Date.now();
    this.#count.start();
    const watch = setInterval(() => this.#checkStall(), 1000);
    return this.#finished.finally(() => clearInterval(watch));
  }

  async dismissAll(): Promise<void> {
    this.#over = true;
    await Promise.all(this.entrants.map(dismiss));
  }

  async #enter(): Promise<void> {
    const { programs, bots, seed } = this.options;
    const onHand = (hand: Parameters<HandCount['see']>[0]) => this.#onHand(hand);
    for (const [n, command] of programs.entries()) {
      if (this.#over) return;
      const external = await enterProgram(this.platform, n, command, this.options, onHand);
      this.entrants.push(external);
      this.watcher.note(`the output of ${external.name} goes to ${external.log.path}`);
      void external.program.ended.then((how) => this.#programEnded(external, how));
    }
    for (let n = 0; n < bots - programs.length && !this.#over; n++) {
      this.entrants.push(await enterBuiltIn(this.platform, n, seed, onHand, (text) => this.#trouble(text)));
    }
  }

  /** The built-in bots wait, or a program that takes a second to start would miss hundreds of hands. */
  async #programsJoined(): Promise<void> {
    const waiting = this.#programs().map(async ({ name, program, tap }) => {
      const late = sleep(JOIN_MS, 'late' as const, { ref: false });
      const how = await Promise.race([tap.joined, program.ended, late]);
      if (how === 'late')
        this.watcher.note(`${name} has not joined the lobby in ${JOIN_MS / 1000} s; the others begin`);
    });
    await Promise.all(waiting);
  }

  /** Bots that come one by one open tables in pairs, which merge: what is played meanwhile is another game. */
  async #settled(): Promise<void> {
    const fewest = Math.ceil(this.options.bots / SEATS);
    let [last, since] = ['', performance.now()];
    for (const start = since; performance.now() - start < SETTLE_MS; await sleep(10)) {
      const tables = this.entrants.map(tableOfEntrant);
      const now = tables.join();
      if (now !== last) [last, since] = [now, performance.now()];
      if (tables.includes(null)) continue;
      if (new Set(tables).size <= fewest || performance.now() - since > QUIET_MS) return;
    }
  }

  #programs(): External[] {
    return this.entrants.filter((entrant) => entrant.kind === 'program');
  }

  #onHand(hand: Parameters<HandCount['see']>[0]): void {
    if (this.#over || !this.#count.see(hand)) return;
    this.watcher.progress(this.#count.total);
    if (this.#count.total >= this.options.hands) this.finish(null);
  }

  /** A trouble of a built-in bot. When the match is over, the platform shuts all bots out. */
  #trouble(text: string): void {
    if (!this.#over) this.watcher.note(text);
  }

  /** Each program's last refusal, by agent. Left out: ended programs, and those on their way back to a table. */
  lastErrors(): Map<string, string | null> {
    const present = this.#programs().filter(({ ended, tap }) => !ended && !tap.returning);
    return new Map(present.map(({ agentId, tap }) => [agentId, tap.lastError]));
  }

  /** A program may have had enough; one that fails ends the match, since that is what its author must know first. */
  #programEnded(external: External, how: number | NodeJS.Signals): void {
    if (this.#over) return;
    const { name, program } = external;
    external.ended = true;
    const text = `${name} (${program.command}) ended with ${how} after ${this.#count.total} hands`;
    if (how !== 0) this.finish(program.tail.isEmpty ? text : `${text}:\n${program.tail.prefixed(name)}`);
    else {
      this.watcher.note(text);
      const left = this.options.bots - this.#programs().filter(({ ended }) => ended).length;
      if (left < 2) this.finish('too few bots are left to play on');
    }
  }

  #checkStall(): void {
    if (performance.now() - this.#count.lastAt > STALL_MS) {
      this.finish(`no hand was finished for ${STALL_MS / 1000} s`);
    }
  }
}
