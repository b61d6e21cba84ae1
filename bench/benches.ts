import { command, type Option, type Values } from '../src/command/options.js';

/** The benches, in the order in which `npx agent-poker bench` runs them. Minutes: with the defaults, on two cores. */
export const BENCHES = {
  eval: { minutes: 0.5, purpose: 'Seven-card evaluation, beside phe, @pokertools/evaluator and pokersolver.' },
  engine: { minutes: 0.2, purpose: 'Whole six-handed hands in the rules alone, beside poker-ts.' },
  table: { minutes: 0.5, purpose: 'Measures the cost of a hand at a table, without sockets, threads and database.' },
  fair: {
    minutes: 1.5,
    purpose: 'Measures the cost of fair deals, at a table and per served hand, on and off in one run.',
  },
  commit: { minutes: 0.5, purpose: 'Group commits of finished hands into the embedded PostgreSQL.' },
  queries: { minutes: 4, purpose: "Measures the REST endpoints' load on the database, over full-size tables." },
  served: {
    minutes: 11,
    purpose: 'Measures hands over real sockets: rates, CPU a hand by thread, latency, and the compared programs.',
  },
  lean: { minutes: 3, purpose: 'Tables of six that read lean frames beside tables that read the others.' },
  relay: {
    minutes: 0.5,
    purpose: 'Measures the delay that a relay to another node adds between a message and its answer.',
  },
  share: {
    minutes: 20,
    purpose: 'Players at their own nodes, in virtual time: the share of local pairs, and waiting.',
  },
  nodes: {
    minutes: 14,
    purpose: 'Several nodes on one database: CPU, statements and messages a hand, relays, outages.',
  },
  selfplay: {
    minutes: 4,
    purpose: 'Matches in memory beside hands that are served on the same cores, and bots behind a pipe.',
  },
  compare: { minutes: 4, purpose: 'Verdicts of compare: how often false, and after how many hands.' },
  rethink: { minutes: 1, purpose: 'Recorded hands asked again over real sockets: decisions a second.' },
  collusion: { minutes: 4, purpose: 'Planted colluders among 200 honest bots: how many are found, and false alarms.' },
  hosted: { minutes: 2, purpose: 'Measures how much 200 hosted bots slow the other bots.' },
  ratings: {
    minutes: 2,
    purpose: 'Ratings of 40 planted bots, a cycle of three and a farm among them, beside raw chips.',
  },
  growth: { minutes: 27, purpose: 'CPU a hand from 1 to 2,000 tables, and with 5 million stored hands.' },
  watch: { minutes: 4, purpose: '1,000 and 5,000 spectators of one table beside 20 that play.' },
  connections: { minutes: 2, purpose: '10,000 silent sockets beside 50 tables that play.' },
  luck: {
    minutes: 2,
    purpose: 'Luck-adjusted results: unbiased, and how many hands they save beside all-ins and duplicates.',
  },
  coverage: { minutes: 1, purpose: 'Intervals with a look after every hand: how often they hold, and their width.' },
  styles: { minutes: 0.3, purpose: 'How the styles of the house play, and whether that is what their names say.' },
  profile: { minutes: 0.5, purpose: "V8's profile of every thread under load, as text." },
} as const satisfies Record<string, { minutes: number; purpose: string }>;

export type BenchName = keyof typeof BENCHES;

/** `npx agent-poker bench` runs these in turn. It leaves out `profile`, which prints text for people. */
export const ALL = (Object.keys(BENCHES) as BenchName[]).filter((name) => name !== 'profile');

export const duration = (minutes: number): string => {
  if (minutes > 2) return `${Math.round(minutes)} minutes`;
  if (minutes < 1 || minutes % 0.5 > 0) return `${Math.round(60 * minutes)} s`;
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
};

/**
 * The options of a bench. It prints its expected time: `seconds` of the given options, else with the defaults.
 *
 * A bench leaves nothing behind. Its processes are Children of src/command/child.ts and end with it, and its databases
 * lie in a `temporaryFolder`. So Ctrl-C needs no handler, and none may be there: benches that only reckon would not
 * come to it.
 */
export function bench<O extends Readonly<Record<string, Option<unknown>>>>(
  name: BenchName,
  options: O,
  seconds?: (values: Values<O>) => number,
): Values<O> {
  const { minutes, purpose } = BENCHES[name];
  const takes = `about ${duration(minutes)} with the defaults, on two quiet cores`;
  const { values } = command({
    name: `npx agent-poker bench ${name}`,
    takes,
    options,
    purpose: `${purpose}\nExit code 1: a goal is missed.`,
  });
  const asked = seconds === undefined ? takes : `about ${duration(seconds(values) / 60)} on two quiet cores`;
  process.stderr.write(`bench ${name} takes ${asked}\n`);
  return values;
}

/** Tells on stderr which step of a bench comes, and how long the rest will take by what those before took. */
export class Steps {
  #done = 0;
  readonly #began = performance.now();

  constructor(private readonly all: number) {}

  next(what: string): void {
    const seconds = (performance.now() - this.#began) / 1000;
    const left = (seconds / this.#done) * (this.all - this.#done);
    const time = this.#done === 0 ? '' : ` (${Math.round(seconds)} s so far, about ${Math.ceil(left)} s to go)`;
    process.stderr.write(`[${++this.#done}/${this.all}] ${what}${time}\n`);
  }
}
